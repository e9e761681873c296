/** What the areas share: parts of paths, event streams, and types of operations. */
import type { operations as BoxOperations } from "./box.gen.ts";
import type { operations as ControlOperations } from "./control.gen.ts";
import type { CallOptions, Http, Query } from "./http.ts";
import { Follower } from "./followers.ts";
import { BelljarError } from "./problems.ts";

type Operations = BoxOperations & Omit<ControlOperations, keyof BoxOperations>;

/** What may be asked in an operation's address. */
export type QueryOf<Id extends keyof Operations> = Operations[Id] extends { parameters: { query?: infer Given } }
  ? Omit<NonNullable<Given>, "follow">
  : never;

/** One part of a path, whatever is in it. */
export function part(text: string): string {
  // Dots lead elsewhere however they are spelled, and half a character has no spelling.
  if (typeof text !== "string" || /^\.{0,2}$/.test(text) || /\p{Surrogate}/u.test(text)) throw new TypeError(`There is no "${text}": it cannot stand in an address.`);
  return encodeURIComponent(text);
}

/** The data of each event of a name. */
export function follow<T>(
  http: Http,
  path: string,
  query: Query,
  name: string | undefined,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  return new Follower(async function* (leaving): AsyncGenerator<T, void, undefined> {
    for await (const { event, data } of http.events(path, query, { ...options, leaving })) {
      if (name !== undefined && event !== name) continue;
      let told: T;
      try {
        told = JSON.parse(data) as T;
      } catch (error) {
        throw new BelljarError("not_belljar", `${path} sent what is no event`, { cause: error });
      }
      yield told;
    }
  });
}

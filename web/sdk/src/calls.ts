/** What the areas share: parts of paths, event streams, and types of operations. */
import type { operations as BoxOperations } from "./box.gen.ts";
import type { operations as ControlOperations } from "./control.gen.ts";
import type { CallOptions, Http, Query } from "./http.ts";
import { BelljarError } from "./problems.ts";

type Operations = BoxOperations & Omit<ControlOperations, keyof BoxOperations>;

/** What may be asked in an operation's address. */
export type QueryOf<Id extends keyof Operations> = Operations[Id] extends { parameters: { query?: infer Given } }
  ? Omit<NonNullable<Given>, "follow">
  : never;

/** One part of a path, whatever is in it. */
export function part(text: string): string {
  // These lead elsewhere however they are spelled.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`There is no "${text}": it cannot stand in an address.`);
  return encodeURIComponent(text);
}

/** The data of each event of a name. */
export async function* follow<T>(
  http: Http,
  path: string,
  query: Query,
  name: string | undefined,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const { event, data } of http.events(path, query, options)) {
    if (name !== undefined && event !== name) continue;
    try {
      yield JSON.parse(data) as T;
    } catch (error) {
      if (error instanceof SyntaxError) throw new BelljarError("not_belljar", `${path} sent what is no event`, { cause: error });
      throw error;
    }
  }
}

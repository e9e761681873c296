/** The record of one session, followed while it runs and read after: one stream for every panel. */
import { type RecordEvent, Problem, type SandboxAgent } from "belljar";
import { client, openSession } from "../../shell/server.ts";
import { whileShown } from "../../shell/shown.ts";
import { Acts } from "./acts.ts";

export interface RecordSnapshot {
  events: readonly RecordEvent[];
  acts: Acts;
  /** Another number with each change: what depends on the whole list can be worked out once for each. */
  version: number;
  state: "reading" | "live" | "waiting" | "over" | "refused";
  /** How many of the oldest are left out. */
  left: number;
  why?: string | undefined;
}

/** Where it is read: from a box that runs (its cookie is had first where `id` is given), of a session that is over, or nowhere yet. */
export type RecordSource = { kind: "box"; box: SandboxAgent; id: string | undefined } | { kind: "ended"; id: string } | { kind: "none" };

// What one page keeps; of longer records the newest.
const MOST = 50_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export class RecordStore {
  readonly #source: RecordSource;
  readonly #onOver: () => void;
  #events: RecordEvent[] = [];
  #acts = new Acts();
  #snapshot: RecordSnapshot = { events: [], acts: this.#acts, version: 0, state: "reading", left: 0 };
  #isPending = false;
  #ending: AbortController | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(source: RecordSource, onOver: () => void = () => undefined) {
    this.#source = source;
    this.#onOver = onOver;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const isDue = this.#source.kind !== "none" && this.#snapshot.state !== "over" && this.#snapshot.state !== "refused";
    if (this.#ending === undefined && isDue) void this.#run((this.#ending = new AbortController()).signal);
    return () => {
      this.#listeners.delete(listener);
      setTimeout(() => {
        if (this.#listeners.size > 0) return;
        this.#ending?.abort();
        this.#ending = undefined;
      }, 0);
    };
  };

  readonly getSnapshot = (): RecordSnapshot => this.#snapshot;

  async #run(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 1.8, LONGEST_WAIT_MS)) {
      try {
        if (this.#source.kind === "box") await this.#follow(this.#source, signal);
        else if (this.#source.kind === "ended") await this.#read(this.#source.id, signal);
        if (signal.aborted) return;
        this.#tell({ state: "over" });
        this.#onOver();
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && [401, 403, 404, 410].includes(error.status)) {
          this.#tell({ state: "refused", why: error.detail });
          this.#onOver();
          return;
        }
        this.#tell({ state: "waiting" });
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #follow({ box, id }: RecordSource & { kind: "box" }, signal: AbortSignal): Promise<void> {
    if (id !== undefined) await openSession(id);
    const last = this.#events.at(-1)?.seq;
    const { newest } = await box.http.get<{ newest: number }>("/v1/events", { limit: 1 }, { signal });
    const since = last ?? Math.max(0, newest - MOST);
    this.#tell({ left: last === undefined ? since : this.#snapshot.left, state: newest === 0 ? "live" : this.#snapshot.state });
    const open = (shown: AbortSignal) => box.http.events("/v1/events", { since: this.#events.at(-1)?.seq ?? since, follow: "true" }, { signal: shown });
    for await (const { data } of whileShown(open, signal)) {
      this.#add(JSON.parse(data) as RecordEvent);
      this.#tell({ state: "live" });
    }
  }

  async #read(id: string, signal: AbortSignal): Promise<void> {
    const { newest } = await client.sessions.record(id, { limit: 1 }, { signal });
    let since = Math.max(0, newest - MOST);
    this.#tell({ left: since });
    for (let more = newest > 0; more; ) {
      const page = await client.sessions.record(id, { since, limit: 1000 }, { signal });
      for (const event of page.events) this.#add(event);
      this.#tell({});
      [since, more] = [page.cursor, page.more];
    }
  }

  #add(event: RecordEvent): void {
    if (event.seq <= (this.#events.at(-1)?.seq ?? 0)) return;
    this.#events.push(event);
    this.#acts.add(event);
  }

  /** Many events at once are one change. */
  #tell(part: Partial<RecordSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...part };
    if (this.#isPending) return;
    this.#isPending = true;
    setTimeout(() => {
      this.#isPending = false;
      this.#snapshot = { ...this.#snapshot, events: this.#events, acts: this.#acts, version: this.#snapshot.version + 1 };
      for (const listener of [...this.#listeners]) listener();
    }, 16);
  }
}

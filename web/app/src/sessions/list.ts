/** The sessions, as one stream tells them; and what of them the screen shows: groups, filter, names. */
import type { SessionInfo } from "belljar";
import { client, refused } from "../shell/server.ts";
import { whileShown } from "../shell/shown.ts";

export type StreamState = "connecting" | "live" | "waiting";

export interface ListSnapshot {
  sessions: readonly SessionInfo[];
  /** Whether all that there is has come at least once. */
  isListed: boolean;
  state: StreamState;
  /** When it was last known to be so; while reconnecting. */
  asOf: number;
  /** Why it is not told, while it is not. */
  error: unknown;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const MOST = 1000;

/** One stream for as long as somebody listens. */
export class SessionStream {
  #snapshot: ListSnapshot = { sessions: [], isListed: false, state: "connecting", asOf: Date.now(), error: undefined };
  readonly #byId = new Map<string, SessionInfo>();
  readonly #listeners = new Set<() => void>();
  #ending: AbortController | undefined;
  #isPending = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#ending === undefined) void this.#run((this.#ending = new AbortController()).signal);
    return () => {
      this.#listeners.delete(listener);
      // StrictMode and a change of screens leave and come back at once.
      setTimeout(() => {
        if (this.#listeners.size > 0) return;
        this.#ending?.abort();
        this.#ending = undefined;
      }, 0);
    };
  };

  readonly getSnapshot = (): ListSnapshot => this.#snapshot;

  /** What was just answered about a session, before the stream says it. */
  put(session: SessionInfo): void {
    const { token: _token, connect: _connect, ...rest } = session;
    this.#byId.set(session.id, { ...rest, glance: session.glance ?? this.#byId.get(session.id)?.glance ?? null } as SessionInfo);
    this.#tell({});
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 1.8, LONGEST_WAIT_MS)) {
      let error: unknown;
      try {
        for await (const event of whileShown((shown) => client.sessions.watch({ limit: MOST }, { signal: shown }), signal)) {
          wait = FIRST_WAIT_MS;
          if (event.type === "session") this.#byId.set(event.session.id, event.session);
          else if (event.type === "gone") this.#byId.delete(event.id);
          else {
            const ids = new Set(event.ids);
            for (const id of [...this.#byId.keys()]) if (!ids.has(id)) this.#byId.delete(id);
          }
          this.#tell({ state: "live", error: undefined, ...(event.type === "listed" ? { isListed: true } : {}) });
        }
      } catch (failed) {
        error = failed;
        refused(failed);
      }
      if (signal.aborted) return;
      this.#tell({ state: "waiting", error, asOf: this.#snapshot.state === "live" ? Date.now() : this.#snapshot.asOf });
      await pause(wait, signal);
    }
  }

  /** Many events at once are one change. */
  #tell(part: Partial<ListSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...part };
    // What there is comes one by one: it is shown at once, when all of it is there.
    if (this.#isPending || (!this.#snapshot.isListed && this.#snapshot.state === "live")) return;
    this.#isPending = true;
    setTimeout(() => {
      this.#isPending = false;
      const sessions = [...this.#byId.values()].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
      this.#snapshot = { ...this.#snapshot, sessions };
      for (const listener of [...this.#listeners]) listener();
    }, 0);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
    addEventListener("online", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

export const stream: SessionStream = new SessionStream();

export type Group = "needs" | "running" | "ended";
export const GROUPS: readonly (readonly [Group, string])[] = [
  ["needs", "Needs you"],
  ["running", "Running"],
  ["ended", "Ended"],
];

const LIVE = new Set(["pending", "starting", "running", "stopping"]);
const HOUR = 3_600_000;

export function isLive({ state }: SessionInfo): boolean {
  return LIVE.has(state);
}

/** Why a person is wanted, in a few words; undefined where none is. */
export function needOf(session: SessionInfo, now: number): string | undefined {
  const { glance, isolation, state } = session;
  if (glance?.question) return glance.question;
  if (glance?.dialog != null) return `The page waits for an answer: ${glance.dialog}`;
  if (state === "failed" && now - Date.parse(session.endedAt ?? session.createdAt) < HOUR) return reasonOf(session);
  if (isLive(session) && isolation?.jail === false && !isByChoice(isolation.reason)) return `No jail: ${isolation.reason}`;
  return undefined;
}

// The operator chose it: it is shown, but nobody has to do anything.
function isByChoice(reason: string | null | undefined): boolean {
  return /switched off/.test(reason ?? "");
}

export function groupOf(session: SessionInfo, now: number): Group {
  if (needOf(session, now) !== undefined) return "needs";
  return isLive(session) ? "running" : "ended";
}

const REASONS: Record<string, string> = {
  released: "Ended by its user",
  expired: "Its time was over",
  idle: "Nobody used it",
  crashed: "Its box died",
  oom: "Out of memory",
  revoked: "Revoked",
  evicted: "Ended to make room",
  failed: "It never came up",
};

export function reasonOf({ reason, detail, state }: SessionInfo): string {
  const words = reason == null ? (state === "failed" ? "Failed" : "Ended") : (REASONS[reason] ?? reason);
  return detail ? `${words}: ${detail}` : words;
}

/** What people call it: its tag `name`, or its id. */
export function nameOf(session: SessionInfo): string {
  return session.tags["name"] || session.id;
}

/** The state as the dot shows it. */
export function dotOf(session: SessionInfo): string {
  if (session.state === "running" && (session.glance?.question || session.glance?.dialog != null)) return "asks";
  return session.state;
}

/**
 * Whether a session is one that `text` asks for: words are looked for in name, title and address; `state:failed`, `tag:shop`,
 * `tag:shop=blue`, `user:ann`, `user:=ann` (whole, not its beginning), `host:…`, `day:2026-11-18`, `mode:…`, `driver:agent` and each with a minus before it.
 */
export function matches(session: SessionInfo, text: string): boolean {
  return text
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .every((term) => (term.startsWith("-") && term.length > 1 ? !matchesTerm(session, term.slice(1)) : matchesTerm(session, term)));
}

function matchesTerm(session: SessionInfo, term: string): boolean {
  const [, name = "", value = ""] = /^(\w+):(.*)$/.exec(term) ?? [];
  const wanted = value.toLowerCase();
  const begins = (one: string | null | undefined): boolean =>
    wanted.startsWith("=") ? (one ?? "").toLowerCase() === wanted.slice(1) : (one ?? "").toLowerCase().startsWith(wanted);
  switch (name) {
    case "state":
      return begins(session.state) || begins(session.reason);
    case "tag": {
      const [tag = "", is] = value.split("=");
      const has = session.tags[tag];
      return has !== undefined ? is === undefined || has === is : is === undefined && Object.values(session.tags).some(begins);
    }
    case "user":
      return begins(session.userId);
    case "host":
      return begins(session.host);
    case "day":
      // In UTC, as usage counts them.
      return session.createdAt.startsWith(value);
    case "mode":
      return begins(session.mode);
    case "driver":
      return begins(session.glance?.holder.kind === "viewer" ? (session.glance.holder.name ?? "person") : (session.glance?.holder.kind ?? "none"));
    default: {
      const lower = term.toLowerCase();
      const places = [nameOf(session), session.id, session.glance?.title, session.glance?.url, session.url, session.userId, ...Object.values(session.tags)];
      return places.some((place) => place?.toLowerCase().includes(lower));
    }
  }
}

/** The record in lanes: what agent, person and page did, what was asked of the network, what the policy said. */
import type { RecordEvent } from "belljar";
import { isRead } from "../record/acts.ts";

export const LANES = [
  ["agent", "Agent"],
  ["person", "Person"],
  ["page", "Page"],
  ["network", "Network"],
  ["policy", "Policy"],
] as const;
export type Lane = (typeof LANES)[number][0];

export interface LaneItem {
  from: number;
  to: number;
  isBad: boolean;
}

export interface Flag {
  t: number;
  text: string;
}

const OF_KIND: Partial<Record<RecordEvent["kind"], Lane>> = { nav: "page", tab: "page", dialog: "page", download: "page", console: "page", network: "network", egress: "policy" };
const BY_ACTOR: ReadonlySet<string> = new Set(["call", "cdp", "input", "control", "upload", "ask", "viewer"]);
const BAD: ReadonlySet<string> = new Set(["failed", "crashed", "denied", "error"]);

/** Grows with the record. */
export class Lanes {
  readonly items: Record<Lane, LaneItem[]> = { agent: [], person: [], page: [], network: [], policy: [] };
  readonly flags: Flag[] = [];
  /** While events were lost. */
  readonly gaps: { from: number; to: number }[] = [];
  readonly #calls = new Map<string, LaneItem>();
  #last = 0;

  add(event: RecordEvent): void {
    const { kind, name, t } = event;
    const data = (event.data ?? {}) as Record<string, unknown>;
    if (kind === "mark") this.flags.push({ t, text: String(data["mark"] ?? "") });
    if (kind === "system" && name === "lost") this.gaps.push({ from: this.#last || t, to: t });
    this.#last = t;
    if (kind === "call" && name.endsWith(".end")) return this.#end(event, data);
    const lane = laneOf(event);
    if (lane === undefined || isRead(event)) return;
    const ms = typeof data["ms"] === "number" ? data["ms"] : 0;
    const item: LaneItem = { from: kind === "network" ? t - ms * 1000 : t, to: t, isBad: isBad(event, data) };
    this.items[lane].push(item);
    if (kind === "call" && event.requestId != null) this.#calls.set(event.requestId, item);
  }

  #end({ requestId, t }: RecordEvent, { status }: Record<string, unknown>): void {
    const item = requestId == null ? undefined : this.#calls.get(requestId);
    if (item === undefined || requestId == null) return;
    this.#calls.delete(requestId);
    item.to = t;
    item.isBad = Number(status ?? 200) >= 400;
  }
}

function laneOf({ kind, name, actor }: RecordEvent): Lane | undefined {
  // Of the console what went wrong; connections when they are decided; of the mouse what is pressed.
  if ((kind === "console" && name !== "error") || (kind === "egress" && name === "closed") || name === "mouse.move") return undefined;
  if (BY_ACTOR.has(kind)) return actor.kind === "viewer" ? "person" : actor.kind === "page" ? "page" : actor.kind === "system" ? undefined : "agent";
  return OF_KIND[kind];
}

function isBad({ kind, name }: RecordEvent, data: Record<string, unknown>): boolean {
  if (kind === "network") return Number(data["status"] ?? 0) >= 400 || data["netError"] != null || data["error"] != null;
  return BAD.has(name);
}

/** What stands nearest to a moment, if it is within `reach`. */
export function nearest(items: readonly LaneItem[], moment: number, reach: number): LaneItem | undefined {
  let found: LaneItem | undefined;
  let least = reach;
  for (const item of items) {
    const apart = moment < item.from ? item.from - moment : moment > item.to ? moment - item.to : 0;
    if (apart <= least) [found, least] = [item, apart];
  }
  return found;
}

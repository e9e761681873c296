/** The record as acts: a row for each thing that somebody did, with how it went and what it caused. */
import type { RecordEvent } from "belljar";

export interface Act {
  seq: number;
  /** Microseconds since 1970, as everywhere in the record. */
  t: number;
  actor: RecordEvent["actor"];
  kind: RecordEvent["kind"];
  /** `browserClick`, `committed`, `taken`. */
  name: string;
  verb: string;
  target: string;
  state: "running" | "done" | "failed";
  ms?: number | undefined;
  /** Of the problem it failed with. */
  code?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  tabId?: string | undefined;
  data: Record<string, unknown>;
  /** What happened because of it, by the record's own word. */
  caused: RecordEvent[];
}

const VERBS: Record<string, string> = {
  browserNavigate: "Go to",
  navigateBrowser: "Go to",
  mouseDown: "Press",
};

/** Words of an operation's name: `clickBrowser` → `click`, `getBrowserMarkdown` → `get markdown`. */
function wordsOf(operation: string): string {
  const known = VERBS[operation];
  if (known !== undefined) return known;
  const words = operation.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(" ");
  const rest = words.filter((word, index) => index === 0 || (word !== "browser" && word !== "desktop"));
  const text = (rest[0] === "browser" || rest[0] === "desktop" ? rest.slice(1) : rest).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const TARGETS = ["selector", "url", "ref", "text", "key", "keys", "path", "command", "expression", "method", "question", "mark", "host", "file", "files", "processId", "tabId"];

function targetOf(data: Record<string, unknown>): string {
  for (const name of TARGETS) {
    const value = data[name];
    if (typeof value === "string" && value !== "") return value;
    if (Array.isArray(value) && value.length > 0) return value.join(" ");
  }
  if (typeof data["x"] === "number" && typeof data["y"] === "number") return `${Math.round(data["x"])}, ${Math.round(data["y"])}`;
  return "";
}

const NAMES: Record<string, string> = {
  "nav.committed": "Page opened",
  "nav.within": "Moved within the page",
  "nav.failed": "Page failed",
  "tab.opened": "Tab opened",
  "tab.closed": "Tab closed",
  "tab.activated": "Tab chosen",
  "tab.crashed": "Tab crashed",
  "dialog.opened": "Dialog opened",
  "dialog.answered": "Dialog answered",
  "dialog.closed": "Dialog gone",
  "download.begun": "Download began",
  "download.completed": "Download complete",
  "download.canceled": "Download cancelled",
  "upload.given": "Files given",
  "control.taken": "Took control",
  "control.given": "Was given control",
  "control.released": "Gave control back",
  "control.requested": "Asked for control",
  "control.ended": "Control ended",
  "control.expired": "Control ran out",
  "viewer.came": "Came to watch",
  "viewer.left": "Left",
  "input.mouse.down": "Pressed",
  "input.mouse.up": "Released",
  "input.mouse.wheel": "Scrolled",
  "input.mouse.move": "Moved",
  "input.key.down": "Key",
  "input.text": "Typed",
  "ask.asked": "Asked a person",
  "ask.withdrawn": "Took its question back",
  "ask.answered": "Was answered",
  "egress.denied": "Refused a host",
  "egress.allowed": "Allowed a host",
  "process.started": "Process started",
  "process.exited": "Process ended",
  "process.ran": "Ran",
  "cdp.came": "CDP client came",
  "cdp.left": "CDP client left",
  "film.started": "Film began",
  "film.ended": "Film ended",
};

// In lanes and details they have a place; as a row of their own they would bury the rest.
const HIDDEN = new Set(["console", "network", "screen"]);
const HIDDEN_NAMES = new Set(["input.mouse.move", "input.mouse.up", "input.key.up", "egress.allowed", "egress.closed", "film.first_frame", "film.gap.begin", "film.gap.end"]);

// What panels ask for to show it, as programs do that look after a box.  Such reads change nothing and tell nothing of a page.
const READS = new Set([
  ...["getBrowserAsks", "getBrowserContexts", "getBrowserDownloads", "getBrowserStatus", "getBrowserTabs", "getControl", "getDesktopDisplayInfo"],
  ...["getDesktopStatus", "listDesktopRecordings", "downloadDesktopRecording", "getDesktopRecording", "listDesktopWindows", "getEgressLog", "getEgressPolicy"],
  ...["getEgressSuggestion", "getEvents", "exportEvents", "getEventPicture", "getEventsProof", "getHealth", "getLiveGlance", "getLiveHealth"],
  ...["listFsEntries", "statFs", "listProcesses", "getProcess", "getProcessConfig", "getProcessLogs", "getBrowserConsole", "getBrowserNetwork"],
]);

/** Whether a call only looked at how things stand: many of these come with every panel that is opened, and would bury the rest. */
export function isRead({ kind, name }: { kind: string; name: string }): boolean {
  return kind === "call" && READS.has(name.replace(/\.(begin|end)$/, ""));
}

/** How one event reads as an act. */
export function actOf(event: RecordEvent): { verb: string; target: string; isShown: boolean } {
  const { kind, name } = event;
  const data = (event.data ?? {}) as Record<string, unknown>;
  if (kind === "call") {
    const [operation = "", moment] = splitCall(name);
    return { verb: wordsOf(operation), target: targetOf(data), isShown: moment === "begin" };
  }
  const full = `${kind}.${name}`;
  if (kind === "mark") return { verb: "Mark", target: String(data["mark"] ?? ""), isShown: true };
  if (kind === "cdp" && name === "command") return { verb: "CDP", target: String(data["method"] ?? ""), isShown: true };
  if (kind === "system") return { verb: capital(name.replaceAll(".", " ")), target: targetOf(data), isShown: true };
  const isShown = !HIDDEN.has(kind) && !HIDDEN_NAMES.has(full);
  return { verb: NAMES[full] ?? `${kind} ${name}`, target: targetOf(data), isShown };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function splitCall(name: string): [operation: string, moment: string] {
  const at = name.lastIndexOf(".");
  return [name.slice(0, at), name.slice(at + 1)];
}

/** Grows with the record: ends find their beginnings, and what was caused finds its call. */
export class Acts {
  readonly #acts: Act[] = [];
  readonly #calls = new Map<string, Act>();
  #version = 0;

  get all(): readonly Act[] {
    return this.#acts;
  }

  /** Another number when something was added. */
  get version(): number {
    return this.#version;
  }

  add(event: RecordEvent): void {
    this.#version++;
    const data = (event.data ?? {}) as Record<string, unknown>;
    const call = event.requestId == null ? undefined : this.#calls.get(event.requestId);
    if (event.kind === "call" && event.name.endsWith(".end")) {
      if (call === undefined) return;
      const { status, ms, code } = data as { status?: number; ms?: number; code?: string };
      Object.assign(call, { status, ms, code, state: (status ?? 200) >= 400 ? "failed" : "done" });
      return;
    }
    if (call !== undefined && event.kind !== "call") {
      call.caused.push(event);
      // What an act led to is told with it, but for what people must see by itself.
      if (event.kind !== "egress" && event.kind !== "dialog") return;
    }
    const { verb, target, isShown } = actOf(event);
    if (!isShown) return;
    const act: Act = {
      seq: event.seq,
      t: event.t,
      actor: event.actor,
      kind: event.kind,
      name: event.kind === "call" ? splitCall(event.name)[0] : event.name,
      verb,
      target,
      state: event.kind === "call" ? "running" : event.name === "failed" || event.name === "crashed" || event.name === "denied" ? "failed" : "done",
      requestId: event.requestId ?? undefined,
      tabId: event.tabId ?? undefined,
      data,
      caused: [],
    };
    if (event.kind === "call" && event.requestId != null) this.#calls.set(event.requestId, act);
    this.#acts.push(act);
  }
}

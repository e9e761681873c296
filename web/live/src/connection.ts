/** The live WebSocket: connects, reconnects with back-off, and tells listeners what came. */
import type {
  BrowserAsk,
  ControlResponse,
  LiveAck,
  LiveAsksChanged,
  LiveConsoleLine,
  LiveDialogChanged,
  LiveDownloadChanged,
  LiveKeyInput,
  LiveMouseInput,
  LiveNavigated,
  LivePeerChanged,
  LivePeerWish,
  LivePing,
  LiveProblem,
  LiveReady,
  LiveResize,
  LiveStats,
  LiveTab,
  LiveTabsChanged,
  LiveVideoChanged,
  LiveVideoWish,
} from "belljar";
import { type LiveChunk, type LiveShot, readFrame } from "./frames.ts";
import type { LiveTransport } from "./video.ts";

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
const PING_MS = 2_000;
// Without a pong for this long the connection is taken for dead, whatever TCP says.
const SILENCE_MS = 12_000;
const MOST_DOWNLOADS = 20;
const KEPT_AS = "belljar-viewer";
const TAKE = "control.take";

/** There is nothing to be heard, or it is muted until a person asks for it, or it plays. */
export type LiveSound = "none" | "muted" | "playing";

export type ConnectionState = "connecting" | "open" | "waiting" | "closed";

/** What listeners can be told, by name: the server's events, and those of the connection itself. */
export interface LiveEvents {
  state: ConnectionState;
  latency: number;
  frame: LiveShot;
  chunk: LiveChunk;
  video: LiveVideoChanged;
  webrtc: LivePeerChanged;
  lost: { code: number; reason: string };
  ready: LiveReady;
  navigated: LiveNavigated;
  console: LiveConsoleLine;
  error: LiveProblem;
  tabs: LiveTabsChanged;
  dialog: LiveDialogChanged;
  asks: LiveAsksChanged;
  download: LiveDownloadChanged;
  control: ControlResponse;
  stats: LiveStats;
}

/** What is known now.  A new object at each change, and never changed itself. */
export interface LiveSnapshot {
  state: ConnectionState;
  ready: LiveReady | undefined;
  tabs: readonly LiveTab[];
  control: ControlResponse | undefined;
  /** The dialog that is open, that of the tab in front first. */
  dialog: LiveDialogChanged | undefined;
  dialogs: readonly LiveDialogChanged[];
  /** What pages ask of a person, the tab in front first. */
  asks: readonly BrowserAsk[];
  /** The last ones, oldest first. */
  downloads: readonly LiveDownloadChanged[];
  stats: LiveStats | undefined;
  error: LiveProblem | undefined;
  /** How what is shown comes, and as what. */
  transport: LiveTransport;
  format: LiveVideoChanged["format"];
  /** Why WebRTC is not used any more, or yet, where it was tried. */
  peerLost: string | undefined;
  /** Whether what is shown can be heard, and is. */
  sound: LiveSound;
  /** Whether input of this viewer is taken now: it may drive, and nobody else holds control. */
  mayAct: boolean;
}

export type LiveMessage = LiveMouseInput | LiveKeyInput | LivePing | LiveAck | LiveVideoWish | LivePeerWish | LiveResize;

/** Where the connection goes: the http address of a box, with a slash at its end, or what opens its WebSocket. */
export type LiveSource = string | ((viewer: string) => WebSocket | Promise<WebSocket>);

interface Call {
  resolve: (result: unknown) => void;
  reject: (error: LiveProblem | { message: string }) => void;
  method: string;
}

export interface ConnectionOptions {
  /** Where the viewer's key is kept over a reload, so that control is kept with it; nowhere where it is null. */
  storage?: Pick<Storage, "getItem" | "setItem"> | null | undefined;
  /** Its name there: pages that watch more than one box give each its own. */
  storageKey?: string | undefined;
}

export class Connection extends EventTarget {
  state: ConnectionState = "closed";
  latency: number | null = null;
  readonly source: LiveSource;
  /** What the server does not see of how it goes: set by what shows video. */
  measure: ((stats: LiveStats) => Promise<LiveStats>) | undefined;
  #isTaking = false;
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly #storageKey: string;
  #key: string;
  #socket: WebSocket | null = null;
  // Which of the openings is the one wanted: an earlier one may still be under way.
  #opening = 0;
  readonly #calls = new Map<number, Call>();
  #number = 0;
  #wait = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #snapshot: LiveSnapshot = nothing("closed");
  readonly #subscribers = new Set<() => void>();
  readonly #retry = (): void => this.#retryNow();

  constructor(source: LiveSource, options: ConnectionOptions = {}) {
    super();
    this.source = source;
    this.#storage = options.storage === undefined ? sessionStorageIfAllowed() : options.storage;
    this.#storageKey = options.storageKey ?? KEPT_AS;
    this.#key = this.#storage?.getItem(this.#storageKey) ?? "";
  }

  open(): void {
    globalThis.addEventListener?.("online", this.#retry);
    globalThis.document?.addEventListener("visibilitychange", this.#retry);
    void this.#open();
  }

  close(): void {
    globalThis.removeEventListener?.("online", this.#retry);
    globalThis.document?.removeEventListener("visibilitychange", this.#retry);
    clearTimeout(this.#timer);
    clearInterval(this.#pinging);
    this.#opening++;
    this.#socket?.close();
    this.#socket = null;
    this.#failCalls("The connection was closed.");
    this.#move("closed");
  }

  /** Now, whatever the back-off says. */
  again(): void {
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT_MS;
    this.open();
  }

  /** What is not sent while there is no connection is lost: it was meant for what was shown then. */
  send(message: LiveMessage | { id: number; type: "cmd"; method: string; params: object }): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** Whether control was asked for, and the server has not said yet who has it.  What is sent behind that is taken in this order. */
  get isTakingControl(): boolean {
    return this.#isTaking;
  }

  /** Run a command; rejects with the problem it failed with. */
  call<T = unknown>(method: string, params: object = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== 1) return reject({ message: "Not connected." });
      const id = ++this.#number;
      this.#calls.set(id, { resolve: resolve as (result: unknown) => void, reject, method });
      if (method === TAKE) this.#isTaking = true;
      this.send({ id, type: "cmd", method, params });
    });
  }

  /** Be told of one kind of thing; gives what ends it. */
  on<Name extends keyof LiveEvents>(name: Name, listener: (data: LiveEvents[Name]) => void): () => void {
    const hear = (event: Event): void => listener((event as CustomEvent<LiveEvents[Name]>).detail);
    this.addEventListener(name, hear);
    return () => this.removeEventListener(name, hear);
  }

  /** With `getSnapshot`, as stores have them: `useSyncExternalStore(connection.subscribe, connection.getSnapshot)`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#subscribers.add(listener);
    return () => void this.#subscribers.delete(listener);
  };

  readonly getSnapshot = (): LiveSnapshot => this.#snapshot;

  /** How what is shown comes: told by what shows it. */
  note(part: Partial<Pick<LiveSnapshot, "transport" | "format" | "peerLost" | "sound">>): void {
    this.#change(part);
  }

  async #open(): Promise<void> {
    const opening = ++this.#opening;
    this.#move("connecting");
    let socket: WebSocket;
    try {
      socket = await this.#connect();
    } catch {
      if (opening === this.#opening) this.#closed(undefined, { code: 1006, reason: "" });
      return;
    }
    if (opening !== this.#opening) {
      socket.close();
      return;
    }
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    if (socket.readyState === 1) this.#opened();
    else socket.onopen = () => this.#opened();
    socket.onmessage = (event: MessageEvent) => this.#heardFrom(event.data);
    socket.onclose = (event: CloseEvent) => this.#closed(socket, event);
  }

  #connect(): WebSocket | Promise<WebSocket> {
    return typeof this.source === "string" ? openLive(this.source, this.#key) : this.source(this.#key);
  }

  #opened(): void {
    this.#wait = FIRST_WAIT_MS;
    this.#heard = performance.now();
    this.#move("open");
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
    this.#ping();
  }

  #ping(): void {
    if (performance.now() - this.#heard > SILENCE_MS) this.#socket?.close();
    else this.send({ type: "ping", t: performance.now() });
  }

  #heardFrom(data: unknown): void {
    this.#heard = performance.now();
    if (data instanceof ArrayBuffer) return this.#frame(data);
    const message = read(data);
    if (message.type === "pong") {
      this.latency = performance.now() - Number(message.t);
      this.#emit("latency", this.latency);
    } else if (message.type === "result") {
      const call = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if (message.ok) call?.resolve(message.result);
      else if (call?.method === TAKE) this.#isTaking = false;
      if (!message.ok) call?.reject(message.error ?? { message: "It failed." });
    } else if (message.type === "event" && typeof message.data === "object" && message.data !== null) void this.#event(message.name, message.data);
  }

  async #event(name: keyof LiveEvents, data: object): Promise<void> {
    const socket = this.#socket;
    const known = data as LiveEvents[typeof name];
    if (name === "ready") {
      this.#key = (data as LiveReady).key;
      this.#storage?.setItem(this.#storageKey, this.#key);
    } else if (name === "stats" && this.measure !== undefined) {
      Object.assign(data, await this.measure(data as LiveStats));
      if (socket !== this.#socket) return;
    }
    this.#learn(name, known);
    this.#emit(name, known);
  }

  #frame(buffer: ArrayBuffer): void {
    const read = readFrame(buffer);
    if (read === undefined) return;
    if ("shot" in read) this.#emit("frame", read.shot);
    else this.#emit("chunk", read.chunk);
  }

  #closed(socket: WebSocket | undefined, event: { code: number; reason: string }): void {
    if (socket !== undefined && socket !== this.#socket) return;
    clearInterval(this.#pinging);
    this.#socket = null;
    this.#failCalls("The connection was lost.");
    if (this.state === "closed") return;
    this.#move("waiting");
    this.#emit("lost", { code: event.code, reason: event.reason });
    // Whoever heard that may have closed it, or opened it again.
    if ((this.state as ConnectionState) !== "waiting") return;
    this.#timer = setTimeout(() => void this.#open(), this.#wait * (0.7 + Math.random() * 0.6));
    this.#wait = Math.min(this.#wait * 1.8, LONGEST_WAIT_MS);
  }

  #failCalls(message: string): void {
    for (const { reject } of this.#calls.values()) reject({ message });
    this.#calls.clear();
  }

  #retryNow(): void {
    if (this.state !== "waiting" || globalThis.document?.hidden) return;
    clearTimeout(this.#timer);
    void this.#open();
  }

  #move(state: ConnectionState): void {
    if (this.state === state) return;
    this.state = state;
    this.#isTaking = false;
    this.#change(state === "open" ? { state } : { ...nothing(state), ready: this.#snapshot.ready });
    this.#emit("state", state);
  }

  #learn(name: string, data: LiveEvents[keyof LiveEvents]): void {
    if (name === "ready" || name === "control") this.#isTaking = false;
    if (name === "ready") {
      const ready = data as LiveReady;
      const { tabs = [], dialogs = [], asks = [], downloads = [] } = ready;
      this.#change({ ready, tabs, control: ready.control, ...waiting(tabs, dialogs, asks), downloads });
    } else if (name === "tabs") {
      const { tabs } = data as LiveTabsChanged;
      this.#change({ tabs, ...waiting(tabs, this.#snapshot.dialogs, this.#snapshot.asks) });
    }
    else if (name === "control") this.#change({ control: data as ControlResponse });
    else if (name === "dialog") {
      const dialog = data as LiveDialogChanged;
      const others = this.#snapshot.dialogs.filter(({ tabId }) => tabId !== dialog.tabId);
      this.#change(waiting(this.#snapshot.tabs, dialog.dialog == null ? others : [...others, dialog], this.#snapshot.asks));
    } else if (name === "asks") {
      const { tabId, asks } = data as LiveAsksChanged;
      const others = this.#snapshot.asks.filter((ask) => ask.tabId !== tabId);
      this.#change(waiting(this.#snapshot.tabs, this.#snapshot.dialogs, [...others, ...asks]));
    } else if (name === "download") {
      const download = data as LiveDownloadChanged;
      const others = this.#snapshot.downloads.filter(({ id }) => id !== download.id);
      this.#change({ downloads: [...others, download].slice(-MOST_DOWNLOADS) });
    } else if (name === "stats") this.#change({ stats: data as LiveStats });
    else if (name === "error") this.#change({ error: data as LiveProblem });
  }

  #change(part: Partial<LiveSnapshot>): void {
    const now = { ...this.#snapshot, ...part };
    this.#snapshot = { ...now, mayAct: mayAct(now) };
    for (const listener of [...this.#subscribers]) listener();
  }

  #emit<Name extends keyof LiveEvents>(name: Name, detail: LiveEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** The socket of the box at `address`, with a slash at its end; the token goes as a subprotocol, never into the address. */
export function openLive(address: string, viewer: string, token?: string): WebSocket {
  const url = new URL("v1/live", address);
  url.protocol = url.protocol.replace("http", "ws");
  if (viewer) url.searchParams.set("viewer", viewer);
  return new WebSocket(url, ["belljar.binary", "belljar", ...(token === undefined ? [] : [`belljar.bearer.${token}`])]);
}

/** Frames of other sites may be forbidden to keep anything, and servers have nowhere to. */
function sessionStorageIfAllowed(): Storage | null {
  try {
    return globalThis.document === undefined ? null : globalThis.sessionStorage;
  } catch {
    return null;
  }
}

function nothing(state: ConnectionState): LiveSnapshot {
  return {
    state,
    ready: undefined,
    tabs: [],
    control: undefined,
    dialog: undefined,
    dialogs: [],
    asks: [],
    downloads: [],
    stats: undefined,
    error: undefined,
    transport: "jpeg",
    format: "jpeg",
    peerLost: undefined,
    sound: "none",
    mayAct: false,
  };
}

/** What waits in tabs that are there, those of the tab in front first. */
function waiting(tabs: readonly LiveTab[], dialogs: readonly LiveDialogChanged[], asks: readonly BrowserAsk[]): Pick<LiveSnapshot, "dialog" | "dialogs" | "asks"> {
  const place = new Map(tabs.map(({ id, active }) => [id, active ? 0 : 1]));
  const inOrder = <Item extends { tabId: string }>(items: readonly Item[]): Item[] =>
    // A tab that is not known yet has just been opened.
    items.filter(({ tabId }) => place.has(tabId) || tabs.length === 0).sort((one, other) => (place.get(one.tabId) ?? 0) - (place.get(other.tabId) ?? 0));
  const open = inOrder(dialogs);
  return { dialog: open[0], dialogs: open, asks: inOrder(asks) };
}

function mayAct({ state, ready, control }: LiveSnapshot): boolean {
  if (state !== "open" || ready === undefined || ready.role === "view") return false;
  const holder = control?.holder;
  return holder === undefined || holder.kind === "none" || (holder.kind === "viewer" && holder.viewer === ready.viewer);
}

interface Incoming {
  type?: unknown;
  t?: unknown;
  id: number;
  ok?: unknown;
  result?: unknown;
  error?: LiveProblem;
  name: keyof LiveEvents;
  data?: unknown;
}

/** A message; one that says nothing for what is none. */
function read(data: unknown): Incoming {
  try {
    return Object(JSON.parse(String(data))) as Incoming;
  } catch {
    return {} as Incoming;
  }
}

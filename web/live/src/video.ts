/**
 * What is shown as video, by the best way there is: over the live socket at first, by WebRTC as soon as that has been
 * seen to work, and over the socket again as soon as it has not.  Where nothing else works, frames stay pictures.
 */
import type { LiveFrameViewport, LiveStats, LiveVideoChanged } from "belljar";
import type { Connection } from "./connection.ts";
import type { LiveChunk } from "./frames.ts";
import { MseDecoder, canUseMse } from "./mse.ts";
import { Peer, receivable } from "./peer.ts";
import { CODECS, type Decoder, type DecoderListener, type Drawn, type Format, WebCodecsDecoder, decodable } from "./webcodecs.ts";

/** How what is shown comes: pictures, video over the socket decoded by the one or the other, or video by WebRTC. */
export type LiveTransport = "jpeg" | "webcodecs" | "mse" | "webrtc";

export interface VideoOptions {
  /** The only one to be used beside pictures; the best that works where none is named. */
  transport?: LiveTransport | undefined;
  /** Of a browser with a window: its page alone, as pictures show it, or all of the window with tabs and menus. */
  show?: "page" | "window" | undefined;
  /** How large it is shown, in device pixels: what is shown small is sent small. */
  surface?: (() => { w: number; h: number }) | undefined;
}

// Shown no larger than this part of its size, the server sends the half of it.
const SMALL = 0.55;
// Until a peer is tried again after one that was lost or did not connect; the last holds for all later ones.
const RETRY_MS = [2_000, 10_000, 60_000, 300_000];

export class Video {
  readonly #connection: Connection;
  readonly #show: (drawn: Drawn, viewport: LiveFrameViewport) => void;
  readonly #only: LiveTransport | undefined;
  readonly #surface: (() => { w: number; h: number }) | undefined;
  #shown: "page" | "window";
  #isSmall = false;
  #toldSurface = { w: 0, h: 0 };
  readonly #ends: (() => void)[];
  #means: "webcodecs" | "mse" | undefined;
  #formats: Format[] = [];
  #decoder: Decoder | null = null;
  #format: LiveVideoChanged["format"] = "jpeg";
  #viewport: LiveFrameViewport = { w: 0, h: 0, dpr: 1 };
  #peer: Peer | null = null;
  #isPeerProved = false;
  #hasSound = false;
  // What the person wants: kept while peers come and go.
  #isHeard = false;
  #peerCodecs: string[] = receivable();
  #peers = 0;
  #losses = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** `show` is given each frame, which is gone after the call. */
  constructor(connection: Connection, show: (drawn: Drawn, viewport: LiveFrameViewport) => void, options: VideoOptions = {}) {
    this.#connection = connection;
    this.#show = show;
    this.#only = options.transport;
    this.#surface = options.surface;
    this.#shown = options.show ?? "page";
    const online = (): void => this.#online();
    this.#ends = [
      connection.on("ready", () => this.#begin()),
      connection.on("video", (changed) => this.#change(changed)),
      connection.on("chunk", (chunk) => this.#format === chunk.format && this.#decoder?.decode(chunk)),
      connection.on("webrtc", (changed) => this.#peer?.hear(changed)),
      connection.on("state", (state) => state === "open" || this.#reset()),
      () => globalThis.removeEventListener?.("online", online),
    ];
    globalThis.addEventListener?.("online", online);
    connection.measure = (stats) => this.#measure(stats);
    void this.#look().then(() => this.#begin());
  }

  end(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
    this.#connection.measure = undefined;
    this.#reset();
  }

  /** What this browser can decode of what comes over the socket, and by what. */
  async #look(): Promise<void> {
    const may = (transport: LiveTransport): boolean => this.#only === undefined || this.#only === transport;
    this.#formats = may("webcodecs") ? await decodable() : [];
    if (this.#formats.length > 0) this.#means = "webcodecs";
    else if (may("mse") && canUseMse()) [this.#means, this.#formats] = ["mse", ["h264"]];
    if (!may("webrtc")) this.#peerCodecs = [];
  }

  /** The page alone, or all of the window. */
  show(shown: "page" | "window"): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#dropPeer();
    this.#begin();
  }

  /** Let sound be heard, as soon as there is any, or not: browsers want it to be a person's click that asks. */
  hear(isHeard: boolean): void {
    this.#isHeard = isHeard;
    void this.#listen();
  }

  async #listen(): Promise<void> {
    const peer = this.#hasSound ? this.#peer : null;
    const isPlaying = (await peer?.listen(this.#isHeard)) ?? false;
    if (peer === (this.#hasSound ? this.#peer : null)) this.#connection.note({ sound: peer === null ? "none" : isPlaying ? "playing" : "muted" });
  }

  /** It may be shown larger or smaller now. */
  resized(): void {
    const isOther = this.#format === "jpeg" ? this.#isLarger : this.#isShownSmall !== this.#isSmall;
    if (isOther) this.#wish();
  }

  /** Pictures have as many pixels as the largest surface that was told of. */
  get #isLarger(): boolean {
    const surface = this.#surface?.();
    return surface !== undefined && (surface.w > this.#toldSurface.w * 1.1 || surface.h > this.#toldSurface.h * 1.1);
  }

  get #isShownSmall(): boolean {
    const surface = this.#surface?.();
    return surface !== undefined && surface.w > 0 && this.#viewport.w > 0 && Math.min(surface.w / this.#viewport.w, surface.h / this.#viewport.h) <= SMALL;
  }

  get #isWanted(): boolean {
    const { state, ready } = this.#connection.getSnapshot();
    return !this.#isOver && this.#only !== "jpeg" && state === "open" && ready !== undefined && ready.mode !== "none";
  }

  get #crop(): "page" | undefined {
    return this.#shown === "page" && this.#connection.getSnapshot().ready?.mode === "browser" ? "page" : undefined;
  }

  /** Connected, or something else is shown. */
  #begin(): void {
    this.#losses = 0;
    this.#wish();
    if (this.#isWanted) this.#connect();
    else this.#dropPeer();
  }

  #wish(): void {
    if (this.#isOver || this.#connection.getSnapshot().state !== "open") return;
    const codecs = this.#isWanted ? [...(this.#isPeerProved ? ["webrtc"] : []), ...this.#formats] : [];
    // Whoever never had video need not say so.
    if (codecs.length === 0 && this.#format === "jpeg") return;
    const [crop, surface] = [this.#crop, this.#surface?.()];
    this.#isSmall = this.#isShownSmall;
    this.#toldSurface = surface ?? this.#toldSurface;
    this.#connection.send({ type: "video", codecs, ...(crop === undefined ? {} : { crop }), ...(surface === undefined || surface.w <= 0 || surface.h <= 0 ? {} : { surface }) });
  }

  #change(changed: LiveVideoChanged): void {
    this.#closeDecoder();
    this.#format = changed.format;
    this.#viewport = changed.viewport ?? this.#viewport;
    if (changed.format !== "jpeg" && this.#isShownSmall !== this.#isSmall) queueMicrotask(() => this.resized());
    if (changed.format === "h264" || changed.format === "vp8") {
      try {
        this.#decoder = this.#decoderFor(changed.codec ?? CODECS[changed.format]);
      } catch {
        return this.#giveUp();
      }
    }
    const transport = changed.format === "jpeg" || changed.format === "webrtc" ? changed.format : (this.#means ?? "jpeg");
    this.#connection.note({ transport, format: changed.format });
  }

  #decoderFor(codec: string): Decoder {
    const listener: DecoderListener = {
      shown: (drawn, chunk: LiveChunk) => this.#isOver || made !== this.#decoder || this.#show(drawn, chunk.viewport),
      taken: ({ timestamp }) => this.#connection.send({ type: "ack", timestamp }),
      failed: (why) => {
        if (made !== this.#decoder) return;
        if (why === "full") this.#wish();
        else this.#giveUp();
      },
    };
    const made: Decoder = this.#means === "mse" ? new MseDecoder(listener) : new WebCodecsDecoder(codec, listener);
    return made;
  }

  // The decoder would not take it: the next best, and pictures in the end.
  #giveUp(): void {
    this.#formats = this.#formats.filter((one) => one !== this.#format);
    this.#closeDecoder();
    this.#wish();
  }

  #closeDecoder(): void {
    this.#decoder?.close();
    this.#decoder = null;
  }

  #connect(): void {
    clearTimeout(this.#retry);
    if (this.#peer !== null || !this.#isWanted || this.#peerCodecs.length === 0) return;
    const peer: Peer = new Peer(++this.#peers, this.#peerCodecs, this.#crop, {
      send: (wish) => this.#connection.send(wish),
      proved: () => {
        this.#isPeerProved = true;
        this.#wish();
      },
      shown: (drawn) => this.#format === "webrtc" && this.#show(drawn, this.#viewport),
      sounds: () => {
        this.#hasSound = true;
        void this.#listen();
      },
      lost: (reason, isRefused) => this.#lostPeer(reason, isRefused),
    });
    this.#peer = peer;
  }

  #lostPeer(reason: string, isRefused: boolean): void {
    const wasProved = this.#isPeerProved;
    this.#forgetPeer();
    // At once: the picture stands still until the socket brings the next.
    if (wasProved) this.#wish();
    this.#connection.note({ peerLost: reason });
    // What was offered and showed nothing may do better with another codec.
    if (!wasProved && !isRefused) this.#peerCodecs.push(...this.#peerCodecs.splice(0, 1));
    if (isRefused || this.#isOver) return;
    const wait = RETRY_MS[Math.min(this.#losses++, RETRY_MS.length - 1)]!;
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  /** The network is another: what did not connect may now. */
  #online(): void {
    this.#losses = 0;
    this.#connect();
  }

  async #measure(stats: LiveStats): Promise<LiveStats> {
    if (this.#format !== "webrtc" || this.#peer === null) return stats;
    return { ...stats, ...(await this.#peer.measure()) };
  }

  #dropPeer(): void {
    clearTimeout(this.#retry);
    this.#peer?.close();
    this.#forgetPeer();
  }

  #forgetPeer(): void {
    this.#peer = null;
    this.#isPeerProved = false;
    if (this.#hasSound) this.#connection.note({ sound: "none" });
    this.#hasSound = false;
  }

  #reset(): void {
    this.#dropPeer();
    this.#closeDecoder();
    this.#format = "jpeg";
  }
}

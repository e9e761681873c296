/** The desktop's video over WebRTC, and input over its data channel, in Neko's protocol. */
import { keysymOf } from "./keysyms.ts";
import { Listeners } from "./listeners.ts";
import type { DesktopMouseButton } from "./schemas.gen.ts";
import type { SocketOptions } from "./sockets.ts";

export interface DesktopStreamConnectOptions extends SocketOptions {
  /** The platform's where none is given; Node has none of its own. */
  RTCPeerConnection?: typeof RTCPeerConnection | undefined;
  rtcConfig?: RTCConfiguration | undefined;
}
export type DesktopStreamSessionOptions = DesktopStreamConnectOptions;

export interface DesktopStreamReadyStatus {
  type: "ready";
  width: number;
  height: number;
}

export interface DesktopStreamErrorStatus {
  type: "error";
  message: string;
}
export type DesktopStreamStatusMessage = DesktopStreamReadyStatus | DesktopStreamErrorStatus;

// What the data channel's messages begin with.
const [MOVE, SCROLL, KEY_DOWN, KEY_UP, BUTTON_DOWN, BUTTON_UP] = [1, 2, 3, 4, 5, 6];
const BUTTONS: Record<DesktopMouseButton, number> = { left: 1, middle: 2, right: 3 };
const MOST_CANDIDATES = 100;

interface Provided {
  sdp: string;
  iceservers?: unknown;
}

export class DesktopStreamSession {
  readonly socket: WebSocket;
  /** Resolves when it is over, however that came. */
  readonly closed: Promise<void>;
  readonly #options: DesktopStreamConnectOptions;
  readonly #ready = new Listeners<DesktopStreamReadyStatus>();
  readonly #track = new Listeners<MediaStream>();
  readonly #connect = new Listeners<void>();
  readonly #disconnect = new Listeners<void>();
  readonly #error = new Listeners<DesktopStreamErrorStatus | Error>();
  #peer: RTCPeerConnection | null = null;
  #channel: RTCDataChannel | null = null;
  #stream: MediaStream | null = null;
  // Of the peer: those that came before its offer was taken.
  #candidates: RTCIceCandidateInit[] = [];
  #isClosing = false;

  constructor(socket: WebSocket, options: DesktopStreamConnectOptions = {}) {
    this.socket = socket;
    this.#options = options;
    let isOpen = false;
    socket.addEventListener("open", () => (isOpen = true));
    socket.addEventListener("message", (event: MessageEvent) => this.#hear(event.data));
    // What went wrong is told with the close that follows.
    socket.addEventListener("error", () => undefined);
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", (event: CloseEvent) => {
        this.#drop();
        if (!this.#isClosing) this.#fail(`The signalling connection ${isOpen ? "was lost" : "could not be made"}${event.reason ? `: ${event.reason}` : "."}`);
        this.#disconnect.tell();
        resolve();
      });
    });
  }

  /** The server is there, and the display has this size. */
  onReady(listener: (status: DesktopStreamReadyStatus) => void): () => void {
    return this.#ready.add(listener);
  }

  /** There is something to show: give it to a `<video>` as its `srcObject`.  Again where the server had to begin anew. */
  onTrack(listener: (stream: MediaStream) => void): () => void {
    return this.#track.add(listener);
  }

  /** Video flows, and input is taken. */
  onConnect(listener: () => void): () => void {
    return this.#connect.add(listener);
  }

  /** It is over. */
  onDisconnect(listener: () => void): () => void {
    return this.#disconnect.add(listener);
  }

  onError(listener: (error: DesktopStreamErrorStatus | Error) => void): () => void {
    return this.#error.add(listener);
  }

  /** As `onDisconnect`, by its name in the reference client. */
  onClose(listener: () => void): () => void {
    return this.onDisconnect(listener);
  }

  /** @deprecated There are no pictures; kept for code that asks for them. */
  onFrame(_listener: (frame: Uint8Array) => void): () => void {
    return () => undefined;
  }

  getMediaStream(): MediaStream | null {
    return this.#stream;
  }

  /** Points are the display's own pixels, however large the video is shown. */
  moveMouse(x: number, y: number): void {
    this.#send(MOVE, [2, pixel(x)], [2, pixel(y)]);
  }

  mouseDown(button: DesktopMouseButton = "left", x?: number, y?: number): void {
    if (x !== undefined && y !== undefined) this.moveMouse(x, y);
    this.#send(BUTTON_DOWN, [4, BUTTONS[button]]);
  }

  mouseUp(button: DesktopMouseButton = "left", x?: number, y?: number): void {
    if (x !== undefined && y !== undefined) this.moveMouse(x, y);
    this.#send(BUTTON_UP, [4, BUTTONS[button]]);
  }

  /** Deltas as a browser's wheel has them: down is positive. */
  scroll(x: number, y: number, deltaX = 0, deltaY = 0): void {
    this.moveMouse(x, y);
    this.#send(SCROLL, [2, turn(deltaX)], [2, turn(deltaY)], [1, 0]);
  }

  /** A key by its DOM name, or a character; what is neither is passed over. */
  keyDown(key: string): void {
    this.#key(KEY_DOWN, key);
  }

  keyUp(key: string): void {
    this.#key(KEY_UP, key);
  }

  close(): void {
    this.#isClosing = true;
    this.#drop();
    if (this.socket.readyState <= 1) this.socket.close();
  }

  #key(kind: number, key: string): void {
    const keysym = keysymOf(key);
    if (keysym !== 0) this.#send(kind, [4, keysym]);
  }

  /** A message of the data channel: its kind, the length of what follows, and that.  Lost while there is no channel. */
  #send(kind: number, ...values: [bytes: 1 | 2 | 4, value: number][]): void {
    if (this.#channel?.readyState !== "open") return;
    const length = values.reduce((sum, [bytes]) => sum + bytes, 0);
    const view = new DataView(new ArrayBuffer(3 + length));
    view.setUint8(0, kind);
    view.setUint16(1, length);
    let at = 3;
    for (const [bytes, value] of values) {
      if (bytes === 1) view.setUint8(at, value);
      else if (bytes === 2) view.setUint16(at, value);
      else view.setUint32(at, value);
      at += bytes;
    }
    this.#channel.send(view.buffer);
  }

  // Signalling.

  #signal(event: string, payload: object): void {
    if (this.socket.readyState === 1) this.socket.send(JSON.stringify({ event, payload }));
  }

  #hear(data: unknown): void {
    const [event, payload] = read(data);
    if (event === "system/init") {
      if ((this.#options.RTCPeerConnection ?? globalThis.RTCPeerConnection) === undefined) {
        this.#fail("There is no RTCPeerConnection here: give one as an option.");
        return this.close();
      }
      const size = payload["screen_size"] as { width?: unknown; height?: unknown } | undefined;
      this.#ready.tell({ type: "ready", width: Number(size?.width) || 0, height: Number(size?.height) || 0 });
      this.#signal("control/request", {});
      this.#signal("signal/request", { video: {}, audio: {} });
    } else if (event === "signal/provide" || event === "signal/offer" || event === "signal/restart") {
      if (typeof payload["sdp"] === "string") void this.#take(payload as unknown as Provided);
    } else if (event === "signal/candidate") this.#candidate(payload as RTCIceCandidateInit);
    else if (event === "signal/close") this.#drop();
    else if (event === "system/disconnect") {
      this.#fail(typeof payload["message"] === "string" ? payload["message"] : "The server ended the stream.");
      this.close();
    }
  }

  /** An offer: a peer of its own for each, the one before is over. */
  async #take({ sdp, iceservers }: Provided): Promise<void> {
    this.#drop();
    try {
      const Peer = this.#options.RTCPeerConnection ?? globalThis.RTCPeerConnection;
      const servers = (Array.isArray(iceservers) ? iceservers : []).filter((one) => Boolean(one?.urls)) as RTCIceServer[];
      const peer = (this.#peer = new Peer({ iceServers: servers, ...this.#options.rtcConfig }));
      this.#attend(peer);
      await peer.setRemoteDescription({ type: "offer", sdp });
      for (const candidate of this.#candidates.splice(0)) this.#add(peer, candidate);
      await peer.setLocalDescription(await peer.createAnswer());
      if (peer === this.#peer) this.#signal("signal/answer", { sdp: peer.localDescription?.sdp ?? "" });
    } catch (error) {
      this.#drop();
      this.#error.tell(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #attend(peer: RTCPeerConnection): void {
    peer.ontrack = ({ streams, track }) => {
      this.#stream = streams[0] ?? new MediaStream([track]);
      this.#track.tell(this.#stream);
    };
    peer.ondatachannel = ({ channel }) => (this.#channel = channel);
    peer.onicecandidate = ({ candidate }) => candidate && this.#signal("signal/candidate", candidate.toJSON());
    let isConnected = false;
    peer.onconnectionstatechange = () => {
      if (peer.connectionState === "connected" && !isConnected) {
        isConnected = true;
        this.#connect.tell();
      } else if (peer.connectionState === "failed") this.#fail("The WebRTC connection failed.");
    };
  }

  #candidate(candidate: RTCIceCandidateInit): void {
    if (this.#peer?.remoteDescription) this.#add(this.#peer, candidate);
    else if (this.#candidates.length < MOST_CANDIDATES) this.#candidates.push(candidate);
  }

  #add(peer: RTCPeerConnection, candidate: RTCIceCandidateInit): void {
    // One that cannot be used is one way fewer, no more.
    peer.addIceCandidate(candidate).catch(() => undefined);
  }

  #drop(): void {
    const peer = this.#peer;
    this.#peer = this.#channel = this.#stream = null;
    if (peer === null) return;
    peer.ontrack = peer.ondatachannel = peer.onicecandidate = peer.onconnectionstatechange = null;
    peer.close();
  }

  #fail(message: string): void {
    this.#error.tell({ type: "error", message });
  }
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.round(value) || 0));
const pixel = (value: number): number => within(value, 0, 0xffff);
const turn = (value: number): number => within(value, -0x8000, 0x7fff);

/** The event and its payload; nothing for what is no message. */
function read(data: unknown): [event: string, payload: Record<string, unknown>] {
  try {
    const message = JSON.parse(String(data)) as { event?: unknown; payload?: unknown } | null;
    const payload = message?.payload;
    return [String(message?.event ?? ""), (typeof payload === "object" && payload !== null ? payload : {}) as Record<string, unknown>];
  } catch {
    return ["", {}];
  }
}

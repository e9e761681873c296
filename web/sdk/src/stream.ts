/** The desktop's video over WebRTC.  This client does not speak that yet: a session says so and ends, with its socket. */
import { Listeners } from "./listeners.ts";
import type { DesktopMouseButton } from "./schemas.gen.ts";
import type { SocketOptions } from "./sockets.ts";

export interface DesktopStreamConnectOptions extends SocketOptions {
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

/** What will carry video and input: given the signalling socket, it tells what happens. */
export interface DesktopStreamTransport {
  send(input: DesktopStreamInput): void;
  close(): void;
}

export type DesktopStreamInput =
  | { kind: "move"; x: number; y: number }
  | { kind: "button"; button: DesktopMouseButton; isDown: boolean; x?: number | undefined; y?: number | undefined }
  | { kind: "scroll"; x: number; y: number; deltaX: number; deltaY: number }
  | { kind: "key"; key: string; isDown: boolean };

export class DesktopStreamSession {
  readonly socket: WebSocket;
  readonly closed: Promise<void>;
  readonly #ready = new Listeners<DesktopStreamReadyStatus>();
  readonly #track = new Listeners<MediaStream>();
  readonly #connect = new Listeners<void>();
  readonly #disconnect = new Listeners<void>();
  readonly #error = new Listeners<DesktopStreamErrorStatus | Error>();
  // The seam for WebRTC.
  readonly #transport: DesktopStreamTransport | undefined = undefined;

  constructor(socket: WebSocket, _options: DesktopStreamConnectOptions = {}) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", () => {
        this.#error.tell({ type: "error", message: "This client does not speak WebRTC yet; belljar/live shows the desktop as video." });
        this.#disconnect.tell();
        resolve();
      });
    });
    // A socket that nobody speaks on would wait for ever.
    socket.addEventListener("open", () => socket.close());
    // What went wrong is told with the close that follows.
    socket.addEventListener("error", () => undefined);
  }

  onReady(listener: (status: DesktopStreamReadyStatus) => void): () => void {
    return this.#ready.add(listener);
  }

  onTrack(listener: (stream: MediaStream) => void): () => void {
    return this.#track.add(listener);
  }

  onConnect(listener: () => void): () => void {
    return this.#connect.add(listener);
  }

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

  getMediaStream(): MediaStream | null {
    return null;
  }

  moveMouse(x: number, y: number): void {
    this.#transport?.send({ kind: "move", x, y });
  }

  mouseDown(button: DesktopMouseButton = "left", x?: number, y?: number): void {
    this.#transport?.send({ kind: "button", button, isDown: true, x, y });
  }

  mouseUp(button: DesktopMouseButton = "left", x?: number, y?: number): void {
    this.#transport?.send({ kind: "button", button, isDown: false, x, y });
  }

  scroll(x: number, y: number, deltaX = 0, deltaY = 0): void {
    this.#transport?.send({ kind: "scroll", x, y, deltaX, deltaY });
  }

  keyDown(key: string): void {
    this.#transport?.send({ kind: "key", key, isDown: true });
  }

  keyUp(key: string): void {
    this.#transport?.send({ kind: "key", key, isDown: false });
  }

  close(): void {
    this.#transport?.close();
    if (this.socket.readyState <= 1) this.socket.close();
  }
}

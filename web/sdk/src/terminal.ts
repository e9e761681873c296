/** The terminal of a process over its WebSocket. */
import type { ProcessTerminalError, ProcessTerminalExit, ProcessTerminalReady, ProcessTerminalSize } from "./schemas.gen.ts";
import { Listeners } from "./listeners.ts";

export type TerminalReadyStatus = ProcessTerminalReady;
export type TerminalExitStatus = ProcessTerminalExit;
export type TerminalErrorStatus = ProcessTerminalError;
export type TerminalStatusMessage = TerminalReadyStatus | TerminalExitStatus | TerminalErrorStatus;

/** Each `on…` gives what takes the listener away again.  What came before the first listener is kept for it. */
export class ProcessTerminalSession implements AsyncDisposable {
  readonly socket: WebSocket;
  /** Done when the connection is. */
  readonly closed: Promise<void>;
  readonly #ready = new Listeners<TerminalReadyStatus>();
  readonly #data = new Listeners<Uint8Array>();
  readonly #exit = new Listeners<TerminalExitStatus>();
  readonly #error = new Listeners<TerminalErrorStatus | Error>();
  readonly #close = new Listeners<void>();
  #waiting: string[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      for (const text of this.#waiting) socket.send(text);
      this.#waiting = [];
    });
    socket.addEventListener("message", (event: MessageEvent) => this.#take(event.data));
    socket.addEventListener("error", () => this.#error.tell(new Error("The terminal's connection failed.")));
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", () => {
        this.#close.tell();
        resolve();
      });
    });
  }

  onReady(listener: (status: TerminalReadyStatus) => void): () => void {
    return this.#ready.add(listener);
  }

  onData(listener: (data: Uint8Array) => void): () => void {
    return this.#data.add(listener);
  }

  onExit(listener: (status: TerminalExitStatus) => void): () => void {
    return this.#exit.add(listener);
  }

  onError(listener: (error: TerminalErrorStatus | Error) => void): () => void {
    return this.#error.add(listener);
  }

  onClose(listener: () => void): () => void {
    return this.#close.add(listener);
  }

  sendInput(data: string | ArrayBuffer | ArrayBufferView): void {
    if (typeof data === "string") this.#send({ type: "input", data });
    else this.#send({ type: "input", data: base64(data), encoding: "base64" });
  }

  resize(size: ProcessTerminalSize): void {
    this.#send({ type: "resize", cols: size.cols, rows: size.rows });
  }

  /** The process lives on. */
  close(): void {
    if (this.socket.readyState <= 1) this.socket.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.closed;
  }

  #send(message: object): void {
    const text = JSON.stringify(message);
    if (this.socket.readyState === 0) this.#waiting.push(text);
    else this.socket.send(text);
  }

  #take(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.#data.tell(new Uint8Array(data));
      return;
    }
    const message = messageOf(String(data));
    if (message.type === "ready") this.#ready.tell(message);
    else if (message.type === "exit") this.#exit.tell(message);
    else if (message.type === "error") this.#error.tell(message);
    else this.#error.tell(new Error("The terminal sent what it never says."));
  }
}

/** What a terminal says; anything else is nothing. */
function messageOf(text: string): TerminalStatusMessage | { type?: undefined } {
  try {
    return (JSON.parse(text) as TerminalStatusMessage | null) ?? {};
  } catch {
    return {};
  }
}

function base64(data: ArrayBuffer | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

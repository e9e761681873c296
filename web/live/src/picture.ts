/** Draws frames: only ever the newest, and says when one is shown. */
import type { LiveFrameViewport } from "belljar";
import type { Connection, LiveShot } from "./connection.ts";

export class Picture {
  viewport: LiveFrameViewport | null = null;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #connection: Connection;
  readonly #end: () => void;
  #next: LiveShot | null = null;
  #isDrawing = false;

  constructor(canvas: HTMLCanvasElement, connection: Connection) {
    const context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    if (context === null) throw new TypeError("This canvas cannot be drawn on.");
    this.#canvas = canvas;
    this.#context = context;
    this.#connection = connection;
    this.#end = connection.on("frame", (shot) => {
      this.#next = shot;
      void this.#draw();
    });
  }

  clear(): void {
    this.viewport = null;
    this.#next = null;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** Draws nothing any more. */
  end(): void {
    this.#end();
    this.#next = null;
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    while (this.#next) {
      const frame = this.#next;
      this.#next = null;
      try {
        this.#show(frame, await createImageBitmap(frame.jpeg));
      } catch {
        // A frame that cannot be decoded is followed by another.
      }
      this.#connection.send({ type: "ack", timestamp: frame.timestamp });
    }
    this.#isDrawing = false;
  }

  #show(frame: LiveShot, bitmap: ImageBitmap): void {
    // The canvas has the shape of what is shown; the rendition only changes how finely it is drawn.
    if (this.#canvas.width !== bitmap.width || this.#canvas.height !== bitmap.height) {
      this.#canvas.width = bitmap.width;
      this.#canvas.height = bitmap.height;
    }
    this.#context.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.viewport = frame.viewport;
    this.#canvas.dispatchEvent(new CustomEvent("shown", { detail: frame }));
  }
}

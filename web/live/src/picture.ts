/** Draws frames, pictures or video: only ever the newest, and says when one is shown. */
import type { LiveFrameViewport } from "belljar";
import type { Connection } from "./connection.ts";
import type { LiveShot } from "./frames.ts";
import { Video, type VideoOptions } from "./video.ts";
import type { Drawn } from "./webcodecs.ts";

export class Picture {
  viewport: LiveFrameViewport | null = null;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #connection: Connection;
  readonly #end: () => void;
  readonly #video: Video;
  readonly #resizing: ResizeObserver;
  #next: LiveShot | null = null;
  #isDrawing = false;

  constructor(canvas: HTMLCanvasElement, connection: Connection, options: VideoOptions = {}) {
    const context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    if (context === null) throw new TypeError("This canvas cannot be drawn on.");
    this.#canvas = canvas;
    this.#context = context;
    this.#connection = connection;
    this.#end = connection.on("frame", (shot) => {
      this.#next = shot;
      void this.#draw();
    });
    const show = (drawn: Drawn, viewport: LiveFrameViewport): void => {
      this.#next = null;
      this.#paint(drawn, viewport);
    };
    const surface = (): { w: number; h: number } => ({ w: canvas.clientWidth * devicePixelRatio, h: canvas.clientHeight * devicePixelRatio });
    this.#video = new Video(connection, show, { surface, ...options });
    this.#resizing = new ResizeObserver(() => this.#video.resized());
    this.#resizing.observe(canvas);
  }

  /** Of a browser with a window: its page alone, or all of it. */
  show(shown: "page" | "window"): void {
    this.#video.show(shown);
  }

  /** Sound is muted until this is called, after a person's click: see `sound` of the connection's snapshot. */
  hear(isHeard: boolean): void {
    this.#video.hear(isHeard);
  }

  clear(): void {
    this.viewport = null;
    this.#next = null;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** Draws nothing any more. */
  end(): void {
    this.#end();
    this.#video.end();
    this.#resizing.disconnect();
    this.#next = null;
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    while (this.#next) {
      const frame = this.#next;
      this.#next = null;
      try {
        const bitmap = await createImageBitmap(frame.jpeg);
        this.#paint({ image: bitmap, width: bitmap.width, height: bitmap.height }, frame.viewport);
        bitmap.close();
      } catch {
        // A frame that cannot be decoded is followed by another.
      }
      this.#connection.send({ type: "ack", timestamp: frame.timestamp });
    }
    this.#isDrawing = false;
  }

  #paint({ image, width, height }: Drawn, viewport: LiveFrameViewport): void {
    // The canvas has the shape of what is shown; the rendition only changes how finely it is drawn.
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
    }
    this.#context.drawImage(image, 0, 0);
    this.viewport = viewport;
    this.#canvas.dispatchEvent(new CustomEvent("shown", { detail: viewport }));
  }
}

/* Draws frames: only ever the newest, and says when one is shown. */

export class Picture {
  viewport = null;
  #canvas;
  #context;
  #connection;
  #next = null;
  #isDrawing = false;

  constructor(canvas, connection) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.#connection = connection;
    connection.addEventListener("frame", (event) => {
      this.#next = event.detail;
      this.#draw();
    });
  }

  clear() {
    this.viewport = null;
    this.#next = null;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  async #draw() {
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

  #show(frame, bitmap) {
    const { viewport } = frame;
    // The canvas has the shape of what is shown; the rendition only changes how finely it is drawn.
    if (this.#canvas.width !== bitmap.width || this.#canvas.height !== bitmap.height) {
      this.#canvas.width = bitmap.width;
      this.#canvas.height = bitmap.height;
    }
    this.#context.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.viewport = viewport;
    this.#canvas.dispatchEvent(new CustomEvent("shown", { detail: frame }));
  }
}

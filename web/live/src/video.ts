/** Video of the live socket, by WebCodecs where there is that; where there is not, or it fails, frames stay pictures. */
import type { LiveVideoChanged } from "belljar";
import type { Connection, LiveChunk } from "./connection.ts";

/** As the protocol and as WebCodecs name them, best first. */
const CODECS = { h264: "avc1.42e01f", vp8: "vp8" } as const;
type Format = keyof typeof CODECS;

/** What of them this browser decodes: nothing outside of https and localhost, where there is no WebCodecs. */
export async function decodable(): Promise<Format[]> {
  if (globalThis.VideoDecoder === undefined) return [];
  const found: Format[] = [];
  for (const [format, codec] of Object.entries(CODECS) as [Format, string][]) {
    const answer = await VideoDecoder.isConfigSupported({ codec, optimizeForLatency: true }).catch(() => null);
    if (answer?.supported) found.push(format);
  }
  return found;
}

export class Video {
  readonly #connection: Connection;
  readonly #show: (frame: VideoFrame, chunk: LiveChunk) => void;
  readonly #ends: (() => void)[];
  #formats: Format[] = [];
  #decoder: VideoDecoder | null = null;
  #format: LiveVideoChanged["format"] = "jpeg";
  #needsKey = true;
  #isOver = false;
  // Sent to the decoder and not yet shown, by the microseconds it knows them by.
  readonly #chunks = new Map<number, LiveChunk>();

  /** `show` is given each frame as it is decoded, and closes it.  Asked for while the desktop is shown: of a page, pictures show the page alone. */
  constructor(connection: Connection, show: (frame: VideoFrame, chunk: LiveChunk) => void) {
    this.#connection = connection;
    this.#show = show;
    this.#ends = [
      connection.on("ready", () => this.#wish()),
      connection.on("video", (changed) => this.#change(changed)),
      connection.on("chunk", (chunk) => this.#decode(chunk)),
      connection.on("state", (state) => state === "open" || this.#reset()),
    ];
    void decodable().then((formats) => {
      this.#formats = formats;
      this.#wish();
    });
  }

  end(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
    this.#reset();
  }

  #wish(): void {
    const { state, ready } = this.#connection.getSnapshot();
    if (this.#isOver || state !== "open" || ready === undefined) return;
    const codecs = ready.mode === "desktop" ? this.#formats : [];
    // Whoever never had video need not say so.
    if (codecs.length > 0 || this.#format !== "jpeg") this.#connection.send({ type: "video", codecs });
  }

  #change(changed: LiveVideoChanged): void {
    this.#reset();
    this.#format = changed.format;
    if (changed.format === "jpeg") return;
    try {
      const decoder = new VideoDecoder({
        output: (frame) => this.#decoded(frame),
        error: () => this.#failed(decoder),
      });
      decoder.configure({ codec: changed.codec ?? CODECS[changed.format], optimizeForLatency: true });
      this.#decoder = decoder;
    } catch {
      this.#giveUp();
    }
  }

  #decode(chunk: LiveChunk): void {
    const decoder = this.#decoder;
    if (decoder === null || chunk.format !== this.#format || (this.#needsKey && !chunk.isKey)) return;
    const timestamp = Math.round(chunk.timestamp * 1000);
    this.#chunks.set(timestamp, chunk);
    try {
      decoder.decode(new EncodedVideoChunk({ type: chunk.isKey ? "key" : "delta", timestamp, data: chunk.data }));
      this.#needsKey = false;
    } catch {
      this.#failed(decoder);
    }
  }

  #decoded(frame: VideoFrame): void {
    const chunk = this.#chunks.get(frame.timestamp);
    this.#chunks.delete(frame.timestamp);
    if (this.#isOver || chunk === undefined) return frame.close();
    this.#show(frame, chunk);
    this.#connection.send({ type: "ack", timestamp: chunk.timestamp });
  }

  // The decoder would not take it: the next best, and pictures in the end.
  #failed(decoder: VideoDecoder): void {
    if (decoder === this.#decoder) this.#giveUp();
  }

  #giveUp(): void {
    this.#formats = this.#formats.filter((one) => one !== this.#format);
    const { state } = this.#connection.getSnapshot();
    if (state === "open") this.#connection.send({ type: "video", codecs: this.#formats });
    this.#reset();
  }

  #reset(): void {
    if (this.#decoder !== null && this.#decoder.state !== "closed") this.#decoder.close();
    this.#decoder = null;
    this.#format = "jpeg";
    this.#needsKey = true;
    this.#chunks.clear();
  }
}

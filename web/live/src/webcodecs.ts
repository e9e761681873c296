/** Pieces of video by WebCodecs, which browsers have on https and localhost alone. */
import type { LiveChunk } from "./frames.ts";

/** As the protocol and as WebCodecs name them, best first. */
export const CODECS = { h264: "avc1.42e01f", vp8: "vp8" } as const;
export type Format = keyof typeof CODECS;

/** What can be drawn, and how large it is. */
export interface Drawn {
  image: CanvasImageSource;
  width: number;
  height: number;
}

/** Takes pieces in order, and shows what they make. */
export interface Decoder {
  decode(chunk: LiveChunk): void;
  close(): void;
}

export interface DecoderListener {
  /** What is drawn is gone after the call; `chunk` is what it was made of. */
  shown(drawn: Drawn, chunk: LiveChunk): void;
  /** The piece is no burden any more: the next may come. */
  taken(chunk: LiveChunk): void;
  /** It takes nothing any more: it cannot, or it is full and another will. */
  failed(why: "broken" | "full"): void;
}

/** What of them this browser decodes so. */
export async function decodable(): Promise<Format[]> {
  if (globalThis.VideoDecoder === undefined) return [];
  const found: Format[] = [];
  for (const [format, codec] of Object.entries(CODECS) as [Format, string][]) {
    const answer = await VideoDecoder.isConfigSupported({ codec, optimizeForLatency: true }).catch(() => null);
    if (answer?.supported) found.push(format);
  }
  return found;
}

export class WebCodecsDecoder implements Decoder {
  readonly #listener: DecoderListener;
  readonly #decoder: VideoDecoder;
  #needsKey = true;
  // Sent to the decoder and not yet shown, by the microseconds it knows them by.
  readonly #chunks = new Map<number, LiveChunk>();

  /** Throws what WebCodecs makes of a codec that it does not know. */
  constructor(codec: string, listener: DecoderListener) {
    this.#listener = listener;
    this.#decoder = new VideoDecoder({ output: (frame) => this.#decoded(frame), error: () => listener.failed("broken") });
    this.#decoder.configure({ codec, optimizeForLatency: true });
  }

  decode(chunk: LiveChunk): void {
    if (this.#needsKey && !chunk.isKey) return;
    const timestamp = Math.round(chunk.timestamp * 1000);
    // Whatever never came out again is not kept for ever.
    if (chunk.isKey) this.#chunks.clear();
    this.#chunks.set(timestamp, chunk);
    try {
      this.#decoder.decode(new EncodedVideoChunk({ type: chunk.isKey ? "key" : "delta", timestamp, data: chunk.data }));
      this.#needsKey = false;
    } catch {
      this.#listener.failed("broken");
    }
  }

  close(): void {
    if (this.#decoder.state !== "closed") this.#decoder.close();
    this.#chunks.clear();
  }

  #decoded(frame: VideoFrame): void {
    const chunk = this.#chunks.get(frame.timestamp);
    this.#chunks.delete(frame.timestamp);
    if (chunk !== undefined) {
      this.#listener.shown({ image: frame, width: frame.displayWidth, height: frame.displayHeight }, chunk);
      this.#listener.taken(chunk);
    }
    frame.close();
  }
}

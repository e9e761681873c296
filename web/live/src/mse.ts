/** Pieces of H.264 by Media Source Extensions: for pages on plain http, which have no WebCodecs. */
import type { LiveChunk } from "./frames.ts";
import { fragment, headOf, initSegment, mimeOf, unitsOf } from "./mp4.ts";
import { watchFrames } from "./video_frames.ts";
import type { Decoder, DecoderListener } from "./webcodecs.ts";

// A frame is shown for so long, and until the next comes, whenever that is: a film that stands still has no gaps in it.
const FRAME_MS = 34;
// Behind what has come by more than this, it goes faster until it has caught up.
const BEHIND_SECONDS = 0.15;
const NEAR_SECONDS = 0.05;
// Bytes after which it begins anew: what was shown cannot be let go of before a key frame.
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_WAITING = 60;

export function canUseMse(): boolean {
  return globalThis.MediaSource?.isTypeSupported?.('video/mp4; codecs="avc1.42e01f"') ?? false;
}

export class MseDecoder implements Decoder {
  readonly #listener: DecoderListener;
  readonly #video: HTMLVideoElement;
  readonly #source: MediaSource;
  readonly #address: string;
  readonly #stopWatching: () => void;
  #buffer: SourceBuffer | null = null;
  #isOver = false;
  #head = "";
  #mime = "";
  #number = 0;
  #bytes = 0;
  #time = 0;
  #lastTimestamp = 0;
  #newest: LiveChunk | null = null;
  // To be appended, one after another.
  #waiting: { data: Uint8Array<ArrayBuffer>; chunk?: LiveChunk }[] = [];

  constructor(listener: DecoderListener) {
    this.#listener = listener;
    this.#source = new MediaSource();
    this.#address = URL.createObjectURL(this.#source);
    this.#video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, autoplay: true, src: this.#address });
    this.#video.onerror = () => this.#fail();
    this.#source.addEventListener("sourceopen", () => this.#append());
    this.#stopWatching = watchFrames(this.#video, (drawn) => this.#newest && listener.shown(drawn, this.#newest));
  }

  decode(chunk: LiveChunk): void {
    if (this.#isOver) return;
    const units = unitsOf(chunk.data);
    if (chunk.isKey) {
      const head = headOf(units);
      if (head === undefined) return this.#fail();
      const known = `${head.sps.join()} ${head.pps.join()}`;
      if (known !== this.#head) this.#waiting.push({ data: initSegment(head) });
      this.#head = known;
      this.#mime ||= mimeOf(head);
    } else if (this.#head === "") return;
    // Pauses are left out: it would go on only when they have passed again.
    if (this.#number > 0) this.#time += Math.min(Math.max(1, Math.round(chunk.timestamp - this.#lastTimestamp)), FRAME_MS);
    this.#lastTimestamp = chunk.timestamp;
    this.#waiting.push({ data: fragment(units, chunk.isKey, ++this.#number, this.#time, FRAME_MS), chunk });
    this.#bytes += chunk.data.length;
    // It would have to forget, and cannot: a new one takes its place.
    if (this.#bytes > MOST_BYTES || this.#waiting.length > MOST_WAITING) return this.#fail();
    this.#append();
  }

  close(): void {
    this.#isOver = true;
    this.#stopWatching();
    this.#waiting = [];
    this.#video.onerror = null;
    this.#video.removeAttribute("src");
    this.#video.load();
    URL.revokeObjectURL(this.#address);
  }

  #append(): void {
    if (this.#isOver || this.#source.readyState !== "open" || this.#buffer?.updating) return;
    const next = this.#waiting.shift();
    if (next === undefined) return this.#keepUp();
    try {
      this.#buffer ??= this.#begin();
      this.#buffer.appendBuffer(next.data);
      if (next.chunk === undefined) return;
      this.#newest = next.chunk;
      this.#listener.taken(next.chunk);
    } catch {
      this.#fail();
    }
  }

  #begin(): SourceBuffer {
    const buffer = this.#source.addSourceBuffer(this.#mime);
    buffer.addEventListener("updateend", () => this.#append());
    buffer.addEventListener("error", () => this.#fail());
    void this.#video.play().catch(() => undefined);
    return buffer;
  }

  /** As near to what came last as playing allows. */
  #keepUp(): void {
    const behind = this.#time / 1000 - this.#video.currentTime;
    if (behind > BEHIND_SECONDS) this.#video.playbackRate = 2;
    else if (behind < NEAR_SECONDS) this.#video.playbackRate = 1;
  }

  #fail(): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.failed(this.#bytes > MOST_BYTES ? "full" : "broken");
  }
}

/** What comes as binary messages: pictures and pieces of video, each behind a head of 16 bytes. */
import type { LiveFrameViewport } from "belljar";

const HEAD_BYTES = 16;
const JPEG = 1;
const VIDEO: Record<number, LiveChunk["format"]> = { 2: "h264", 3: "vp8" };

/** A picture of what is shown; `small` is the rendition for slow connections. */
export interface LiveShot {
  small: boolean;
  viewport: LiveFrameViewport;
  timestamp: number;
  jpeg: Blob;
}

/** A piece of video, to be decoded after those before it. */
export interface LiveChunk {
  format: "h264" | "vp8";
  isKey: boolean;
  small: boolean;
  viewport: LiveFrameViewport;
  timestamp: number;
  data: Uint8Array<ArrayBuffer>;
}

/** The one or the other; nothing for a kind that is not known here, or for what is no frame at all. */
export function readFrame(buffer: ArrayBuffer): { shot: LiveShot } | { chunk: LiveChunk } | undefined {
  if (buffer.byteLength <= HEAD_BYTES) return undefined;
  const view = new DataView(buffer);
  const [kind, flags] = [view.getUint8(0), view.getUint8(1)];
  const shared = {
    small: (flags & 1) === 1,
    viewport: { w: view.getUint16(2), h: view.getUint16(4), dpr: view.getUint16(6) / 100 },
    timestamp: view.getFloat64(8),
  };
  if (!Number.isFinite(shared.timestamp)) return undefined;
  const data = new Uint8Array(buffer, HEAD_BYTES);
  const format = VIDEO[kind];
  if (kind === JPEG) return { shot: { ...shared, jpeg: new Blob([data], { type: "image/jpeg" }) } };
  return format === undefined ? undefined : { chunk: { ...shared, format, isKey: (flags & 2) === 2, data } };
}

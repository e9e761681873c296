/** How what is shown comes, in words for a person. */
import type { LiveSnapshot } from "./connection.ts";

const FORMATS = { jpeg: "pictures", h264: "H.264", vp8: "VP8", webrtc: "WebRTC" } as const;

export function nameOfTransport({ transport, format }: Pick<LiveSnapshot, "transport" | "format">): string {
  return transport === "mse" ? `${FORMATS[format]} (MSE)` : FORMATS[format];
}

/** Each frame that a <video> shows, wherever it is: it need not be in the page. */
import type { Drawn } from "./webcodecs.ts";

/** Gives what ends it. */
export function watchFrames(video: HTMLVideoElement, show: (drawn: Drawn) => void): () => void {
  let isOver = false;
  let handle = 0;
  const draw = (): void => {
    if (isOver) return;
    if (video.videoWidth > 0) show({ image: video, width: video.videoWidth, height: video.videoHeight });
    next();
  };
  const hasCallback = typeof video.requestVideoFrameCallback === "function";
  const next = (): void => void (handle = hasCallback ? video.requestVideoFrameCallback(draw) : requestAnimationFrame(draw));
  next();
  return () => {
    isOver = true;
    if (hasCallback) video.cancelVideoFrameCallback(handle);
    else cancelAnimationFrame(handle);
  };
}

/** Times as people say them, and a clock that ticks for those who show one. */
import { useSyncExternalStore } from "react";

const TICK_MS = 1000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function watch(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const one of [...listeners]) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Milliseconds since 1970, a second fresh. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

/** `42 s`, `12 min`, `3 h`, `5 d`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h${seconds < 6 * 3600 && seconds % 3600 >= 60 ? ` ${Math.floor((seconds % 3600) / 60)}` : ""}`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export function ago(milliseconds: number): string {
  return milliseconds < 5000 ? "just now" : `${span(milliseconds)} ago`;
}

export function absolute(time: string | number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** `14:03:07.123`, of microseconds since 1970. */
export function clock(microseconds: number): string {
  const date = new Date(microseconds / 1000);
  const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const unit = ["kB", "MB", "GB", "TB"];
  let [value, index] = [count / 1000, 0];
  while (value >= 1000 && index < 3) [value, index] = [value / 1000, index + 1];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit[index]}`;
}

/** Figures as an operator reads them, and the addresses of the lists that they count. */
import type { UsageSum } from "belljar";
import { href } from "../shell/address.ts";
import { bytes } from "../shell/time.ts";

export const MEASURES = ["sessions", "minutes", "sent", "received", "memory"] as const;
export type Measure = (typeof MEASURES)[number];

export const MEASURE_WORDS: Record<Measure, string> = {
  sessions: "Sessions",
  minutes: "Minutes",
  sent: "Bytes out",
  received: "Bytes in",
  memory: "Peak memory",
};

export function valueOf(used: UsageSum, measure: Measure): number {
  switch (measure) {
    case "sessions":
      return used.sessions;
    case "minutes":
      return used.seconds / 60;
    case "sent":
      return used.egressSent ?? 0;
    case "received":
      return used.egressReceived ?? 0;
    case "memory":
      return used.peakMemoryMb * 1e6;
  }
}

export function words(value: number, measure: Measure): string {
  if (measure === "sessions") return count(value);
  if (measure === "minutes") return minutes(value * 60);
  return bytes(Math.round(value));
}

export function count(value: number): string {
  return value.toLocaleString();
}

/** `0.4`, `12`, `1,240`: minutes, with a tenth where there are few. */
export function minutes(seconds: number): string {
  const value = seconds / 60;
  return value >= 10 || value === 0 ? Math.round(value).toLocaleString() : value.toFixed(1);
}

/** The list of sessions, as far as `terms` say: what has a space in it cannot be asked for there. */
export function sessionsAt(...terms: string[]): string {
  const url = new URL(href());
  url.searchParams.set("q", terms.join(" "));
  return url.href;
}

/** What sessions used, one by one, by one measure: the list that a sum of usage is made of. */
export function usedAt(measure: Measure, query: Record<string, string | undefined>): string {
  return adminAt("usage", { ...query, by: "session", measure: measure === "minutes" ? undefined : measure });
}

/** The day after one, as both are written: a day's usage is what comes before it. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** A section of the administration, with a question. */
export function adminAt(section: string, query: Record<string, string | undefined> = {}): string {
  const url = new URL(section === "" ? href("admin") : href("admin", section));
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") url.searchParams.set(name, value);
  return url.href;
}

/** The last so many days in UTC, as they are written. */
export function lastDays(many: number): string[] {
  return Array.from({ length: many }, (_, index) => new Date(Date.now() - (many - 1 - index) * 86_400_000).toISOString().slice(0, 10));
}

/** Pictures of the record: what was shown before and after each act. */
import type { RecordEvent } from "belljar";
import { useMemo } from "react";
import { client } from "../../shell/server.ts";
import { type SessionContext, useRecord, useSessionContext } from "../context.ts";

export interface Shot {
  t: number;
  url: string;
}

/** The picture that an event of kind `screen` names, or undefined. */
export function shotOf(event: RecordEvent, { id, box, isRunning }: Pick<SessionContext, "id" | "box" | "isRunning">): Shot | undefined {
  const sha256 = (event.data as { sha256?: unknown } | undefined)?.sha256;
  if (event.kind !== "screen" || typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const url = isRunning || id === undefined ? box.http.url(`/v1/events/pictures/${sha256}`) : client.http.url(`/api/sessions/${encodeURIComponent(id)}/record/pictures/${sha256}`);
  return { t: event.t, url };
}

/** All there are, oldest first. */
export function useShots(): readonly Shot[] {
  const context = useSessionContext();
  const { events, version } = useRecord();
  const { id, box, isRunning } = context;
  return useMemo(() => events.flatMap((event) => shotOf(event, { id, box, isRunning }) ?? []), [events, version, id, box, isRunning]);
}

/** What was shown at a moment: the last picture before it, or the first there is. */
export function shotAt(shots: readonly Shot[], moment: number): Shot | undefined {
  let [low, high] = [0, shots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shots[middle] as Shot).t <= moment) low = middle + 1;
    else high = middle;
  }
  return shots[Math.max(0, low - 1)];
}

/** Pictures of the record: what was shown before and after each act. */
import type { RecordEvent } from "belljar";
import { useCallback } from "react";
import { client } from "../../shell/server.ts";
import { useSessionContext } from "../context.ts";
import type { Act } from "../record/acts.ts";
import { useGrown } from "../record/grown.ts";

export interface Shot {
  t: number;
  sha256: string;
}

/** The picture that an event of kind `screen` names, or undefined. */
export function shotOf(event: RecordEvent): Shot | undefined {
  const sha256 = (event.data as { sha256?: unknown } | undefined)?.sha256;
  return event.kind === "screen" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) ? { t: event.t, sha256 } : undefined;
}

class Shots {
  readonly all: Shot[] = [];

  add(event: RecordEvent): void {
    const shot = shotOf(event);
    if (shot !== undefined) this.all.push(shot);
  }
}

/** All there are, oldest first: the same array, grown. */
export function useShots(): readonly Shot[] {
  return useGrown(Shots).all;
}

/** Where a picture is had: from the box, or of a session that is over from the control plane. */
export function usePictureUrl(): (shot: Shot) => string {
  const { id, box, isRunning } = useSessionContext();
  return useCallback(
    ({ sha256 }) => (isRunning || id === undefined ? box.http.url(`/v1/events/pictures/${sha256}`) : client.http.url(`/api/sessions/${encodeURIComponent(id)}/record/pictures/${sha256}`)),
    [id, box, isRunning],
  );
}

/** How many of them are not after the moment. */
export function countUntil(shots: readonly Shot[], moment: number): number {
  let [low, high] = [0, shots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shots[middle] as Shot).t <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was shown at a moment: the last picture before it, or the first there is. */
export function shotAt(shots: readonly Shot[], moment: number): Shot | undefined {
  return shots[Math.max(0, countUntil(shots, moment) - 1)];
}

/** The pictures from before and after an act, as far as there are any. */
export function picturesOf(act: Act): readonly [before: Shot | undefined, after: Shot | undefined] {
  const named = (name: string): Shot | undefined => {
    const found = act.caused.find((event) => event.kind === "screen" && event.name === name);
    return found === undefined ? undefined : shotOf(found);
  };
  return [named("before"), named("after")];
}

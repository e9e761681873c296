/** What a follower of the client tells, as a list that grows. */
import { type DependencyList, useCallback, useEffect, useState } from "react";

export interface FollowedEvents<T> {
  /** The newest last; at most `limit`. */
  events: readonly T[];
  /** How many were left out at the beginning. */
  dropped: number;
  error: unknown;
  isOver: boolean;
  clear: () => void;
}

export interface EventsOptions {
  limit?: number | undefined;
}

/**
 * `useEvents((signal) => client.browser.followConsole({}, { signal }), [client])`: one stream from the server while the
 * component is there, begun anew when a dependency changes.
 */
export function useEvents<T>(
  follow: (signal: AbortSignal) => AsyncIterable<T>,
  dependencies: DependencyList,
  { limit = 1000 }: EventsOptions = {},
): FollowedEvents<T> {
  const [state, setState] = useState<Omit<FollowedEvents<T>, "clear">>(nothing);

  useEffect(() => {
    const ending = new AbortController();
    setState(nothing);
    // Many events at once are one change of the list.
    let waiting: T[] = [];
    const take = (): void => {
      const came = waiting;
      waiting = [];
      if (!ending.signal.aborted) setState((old) => added(old, came, limit));
    };
    const read = async (): Promise<void> => {
      // StrictMode mounts twice at once: a stream is asked for by the mount that stays.
      await Promise.resolve();
      if (ending.signal.aborted) return;
      for await (const event of follow(ending.signal)) {
        if (waiting.push(event) === 1) setTimeout(take, 0);
      }
    };
    read().then(
      () => ending.signal.aborted || setState((old) => ({ ...added(old, waiting.splice(0), limit), isOver: true })),
      (error: unknown) => ending.signal.aborted || setState((old) => ({ ...added(old, waiting.splice(0), limit), error, isOver: true })),
    );
    return () => ending.abort();
    // What is followed changes with what the caller names.
  }, [...dependencies, limit]);

  const clear = useCallback(() => setState((old) => ({ ...old, events: [], dropped: 0 })), []);
  return { ...state, clear };
}

function nothing<T>(): Omit<FollowedEvents<T>, "clear"> {
  return { events: [], dropped: 0, error: undefined, isOver: false };
}

function added<T>(old: Omit<FollowedEvents<T>, "clear">, came: T[], limit: number): Omit<FollowedEvents<T>, "clear"> {
  if (came.length === 0) return old;
  const events = [...old.events, ...came];
  const over = Math.max(0, events.length - limit);
  return { ...old, events: events.slice(over), dropped: old.dropped + over };
}

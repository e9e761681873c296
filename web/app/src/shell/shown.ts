/**
 * Whether this tab is looked at. A browser opens six connections to a host, for all its tabs together: a few tabs that
 * hold streams nobody looks at would leave none for the next.
 */
import { useSyncExternalStore } from "react";

/** For what is read anew when the tab is shown again. */
export function useIsShown(): boolean {
  return useSyncExternalStore(listen, () => !document.hidden);
}

/** A stream that is followed while the tab is shown; `open` is called again each time that it is, to go on. */
export async function* whileShown<T>(open: (signal: AbortSignal) => AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  while (!signal.aborted) {
    await untilShown(signal);
    const ending = new AbortController();
    const look = (): void => {
      if (document.hidden || signal.aborted) ending.abort();
    };
    const unlisten = listen(look);
    signal.addEventListener("abort", look);
    try {
      look();
      if (!ending.signal.aborted) yield* open(ending.signal);
      if (!ending.signal.aborted) return;
    } catch (error) {
      if (!ending.signal.aborted || signal.aborted) throw error;
    } finally {
      unlisten();
      signal.removeEventListener("abort", look);
    }
  }
}

function listen(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      unlisten();
      signal.removeEventListener("abort", look);
      resolve();
    };
    const unlisten = listen(look);
    signal.addEventListener("abort", look);
    look();
  });
}

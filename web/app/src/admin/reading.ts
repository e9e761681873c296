/** What is read from the control plane for a screen: once, again when asked or when the page is looked at again. */
import { useCallback, useEffect, useRef, useState } from "react";
import { refused } from "../shell/server.ts";

export interface Reading<T> {
  value: T | undefined;
  error: unknown;
  /** Whether it is being read now. */
  isBusy: boolean;
  again: () => void;
}

/** `of` names what is read: with another name it is read anew, and what was there is forgotten. */
export function useReading<T>(of: string, load: () => Promise<T>): Reading<T> {
  const [state, setState] = useState<{ of: string; value?: T; error?: unknown }>({ of });
  const [isBusy, setBusy] = useState(true);
  const latest = useRef(load);
  const number = useRef(0);
  useEffect(() => {
    latest.current = load;
  });
  const again = useCallback(() => {
    const own = ++number.current;
    setBusy(true);
    latest.current().then(
      (value) => own === number.current && (setState({ of, value }), setBusy(false)),
      (error: unknown) => {
        refused(error);
        if (own === number.current) {
          setState((old) => (old.of === of ? { ...old, error } : { of, error }));
          setBusy(false);
        }
      },
    );
  }, [of]);
  useEffect(() => {
    again();
    const look = (): void => {
      if (!document.hidden) again();
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", again);
    return () => {
      number.current += 1;
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", again);
    };
  }, [again]);
  const isOwn = state.of === of;
  return { value: isOwn ? state.value : undefined, error: isOwn ? state.error : undefined, isBusy: isBusy || !isOwn, again };
}

/** Where the page is led from here: whether it is still on its way, and why it did not get there. */
import { useCallback, useEffect, useRef, useState } from "react";
import { wordsOf } from "../design/Toasts.tsx";
import { useSessionContext } from "./context.ts";

export interface Navigation {
  isLoading: boolean;
  /** In words; empty where there is none. */
  problem: string;
  run: (method: "navigate" | "back" | "forward" | "reload", params?: object) => void;
  stop: () => void;
  forget: () => void;
}

export function useNavigation(): Navigation {
  const { live } = useSessionContext();
  const { connection, call } = live;
  // Also what a click or the agent led to.
  const isComing = live.tabs.find((tab) => tab.active)?.loading === true;
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState("");
  // Only the newest one's failure is of interest: each overtakes those before.
  const newest = useRef(0);
  useEffect(() => connection.on("navigated", () => setProblem("")), [connection]);
  const run = useCallback(
    (method: string, params?: object) => {
      const number = ++newest.current;
      setProblem("");
      setPending((count) => count + 1);
      call(method, params)
        .catch((error: unknown) => {
          if (number === newest.current) setProblem(wordsOf(error));
        })
        .finally(() => setPending((count) => count - 1));
    },
    [call],
  );
  const stop = useCallback(() => {
    newest.current++;
    call("stop").catch(() => undefined);
  }, [call]);
  return { isLoading: pending > 0 || isComing, problem, run, stop, forget: () => setProblem("") };
}

/** Where the page is led from here: whether it is still on its way, and why it did not get there. */
import { failureOf } from "belljar/live";
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
  const active = live.tabs.find((tab) => tab.active);
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState("");
  const [forgotten, setForgotten] = useState("");
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
  // Also what a click or the agent led to.
  const isLoading = pending > 0 || active?.loading === true;
  const failure = active?.error == null || isLoading ? "" : `${active.id} ${active.url} ${active.error}`;
  useEffect(() => {
    if (failure === "") setForgotten("");
  }, [failure]);
  const why = failure === "" || active?.error == null ? problem : failure === forgotten ? "" : failureOf(active.error);
  return { isLoading, problem: why, run, stop, forget: () => (setProblem(""), setForgotten(failure)) };
}

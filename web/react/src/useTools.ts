/** What a browser's own window has for a person, for one session: find, copy, print, save. */
import { Tools } from "belljar/live";
import { useCallback, useMemo, useState } from "react";
import { useLatest } from "./useLatest.ts";
import type { LiveSession } from "./useSession.ts";

export interface SessionTools {
  tools: Tools;
  /** Whether somebody wants to find words: show a `FindBar`. */
  isFinding: boolean;
  stopFinding: () => void;
  /** What was to be copied and needs a click for it, as without TLS. */
  uncopied: string;
  forgetUncopied: () => void;
}

export function useTools({ connection, files }: LiveSession, onProblem: (problem: { message: string }) => void, onCopied?: () => void): SessionTools {
  const [isFinding, setFinding] = useState(false);
  const [uncopied, setUncopied] = useState("");
  const report = useLatest(onProblem);
  const copied = useLatest(onCopied);
  const tools = useMemo(
    () =>
      new Tools(connection, files, {
        onFind: () => setFinding(true),
        onProblem: (problem) => report.current(problem),
        onCopied(text, isDone) {
          setUncopied(isDone ? "" : text);
          if (isDone) copied.current?.();
        },
      }),
    [connection, files, report, copied],
  );
  const stopFinding = useCallback(() => setFinding(false), []);
  const forgetUncopied = useCallback(() => setUncopied(""), []);
  return { tools, isFinding, stopFinding, uncopied, forgetUncopied };
}

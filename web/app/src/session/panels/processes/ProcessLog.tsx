/** What a program writes, followed. */
import type { ProcessLogEntry } from "belljar";
import { useEvents } from "@belljar/react";
import { type ReactElement, type UIEvent, useEffect, useMemo, useRef, useState } from "react";
import { ProblemNote } from "../../../design/Empty.tsx";
import { useSessionContext } from "../../context.ts";

const MOST_ENTRIES = 2000;
const MOST_TEXT = 100_000;
// Colours and cursors of terminals, which a log has no use for.
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|\r(?!\n)|\u0007/g;

export function ProcessLog({ id, isTerminal }: { id: string; isTerminal: boolean }): ReactElement {
  const { box } = useSessionContext();
  const place = useRef<HTMLPreElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const { events, dropped, error } = useEvents<ProcessLogEntry>(
    (signal) => box.processes.followLogs(id, isTerminal ? { stream: "pty" } : {}, { signal }),
    [box, id, isTerminal],
    { limit: MOST_ENTRIES },
  );
  const text = useMemo(() => textOf(events), [events]);
  useEffect(() => {
    if (isAtEnd && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [text, isAtEnd]);
  const scrolled = (event: UIEvent): void => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    setAtEnd(scrollHeight - scrollTop - clientHeight < 24);
  };
  return (
    <>
      {error === undefined ? null : <ProblemNote error={error} />}
      <pre ref={place} className="log mono process-log" tabIndex={0} aria-label="What it writes" onScroll={scrolled}>
        {dropped === 0 ? "" : "…\n"}
        {text === "" ? <span className="faint">It has written nothing yet.</span> : text}
      </pre>
    </>
  );
}

/** One decoder over all pieces: a letter may lie in two. */
function textOf(entries: readonly ProcessLogEntry[]): string {
  const decoders = new Map<string, TextDecoder>();
  const pieces = entries.map(({ stream, data }) => {
    const decoder = decoders.get(stream) ?? new TextDecoder();
    decoders.set(stream, decoder);
    return decoder.decode(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), { stream: true });
  });
  const text = pieces.join("").replaceAll(ESCAPES, "");
  return text.length > MOST_TEXT ? `…${text.slice(-MOST_TEXT)}` : text;
}

/** What a person looks at when something does not work: the box's own programs with what they write, and its log. */
import type { ProcessInfo } from "belljar";
import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { client } from "../../../shell/server.ts";
import { useRecord, useSessionContext } from "../../context.ts";
import { useTold } from "../following.ts";
import { ProcessLog } from "../processes/ProcessLog.tsx";

/** Chromium, the display and whatever else the box itself started. */
export function Programs(): ReactElement {
  const { box } = useSessionContext();
  const [programs, setPrograms] = useState<readonly ProcessInfo[]>();
  const [opened, setOpened] = useState<string>();
  const [error, setError] = useState<unknown>();
  const told = useTold(({ kind }) => kind === "process" || kind === "system");
  const read = useCallback(() => void box.processes.list().then(({ processes }) => setPrograms(processes.filter(({ owner }) => owner !== "user")), setError), [box]);
  useEffect(read, [read, told]);
  return (
    <section className="about-part">
      <h3>Programs of the box</h3>
      {error === undefined ? null : <ProblemNote error={error} onAgain={read} />}
      {programs?.length === 0 ? <p className="faint">None runs.</p> : null}
      <ul aria-label="Programs of the box">
        {(programs ?? []).map((one) => (
          <li key={one.id}>
            <div className="plain-row">
              <span className="dot" data-state={one.status === "running" ? "running" : "stopped"} role="img" aria-label={one.status} />
              <span className="mono cut grow" title={one.command}>
                {one.command.split("/").at(-1)}
              </span>
              <span className="small faint">{one.status === "running" ? `pid ${one.pid ?? "?"}` : `ended${one.exitCode == null ? "" : `, ${one.exitCode}`}`}</span>
              <Button kind="plain" aria-expanded={opened === one.id} onClick={() => setOpened(opened === one.id ? undefined : one.id)}>
                Log
              </Button>
            </div>
            {opened === one.id ? <ProcessLog id={one.id} isTerminal={one.tty} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

// So often at most, however much happens.
const EVERY_MS = 1500;

/** The box's own log, also after its end; read again when something happened, for as long as it is shown. */
export function Log({ id }: { id: string }): ReactElement {
  const { isRunning } = useSessionContext();
  const { version } = useRecord();
  const [isShown, setShown] = useState(false);
  const [lines, setLines] = useState<string>();
  const [error, setError] = useState<unknown>();
  const place = useRef<HTMLPreElement>(null);
  const readAt = useRef(0);
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => {
      readAt.current = Date.now();
      client.sessions.logs(id, { tail: 500 }).then((text) => (setLines(text), setError(undefined)), setError);
    }, Math.max(0, readAt.current + EVERY_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [id, isShown, isRunning ? version : 0]);
  useEffect(() => {
    if (place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [lines]);
  return (
    <section className="about-part">
      <div className="line">
        <h3 className="grow">Log of its box</h3>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {!isShown || lines === undefined ? null : (
        <pre ref={place} className="log mono" tabIndex={0} aria-label="Log of its box">
          {lines === "" ? "It is empty." : lines}
        </pre>
      )}
    </section>
  );
}

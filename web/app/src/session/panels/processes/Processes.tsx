/** Programs of the box: who had them started, what they write, and a terminal where they have one. */
import type { ProcessInfo, RecordEvent } from "belljar";
import { Cpu, Play, RefreshCw, Skull, Square, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, Suspense, lazy, useCallback, useEffect, useMemo, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Empty, ProblemNote } from "../../../design/Empty.tsx";
import { Check } from "../../../design/Field.tsx";
import { Tabs } from "../../../design/Tabs.tsx";
import { clock, span, useNow } from "../../../shell/time.ts";
import { useRecord, useSessionContext } from "../../context.ts";
import { recorded, useTold } from "../following.ts";
import { ProcessLog } from "./ProcessLog.tsx";
import "./processes.css";

const Terminal = lazy(() => import("./Terminal.tsx"));
const OWNERS = [
  ["all", "All"],
  ["user", "Callers"],
  ["desktop", "Desktop"],
  ["system", "Box"],
] as const;
type Owner = (typeof OWNERS)[number][0];

export default function Processes(): ReactElement {
  const { isRunning } = useSessionContext();
  return isRunning ? <LiveProcesses /> : <RecordedProcesses />;
}

function LiveProcesses(): ReactElement {
  const { box } = useSessionContext();
  const [all, setAll] = useState<readonly ProcessInfo[]>();
  const [error, setError] = useState<unknown>();
  const [owner, setOwner] = useState<Owner>("all");
  const [opened, setOpened] = useState<string>();
  const told = useTold(({ kind }) => kind === "process");
  const read = useCallback(() => {
    box.processes.list().then(
      ({ processes }) => {
        setAll(processes);
        setError(undefined);
      },
      setError,
    );
  }, [box]);
  useEffect(read, [read, told]);
  // The newest first: that is what somebody came for.
  const shown = useMemo(() => (all ?? []).filter((one) => owner === "all" || one.owner === owner).toReversed(), [all, owner]);
  const started = (process: ProcessInfo): void => {
    setOpened(process.id);
    setOwner("all");
    read();
  };
  return (
    <div className="panel">
      <StartProcess onStarted={started} />
      <div className="panel-tools">
        <Tabs label="Whose programs" tabs={OWNERS} current={owner} onChoose={setOwner} />
        <span className="grow" />
        <Button kind="plain" icon={RefreshCw} label="Look again" onClick={read} />
      </div>
      {error === undefined ? null : <ProblemNote error={error} onAgain={read} />}
      {shown.length === 0 ? (
        <Empty icon={Cpu} title={all === undefined ? "…" : "No programs"}>
          <p>What an agent, the desktop or the box itself starts stands here.</p>
        </Empty>
      ) : (
        <ul className="process-rows" aria-label="Programs">
          {shown.map((process) => (
            <ProcessRow key={process.id} process={process} isOpen={process.id === opened} onOpen={() => setOpened(process.id === opened ? undefined : process.id)} onChanged={read} />
          ))}
        </ul>
      )}
    </div>
  );
}

function StartProcess({ onStarted }: { onStarted: (process: ProcessInfo) => void }): ReactElement {
  const { box } = useSessionContext();
  const [line, setLine] = useState("");
  const [hasTerminal, setTerminal] = useState(true);
  const [error, setError] = useState<unknown>();
  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    try {
      // A shell reads the line as people mean it; without one it is a terminal to type into.
      const program = line.trim() === "" ? { command: "bash", args: [] } : { command: "bash", args: ["-c", line] };
      onStarted(await box.processes.start({ ...program, tty: hasTerminal, interactive: hasTerminal }));
      setLine("");
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <section className="panel-part">
      <form className="panel-form" onSubmit={(event) => void start(event)}>
        <input className="input mono" aria-label="Command" placeholder="Command, or a shell" autoComplete="off" spellCheck={false} value={line} onChange={(event) => setLine(event.target.value)} />
        <Check label="Terminal" isOn={hasTerminal} onChange={setTerminal} />
        <Button type="submit" icon={Play} disabled={line.trim() === "" && !hasTerminal}>
          Start
        </Button>
      </form>
      {error === undefined ? null : <ProblemNote error={error} />}
    </section>
  );
}

interface ProcessRowProps {
  process: ProcessInfo;
  isOpen: boolean;
  onOpen: () => void;
  onChanged: () => void;
}

const WHO = { user: "Caller", desktop: "Desktop", system: "Box" } as const;

function ProcessRow({ process, isOpen, onOpen, onChanged }: ProcessRowProps): ReactElement {
  const now = useNow();
  const isRunning = process.status === "running";
  const end = process.signal ?? (process.exitCode == null ? "ended" : `exit ${process.exitCode}`);
  return (
    <li className="process" data-failed={(!isRunning && process.exitCode !== 0) || undefined}>
      <div className="data-row">
        <button type="button" className="data-main" aria-expanded={isOpen} onClick={onOpen}>
          <span className="dot" data-state={isRunning ? "running" : "stopped"} role="img" aria-label={isRunning ? "Runs" : "Ended"} />
          <span className="mono cut grow">{lineOf(process)}</span>
          <span className="small faint">{WHO[process.owner]}</span>
          <span className="mono faint state-of">{isRunning ? span(now - process.createdAtMs) : end}</span>
        </button>
      </div>
      {isOpen ? <ProcessDetail process={process} onChanged={onChanged} /> : null}
    </li>
  );
}

function lineOf({ command, args }: ProcessInfo): string {
  if (/(^|\/)bash$/.test(command) && args[0] === "-c" && args.length === 2) return args[1] ?? "";
  return [command, ...args].join(" ");
}

function ProcessDetail({ process, onChanged }: { process: ProcessInfo; onChanged: () => void }): ReactElement {
  const { box } = useSessionContext();
  const [error, setError] = useState<unknown>();
  const isRunning = process.status === "running";
  // What the box itself runs is its own to end.
  const isOurs = process.owner !== "system";
  const act = (done: Promise<unknown>): void => {
    setError(undefined);
    done.then(onChanged, setError);
  };
  return (
    <div className="data-detail">
      <div className="line">
        <span className="mono faint grow cut">
          {process.id}
          {process.pid == null ? "" : ` · pid ${process.pid}`}
          {process.restarts === 0 ? "" : ` · ${process.restarts} restarts`}
          {process.cwd == null ? "" : ` · ${process.cwd}`}
        </span>
        {isRunning && isOurs ? (
          <>
            <Button icon={Square} onClick={() => act(box.processes.stop(process.id))}>
              End
            </Button>
            <Button kind="plain" icon={Skull} label="Kill it with all it started" onClick={() => act(box.processes.kill(process.id))} />
          </>
        ) : null}
        {!isRunning && isOurs ? <Button kind="plain" icon={Trash2} label="Forget it and its log" onClick={() => act(box.processes.delete(process.id))} /> : null}
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {process.tty && isRunning && isOurs ? (
        <Suspense fallback={<span className="busy" />}>
          <Terminal processId={process.id} onError={setError} />
        </Suspense>
      ) : (
        <ProcessLog id={process.id} isTerminal={process.tty} />
      )}
    </div>
  );
}

/** Of a session that is over: what the record says of them. */
function RecordedProcesses(): ReactElement {
  const { events, version } = useRecord();
  const { setMoment } = useSessionContext();
  const told = useMemo(() => events.filter(({ kind }) => kind === "process"), [events, version]);
  if (told.length === 0) return <Empty icon={Cpu} title="No programs"><p>It started none, or that was not recorded.</p></Empty>;
  return (
    <ul className="panel process-rows" aria-label="Programs">
      {told.map((event) => (
        <li key={event.seq} className="process">
          <div className="data-row">
            <button type="button" className="data-main" title="Look at this moment" onClick={() => setMoment(event.t)}>
              <span className="small">{NAMES[event.name] ?? event.name}</span>
              <span className="mono cut grow">{wordsOf(event)}</span>
              <span className="mono faint">{clock(event.t).slice(0, 8)}</span>
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}

const NAMES: Record<string, string> = { started: "Started", exited: "Ended", ran: "Ran", restarted: "Restarted" };

function wordsOf({ data }: RecordEvent): string {
  const one = (data ?? {}) as Record<string, unknown>;
  const args = Array.isArray(one["args"]) ? one["args"].map(recorded) : [];
  const exit = one["exitCode"] == null ? "" : `exit ${String(one["exitCode"])}`;
  return [recorded(one["command"]), ...args, recorded(one["processId"]), exit].filter(Boolean).join(" ");
}

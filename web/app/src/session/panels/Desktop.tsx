/** The display: its windows, its clipboard, its size. */
import type { DesktopDisplayInfoResponse, DesktopWindowInfo, RecordEvent } from "belljar";
import { AppWindow, Maximize2, Minus, RefreshCw, X } from "lucide-react";
import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { Empty, ProblemNote } from "../../design/Empty.tsx";
import { say } from "../../design/Toasts.tsx";
import { useSessionContext } from "../context.ts";
import { useTold } from "./following.ts";
import "./desktop.css";

export default function Desktop(): ReactElement {
  const { box, live, mayDrive } = useSessionContext();
  const [display, setDisplay] = useState<DesktopDisplayInfoResponse>();
  const [error, setError] = useState<unknown>();
  const mode = live.ready?.mode;
  const viewport = live.ready?.viewport;
  const read = useCallback(() => {
    box.desktop.displayInfo().then(
      (found) => {
        setDisplay(found);
        setError(undefined);
      },
      (failed: unknown) => {
        setDisplay(undefined);
        setError(failed);
      },
    );
  }, [box]);
  // Another display, or another size of it.
  useEffect(read, [read, mode, viewport?.w, viewport?.h]);
  if (error !== undefined)
    return (
      <div className="panel">
        <Empty icon={AppWindow} title="There is no display">
          <ProblemNote error={error} onAgain={read} />
        </Empty>
      </div>
    );
  return (
    <div className="panel panel-scroll">
      <Windows />
      {mayDrive ? <Clipboard /> : null}
      {display === undefined ? null : <Resolution display={display} onChanged={setDisplay} />}
    </div>
  );
}

/** What may have opened, closed or moved a window. */
function mayMoveWindows({ kind, name }: RecordEvent): boolean {
  return kind === "process" || kind === "tab" || kind === "nav" || (kind === "call" && name.endsWith(".end") && !/^(get|list|take|read)/.test(name)) || name === "mouse.up";
}

function Windows(): ReactElement {
  const { box, mayDrive } = useSessionContext();
  const [windows, setWindows] = useState<readonly DesktopWindowInfo[]>();
  const [error, setError] = useState<unknown>();
  const told = useTold(mayMoveWindows);
  const read = useCallback(() => void box.desktop.windows().then((found) => setWindows(found.windows), setError), [box]);
  useEffect(read, [read, told]);
  const act = (done: Promise<unknown>): void => {
    setError(undefined);
    done.then(read, setError);
  };
  return (
    <section className="panel-part">
      <div className="line">
        <h3 className="grow">Windows</h3>
        <Button kind="plain" icon={RefreshCw} label="Look again" onClick={read} />
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {windows?.length === 0 ? <p className="faint">None is open.</p> : null}
      <ul aria-label="Windows">
        {(windows ?? []).map((one) => (
          <li key={one.id} className="plain-row window" data-active={one.isActive || undefined}>
            <button type="button" className="window-name" disabled={!mayDrive} aria-current={one.isActive || undefined} title={one.title} onClick={() => act(box.desktop.focusWindow(one.id))}>
              <span className="dot" data-state={one.isActive ? "running" : "stopped"} />
              <span className="cut grow">{one.title || one.className || one.id}</span>
              <span className="mono faint">{one.isMinimized ? "minimised" : `${one.width}×${one.height} at ${one.x},${one.y}`}</span>
            </button>
            {mayDrive ? (
              <>
                <Button kind="plain" icon={Minus} label={`Minimise ${one.title}`} onClick={() => act(box.desktop.minimizeWindow(one.id))} />
                <Button kind="plain" icon={Maximize2} label={`Maximise ${one.title}`} onClick={() => act(box.desktop.maximizeWindow(one.id))} />
                <Button kind="plain" icon={X} label={`Close ${one.title}`} onClick={() => act(box.desktop.closeWindow(one.id))} />
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Clipboard(): ReactElement {
  const { box } = useSessionContext();
  const [text, setText] = useState("");
  const [known, setKnown] = useState<string>();
  const [error, setError] = useState<unknown>();
  const read = (): void => {
    setError(undefined);
    box.desktop.clipboard().then((found) => {
      setText(found.text);
      setKnown(found.text);
    }, setError);
  };
  const write = (event: FormEvent): void => {
    event.preventDefault();
    setError(undefined);
    box.desktop.setClipboard({ text }).then(() => {
      setKnown(text);
      say("It is on the clipboard of the box.");
    }, setError);
  };
  return (
    <section className="panel-part">
      <h3>Clipboard</h3>
      <form className="clipboard" onSubmit={write}>
        <textarea className="input mono" aria-label="Clipboard of the box" rows={3} spellCheck={false} placeholder="Read it, or write what shall be pasted there" value={text} onChange={(event) => setText(event.target.value)} />
        <div className="line">
          <span className="grow small faint">{known === undefined ? "" : known === text ? (known === "" ? "It is empty." : `${known.length} characters`) : "Not written yet."}</span>
          <Button onClick={read}>Read</Button>
          <Button type="submit">Write</Button>
        </div>
      </form>
      {error === undefined ? null : <ProblemNote error={error} />}
    </section>
  );
}

const USUAL = [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const;

function Resolution({ display, onChanged }: { display: DesktopDisplayInfoResponse; onChanged: (display: DesktopDisplayInfoResponse) => void }): ReactElement {
  const { box, mayDrive } = useSessionContext();
  const { width, height } = display.resolution;
  const [typed, setTyped] = useState({ width: String(width), height: String(height) });
  const [error, setError] = useState<unknown>();
  useEffect(() => setTyped({ width: String(width), height: String(height) }), [width, height]);
  const resize = (wanted: { width: number; height: number }): void => {
    setError(undefined);
    box.desktop.resize(wanted).then(onChanged, setError);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    resize({ width: Number(typed.width), height: Number(typed.height) });
  };
  return (
    <section className="panel-part">
      <h3>Resolution</h3>
      <p className="mono faint">
        {width} × {height} of at most {display.maxWidth} × {display.maxHeight}, display {display.display}
      </p>
      {mayDrive ? (
        <>
          <form className="panel-form size-form" onSubmit={submit}>
            <input className="input" type="number" aria-label="Width" min={1} max={display.maxWidth} required value={typed.width} onChange={(event) => setTyped({ ...typed, width: event.target.value })} />
            <span aria-hidden="true">×</span>
            <input className="input" type="number" aria-label="Height" min={1} max={display.maxHeight} required value={typed.height} onChange={(event) => setTyped({ ...typed, height: event.target.value })} />
            <Button type="submit">Resize</Button>
          </form>
          <div className="panel-form">
            {USUAL.filter(([w, h]) => w <= display.maxWidth && h <= display.maxHeight).map(([w, h]) => (
              <Button key={w} kind="plain" aria-pressed={w === width && h === height} onClick={() => resize({ width: w, height: h })}>
                {w} × {h}
              </Button>
            ))}
          </div>
        </>
      ) : null}
      {error === undefined ? null : <ProblemNote error={error} />}
    </section>
  );
}

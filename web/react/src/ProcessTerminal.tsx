/** The terminal of a process, drawn by xterm.js. */
import type { ProcessTerminalSession, SandboxAgent, TerminalErrorStatus, TerminalExitStatus } from "belljar";
import type { Terminal } from "@xterm/xterm";
import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from "react";
import { useLatest } from "./useLatest.ts";

export type ProcessTerminalClient = Pick<SandboxAgent, "connectProcessTerminal"> &
  Partial<Pick<SandboxAgent, "accessToken" | "getProcessLogs">>;

export interface ProcessTerminalProps {
  client: ProcessTerminalClient;
  /** A process with a terminal: one that was created with `tty`. */
  processId: string;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  terminalStyle?: CSSProperties | undefined;
  statusBarStyleOverride?: CSSProperties | undefined;
  height?: number | string | undefined;
  showStatusBar?: boolean | undefined;
  onExit?: ((status: TerminalExitStatus) => void) | undefined;
  onError?: ((error: TerminalErrorStatus | Error) => void) | undefined;
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
// How much of what was shown before is shown again.
const EARLIER = 500;

export function ProcessTerminal(props: ProcessTerminalProps): ReactElement {
  const { client, processId, className, style, terminalStyle, statusBarStyleOverride, height = 360, showStatusBar = true } = props;
  const place = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState("connecting…");
  const told = useLatest(props);

  useEffect(() => {
    if (place.current === null) return undefined;
    const ending = new AbortController();
    const report = {
      status: setStatus,
      exit: (exit: TerminalExitStatus) => told.current.onExit?.(exit),
      error: (error: TerminalErrorStatus | Error) => told.current.onError?.(error),
    };
    attach(place.current, client, processId, report, ending.signal).catch((error: unknown) => {
      if (ending.signal.aborted) return;
      setStatus("failed");
      told.current.onError?.(error instanceof Error ? error : new Error(String(error)));
    });
    return () => ending.abort();
  }, [client, processId, told]);

  return (
    <div className={className === undefined ? "belljar-terminal" : `belljar-terminal ${className}`} style={{ ...FRAME, height, ...style }}>
      <div ref={place} className="belljar-terminal-screen" style={{ ...SCREEN, ...terminalStyle }} />
      {showStatusBar ? (
        <div className="belljar-status" style={statusBarStyleOverride}>
          <span className="belljar-pill" role="status">
            {status}
          </span>
          <span className="belljar-figures">Shift+Escape leaves</span>
        </div>
      ) : null}
    </div>
  );
}

interface Report {
  status: (words: string) => void;
  exit: (status: TerminalExitStatus) => void;
  error: (error: TerminalErrorStatus | Error) => void;
}

/** Draw the terminal into `place` and keep it connected until `signal` says that it is over. */
async function attach(place: HTMLElement, client: ProcessTerminalClient, id: string, report: Report, signal: AbortSignal): Promise<void> {
  // It looks for a window when it is loaded, and servers have none.
  const { Terminal: Screen } = await import("@xterm/xterm");
  if (signal.aborted) return;
  const screen = new Screen({ convertEol: false, scrollback: 5000, ...looksOf(place) });
  screen.open(place);
  screen.attachCustomKeyEventHandler((event) => {
    if (event.key !== "Escape" || !event.shiftKey) return true;
    if (event.type === "keydown") screen.blur();
    return false;
  });
  // What is typed here is for the program: the shortcuts of the page around it are not meant.
  for (const name of ["keydown", "keyup", "keypress"]) place.addEventListener(name, (event) => event.stopPropagation(), { signal });
  const resizing = new ResizeObserver(() => fit(screen, place));
  resizing.observe(place);
  signal.addEventListener("abort", () => {
    resizing.disconnect();
    screen.dispose();
  });
  for (const data of await earlier(client, id)) screen.write(data);
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 1.8, LONGEST_WAIT_MS)) {
    const accessToken = await client.accessToken?.();
    if (signal.aborted) return;
    const isOver = await connect(client.connectProcessTerminal(id, { accessToken }), screen, report, signal, () => (wait = FIRST_WAIT_MS));
    if (isOver || signal.aborted) return;
    report.status("reconnecting…");
    await pause(wait, signal);
  }
}

/** One connection, from its beginning to its end; whether the process has ended. */
async function connect(session: ProcessTerminalSession, screen: Terminal, report: Report, signal: AbortSignal, opened: () => void): Promise<boolean> {
  let isOver = false;
  const close = (): void => session.close();
  signal.addEventListener("abort", close);
  const typing = screen.onData((data) => session.socket.readyState === 1 && session.sendInput(data));
  const sizing = screen.onResize((size) => session.socket.readyState === 1 && session.resize(size));
  session.onReady(() => {
    opened();
    report.status("connected");
    session.resize({ cols: screen.cols, rows: screen.rows });
  });
  session.onData((data) => screen.write(data));
  session.onError((error) => signal.aborted || report.error(error));
  session.onExit((status) => {
    isOver = true;
    report.status(status.exitCode == null ? "ended" : `ended with ${status.exitCode}`);
    report.exit(status);
  });
  await session.closed;
  typing.dispose();
  sizing.dispose();
  signal.removeEventListener("abort", close);
  return isOver;
}

/** What the process showed before anybody looked; nothing where that is not to be had. */
async function earlier(client: ProcessTerminalClient, id: string): Promise<Uint8Array[]> {
  try {
    const log = await client.getProcessLogs?.(id, { stream: "pty", tail: EARLIER });
    return (log?.entries ?? []).map(({ data }) => Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)));
  } catch {
    return [];
  }
}

/** As many columns and rows as there is room for, by the size that a character has on this screen. */
function fit(screen: Terminal, place: HTMLElement): void {
  const drawn = place.querySelector(".xterm-screen")?.getBoundingClientRect();
  if (drawn === undefined || drawn.width === 0 || place.clientHeight === 0) return;
  const cols = Math.max(2, Math.floor(place.clientWidth / (drawn.width / screen.cols)));
  const rows = Math.max(1, Math.floor(place.clientHeight / (drawn.height / screen.rows)));
  if (cols !== screen.cols || rows !== screen.rows) screen.resize(cols, rows);
}

function looksOf(place: HTMLElement): { theme: { background: string; foreground: string }; fontFamily: string; fontSize: number } {
  const looks = getComputedStyle(place);
  const value = (name: string, otherwise: string): string => looks.getPropertyValue(name).trim() || otherwise;
  return {
    theme: { background: value("--belljar-terminal-ground", "#14171d"), foreground: value("--belljar-terminal-ink", "#e7eaf0") },
    fontFamily: value("--belljar-terminal-font", "ui-monospace, monospace"),
    fontSize: Number.parseFloat(value("--belljar-terminal-size", "13")) || 13,
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const FRAME: CSSProperties = { display: "flex", flexDirection: "column", boxSizing: "border-box" };
const SCREEN: CSSProperties = { flex: 1, minHeight: 0, overflow: "hidden" };

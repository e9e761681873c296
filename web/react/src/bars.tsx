/** The bars around the picture: where the page is, and how the connection is. */
import { addressOf, failureOf, nameOfTransport } from "belljar/live";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import type { LiveSession } from "./useSession.ts";

export interface BarProps {
  session: LiveSession;
  onProblem: (problem: { message: string; code?: string }) => void;
}

export function NavigationBar({ session, onProblem }: BarProps): ReactElement {
  const { tabs, ready, call } = session;
  const active = tabs.find((tab) => tab.active);
  const current = active?.url ?? "";
  const isLoading = active?.loading === true;
  const [typed, setTyped] = useState<string>();
  useEffect(() => setTyped(undefined), [current]);
  const isOff = ready?.role !== "drive" || ready.mode !== "browser" || session.state !== "open";
  const run = (method: string, params?: object): void => void call(method, params).catch(onProblem);
  const go = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = (typed ?? current).trim();
    if (wanted === "") return;
    const url = addressOf(wanted);
    if (url === undefined) onProblem({ code: "invalid_request", message: `That is no address: ${wanted}` });
    else run("navigate", { url });
  };
  const button = (name: string, method: string, sign: string): ReactElement => (
    <button type="button" title={name} aria-label={name} disabled={isOff} onClick={() => run(method)}>
      {sign}
    </button>
  );
  return (
    <form className="belljar-navigation" onSubmit={go}>
      {button("Back", "back", "←")}
      {button("Forward", "forward", "→")}
      {isLoading ? button("Stop", "stop", "✕") : button("Reload", "reload", "↻")}
      <input
        aria-label="Address"
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder="Address"
        disabled={isOff}
        value={typed ?? (current === "about:blank" ? "" : current)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(undefined)}
      />
      {isLoading ? <span className="belljar-loading" role="progressbar" aria-label="Loading" /> : null}
      {active?.error == null || isLoading ? null : (
        <p className="belljar-failure" role="status">
          {failureOf(active.error)}
        </p>
      )}
    </form>
  );
}

const STATES = { open: "connected", connecting: "connecting…", waiting: "reconnecting…", closed: "closed" } as const;

export function StatusBar({ session, onProblem, problem }: BarProps & { problem: string }): ReactElement {
  const { state, stats, ready, control, holdsControl, call } = session;
  const move = (): void => void call(holdsControl ? "control.release" : "control.take").catch(onProblem);
  return (
    <div className="belljar-status">
      <span className="belljar-pill" role="status" data-state={state}>
        {state === "closed" && session.refusal === undefined ? STATES.connecting : STATES[state]}
      </span>
      {control === undefined ? null : (
        <span className="belljar-pill" data-holder={holdsControl ? "you" : control.holder.kind}>
          {holderOf(session)}
        </span>
      )}
      <span className="belljar-figures">{problem || (stats === undefined ? "" : figuresOf(session))}</span>
      {ready?.role === "drive" && state === "open" ? (
        <button type="button" onClick={move}>
          {holdsControl ? "Give back" : "Take control"}
        </button>
      ) : null}
    </div>
  );
}

function holderOf({ control, holdsControl, ready }: LiveSession): string {
  const kind = control?.holder.kind;
  const who = holdsControl
    ? "You have control"
    : kind === "none"
      ? "Nobody has control"
      : `${kind === "agent" ? "The agent" : (control?.holder.name ?? "Somebody")} has control`;
  return ready?.role === "view" ? `${who} · view only` : who;
}

function figuresOf(session: LiveSession): string {
  const { stats, connection } = session;
  if (stats === undefined) return "";
  const latency = connection.latency === null ? [] : [`${Math.round(connection.latency)} ms`];
  const moves = stats.fps ? `${stats.fps} fps` : "nothing moves";
  return [moves, ...latency, `${(stats.kbps / 1000).toFixed(1)} Mb/s`, nameOfTransport(session)].join(" · ");
}

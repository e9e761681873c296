/** The picture, as large as it can be, and the keyboard and mouse on it. */
import { Access, type ControlHolder, Input, Picture, type Tools, Zoom, nameOfTransport } from "belljar/live";
import { Bot, Keyboard, Volume2, VolumeX } from "lucide-react";
import { type ReactElement, type RefObject, useEffect, useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { sayProblem } from "../design/Toasts.tsx";
import { useSessionContext } from "./context.ts";
import { StartForm } from "./StartForm.tsx";
import { Then } from "./timeline/Then.tsx";

const OWN_KEYS = ["keydown", "keyup", "keypress", "paste"] as const;

export function Stage({ keys, tools }: { keys: RefObject<HTMLTextAreaElement | null>; tools: Tools }): ReactElement {
  const { live, mayDrive } = useSessionContext();
  const { connection, state, ready, call, holdsControl } = live;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Picture>(null);
  const [hasPicture, setHasPicture] = useState(false);
  const [held, setHeld] = useState<ControlHolder>();
  const [composing, setComposing] = useState("");

  useEffect(() => {
    if (canvas.current === null || keys.current === null) return undefined;
    const [surface, textarea] = [canvas.current, keys.current];
    const picture = (drawn.current = new Picture(surface, connection));
    const access = new Access(connection, { onHeld: setHeld, onRefused: sayProblem });
    const input = new Input(textarea, connection.send.bind(connection), () => access.mayAct(), () => access.holdsControl, {
      onShortcut: (name) => tools.shortcut(name),
      zoom: new Zoom(surface, textarea),
    });
    const ending = new AbortController();
    const { signal } = ending;
    surface.addEventListener("shown", () => setHasPicture(true), { signal });
    textarea.addEventListener("composing", (event) => setComposing((event as CustomEvent<string>).detail), { signal });
    // What is typed here is for the page that is shown: the app's own keys are not meant.
    for (const name of OWN_KEYS) textarea.addEventListener(name, (event) => event.stopPropagation(), { signal });
    textarea.inputMode = matchMedia("(pointer: coarse)").matches ? "none" : "text";
    const modeChanged = connection.on("ready", ({ mode }) => {
      if (mode !== "none") return;
      picture.clear();
      setHasPicture(false);
    });
    return () => {
      ending.abort();
      modeChanged();
      input.end();
      picture.end();
      setHasPicture(false);
    };
  }, [connection, keys, tools]);
  useEffect(() => setHeld(undefined), [live.control?.holder.viewer, live.control?.holder.kind]);

  const take = (): void => {
    setHeld(undefined);
    call("control.take").catch(sayProblem);
  };
  const isNothing = ready?.mode === "none" && state === "open";
  const note = noteOf(live, hasPicture);
  return (
    <main className="stage" data-state={state} data-mode={ready?.mode} data-watching={!mayDrive || undefined}>
      <canvas ref={canvas} className="picture" width={1280} height={720} aria-hidden="true" hidden={!hasPicture} />
      <textarea ref={keys} className="stage-keys" aria-label="What the session shows; Shift+Escape leaves" aria-readonly={!mayDrive} autoComplete="off" autoCapitalize="off" autoCorrect="off" spellCheck={false} hidden={isNothing} />
      {mayDrive && hasPicture ? <KeyboardButton keys={keys} /> : null}
      {isNothing ? <StartForm /> : null}
      {note === "" || isNothing ? null : (
        <div className="stage-note" role="status">
          {note}
        </div>
      )}
      {held === undefined || holdsControl ? null : (
        <div className="stage-held" role="status">
          <Bot size={14} aria-hidden="true" /> {held.kind === "agent" ? "The agent" : (held.name ?? "Somebody")} has control.
          <Button kind="person" onClick={take}>
            Take it
          </Button>
        </div>
      )}
      {composing === "" || ready?.mode !== "desktop" ? null : <div className="stage-composing">{composing}</div>}
      {live.sound === "none" ? null : (
        <Button className="stage-sound" aria-pressed={live.sound === "playing"} onClick={() => drawn.current?.hear(live.sound !== "playing")}>
          {live.sound === "playing" ? <Volume2 size={14} aria-hidden="true" /> : <VolumeX size={14} aria-hidden="true" />}
          {live.sound === "playing" ? "Mute" : "Sound is muted"}
        </Button>
      )}
      <Figures />
      <Then />
    </main>
  );
}

/** Phones: a tap on the picture clicks; the keyboard comes when it is asked for. */
function KeyboardButton({ keys }: { keys: RefObject<HTMLTextAreaElement | null> }): ReactElement {
  const [isOn, setOn] = useState(false);
  const move = (): void => {
    const field = keys.current;
    if (field === null) return;
    setOn(!isOn);
    field.inputMode = isOn ? "none" : "text";
    field.blur();
    if (!isOn) field.focus({ preventScroll: true });
  };
  return (
    <button type="button" className="button stage-keyboard" aria-pressed={isOn} aria-label="Keyboard" onClick={move}>
      <Keyboard size={16} aria-hidden="true" />
    </button>
  );
}

function noteOf({ state, ready, refusal }: { state: string; ready: unknown; refusal: { detail: string } | undefined }, hasPicture: boolean): string {
  if (refusal !== undefined) return refusal.detail;
  if (state === "waiting") return "The connection was lost. Trying again…";
  if (state !== "open" || ready === undefined) return "Connecting…";
  return hasPicture ? "" : "Waiting for the first picture…";
}

/** Live figures, only while the pointer is on the picture's corner. */
function Figures(): ReactElement | null {
  const { live } = useSessionContext();
  const { stats, connection } = live;
  if (stats === undefined) return null;
  const latency = connection.latency === null ? [] : [`${Math.round(connection.latency)} ms`];
  const parts = [stats.fps ? `${Math.round(stats.fps)} fps` : "nothing moves", ...latency, `${(stats.kbps / 1000).toFixed(1)} Mb/s`, nameOfTransport(live)];
  if (stats.viewers > 1) parts.push(`${stats.viewers} viewers`);
  return <div className="figures mono">{parts.join(" · ")}</div>;
}

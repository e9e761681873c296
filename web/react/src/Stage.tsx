/** The picture, what lies over it, and the keyboard and mouse on it. */
import { Access, type ControlHolder, Input, type LiveTransport, Picture, Zoom } from "belljar/live";
import { type CSSProperties, type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { FindBar } from "./FindBar.tsx";
import { PageAsk } from "./PageAsk.tsx";
import { useLatest } from "./useLatest.ts";
import { useTools } from "./useTools.ts";
import type { LiveSession } from "./useSession.ts";

export interface StageProps {
  session: LiveSession;
  label: string;
  imageStyle?: CSSProperties | undefined;
  transport?: LiveTransport | undefined;
  show?: "page" | "window" | undefined;
  fitDisplay?: boolean | undefined;
  onProblem: (problem: { message: string }) => void;
}

export function Stage({ session, label, imageStyle, transport, show = "page", fitDisplay = false, onProblem }: StageProps): ReactElement {
  const { connection, state, ready, call, holdsControl } = session;
  const canvas = useRef<HTMLCanvasElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  const [hasPicture, setHasPicture] = useState(false);
  const [held, setHeld] = useState<ControlHolder>();
  const [composing, setComposing] = useState("");
  const report = useLatest(onProblem);
  const picture = useRef<Picture>(null);
  const shown = useLatest(show);
  const { tools, isFinding, stopFinding, uncopied, forgetUncopied } = useTools(session, onProblem);
  const [hasKeyboard, setKeyboard] = useState(false);
  const backToPage = (): void => keys.current?.focus({ preventScroll: true });

  useEffect(() => {
    if (canvas.current === null || keys.current === null) return undefined;
    const [surface, textarea] = [canvas.current, keys.current];
    const drawn = (picture.current = new Picture(surface, connection, { transport, show: shown.current }));
    const access = new Access(connection, { onHeld: setHeld, onRefused: (problem) => report.current(problem) });
    const send = connection.send.bind(connection);
    const input = new Input(textarea, send, () => access.mayAct(), () => access.holdsControl, {
      wheelNeedsFocus: true,
      onShortcut: (name) => tools.shortcut(name),
      zoom: new Zoom(surface, textarea),
    });
    const appear = (): void => setHasPicture(true);
    const compose = (event: Event): void => setComposing((event as CustomEvent<string>).detail);
    surface.addEventListener("shown", appear);
    textarea.addEventListener("composing", compose);
    // What is typed here is for the page that is shown: the shortcuts of the page around it are not meant.
    const keep = (event: Event): void => event.stopPropagation();
    for (const name of ["keydown", "keyup", "keypress", "paste"]) textarea.addEventListener(name, keep);
    textarea.inputMode = matchMedia("(pointer: coarse)").matches ? "none" : "text";
    return () => {
      input.end();
      drawn.end();
      picture.current = null;
      setHasPicture(false);
      surface.removeEventListener("shown", appear);
      textarea.removeEventListener("composing", compose);
      for (const name of ["keydown", "keyup", "keypress", "paste"]) textarea.removeEventListener(name, keep);
    };
  }, [connection, report, shown, tools, transport]);

  useEffect(() => picture.current?.show(show), [show]);
  useFit(canvas, session, fitDisplay);

  useEffect(() => setHeld(undefined), [session.control?.holder.viewer, session.control?.holder.kind]);

  const take = (): void => {
    setHeld(undefined);
    call("control.take").catch(report.current);
  };
  const note = noteOf(session, hasPicture);
  const isWatching = ready?.role === "view";
  return (
    <div className="belljar-stage" data-state={state} data-mode={ready?.mode} data-transport={session.transport} style={STAGE}>
      <canvas ref={canvas} className="belljar-picture" width={1280} height={720} aria-hidden="true" style={{ ...PICTURE, ...imageStyle, visibility: hasPicture ? "visible" : "hidden" }} />
      <textarea
        ref={keys}
        className="belljar-keys"
        aria-label={`${label}; Shift+Escape leaves`}
        aria-readonly={isWatching}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        style={{ ...KEYS, cursor: isWatching ? "not-allowed" : "default" }}
      />
      {note === "" ? null : (
        <div className="belljar-note" role="status" style={NOTE}>
          {note}
        </div>
      )}
      {held === undefined || holdsControl ? null : (
        <div className="belljar-held" role="status" style={HINT}>
          {held.kind === "agent" ? "The agent" : (held.name ?? "Somebody")} has control.{" "}
          <button type="button" onClick={take}>
            Take it
          </button>
        </div>
      )}
      {composing === "" || (ready?.mode === "browser" && session.format === "jpeg") ? null : (
        <div className="belljar-composing" style={HINT}>
          {composing}
        </div>
      )}
      {session.sound === "none" ? null : (
        <button type="button" className="belljar-sound" aria-pressed={session.sound === "playing"} style={SOUND} onClick={() => picture.current?.hear(session.sound !== "playing")}>
          {session.sound === "playing" ? "Mute" : "Sound is muted"}
        </button>
      )}
      <Question session={session} onProblem={onProblem} />
      {session.asks[0] === undefined ? null : (
        <div className="belljar-asks" style={QUESTION}>
          <PageAsk key={session.asks[0].id} session={session} ask={session.asks[0]} tools={tools} stage={keys} />
        </div>
      )}
      {isFinding ? (
        <div className="belljar-finds" style={QUESTION}>
          <FindBar tools={tools} onClose={() => (stopFinding(), backToPage())} />
        </div>
      ) : null}
      {uncopied === "" ? null : (
        <div className="belljar-held" role="status" style={HINT}>
          Without TLS a page may copy only in a click.{" "}
          <button type="button" onClick={() => (forgetUncopied(), tools.copyText(uncopied))}>
            Copy
          </button>
        </div>
      )}
      {isWatching ? null : <KeyboardButton isOn={hasKeyboard} onMove={(isOn) => (setKeyboard(isOn), showKeyboard(keys.current, isOn))} />}
      <PageDialog session={session} onProblem={onProblem} />
    </div>
  );
}

/** Phones: a tap on the picture clicks; the keyboard comes when it is asked for. */
function KeyboardButton({ isOn, onMove }: { isOn: boolean; onMove: (isOn: boolean) => void }): ReactElement {
  return (
    <button type="button" className="belljar-keyboard" aria-pressed={isOn} onClick={() => onMove(!isOn)}>
      Keyboard
    </button>
  );
}

function showKeyboard(keys: HTMLTextAreaElement | null, isOn: boolean): void {
  if (keys === null) return;
  keys.inputMode = isOn ? "text" : "none";
  keys.blur();
  if (isOn) keys.focus({ preventScroll: true });
}

// A corner that is dragged stands still for so long before the display follows.
const FIT_MS = 250;

/** Give the display the size that it is shown in, as long as this viewer may. */
function useFit(canvas: { current: HTMLCanvasElement | null }, { connection, mayAct }: LiveSession, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !mayAct || canvas.current === null) return undefined;
    const surface = canvas.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fit = (): void => {
      const [w, h] = [Math.round(surface.clientWidth), Math.round(surface.clientHeight)];
      if (w > 0 && h > 0) connection.send({ type: "resize", w, h });
    };
    const resizing = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(fit, FIT_MS);
    });
    resizing.observe(surface);
    return () => {
      clearTimeout(timer);
      resizing.disconnect();
    };
  }, [canvas, connection, isWanted, mayAct]);
}

interface PartProps {
  session: LiveSession;
  onProblem: (problem: { message: string }) => void;
}

/** What an agent asks of a person, with the next step of helping. */
function Question({ session, onProblem }: PartProps): ReactElement | null {
  const { control, holdsControl, ready, call } = session;
  const [hidden, setHidden] = useState("");
  const question = control?.question ?? "";
  if (question === "" || question === hidden) return null;
  const move = (): void => void call(holdsControl ? "control.release" : "control.take").catch(onProblem);
  return (
    <div className="belljar-question" role="status" style={QUESTION}>
      <p style={TEXT}>{question}</p>
      {ready?.role === "drive" ? (
        <button type="button" onClick={move}>
          {holdsControl ? "Done: give control back" : "Help: take control"}
        </button>
      ) : null}{" "}
      <button type="button" onClick={() => setHidden(question)}>
        Hide
      </button>
    </div>
  );
}

/** An alert, a question or a prompt of the page, which waits until it is answered. */
function PageDialog({ session, onProblem }: PartProps): ReactElement | null {
  const { dialog, ready, call } = session;
  const asked = dialog?.dialog;
  const [text, setText] = useState("");
  useEffect(() => setText(asked?.defaultPrompt ?? ""), [asked]);
  if (dialog === undefined || asked == null || ready?.role !== "drive") return null;
  const isPrompt = asked.type === "prompt";
  const answer = (accept: boolean): void =>
    void call("dialog", { accept, tabId: dialog.tabId, ...(isPrompt && accept ? { text } : {}) }).catch(onProblem);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    answer(true);
  };
  return (
    <form className="belljar-dialog" role="alertdialog" aria-label="The page says" style={NOTE} onSubmit={submit}>
      <p style={TEXT}>{asked.message}</p>
      {isPrompt ? <input aria-label="Answer" value={text} onChange={(event) => setText(event.target.value)} /> : null}{" "}
      <button type="submit">OK</button>{" "}
      {asked.type === "alert" ? null : (
        <button type="button" onClick={() => answer(false)}>
          Cancel
        </button>
      )}
    </form>
  );
}

function noteOf({ state, ready, refusal }: LiveSession, hasPicture: boolean): string {
  if (refusal !== undefined) return refusal.detail;
  if (state === "waiting") return "The connection was lost. Trying again…";
  // Closed is what it is on a server, and before it was there for the first time.
  if (state !== "open") return "Connecting…";
  if (ready?.mode === "none") return "Nothing is running. The picture begins when a browser or the desktop starts.";
  return hasPicture ? "" : "Waiting for the first picture…";
}

// What must be so for it to work at all; how it looks is in styles.css, and the host page's to change.
const STAGE: CSSProperties = { position: "relative", flex: 1, minHeight: 0, overflow: "hidden" };
const PICTURE: CSSProperties = { display: "block", width: "100%", height: "100%", objectFit: "contain" };
const KEYS: CSSProperties = {
  position: "absolute",
  inset: 0,
  width: "100%",
  height: "100%",
  margin: 0,
  padding: 0,
  border: 0,
  resize: "none",
  opacity: 0.011,
  fontSize: 16,
  overflow: "hidden",
};
const NOTE: CSSProperties = { position: "absolute", left: "50%", top: "50%", transform: "translate(-50%, -50%)", maxWidth: "90%" };
const HINT: CSSProperties = { position: "absolute", right: "0.6em", bottom: "0.6em", maxWidth: "90%" };
const SOUND: CSSProperties = { position: "absolute", left: "0.6em", bottom: "0.6em" };
const QUESTION: CSSProperties = { position: "absolute", left: "50%", top: "0.6em", transform: "translateX(-50%)", width: "min(34em, 94%)" };
const TEXT: CSSProperties = { margin: "0 0 0.5em", overflowWrap: "anywhere", whiteSpace: "pre-wrap", maxHeight: "30vh", overflow: "auto" };

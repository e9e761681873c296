/** The one place for all that waits for a person: one at a time, the rest counted.  Nothing else covers the picture. */
import { CircleHelp, Copy, Download, Hand, MessageSquare } from "lucide-react";
import { FindBar, PageAsk, type SessionTools } from "@belljar/react";
import { type FormEvent, type ReactElement, type RefObject, useEffect, useMemo, useState } from "react";
import type { LiveDownloadChanged } from "belljar";
import { Button } from "../design/Button.tsx";
import { sayProblem } from "../design/Toasts.tsx";
import { useRecord, useSessionContext } from "./context.ts";

interface Ask {
  id: string;
  draw: () => ReactElement;
}

interface AskBarProps {
  stage: RefObject<HTMLTextAreaElement | null>;
  own: SessionTools;
}

export function AskBar({ stage, own }: AskBarProps): ReactElement | null {
  const { live, mayDrive } = useSessionContext();
  const { control, dialog, asks: asked } = live;
  const [hidden, setHidden] = useState("");
  const question = control?.question ?? "";
  const asks: Ask[] = [];
  if (dialog?.dialog != null) asks.push({ id: `dialog ${dialog.tabId}`, draw: () => <PageDialog /> });
  for (const ask of asked) asks.push({ id: ask.id, draw: () => <PageAsk session={live} ask={ask} tools={own.tools} stage={stage} /> });
  if (own.isFinding && mayDrive) asks.unshift({ id: "find", draw: () => <FindBar tools={own.tools} onClose={() => (own.stopFinding(), stage.current?.focus())} /> });
  if (own.uncopied !== "") asks.unshift({ id: "copy", draw: () => <Uncopied own={own} /> });
  if (question !== "" && question !== hidden) asks.push({ id: `question ${question}`, draw: () => <Question text={question} onHide={() => setHidden(question)} /> });
  if (live.holdsControl && mayDrive)
    for (const { viewer, name } of control?.requests ?? []) {
      const to = viewer ?? "agent";
      asks.push({ id: `control ${to}`, draw: () => <ControlRequest to={to} name={name ?? "The agent"} /> });
    }
  const [seen, setSeen] = useState<readonly string[]>([]);
  const download = mayDrive ? live.downloads.findLast(({ id }) => !seen.includes(id)) : undefined;
  if (download !== undefined)
    asks.push({ id: `download ${download.id}`, draw: () => <DownloadLine download={download} own={own} onHide={() => setSeen(live.downloads.map(({ id }) => id))} /> });
  const ranOut = useRanOut();
  const [hiddenEnd, setHiddenEnd] = useState<number>();
  if (ranOut !== undefined && ranOut !== hiddenEnd) asks.push({ id: `ran out ${ranOut}`, draw: () => <RanOut onHide={() => setHiddenEnd(ranOut)} /> });
  const first = asks[0];
  if (first === undefined) return null;
  return (
    <section className="ask-bar" key={first.id} aria-label="Waits for a person" role="status">
      {first.draw()}
      {asks.length > 1 ? <span className="faint small">and {asks.length - 1} more</span> : null}
    </section>
  );
}

/** Which event of the record ended this viewer's control because nothing was done with it; none once somebody has it again. */
function useRanOut(): number | undefined {
  const { live, mayDrive } = useSessionContext();
  const { events, version } = useRecord();
  const { holdsControl, ready, control } = live;
  // Only who had it on this page misses it.
  const [hasHeld, setHasHeld] = useState(false);
  useEffect(() => {
    if (holdsControl) setHasHeld(true);
  }, [holdsControl]);
  const isMissing = hasHeld && mayDrive && control?.holder.kind === "none";
  return useMemo(() => {
    const last = isMissing ? events.findLast(({ kind }) => kind === "control") : undefined;
    const viewer = (last?.data as { viewer?: unknown } | undefined)?.viewer;
    return last?.name === "expired" && viewer === ready?.viewer ? last.seq : undefined;
  }, [events, version, isMissing, ready?.viewer]);
}

function RanOut({ onHide }: { onHide: () => void }): ReactElement {
  const { live } = useSessionContext();
  return (
    <>
      <Hand size={16} aria-hidden="true" />
      <p className="grow">Control was given back: you did nothing with it for a while.</p>
      <Button kind="person" onClick={() => void live.call("control.take").catch(sayProblem)}>
        Take control
      </Button>
      <Button kind="plain" onClick={onHide}>
        Hide
      </Button>
    </>
  );
}

/** What an agent asks of a person, with the next step of helping. */
function Question({ text, onHide }: { text: string; onHide: () => void }): ReactElement {
  const { live, mayDrive } = useSessionContext();
  const { holdsControl, call } = live;
  const move = (): void => void call(holdsControl ? "control.release" : "control.take").catch(sayProblem);
  return (
    <>
      <CircleHelp size={16} aria-hidden="true" />
      <p className="grow">{text}</p>
      {mayDrive ? (
        <Button kind={holdsControl ? "strong" : "person"} onClick={move}>
          {holdsControl ? "Done: give back" : "Help: take control"}
        </Button>
      ) : null}
      <Button kind="plain" onClick={onHide}>
        Hide
      </Button>
    </>
  );
}

function PageDialog(): ReactElement | null {
  const { live, mayDrive } = useSessionContext();
  const { dialog, call } = live;
  const asked = dialog?.dialog;
  const [text, setText] = useState(asked?.defaultPrompt ?? "");
  useEffect(() => setText(asked?.defaultPrompt ?? ""), [asked]);
  if (dialog === undefined || asked == null) return null;
  const isPrompt = asked.type === "prompt";
  const answer = (accept: boolean): void => void call("dialog", { accept, tabId: dialog.tabId, ...(isPrompt && accept ? { text } : {}) }).catch(sayProblem);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    answer(true);
  };
  return (
    <form className="line grow" role="alertdialog" aria-label="The page says" onSubmit={submit}>
      <MessageSquare size={16} aria-hidden="true" />
      <p className="grow">
        <span className="small faint">The page says</span> {asked.message}
      </p>
      {mayDrive ? (
        <>
          {isPrompt ? <input className="input" aria-label="Answer" value={text} onChange={(event) => setText(event.target.value)} /> : null}
          {asked.type === "alert" ? null : <Button onClick={() => answer(false)}>{asked.type === "beforeunload" ? "Stay" : "Cancel"}</Button>}
          <Button type="submit" kind="strong">
            {asked.type === "beforeunload" ? "Leave" : "OK"}
          </Button>
        </>
      ) : null}
    </form>
  );
}

/** Without TLS a page may copy only in a click. */
function Uncopied({ own }: { own: SessionTools }): ReactElement {
  const { uncopied, forgetUncopied, tools } = own;
  return (
    <>
      <Copy size={16} aria-hidden="true" />
      <p className="grow">This page is not served with TLS, so your browser lets it copy only when you click.</p>
      <Button kind="strong" onClick={() => (forgetUncopied(), tools.copyText(uncopied))}>
        Copy {uncopied.length} characters
      </Button>
      <Button kind="plain" onClick={forgetUncopied}>
        Hide
      </Button>
    </>
  );
}

const DOWNLOADS = { inProgress: "Downloading", completed: "Downloaded", canceled: "The download was cancelled:" } as const;

function DownloadLine({ download, own, onHide }: { download: LiveDownloadChanged; own: SessionTools; onHide: () => void }): ReactElement {
  const { state, filename } = download;
  return (
    <>
      <Download size={16} aria-hidden="true" />
      <p className="grow">
        {DOWNLOADS[state]} {filename}
      </p>
      {state === "completed" ? (
        <Button kind="strong" onClick={() => (void own.tools.save(download), onHide())}>
          Save to this machine
        </Button>
      ) : null}
      <Button kind="plain" onClick={onHide}>
        Hide
      </Button>
    </>
  );
}

function ControlRequest({ to, name }: { to: string; name: string }): ReactElement {
  const { live } = useSessionContext();
  return (
    <>
      <Hand size={16} aria-hidden="true" />
      <p className="grow">{name} asks for control.</p>
      <Button kind="strong" onClick={() => void live.call("control.give", { to }).catch(sayProblem)}>
        Give it
      </Button>
    </>
  );
}

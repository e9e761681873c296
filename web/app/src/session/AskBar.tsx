/** The one place for all that waits for a person: one at a time, the rest counted.  Nothing else covers the picture. */
import { CircleHelp, Hand, MessageSquare } from "lucide-react";
import { PageAsk } from "@belljar/react";
import { type FormEvent, type ReactElement, type RefObject, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { sayProblem } from "../design/Toasts.tsx";
import { useSessionContext } from "./context.ts";

interface Ask {
  id: string;
  draw: () => ReactElement;
}

export function AskBar({ stage }: { stage: RefObject<HTMLTextAreaElement | null> }): ReactElement | null {
  const { live, mayDrive } = useSessionContext();
  const { control, dialog, asks: asked } = live;
  const [hidden, setHidden] = useState("");
  const question = control?.question ?? "";
  const asks: Ask[] = [];
  if (dialog?.dialog != null) asks.push({ id: `dialog ${dialog.tabId}`, draw: () => <PageDialog /> });
  for (const ask of asked) asks.push({ id: ask.id, draw: () => <PageAsk session={live} ask={ask} stage={stage} /> });
  if (question !== "" && question !== hidden) asks.push({ id: `question ${question}`, draw: () => <Question text={question} onHide={() => setHidden(question)} /> });
  if (live.holdsControl && mayDrive)
    for (const { viewer, name } of control?.requests ?? []) {
      const to = viewer ?? "agent";
      asks.push({ id: `control ${to}`, draw: () => <ControlRequest to={to} name={name ?? "The agent"} /> });
    }
  const first = asks[0];
  if (first === undefined) return null;
  return (
    <section className="ask-bar" key={first.id} aria-label="Waits for a person" role="status">
      {first.draw()}
      {asks.length > 1 ? <span className="faint small">and {asks.length - 1} more</span> : null}
    </section>
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

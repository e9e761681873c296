/** Saved contexts of the box's browser: made, used by starting the browser with one, deleted. */
import type { BrowserContextInfo } from "belljar";
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { say, withUndo } from "../../../design/Toasts.tsx";
import { absolute, bytes } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { useTold } from "../following.ts";

export function Contexts(): ReactElement {
  const { box, live } = useSessionContext();
  const [contexts, setContexts] = useState<readonly BrowserContextInfo[]>();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState<string>();
  const told = useTold(({ kind, name: what }) => (kind === "call" && /Context\.end$/.test(what)) || (kind === "system" && what.startsWith("browser.")));
  const read = useCallback(() => void box.browser.contexts().then((found) => setContexts(found.contexts), setError), [box]);
  useEffect(read, [read, told]);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === "") return setError(new Error("A context needs a name."));
    setError(undefined);
    try {
      await box.browser.createContext({ name: name.trim() });
      setName("");
      read();
    } catch (failed) {
      setError(failed);
    }
  };
  const use = async ({ id, name: called }: BrowserContextInfo): Promise<void> => {
    setError(undefined);
    setBusy(id);
    try {
      if (live.ready?.mode === "browser") await box.browser.stop();
      await box.browser.start({ contextId: id });
      say(`The browser runs with ${called}.`);
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(undefined);
      read();
    }
  };
  const remove = ({ id, name: called }: BrowserContextInfo): void => {
    setHidden((old) => [...old, id]);
    const show = (): void => setHidden((old) => old.filter((one) => one !== id));
    withUndo(`${called} is deleted.`, () => void box.browser.deleteContext(id).catch(setError).finally(() => (show(), read())), show);
  };
  const shown = (contexts ?? []).filter(({ id }) => !hidden.includes(id));
  return (
    <section className="about-part">
      <h3>Contexts</h3>
      {contexts !== undefined && shown.length === 0 ? <p className="faint">None is saved. A context keeps cookies and storage from one start of the browser to the next.</p> : null}
      <ul aria-label="Contexts">
        {shown.map((context) => (
          <li key={context.id} className="plain-row">
            <span className="cut grow" title={context.id}>
              {context.name}
            </span>
            <span className="small faint">
              {bytes(context.sizeBytes)} · {absolute(context.createdAt)}
            </span>
            {context.inUse ? (
              <span className="small">in use</span>
            ) : (
              <>
                <Button disabled={busy !== undefined} title="Start the browser anew with it" onClick={() => void use(context)}>
                  {busy === context.id ? "Starting…" : "Use"}
                </Button>
                <Button kind="plain" icon={Trash2} label={`Delete ${context.name}`} onClick={() => remove(context)} />
              </>
            )}
          </li>
        ))}
      </ul>
      <form className="panel-form" onSubmit={(event) => void create(event)}>
        <input className="input" aria-label="Name of a new context" placeholder="Name of a new context" maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" icon={Plus}>
          Make
        </Button>
      </form>
      {error === undefined ? null : <ProblemNote error={error} />}
    </section>
  );
}

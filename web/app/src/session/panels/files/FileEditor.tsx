/** A file of the box as text, to read and to change. */
import { ArrowLeft, Download, Save } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { say } from "../../../design/Toasts.tsx";
import { bytes } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";

const MOST = 1_000_000;

type Content = { kind: "text"; text: string } | { kind: "other"; why: string };

export function FileEditor({ path, onClose }: { path: string; onClose: () => void }): ReactElement {
  const { box } = useSessionContext();
  const [content, setContent] = useState<Content>();
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const ending = new AbortController();
    const read = async (): Promise<Content> => {
      const { size } = await box.files.stat({ path }, { signal: ending.signal });
      if (size > MOST) return { kind: "other", why: `${bytes(size)}: too long to be shown here.` };
      const found = await box.files.read({ path }, { signal: ending.signal });
      const decoded = textOf(found);
      return decoded === undefined ? { kind: "other", why: `${bytes(found.length)}, and no text.` } : { kind: "text", text: decoded };
    };
    read().then(
      (found) => {
        setContent(found);
        if (found.kind === "text") setText(found.text);
      },
      (failed: unknown) => ending.signal.aborted || setError(failed),
    );
    return () => ending.abort();
  }, [box, path]);
  const isChanged = content?.kind === "text" && text !== content.text;
  const save = (): void => {
    setError(undefined);
    box.files.write({ path }, text).then(() => {
      setContent({ kind: "text", text });
      say("Saved.");
    }, setError);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (isChanged) save();
  };
  const name = path.split("/").at(-1) ?? path;
  return (
    <div className="folder">
      <div className="panel-tools">
        <Button kind="plain" icon={ArrowLeft} label="Back to the folder" onClick={onClose} />
        <span className="mono cut grow" title={path}>
          {name}
          {isChanged ? " •" : ""}
        </span>
        <a className="button" data-kind="plain" data-icon="" href={box.http.url("/v1/fs/file", { path })} download={name} aria-label={`Download ${name}`} title="Download">
          <Download size={15} aria-hidden="true" />
        </a>
        {content?.kind === "text" ? (
          <Button icon={Save} disabled={!isChanged} title="Save (Ctrl+S)" onClick={save}>
            Save
          </Button>
        ) : null}
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {content === undefined ? null : content.kind === "other" ? (
        <p className="panel-note faint">{content.why}</p>
      ) : (
        <textarea className="file-text mono" aria-label={`Content of ${name}`} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} onKeyDown={pressed} />
      )}
    </div>
  );
}

/** Undefined where it is none. */
function textOf(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    // A text area would turn these into others, and save what nobody wrote.
    return /[\0\r]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

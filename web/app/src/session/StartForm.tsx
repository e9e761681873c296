/** Where nothing runs yet, the stage is the form that starts something. */
import type { BrowserContextInfo } from "belljar";
import { addressOf } from "belljar/live";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { ProblemNote } from "../design/Empty.tsx";
import { Choice, TextField } from "../design/Field.tsx";
import { useSessionContext } from "./context.ts";

export function StartForm(): ReactElement {
  const { box, mayDrive } = useSessionContext();
  const [url, setUrl] = useState("");
  const [width, setWidth] = useState("1280");
  const [height, setHeight] = useState("720");
  const [context, setContext] = useState("");
  const [contexts, setContexts] = useState<readonly BrowserContextInfo[]>([]);
  const [acting, setActing] = useState<"browser" | "desktop">();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (mayDrive) box.browser.contexts().then(({ contexts: found }) => setContexts(found), () => undefined);
  }, [box, mayDrive]);
  if (!mayDrive)
    return (
      <div className="stage-note" role="status">
        Nothing is running. The picture begins when a browser or the desktop starts.
      </div>
    );
  const start = async (what: "browser" | "desktop"): Promise<void> => {
    if (what === "browser" && url.trim() !== "" && addressOf(url) === undefined) return setError(new Error("That is no address: it needs a host, as in example.com."));
    setActing(what);
    setError(undefined);
    const address = url.trim() === "" ? undefined : addressOf(url);
    const size = { width: Number(width) || 1280, height: Number(height) || 720 };
    try {
      if (what === "desktop") await box.desktop.start(size);
      else await box.browser.start({ ...size, ...(address === undefined ? {} : { url: address }), ...(context === "" ? {} : { contextId: context }) });
    } catch (failed) {
      setError(failed);
    } finally {
      setActing(undefined);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void start("browser");
  };
  return (
    <form className="start-form" onSubmit={submit}>
      <h2>Nothing is running yet</h2>
      <TextField label="Address" placeholder="example.com, or leave it empty" value={url} onChange={setUrl} data-autofocus />
      <div className="pair">
        <TextField label="Width" inputMode="numeric" value={width} onChange={setWidth} />
        <TextField label="Height" inputMode="numeric" value={height} onChange={setHeight} />
      </div>
      {contexts.length === 0 ? null : <Choice label="Context" value={context} options={[["", "A fresh one"], ...contexts.map(({ id, name }) => [id, name || id] as const)]} onChange={setContext} />}
      {error === undefined ? null : <ProblemNote error={error} />}
      <div className="line">
        <Button type="submit" kind="strong" disabled={acting !== undefined}>
          {acting === "browser" ? "Starting…" : "Start a browser"}
        </Button>
        <Button disabled={acting !== undefined} onClick={() => void start("desktop")}>
          {acting === "desktop" ? "Starting…" : "Start a desktop"}
        </Button>
      </div>
    </form>
  );
}

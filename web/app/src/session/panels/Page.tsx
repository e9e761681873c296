/** The page as an agent has it: its tabs, pictures of it, and what it says as HTML, markdown, links and snapshot. */
import { addressOf } from "belljar/live";
import { Camera, Plus, X } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { Code } from "../../design/Code.tsx";
import { Empty, ProblemNote } from "../../design/Empty.tsx";
import { Check, Choice, TextField } from "../../design/Field.tsx";
import { useSessionContext } from "../context.ts";
import { PictureOf } from "./PictureOf.tsx";
import "./page.css";

export default function Page(): ReactElement {
  const { live } = useSessionContext();
  const mode = live.ready?.mode;
  if (mode === "none" || mode === undefined) return <Empty title="No page yet">{<p>Start the browser, and its tabs and what they say stand here.</p>}</Empty>;
  return (
    <div className="panel panel-scroll">
      {mode === "desktop" ? null : <PageTabs />}
      <Screenshot key={mode} isDesktop={mode === "desktop"} />
      {mode === "desktop" ? null : <Contents />}
    </div>
  );
}

function PageTabs(): ReactElement {
  const { live, mayDrive } = useSessionContext();
  const { tabs, call } = live;
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<unknown>();
  const run = (method: string, params: object): Promise<boolean> => {
    setError(undefined);
    return call(method, params).then(
      () => true,
      (failed: unknown) => {
        setError(failed);
        return false;
      },
    );
  };
  const open = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const url = typed.trim() === "" ? undefined : addressOf(typed);
    if (url === undefined && typed.trim() !== "") return setError(new Error("That is no address: shop.example, or localhost:3000"));
    if (await run("tabs.create", url === undefined ? {} : { url })) setTyped("");
  };
  return (
    <section className="panel-part">
      <h3>Tabs</h3>
      <ul className="page-tabs">
        {tabs.map((tab) => (
          <li key={tab.id} className="plain-row" data-active={tab.active || undefined}>
            <button type="button" className="page-tab-name" aria-current={tab.active || undefined} disabled={!mayDrive} title={tab.url} onClick={() => void run("tabs.activate", { id: tab.id })}>
              <span className="dot" data-state={tab.active ? "running" : "stopped"} />
              <span className="cut">{tab.title || "Untitled"}</span>
              <span className="mono faint cut grow">{tab.url}</span>
            </button>
            {mayDrive ? <Button kind="plain" icon={X} label={`Close ${tab.title || tab.url}`} onClick={() => void run("tabs.close", { id: tab.id })} /> : null}
          </li>
        ))}
      </ul>
      {mayDrive ? (
        <form className="panel-form" onSubmit={(event) => void open(event)}>
          <input className="input" aria-label="Address of a new tab" placeholder="Address of a new tab" autoComplete="off" spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} />
          <Button type="submit" icon={Plus}>
            Open
          </Button>
        </form>
      ) : null}
      {error === undefined ? null : <ProblemNote error={error} />}
    </section>
  );
}

type Format = "png" | "jpeg" | "webp";

function Screenshot({ isDesktop }: { isDesktop: boolean }): ReactElement {
  const { box, mayDrive } = useSessionContext();
  const [format, setFormat] = useState<Format>("png");
  const [quality, setQuality] = useState("80");
  const [isFull, setFull] = useState(false);
  const [selector, setSelector] = useState("");
  const [taken, setTaken] = useState<{ content: Uint8Array; format: Format }>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const take = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    const picture = { format, ...(format === "png" ? {} : { quality: Number(quality) }) };
    try {
      const content = isDesktop
        ? await box.desktop.screenshot(picture)
        : await box.browser.screenshot({ ...picture, ...(isFull ? { fullPage: true } : {}), ...(selector.trim() === "" ? {} : { selector: selector.trim() }) });
      setTaken({ content, format });
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="panel-part">
      <h3>Screenshot</h3>
      <form className="shot-form" onSubmit={(event) => void take(event)}>
        <Choice label="Format" value={format} options={[["png", "PNG"], ["jpeg", "JPEG"], ["webp", "WebP"]]} onChange={(value) => setFormat(value as Format)} />
        {format === "png" ? null : <TextField label="Quality" type="number" min={0} max={100} required value={quality} onChange={setQuality} />}
        {isDesktop || !mayDrive ? null : <TextField label="Selector" placeholder="#part" value={selector} onChange={setSelector} />}
        <div className="line wide">
          {isDesktop ? null : <Check label="Full page" isOn={isFull} onChange={setFull} />}
          <span className="grow" />
          <Button type="submit" icon={Camera} disabled={isBusy}>
            Take
          </Button>
        </div>
      </form>
      {error === undefined ? null : <ProblemNote error={error} />}
      {taken === undefined ? null : <PictureOf content={taken.content} type={`image/${taken.format}`} label="The screenshot" name={`screenshot.${taken.format}`} />}
    </section>
  );
}

type Content = "html" | "markdown" | "links" | "snapshot" | "text";
const CONTENTS: readonly (readonly [Content, string, isForAll: boolean])[] = [
  ["html", "HTML", false],
  ["markdown", "Markdown", false],
  ["links", "Links", false],
  ["snapshot", "Snapshot", true],
  ["text", "Text", true],
];

function Contents(): ReactElement {
  const { box, mayDrive } = useSessionContext();
  const [shown, setShown] = useState<{ name: Content; text: string }>();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<Content>();
  const read = async (name: Content): Promise<void> => {
    setAsked(name);
    setError(undefined);
    try {
      setShown({ name, text: await READ[name](box) });
    } catch (failed) {
      setShown(undefined);
      setError(failed);
    } finally {
      setAsked(undefined);
    }
  };
  return (
    <section className="panel-part">
      <h3>What it says</h3>
      <div className="panel-form">
        {CONTENTS.filter(([, , isForAll]) => mayDrive || isForAll).map(([name, words]) => (
          <Button key={name} aria-pressed={shown?.name === name} disabled={asked !== undefined} onClick={() => void read(name)}>
            {words}
          </Button>
        ))}
        {asked === undefined ? null : <span className="busy" />}
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {shown === undefined ? null : shown.text === "" ? <p className="faint">There is nothing.</p> : <Code label={`The page as ${shown.name}`} text={shown.text} />}
    </section>
  );
}

type Box = ReturnType<typeof useSessionContext>["box"];
const MOST = 200_000;
const READ: Record<Content, (box: Box) => Promise<string>> = {
  html: async (box) => (await box.browser.content({ maxChars: MOST })).html,
  markdown: async (box) => (await box.browser.markdown({ maxChars: MOST })).markdown,
  links: async (box) => (await box.browser.links()).links.map(({ text, href }) => `${text || "(no text)"}\n  ${href}`).join("\n"),
  snapshot: async (box) => (await box.browser.snapshot({ maxChars: MOST })).snapshot,
  text: async (box) => (await box.browser.text()).text,
};

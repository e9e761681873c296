/** One call of the box's API: what goes there, and what comes back. */
import { Play } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Code } from "../../../design/Code.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { Field } from "../../../design/Field.tsx";
import { wordsOf } from "../../../design/Toasts.tsx";
import { setQuery, useAddress } from "../../../shell/address.ts";
import { serverFetch } from "../../../shell/embedding.ts";
import { bytes } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { PictureOf } from "../PictureOf.tsx";
import { OPERATIONS } from "virtual:operations";

const MOST = 200_000;
// Sockets and streams have no answer to show; files go through the panel for them.
const NAMES = Object.entries(OPERATIONS)
  .filter(([, operation]) => operation?.[1].startsWith("/v1/") && !/\/(ws|signaling|relay|cdp)$/.test(operation[1]))
  .map(([name]) => name)
  .toSorted();

interface Answer {
  status: number;
  ms: number;
  type: string;
  content: Uint8Array;
}

export function TryCall(): ReactElement {
  const { box } = useSessionContext();
  const { query } = useAddress();
  const name = NAMES.find((one) => one === query.get("operation")) ?? "getBrowserStatus";
  const [method, template] = OPERATIONS[name] ?? ["GET", "/v1/health"];
  const [typed, setTyped] = useState("{}");
  const [wrong, setWrong] = useState<string>();
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    let given: Record<string, unknown>;
    try {
      given = asObject(typed);
    } catch (failed) {
      return setWrong(wordsOf(failed));
    }
    setWrong(undefined);
    setBusy(true);
    setError(undefined);
    setAnswer(undefined);
    const began = performance.now();
    try {
      const response = await send(box.http.baseUrl, method, template, given);
      setAnswer({ ...response, ms: performance.now() - began });
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="panel-scroll try-part">
      <Field label="Operation" hint={<span className="mono">{`${method} ${template}`}</span>}>
        {(props) => (
          <select {...props} value={name} onChange={(event) => setQuery({ operation: event.target.value })}>
            {NAMES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      <form className="try-form" onSubmit={(event) => void run(event)}>
        <Field label={method === "GET" || method === "DELETE" ? "Path and query" : "Path and body"} error={wrong} hint="As JSON: what stands in braces in the path is taken from here.">
          {(props) => <textarea {...props} className="input mono" rows={Math.min(12, Math.max(3, typed.split("\n").length))} spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
        <div className="line">
          <Button type="submit" kind="strong" icon={Play} disabled={isBusy}>
            Send
          </Button>
          {isBusy ? <span className="busy" /> : null}
          {answer === undefined ? null : (
            <span className={answer.status >= 400 ? "small bad" : "small faint"}>
              {answer.status} · {bytes(answer.content.length)} · {Math.round(answer.ms)} ms
            </span>
          )}
        </div>
      </form>
      {error === undefined ? null : <ProblemNote error={error} />}
      {answer === undefined ? null : <AnswerBody answer={answer} />}
    </div>
  );
}

function asObject(text: string): Record<string, unknown> {
  const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("It takes an object: {…}");
  return { ...value };
}

const LONGEST_MS = 60_000;

/** With the credential of this page, as it is: the answer is shown whatever it is, a problem too. */
async function send(base: string, method: string, template: string, given: Record<string, unknown>): Promise<Omit<Answer, "ms">> {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name];
    delete given[name];
    if (value === undefined || value === "" || /^\.{1,2}$/.test(String(value))) throw new Error(`The path needs "${name}".`);
    return encodeURIComponent(String(value));
  });
  const isQuery = method === "GET" || method === "DELETE";
  const pairs = Object.entries(given).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  const url = `${base}${path}${isQuery && pairs.length > 0 ? `?${new URLSearchParams(pairs as [string, string][])}` : ""}`;
  const body = isQuery ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) };
  const response = await serverFetch(url, { method, ...body, signal: AbortSignal.timeout(LONGEST_MS) });
  return { status: response.status, type: response.headers.get("content-type") ?? "", content: new Uint8Array(await response.arrayBuffer()) };
}

function AnswerBody({ answer }: { answer: Answer }): ReactElement {
  const { content, type } = answer;
  if (/^image\/(png|jpeg|webp)/.test(type)) return <PictureOf content={content} type={type} label="The answer, a picture" />;
  if (content.length === 0) return <p className="faint">It has no body.</p>;
  if (!/json|text|javascript|xml/.test(type)) return <p className="faint">{`${bytes(content.length)} of ${type || "unknown kind"}.`}</p>;
  const text = new TextDecoder().decode(content);
  const shown = /json/.test(type) ? pretty(text) : text;
  return <Code label="The answer" text={shown.length > MOST ? `${shown.slice(0, MOST)}…` : shown} />;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

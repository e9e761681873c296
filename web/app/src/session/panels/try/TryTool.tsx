/** One MCP tool of the box: its arguments, and what the agent would read. */
import { Play } from "lucide-react";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Code } from "../../../design/Code.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { Field } from "../../../design/Field.tsx";
import { wordsOf } from "../../../design/Toasts.tsx";
import { setQuery, useAddress } from "../../../shell/address.ts";
import { useSessionContext } from "../../context.ts";
import { PictureOf } from "../PictureOf.tsx";
import { type McpAnswer, type McpContent, type McpTool, callTool, listTools } from "./mcp.ts";

export function TryTool(): ReactElement {
  const { box } = useSessionContext();
  const { query } = useAddress();
  const [tools, setTools] = useState<readonly McpTool[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isHere = true;
    listTools(box).then((found) => isHere && setTools(found), (failed: unknown) => isHere && setError(failed));
    return () => void (isHere = false);
  }, [box]);
  const tool = tools?.find(({ name }) => name === (query.get("tool") ?? "snapshot")) ?? tools?.[0];
  if (error !== undefined) return <ProblemNote error={error} />;
  if (tools === undefined || tool === undefined) return <div className="panel-wait"><span className="busy" /></div>;
  return (
    <div className="panel-scroll try-part">
      <Field label="Tool" hint={tool.description}>
        {(props) => (
          <select {...props} value={tool.name} onChange={(event) => setQuery({ tool: event.target.value })}>
            {tools.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <ToolForm key={tool.name} tool={tool} />
    </div>
  );
}

/** What must be given, to be filled in. */
function skeletonOf({ inputSchema }: McpTool): string {
  const required = (inputSchema.required ?? []).map((name) => {
    const { type, enum: choices } = inputSchema.properties?.[name] ?? {};
    return [name, choices?.[0] ?? (type === "number" || type === "integer" ? 0 : type === "boolean" ? false : type === "array" ? [] : type === "object" ? {} : "")];
  });
  return JSON.stringify(Object.fromEntries(required), null, 2);
}

function ToolForm({ tool }: { tool: McpTool }): ReactElement {
  const { box } = useSessionContext();
  const [typed, setTyped] = useState(() => skeletonOf(tool));
  const [wrong, setWrong] = useState<string>();
  const [answer, setAnswer] = useState<{ found: McpAnswer; ms: number }>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    let args: unknown;
    try {
      args = typed.trim() === "" ? {} : JSON.parse(typed);
      setWrong(undefined);
    } catch (failed) {
      return setWrong(wordsOf(failed));
    }
    setBusy(true);
    setError(undefined);
    setAnswer(undefined);
    const began = performance.now();
    try {
      const found = await callTool(box, tool.name, args);
      setAnswer({ found, ms: performance.now() - began });
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  const known = Object.entries(tool.inputSchema.properties ?? {});
  return (
    <form className="try-form" onSubmit={(event) => void run(event)}>
      <Field label="Arguments" error={wrong} hint={known.length === 0 ? "It takes none." : known.map(([name]) => name).join(", ")}>
        {(props) => <textarea {...props} className="input mono" rows={Math.min(12, Math.max(3, typed.split("\n").length))} spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      <div className="line">
        <Button type="submit" kind="strong" icon={Play} disabled={isBusy}>
          Call it
        </Button>
        {isBusy ? <span className="busy" /> : null}
        {answer === undefined ? null : <span className="small faint">{`${answer.found.isError === true ? "An error" : "Answered"}, after ${Math.round(answer.ms)} ms`}</span>}
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {answer?.found.content.map((part, index) => <Part key={index} part={part} />)}
    </form>
  );
}

function Part({ part }: { part: McpContent }): ReactElement {
  if (part.type === "text" && "text" in part) return <Code label="The answer" text={part.text} />;
  if (part.type === "image" && "data" in part) return <PictureOf content={Uint8Array.from(atob(part.data), (letter) => letter.charCodeAt(0))} type={part.mimeType} label="The answer, a picture" />;
  return <Code label="The answer" text={JSON.stringify(part, null, 2)} />;
}

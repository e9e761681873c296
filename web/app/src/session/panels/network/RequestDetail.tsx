/** One request, opened: headers, timing and body where the box still has them, and the request as curl. */
import type { BrowserNetworkHeader, BrowserNetworkRequestDetails, BrowserNetworkTiming } from "belljar";
import { Copy, Link } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { Tabs } from "../../../design/Tabs.tsx";
import { say } from "../../../design/Toasts.tsx";
import { copyText } from "../../../shell/copy.ts";
import { bytes, clock } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { copyMomentLink } from "../../moment_link.ts";
import type { Request } from "./network_filter.ts";
import { PictureOf } from "../PictureOf.tsx";

const PARTS = [
  ["headers", "Headers"],
  ["timing", "Timing"],
  ["body", "Body"],
] as const;
type PartName = (typeof PARTS)[number][0];
const MOST_TEXT = 100_000;
const REDACTED = "[redacted]";

export function RequestDetail({ request, tabId }: { request: Request; tabId: string | undefined }): ReactElement {
  const { box, isRunning, setMoment } = useSessionContext();
  const [part, setPart] = useState<PartName>("headers");
  const [details, setDetails] = useState<BrowserNetworkRequestDetails>();
  const [error, setError] = useState<unknown>();
  const { id, isPending } = request;
  useEffect(() => {
    if (!isRunning) return undefined;
    const ending = new AbortController();
    setError(undefined);
    box.browser.requestDetails(id, tabId === undefined ? {} : { tabId }, { signal: ending.signal }).then(setDetails, (failed: unknown) => ending.signal.aborted || setError(failed));
    return () => ending.abort();
  }, [box, id, tabId, isRunning, isPending]);
  const copy = async (): Promise<void> => {
    if (await copyText(asCurl(request, details?.requestHeaders ?? []))) say("Copied as curl, without cookies and credentials.");
  };
  return (
    <div className="data-detail">
      <p className="mono request-url">{request.url}</p>
      <div className="line">
        {isRunning ? <Tabs label="Part of the request" tabs={PARTS} current={part} onChoose={setPart} /> : null}
        <span className="grow" />
        <Button kind="plain" icon={Copy} onClick={() => void copy()}>
          curl
        </Button>
        <Button kind="plain" icon={Link} title="Copy a link to this moment" onClick={() => void copyMomentLink(request.t, "network")}>
          link
        </Button>
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {part === "headers" ? (
        <>
          <dl className="facts">
            <Pair name="Status">{request.error || `${request.status}${details?.statusText ? ` ${details.statusText}` : ""}`}</Pair>
            <Pair name="When">
              <button type="button" className="text-button mono" title="Look at this moment" onClick={() => setMoment(request.t)}>
                {clock(request.t)}
              </button>
            </Pair>
            <Pair name="Kind">{[request.type, request.mimeType, details?.protocol].filter(Boolean).join(" · ")}</Pair>
            <Pair name="Size">{`${bytes(request.size)} on the wire, ${bytes(request.bodySize)} of body, ${Math.round(request.ms)} ms`}</Pair>
            {details?.initiator == null ? null : <Pair name="Begun by">{[details.initiator.type, details.initiator.url, details.initiator.line].filter((value) => value != null && value !== "").join(" ")}</Pair>}
          </dl>
          <Headers title="Response" headers={details?.responseHeaders ?? []} />
          <Headers title="Request" headers={details?.requestHeaders ?? []} />
        </>
      ) : part === "timing" ? (
        <Timing timing={details?.timing ?? {}} />
      ) : (
        <Body request={request} tabId={tabId} />
      )}
    </div>
  );
}

function Pair({ name, children }: { name: string; children: React.ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{children}</dd>
    </div>
  );
}

function Headers({ title, headers }: { title: string; headers: readonly BrowserNetworkHeader[] }): ReactElement | null {
  if (headers.length === 0) return null;
  return (
    <section>
      <h3 className="small">{title}</h3>
      <dl className="headers mono">
        {headers.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const STEPS: readonly (readonly [keyof BrowserNetworkTiming, string])[] = [
  ["blocked", "Waited for its turn"],
  ["dns", "Name looked up"],
  ["connect", "Connected"],
  ["tls", "TLS agreed"],
  ["send", "Request sent"],
  ["wait", "Waited for the answer"],
  ["receive", "Answer received"],
];

function Timing({ timing }: { timing: BrowserNetworkTiming }): ReactElement {
  const steps = STEPS.flatMap(([name, words]) => {
    const ms = timing[name];
    return ms == null ? [] : [[words, ms] as const];
  });
  const total = steps.reduce((sum, [, ms]) => sum + ms, 0) || 1;
  let before = 0;
  if (steps.length === 0) return <p className="faint">Nothing is known of its timing.</p>;
  return (
    <ul className="timing">
      {steps.map(([words, ms]) => {
        const left = before;
        before += ms;
        return (
          <li key={words}>
            <span>{words}</span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect x={(left / total) * 100} width={Math.max(0.7, (ms / total) * 100)} height={8} />
            </svg>
            <span className="mono">{ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</span>
          </li>
        );
      })}
    </ul>
  );
}

function Body({ request, tabId }: { request: Request; tabId: string | undefined }): ReactElement {
  const { box } = useSessionContext();
  const [content, setContent] = useState<Uint8Array>();
  const [error, setError] = useState<unknown>();
  const { id } = request;
  useEffect(() => {
    const ending = new AbortController();
    box.browser.responseBody(id, tabId === undefined ? {} : { tabId }, { signal: ending.signal }).then(setContent, (failed: unknown) => ending.signal.aborted || setError(failed));
    return () => ending.abort();
  }, [box, id, tabId]);
  if (error !== undefined) return <ProblemNote error={error} />;
  if (content === undefined) return <span className="busy" />;
  if (content.length === 0) return <p className="faint">It has no body.</p>;
  if (/^image\/(png|jpeg|gif|webp|avif|bmp)/.test(request.mimeType)) return <PictureOf content={content} type={request.mimeType} label="The body, a picture" />;
  const text = textOf(content);
  if (text === undefined) return <p className="faint">{bytes(content.length)}, and no text.</p>;
  return (
    <pre className="mono" tabIndex={0} aria-label="The body">
      {text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}\n… and ${text.length - MOST_TEXT} characters more` : text}
    </pre>
  );
}

/** Undefined where it is none. */
function textOf(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    if (text.includes("\0")) return undefined;
    return /^\s*[[{]/.test(text) && text.length < MOST_TEXT ? pretty(text) : text;
  } catch {
    return undefined;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** For a shell: whatever a page chose stands within quotes. */
export function asCurl(request: Request, headers: readonly BrowserNetworkHeader[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const told = headers.filter(({ name, value }) => !name.startsWith(":") && !value.includes(REDACTED) && !/^(host|content-length|connection)$/i.test(name));
  const method = request.method === "GET" ? "" : ` -X ${quoted(request.method)}`;
  return [`curl${method} ${quoted(request.url)}`, ...told.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`)].join(" \\\n  ");
}

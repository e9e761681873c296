/** Requests of the page: one row each; opened, headers, timing and body. */
import type { BrowserNetworkRequest, RecordEvent } from "belljar";
import { ArrowDownUp, Ban } from "lucide-react";
import { type ReactElement, memo, useCallback, useMemo, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Empty, ProblemNote } from "../../../design/Empty.tsx";
import { Rows } from "../../../design/Rows.tsx";
import { Tabs } from "../../../design/Tabs.tsx";
import { setQuery, useAddress } from "../../../shell/address.ts";
import { useIsShown } from "../../../shell/shown.ts";
import { bytes } from "../../../shell/time.ts";
import { useRecord, useSessionContext } from "../../context.ts";
import { nothing, recorded, useKeyedRows } from "../following.ts";
import { RequestDetail } from "./RequestDetail.tsx";
import { type Request, hostOf, isFailed, isLike, nameOf } from "./network_filter.ts";
import "./network.css";

const ROW = 28;
const keyOf = ({ id }: Request): string => id;
// An address may be as long as it likes; this much of it stands in a row.
const MOST_IN_ROW = 300;
const KINDS = [
  ["all", "All"],
  ["failed", "Failed"],
  ["fetch", "Fetch"],
  ["document", "Page"],
] as const;
type Kind = (typeof KINDS)[number][0];

export default function Network(): ReactElement {
  const { isRunning } = useSessionContext();
  return isRunning ? <LiveNetwork /> : <RecordedNetwork />;
}

function LiveNetwork(): ReactElement {
  const { box, live } = useSessionContext();
  const tabId = live.tabs.find(({ active }) => active)?.id;
  const [again, setAgain] = useState(0);
  const isShown = useIsShown();
  const { rows, error } = useKeyedRows<BrowserNetworkRequest>(
    (signal) => (tabId === undefined || !isShown ? nothing() : box.browser.followNetwork({ tabId }, { signal })),
    ({ id }) => id,
    [box, tabId, again, isShown],
  );
  const requests = useMemo(() => rows.map(requestOf), [rows]);
  return (
    <>
      {error === undefined ? null : <ProblemNote error={error} onAgain={() => setAgain(again + 1)} />}
      <Requests requests={requests} tabId={tabId} whyEmpty={tabId === undefined ? "There is no page yet." : "What the page asks for stands here as it does. Reload it to see everything."} />
    </>
  );
}

function RecordedNetwork(): ReactElement {
  const { events, version } = useRecord();
  const requests = useMemo(() => events.filter(({ kind }) => kind === "network").map(recordedRequest), [events, version]);
  return <Requests requests={requests} tabId={undefined} whyEmpty="It asked for nothing, or that was not recorded." />;
}

function requestOf(one: BrowserNetworkRequest): Request {
  return {
    id: one.id,
    method: one.method,
    url: one.url,
    type: one.type,
    status: one.status,
    mimeType: one.mimeType,
    size: one.responseSize,
    bodySize: one.decodedSize,
    ms: one.duration,
    isPending: one.pending === true,
    isCached: one.fromCache === true,
    error: one.error ?? "",
    t: Date.parse(one.timestamp) * 1000,
  };
}

function recordedRequest({ seq, t, data }: RecordEvent): Request {
  const one = (data ?? {}) as Record<string, unknown>;
  const number = (name: string): number => (typeof one[name] === "number" ? one[name] : 0);
  return {
    id: String(seq),
    method: recorded(one["method"]),
    url: recorded(one["url"]),
    type: recorded(one["resourceType"]),
    status: number("status"),
    mimeType: recorded(one["mimeType"]),
    size: number("wireBytes"),
    bodySize: number("bodyBytes"),
    ms: number("ms"),
    isPending: false,
    isCached: one["fromCache"] === true,
    error: recorded(one["netError"] ?? one["error"]),
    // It is told of when it has ended.
    t: t - number("ms") * 1000,
  };
}

function isOfKind(request: Request, kind: Kind): boolean {
  if (kind === "all") return true;
  if (kind === "failed") return isFailed(request);
  const type = request.type.toLowerCase();
  return kind === "fetch" ? type === "fetch" || type === "xhr" : type === kind;
}

function Requests({ requests, tabId, whyEmpty }: { requests: readonly Request[]; tabId: string | undefined; whyEmpty: string }): ReactElement {
  const { query } = useAddress();
  const { moment, range, isRunning } = useSessionContext();
  const typed = query.get("request") ?? "";
  const kind = KINDS.find(([name]) => name === query.get("requests"))?.[0] ?? "all";
  const [clearedAt, setClearedAt] = useState(0);
  const [opened, setOpened] = useState<string>();
  const toggle = useCallback((id: string) => setOpened((old) => (old === id ? undefined : id)), []);
  const shown = useMemo(() => {
    const fits = isLike(typed);
    return requests.filter((one) => one.t > clearedAt && isOfKind(one, kind) && fits(one) && (range === undefined || (one.t >= range[0] && one.t <= range[1])));
  }, [requests, clearedAt, kind, typed, range]);
  const current = moment === undefined ? undefined : shown.findLastIndex(({ t }) => t <= moment + 1);
  const failed = useMemo(() => shown.filter(isFailed).length, [shown]);
  const total = useMemo(() => shown.reduce((sum, { size }) => sum + size, 0), [shown]);
  return (
    <div className="panel">
      <div className="panel-tools network-tools">
        <Tabs label="Which requests" tabs={KINDS} current={kind} onChoose={(name) => setQuery({ requests: name === "all" ? undefined : name })} />
        <input
          className="input"
          type="search"
          aria-label="Filter the requests"
          placeholder="Filter"
          title="Words of the address; status: method: type: mime: domain: is:failed, is:pending, is:cached; - before one turns it round"
          value={typed}
          onChange={(event) => setQuery({ request: event.target.value })}
        />
        <Button kind="plain" icon={Ban} label="Clear the requests" onClick={() => setClearedAt(requests.at(-1)?.t ?? 0)} />
      </div>
      {shown.length === 0 ? (
        <Empty icon={ArrowDownUp} title={requests.length === 0 ? (isRunning ? "No requests yet" : "No requests") : "No request is like that"}>
          {requests.length === 0 ? <p>{whyEmpty}</p> : null}
        </Empty>
      ) : (
        <Rows
          label="Requests"
          className="network-rows"
          items={shown}
          keyOf={keyOf}
          height={ROW}
          opened={opened}
          current={current}
          followsEnd={moment === undefined}
          render={(request, index) => (
            <RequestRow
              request={request}
              tabId={tabId}
              isCurrent={index === current}
              isOpen={request.id === opened}
              onOpen={toggle}
            />
          )}
        />
      )}
      <p className="panel-foot small faint">
        {shown.length} requests · {bytes(total)}
        {failed === 0 ? "" : ` · ${failed} failed`}
      </p>
    </div>
  );
}

interface RequestRowProps {
  request: Request;
  tabId: string | undefined;
  isCurrent: boolean;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

// While a list is scrolled, most of its rows are the same as before.
const RequestRow = memo(function RequestRow({ request, tabId, isCurrent, isOpen, onOpen }: RequestRowProps): ReactElement {
  const { method, url, status, size, ms, isPending, isCached, error } = request;
  return (
    <div className="request" data-failed={isFailed(request) || undefined} data-current={isCurrent || undefined}>
      <div className="data-row">
        <button type="button" className="data-main" aria-expanded={isOpen} title={url.slice(0, MOST_IN_ROW)} onClick={() => onOpen(request.id)}>
          <span className="mono method">{method}</span>
          <span className="mono name">{nameOf(url).slice(0, MOST_IN_ROW)}</span>
          <span className="mono faint cut grow host">{hostOf(url).slice(0, MOST_IN_ROW)}</span>
          <span className="mono status">{isPending ? "…" : error === "" ? status : (error.replace(/^(net::)?ERR_/, "") || "failed")}</span>
          <span className="mono faint size">{isCached ? "cache" : isPending ? "" : bytes(size)}</span>
          <span className="mono faint ms">{isPending ? "" : `${Math.round(ms)} ms`}</span>
        </button>
      </div>
      {isOpen ? <RequestDetail request={request} tabId={tabId} /> : null}
    </div>
  );
});

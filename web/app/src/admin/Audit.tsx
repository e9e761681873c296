/** The audit log: who did what, newest first, searched by the server and read on as it is scrolled. */
import { ScrollText } from "lucide-react";
import type { SessionEvent } from "belljar";
import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Code } from "../design/Code.tsx";
import { Empty, ProblemNote } from "../design/Empty.tsx";
import { Rows } from "../design/Rows.tsx";
import { Sheet } from "../design/Sheet.tsx";
import { href, setQuery, useAddress } from "../shell/address.ts";
import { client, refused } from "../shell/server.ts";
import { absolute, ago, useNow } from "../shell/time.ts";
import { count } from "./figures.ts";
import { Filter, Section, To } from "./parts.tsx";

const PAGE = 500;
// So many rows before the end of what is there, the next ones are asked for.
const AHEAD = 200;
const TYPING_MS = 250;
const FIELDS = ["actor", "action", "session", "user"] as const;

export default function Audit(): ReactElement {
  const { query } = useAddress();
  const log = useLog(new URLSearchParams([...query].filter(([name]) => ["q", "since", "until", ...FIELDS].includes(name))).toString());
  const [opened, setOpened] = useState<SessionEvent>();
  const now = useNow();
  const { events, total, error, isBusy } = log;
  const chosen = FIELDS.flatMap((name) => (query.get(name) ? [[name, query.get(name)] as const] : []));
  return (
    <Section
      title="Audit"
      reading={{ value: events, error, isBusy, again: log.again }}
      tools={
        <>
          <Filter value={query.get("q") ?? ""} label="Find text in events" />
          <label className="line date">
            <span className="faint">From</span>
            <input className="input" type="date" value={query.get("since") ?? ""} onChange={(event) => setQuery({ since: event.target.value })} />
          </label>
          <label className="line date">
            <span className="faint">Before</span>
            <input className="input" type="date" value={query.get("until") ?? ""} onChange={(event) => setQuery({ until: event.target.value })} />
          </label>
        </>
      }
    >
      <div className="usage-filters">
        <span className="data" role="status">{total === undefined ? "…" : `${count(total)} events`}</span>
        {chosen.map(([name, value]) => (
          <button key={name} type="button" className="button" onClick={() => setQuery({ [name]: undefined })} title="Show all">
            <span className="cut">
              {name}: {value}
            </span>{" "}
            ×
          </button>
        ))}
      </div>
      {events !== undefined && events.length === 0 ? (
        <Empty icon={ScrollText} title="Nothing of the kind happened">
          <p>What is done with keys, tokens, sessions, profiles and hosts is written here, for as long as --retain says.</p>
        </Empty>
      ) : events === undefined ? null : (
        <>
          <div className="admin-row audit-row heading" aria-hidden="true">
            <span>When</span>
            <span>Who</span>
            <span>What</span>
            <span>Session</span>
            <span>Details</span>
          </div>
          <Rows
            label="Events"
            items={events}
            keyOf={({ id }) => id}
            height={() => 28}
            render={(event, index) => {
              if (index >= events.length - AHEAD) log.more();
              return (
                <div className="admin-row audit-row" data-event={event.id}>
                  <time className="faint" title={absolute(event.at)}>
                    {ago(now - Date.parse(event.at))}
                  </time>
                  <button type="button" className="plain cut" title={`Only what ${event.actor} did`} onClick={() => setQuery({ actor: event.actor }, { isReplacing: false })}>
                    {event.actor}
                  </button>
                  <button type="button" className="plain cut" title={`Only ${event.kind}`} onClick={() => setQuery({ action: event.kind }, { isReplacing: false })}>
                    {event.kind}
                  </button>
                  {event.sessionId == null ? (
                    <span />
                  ) : (
                    <To at={href("sessions", event.sessionId)} className="mono cut">
                      {event.sessionId}
                    </To>
                  )}
                  <button type="button" className="plain cut faint" onClick={() => setOpened(event)} title="All of this event">
                    {said(event)}
                  </button>
                </div>
              );
            }}
          />
        </>
      )}
      {log.lateError === undefined ? null : <ProblemNote error={log.lateError} onAgain={log.retry} />}
      {opened === undefined ? null : (
        <Sheet title={`${opened.kind}, ${absolute(opened.at)}`} onClose={() => setOpened(undefined)} footer={<Button onClick={() => setOpened(undefined)}>Close</Button>}>
          <div className="sheet-fields">
            <Code label="The event" text={JSON.stringify(opened, null, 2)} />
          </div>
        </Sheet>
      )}
    </Section>
  );
}

function said({ userId, actor, detail }: SessionEvent): string {
  const about = userId != null && userId !== actor ? [`of ${userId}`] : [];
  return [...about, ...Object.entries(detail ?? {}).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)].join(" · ") || "–";
}

interface Log {
  events: readonly SessionEvent[] | undefined;
  total: number | undefined;
  error: unknown;
  /** Of a page after the first. */
  lateError: unknown;
  isBusy: boolean;
  more: () => void;
  retry: () => void;
  again: () => void;
}

/** The events that `asked` names, a page at a time. */
function useLog(asked: string): Log {
  const [state, setState] = useState<{ asked: string; events?: SessionEvent[]; total?: number; next?: number | undefined; error?: unknown; lateError?: unknown }>({ asked });
  const [round, setRound] = useState(0);
  const loading = useRef(false);
  const load = useCallback(
    async (before: number | undefined, isWanted: () => boolean): Promise<void> => {
      try {
        const query = { ...Object.fromEntries(new URLSearchParams(asked)), newest: true, limit: PAGE };
        const page = await client.audit(before === undefined ? { ...query, count: true } : { ...query, before });
        if (!isWanted()) return;
        setState((old) => ({
          asked,
          events: before === undefined ? page.events : [...(old.events ?? []), ...page.events],
          total: page.total ?? old.total ?? page.events.length,
          next: page.next ?? undefined,
        }));
      } catch (error) {
        refused(error);
        if (isWanted()) setState((old) => (before === undefined ? { asked, error } : { ...old, lateError: error }));
      }
    },
    [asked],
  );
  useEffect(() => {
    let isGone = false;
    // While somebody types, only what they end with is asked for.
    const timer = setTimeout(() => void load(undefined, () => !isGone), round === 0 ? TYPING_MS : 0);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load, round]);
  const { next, lateError } = state;
  const onward = (): void => {
    if (next === undefined || loading.current) return;
    loading.current = true;
    void load(next, () => true).finally(() => (loading.current = false));
  };
  return {
    // What was found stays while the next is looked for.
    events: state.events,
    total: state.total,
    error: state.error,
    lateError,
    isBusy: state.asked !== asked,
    more: () => {
      if (lateError === undefined) queueMicrotask(onward);
    },
    retry: () => {
      setState((old) => ({ ...old, lateError: undefined }));
      onward();
    },
    again: () => setRound((old) => old + 1),
  };
}

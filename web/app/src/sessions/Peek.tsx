/** A look at one session without leaving the list: its picture, its last acts, how to connect. */
import type { RecordEvent, SessionInfo } from "belljar";
import { Clock, ExternalLink, Square, X } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { actOf, isRead } from "../session/record/acts.ts";
import { shotOf } from "../session/timeline/pictures.ts";
import { follow, go, href } from "../shell/address.ts";
import { client } from "../shell/server.ts";
import { absolute, ago, span, useNow } from "../shell/time.ts";
import { end, extend } from "./acts.ts";
import { Connect } from "./Connect.tsx";
import { dotOf, isLive, nameOf, needOf, reasonOf } from "./list.ts";
import { Driver } from "./SessionRow.tsx";
import { Thumbnail } from "./Thumbnail.tsx";

const SHOWN = 5;
// Enough to have five acts among them, in most records.
const READ = 120;

export function Peek({ session, onClose }: { session: SessionInfo; onClose: () => void }): ReactElement {
  const now = useNow();
  const { acts, last } = useLast(session);
  const need = needOf(session, now);
  const alive = isLive(session);
  return (
    <aside className="peek-panel" aria-label={`Peek at ${nameOf(session)}`}>
      <header className="line">
        <span className="dot" data-state={dotOf(session)} role="img" aria-label={session.state} />
        <h2 className="grow cut">{nameOf(session)}</h2>
        <Driver session={session} />
        <Button kind="plain" icon={X} label="Close" shortcut="Esc" onClick={onClose} />
      </header>
      <div className="peek-body">
        <a className="peek-picture" href={href("sessions", session.id)} onClick={follow} aria-label={`Open ${nameOf(session)}`}>
          {alive || last === undefined ? <Thumbnail session={session} /> : <LastPicture session={session} sha256={last} />}
        </a>
        {need === undefined ? null : <p className="need" data-kind={session.state === "failed" ? "bad" : "ask"}>{need}</p>}
        {session.glance?.url ? (
          <p className="cut">
            {session.glance.title} <span className="faint cut">{session.glance.url}</span>
          </p>
        ) : null}
        <p className="faint data" title={absolute(session.createdAt)}>
          {alive
            ? `${session.userId} · began ${ago(now - Date.parse(session.createdAt))} · ${span(Date.parse(session.expiresAt) - now)} left`
            : `${session.userId} · ended ${ago(now - Date.parse(session.endedAt ?? session.createdAt))}${need === undefined ? ` · ${reasonOf(session)}` : ""}`}
        </p>
        <div className="line wrap">
          <Button kind="strong" icon={ExternalLink} onClick={() => go(href("sessions", session.id))}>
            Open
          </Button>
          {alive ? (
            <>
              <Button icon={Clock} onClick={() => void extend(session)}>
                Extend
              </Button>
              <Button icon={Square} kind="bad" onClick={() => end([session])}>
                End
              </Button>
            </>
          ) : null}
        </div>
        <section>
          <h3>Last acts</h3>
          {acts === undefined ? null : acts.length === 0 ? (
            <p className="faint">{alive ? "Nothing was done in it yet." : "Nothing was done in it."}</p>
          ) : (
            <ol className="last-acts">
              {acts.map((event) => {
                const { verb, target } = actOf(event);
                return (
                  <li key={event.seq} className="line" data-actor={event.actor.kind}>
                    <span className="actor-dot" aria-label={event.actor.kind} role="img" />
                    <span>{verb}</span>
                    <span className="grow cut faint mono">{target}</span>
                    <time className="faint data small">{ago(now - event.t / 1000)}</time>
                  </li>
                );
              })}
            </ol>
          )}
        </section>
        {alive ? <Connect session={session.id} /> : null}
      </div>
    </aside>
  );
}

/** What was shown last in a session that is over, from its record. */
function LastPicture({ session, sha256 }: { session: SessionInfo; sha256: string }): ReactElement {
  return (
    <span className="thumbnail" data-state={session.state}>
      <img src={client.http.url(`/api/sessions/${encodeURIComponent(session.id)}/record/pictures/${sha256}`)} alt="" />
    </span>
  );
}

interface Last {
  acts?: readonly RecordEvent[];
  /** The digest of the newest picture among them. */
  last?: string | undefined;
}

/** Asked for when the session is chosen, and again when something happened in it, a moment later. */
function useLast(session: SessionInfo): Last {
  const { id } = session;
  const seq = session.glance?.seq ?? session.state;
  const [last, setLast] = useState<Last>({});
  useEffect(() => setLast({}), [id]);
  useEffect(() => {
    const ending = new AbortController();
    const read = async (): Promise<void> => {
      const { newest } = await client.sessions.record(id, { limit: 1 }, { signal: ending.signal });
      const page = await client.sessions.record(id, { since: Math.max(0, newest - READ), kinds: "call,input,nav,control,dialog,download,mark,ask,screen", limit: READ }, { signal: ending.signal });
      const acts = page.events.filter((event) => event.kind !== "screen" && actOf(event).isShown && !isRead(event));
      const pictures = page.events.flatMap((event) => shotOf(event) ?? []);
      setLast({ acts: acts.slice(-SHOWN).reverse(), last: pictures.at(-1)?.sha256 });
    };
    const timer = setTimeout(() => read().catch(() => ending.signal.aborted || setLast({ acts: [] })), 150);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [id, seq]);
  return last;
}

/** One session in a list. */
import type { SessionInfo } from "belljar";
import { Bot, LockOpen, User } from "lucide-react";
import { type MouseEvent, type ReactElement, memo } from "react";
import { href, follow } from "../shell/address.ts";
import { absolute, ago, span } from "../shell/time.ts";
import { dotOf, isLive, nameOf, needOf, reasonOf } from "./list.ts";
import { Thumbnail } from "./Thumbnail.tsx";

interface RowProps {
  session: SessionInfo;
  now: number;
  isCurrent: boolean;
  isChosen: boolean;
  isEnding: boolean;
  showsUser: boolean;
  onPoint: (id: string) => void;
  onChoose: (id: string) => void;
  onPeek: (id: string) => void;
}

export const SessionRow = memo(function SessionRow(props: RowProps): ReactElement {
  const { session, now, isCurrent, isChosen, isEnding, showsUser, onPoint, onChoose, onPeek } = props;
  const name = nameOf(session);
  const need = needOf(session, now);
  const state = isEnding ? "stopping" : dotOf(session);
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    onPoint(session.id);
    follow(event);
  };
  return (
    <div className="session-row" data-current={isCurrent || undefined} data-chosen={isChosen || undefined} data-ending={isEnding || undefined} data-id={session.id}>
      <input type="checkbox" aria-label={`Choose ${name}`} checked={isChosen} tabIndex={-1} onChange={() => onChoose(session.id)} />
      <span className="dot" data-state={state} role="img" aria-label={isEnding ? "ending" : session.state} title={session.state} />
      <button type="button" className="peek" tabIndex={-1} aria-label={`Peek at ${name}`} onClick={() => onPeek(session.id)}>
        <Thumbnail session={session} />
      </button>
      <a className="name" href={href("sessions", session.id)} onClick={open} onFocus={() => onPoint(session.id)}>
        <span className="first cut">{name}</span>
        <span className="second cut" data-need={need === undefined ? undefined : session.state === "failed" ? "bad" : "ask"}>
          {need ?? about(session)}
        </span>
      </a>
      <Tags tags={session.tags} />
      <Driver session={session} />
      {showsUser ? <span className="user cut faint">{session.userId}</span> : null}
      {session.isolation?.jail === false && isLive(session) ? (
        <span className="lock" title={`No jail: ${session.isolation.reason ?? "not kept in"}`}>
          <LockOpen size={14} role="img" aria-label="Not jailed" />
        </span>
      ) : (
        <span className="lock" />
      )}
      <span className="memory data faint">{session.memoryMb == null ? "" : `${Math.round(session.memoryMb)} MB`}</span>
      <Times session={session} now={now} />
    </div>
  );
});

function about(session: SessionInfo): string {
  if (!isLive(session)) return reasonOf(session);
  if (session.state === "pending") return "Waiting for room";
  if (session.state === "starting") return "Its box is coming up…";
  const title = session.glance?.title?.trim();
  const host = hostOf(session.glance?.url ?? session.url);
  if (title) return host && title !== host ? `${title} — ${host}` : title;
  return host || (session.mode === "desktop" ? "A desktop" : session.mode === "none" ? "A box without a browser" : "An empty page");
}

export function hostOf(url: string | null | undefined): string {
  if (url == null || url === "" || url === "about:blank") return "";
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}

function Tags({ tags }: { tags: Record<string, string> }): ReactElement {
  const shown = Object.entries(tags).filter(([tag]) => tag !== "name");
  return (
    <span className="tags">
      {shown.slice(0, 3).map(([tag, value]) => (
        <span key={tag} className="tag" title={`${tag}${value ? `: ${value}` : ""}`}>
          {value ? `${tag}: ${value}` : tag}
        </span>
      ))}
      {shown.length > 3 ? <span className="tag">+{shown.length - 3}</span> : null}
    </span>
  );
}

export function Driver({ session }: { session: SessionInfo }): ReactElement {
  const holder = session.glance?.holder;
  if (session.state !== "running" || holder === undefined || holder.kind === "none") return <span className="driver" />;
  const [Icon, words] = holder.kind === "agent" ? [Bot, "Agent"] : [User, holder.name ?? "A person"];
  return (
    <span className="driver">
      <span className="who cut" data-kind={holder.kind} title={`${words} has control`}>
        <Icon size={12} aria-hidden="true" /> {words}
      </span>
    </span>
  );
}

function Times({ session, now }: { session: SessionInfo; now: number }): ReactElement {
  if (!isLive(session)) {
    const at = session.endedAt ?? session.createdAt;
    return (
      <span className="times data faint" title={absolute(at)}>
        {ago(now - Date.parse(at))}
      </span>
    );
  }
  const left = Date.parse(session.expiresAt) - now;
  return (
    <span className="times data faint" title={`Began ${absolute(session.createdAt)}, ends ${absolute(session.expiresAt)}`}>
      <span className="age">{span(now - Date.parse(session.createdAt))} · </span>
      <span data-soon={left < 300_000 || undefined}>{span(left)} left</span>
    </span>
  );
}

/** Sessions as a wall of live pictures: only of those that can be seen, and nothing can be pressed there. */
import type { SessionInfo } from "belljar";
import { Connection, Picture } from "belljar/live";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { follow, href } from "../shell/address.ts";
import { boxAddress, openSession } from "../shell/server.ts";
import { dotOf, isLive, nameOf, needOf, reasonOf } from "./list.ts";
import { Driver, hostOf } from "./SessionRow.tsx";
import { Thumbnail } from "./Thumbnail.tsx";

export function Wall({ sessions, now, current }: { sessions: readonly SessionInfo[]; now: number; current: string | undefined }): ReactElement {
  return (
    <ul className="wall" aria-label="Sessions">
      {sessions.map((session) => {
        const need = needOf(session, now);
        return (
          <li key={session.id} data-id={session.id} data-current={session.id === current || undefined}>
            <a href={href("sessions", session.id)} onClick={follow} aria-label={nameOf(session)}>
              {session.state === "running" && session.mode !== "none" ? <LivePicture id={session.id} /> : <Thumbnail session={session} />}
            </a>
            <div className="wall-foot line">
              <span className="dot" data-state={dotOf(session)} role="img" aria-label={session.state} />
              <span className="cut wall-name" title={nameOf(session)}>{nameOf(session)}</span>
              <span className="cut faint small wall-page" data-need={need === undefined ? undefined : "ask"}>
                {need ?? (isLive(session) ? hostOf(session.glance?.url) : reasonOf(session))}
              </span>
              <Driver session={session} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** What a session shows, as it moves, while it is in view; nothing is sent to it. */
export function LivePicture({ id }: { id: string }): ReactElement {
  const place = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [hasPicture, setHasPicture] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const watcher = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false), { rootMargin: "120px" });
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    const surface = canvas.current;
    if (!isSeen || surface === null) return undefined;
    const connection = new Connection(boxAddress(id), { storage: null });
    const picture = new Picture(surface, connection);
    const show = (): void => setHasPicture(true);
    surface.addEventListener("shown", show);
    let isHere = true;
    openSession(id).then(
      () => isHere && connection.open(),
      () => undefined,
    );
    return () => {
      isHere = false;
      surface.removeEventListener("shown", show);
      picture.end();
      connection.close();
    };
  }, [id, isSeen]);
  return (
    <span ref={place} className="thumbnail live" data-state="running">
      {hasPicture ? null : <span className="busy" />}
      <canvas ref={canvas} width={640} height={360} aria-hidden="true" data-shown={hasPicture || undefined} />
    </span>
  );
}

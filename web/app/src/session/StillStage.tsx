/** The stage of a session that does not run: not yet, or not any more. */
import { CircleX, Flag, RotateCcw } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "../design/Button.tsx";
import { NewSession } from "../sessions/NewSession.tsx";
import { reasonOf } from "../sessions/list.ts";
import type { Form } from "../sessions/request.ts";
import { go, href } from "../shell/address.ts";
import { absolute, span, useNow } from "../shell/time.ts";
import { useSessionContext } from "./context.ts";
import { usePictureUrl, useShots } from "./timeline/pictures.ts";
import { RecordPicture } from "./timeline/RecordPicture.tsx";
import { Then } from "./timeline/Then.tsx";

const STEPS = ["pending", "starting", "running"] as const;
const WORDS: Record<string, string> = { pending: "Waiting for room", starting: "Its box comes up", running: "Usable", stopping: "Ending" };

export function StartingStage(): ReactElement {
  const { info } = useSessionContext();
  const now = useNow();
  const state = info?.state ?? "starting";
  const at = STEPS.indexOf(state as (typeof STEPS)[number]);
  return (
    <main className="stage still" aria-busy="true">
      <div className="starting" role="status">
        {state === "stopping" ? (
          <p>Its box is being removed…</p>
        ) : (
          <ol>
            {STEPS.map((step, index) => (
              <li key={step} data-state={index < at ? "done" : index === at ? "now" : "later"}>
                <span className="dot" data-state={index < at ? "running" : index === at ? "starting" : "stopped"} /> {WORDS[step]}
              </li>
            ))}
          </ol>
        )}
        {info === undefined ? null : <p className="faint data">{span(now - Date.parse(info.createdAt))}</p>}
      </div>
    </main>
  );
}

export function EndedStage(): ReactElement {
  const { info, moment } = useSessionContext();
  const last = useShots().at(-1);
  const urlOf = usePictureUrl();
  const [isAgain, setAgain] = useState(false);
  if (info === undefined) return <main className="stage still" />;
  const isFailed = info.state === "failed";
  const Icon = isFailed ? CircleX : Flag;
  const like: Partial<Form> = {
    url: info.url ?? "",
    mode: info.mode,
    headless: info.headless,
    width: String(info.viewport.width ?? 1280),
    height: String(info.viewport.height ?? 720),
    profileId: info.profileId ?? "",
    readOnly: info.readOnly ?? false,
    name: info.tags["name"] ?? "",
    tags: Object.entries(info.tags).filter(([tag]) => tag !== "name").map(([tag, value]) => (value ? `${tag}: ${value}` : tag)).join(", "),
    idleTimeout: String(info.idleTimeout),
    ttl: String(Math.max(60, Math.round((Date.parse(info.expiresAt) - Date.parse(info.createdAt)) / 1000))),
  };
  return (
    <main className="stage still">
      {last === undefined || moment !== undefined ? null : <RecordPicture className="last-picture" url={urlOf(last)} alt="The last picture" />}
      <div className="ended" hidden={moment !== undefined}>
        <Icon size={28} strokeWidth={1.5} className={isFailed ? "bad" : "faint"} aria-hidden="true" />
        <h2>{isFailed ? "Failed" : "Ended"}</h2>
        <p className={isFailed ? "bad" : ""}>{reasonOf(info)}</p>
        <p className="faint data" title={absolute(info.endedAt ?? info.createdAt)}>
          {absolute(info.createdAt)} · {span(Date.parse(info.endedAt ?? info.createdAt) - Date.parse(info.createdAt))}
        </p>
        <Button kind="strong" icon={RotateCcw} onClick={() => setAgain(true)}>
          Start again like this
        </Button>
      </div>
      <Then />
      {isAgain ? <NewSession initial={like} onClose={() => setAgain(false)} onMade={(made) => go(href("sessions", made.id))} /> : null}
    </main>
  );
}

/** What was done here: a row for each act, with who, what, how it went; opened, what it was asked and what it caused. */
import { Bot, Cog, FileText, Flag, Link, User } from "lucide-react";
import type { RecordEvent } from "belljar";
import { type ReactElement, useMemo, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { Empty } from "../../design/Empty.tsx";
import { Code } from "../../design/Code.tsx";
import { Rows } from "../../design/Rows.tsx";
import { Tabs } from "../../design/Tabs.tsx";
import { setQuery, useAddress } from "../../shell/address.ts";
import { useRemembered } from "../../shell/preferences.ts";
import { clock } from "../../shell/time.ts";
import { type Act, actOf, isRead } from "../record/acts.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { copyMomentLink } from "../moment_link.ts";
import { picturesOf, usePictureUrl } from "../timeline/pictures.ts";
import { RecordPicture } from "../timeline/RecordPicture.tsx";
import { CALL_LANGUAGES, type CallLanguage, asCall } from "../record/call_code.ts";
import { recorded } from "./following.ts";
import { isFailed } from "./network/network_filter.ts";

const ROW = 28;
const keyOf = ({ seq }: Act): number => seq;
const ICONS = { agent: Bot, operator: Bot, viewer: User, page: FileText, system: Cog } as const;
const WHO = { agent: "Agent", operator: "Operator", viewer: "Person", page: "Page", system: "Box" } as const;
const FILTERS = [
  ["all", "All"],
  ["agent", "Agent"],
  ["viewer", "People"],
  ["page", "Page"],
  ["failed", "Failed"],
  ["reads", "Reads"],
] as const;
type Filter = (typeof FILTERS)[number][0];

export default function Activity(): ReactElement {
  const { query } = useAddress();
  const { moment, setMoment, range, isRunning } = useSessionContext();
  const record = useRecord();
  const [filter, setFilter] = useState<Filter>("all");
  const words = (query.get("act") ?? "").toLowerCase();
  const acts = useMemo(
    () => record.acts.all.filter((act) => isWanted(act, filter, words) && (range === undefined || (act.t >= range[0] && act.t <= range[1]))),
    [record.acts, record.version, filter, words, range],
  );
  const [opened, setOpened] = useState<number>();
  const current = moment === undefined ? undefined : acts.findLastIndex(({ t }) => t <= moment + 1);
  return (
    <div className="panel">
      <div className="panel-tools">
        <Tabs label="Whose acts" tabs={FILTERS} current={filter} onChoose={setFilter} />
        <input className="input" type="search" aria-label="Filter the acts" placeholder="Filter" value={query.get("act") ?? ""} onChange={(event) => setQuery({ act: event.target.value })} />
      </div>
      {record.left === 0 ? null : <p className="panel-note faint">The oldest {record.left} events are not shown.</p>}
      {filter === "failed" ? <FailedRequests /> : null}
      {acts.length === 0 ? (
        record.state === "refused" ? (
          <Empty icon={FileText} title="The record cannot be read">
            <p>{record.why}</p>
          </Empty>
        ) : (
          <Empty icon={FileText} title={record.acts.all.length === 0 ? (isRunning ? "Nothing was done yet" : "Nothing was recorded") : "No act is like that"}>
            {record.acts.all.length === 0 ? <p>{isRunning || record.state === "reading" ? "What an agent, a person or the page does stands here as it happens." : "Its record is empty, or was not kept."}</p> : null}
          </Empty>
        )
      ) : (
        <Rows
          label="Acts"
          className="act-rows"
          items={acts}
          keyOf={keyOf}
          height={ROW}
          opened={opened}
          current={current}
          followsEnd={moment === undefined}
          render={(act, index) => (
            <ActRow act={act} isCurrent={index === current} isOpen={act.seq === opened} onOpen={() => setOpened(act.seq === opened ? undefined : act.seq)} onJump={() => setMoment(act.t)} />
          )}
        />
      )}
    </div>
  );
}

/** Requests are no acts: who looks for what failed is led to them. */
function FailedRequests(): ReactElement | null {
  const { range, openPanel } = useSessionContext();
  const { events, version } = useRecord();
  const count = useMemo(() => events.filter((one) => isFailedRequest(one) && (range === undefined || (one.t >= range[0] && one.t <= range[1]))).length, [events, version, range]);
  if (count === 0) return null;
  const look = (): void => {
    openPanel("network");
    setQuery({ requests: "failed" });
  };
  return (
    <div className="panel-note line">
      <p className="grow">{count === 1 ? "1 request of the page failed." : `${count} requests of the page failed.`}</p>
      <Button onClick={look}>See in Network</Button>
    </div>
  );
}

function isFailedRequest({ kind, data }: RecordEvent): boolean {
  if (kind !== "network") return false;
  const one = (data ?? {}) as Record<string, unknown>;
  return isFailed({ status: typeof one["status"] === "number" ? one["status"] : 0, error: recorded(one["netError"] ?? one["error"]) });
}

function isWanted(act: Act, filter: Filter, words: string): boolean {
  if (words !== "" && !`${act.verb} ${act.target} ${act.name} ${act.code ?? ""}`.toLowerCase().includes(words)) return false;
  // Who looks for something by its name finds it anyway.
  if (isRead(act) !== (filter === "reads")) return filter === "all" && words !== "";
  if (filter === "all" || filter === "reads") return true;
  if (filter === "failed") return act.state === "failed";
  return act.actor.kind === filter || (filter === "agent" && act.actor.kind === "operator");
}

interface ActRowProps {
  act: Act;
  isCurrent: boolean;
  isOpen: boolean;
  onOpen: () => void;
  onJump: () => void;
}

function ActRow({ act, isCurrent, isOpen, onOpen, onJump }: ActRowProps): ReactElement {
  const Icon = act.kind === "mark" ? Flag : ICONS[act.actor.kind];
  return (
    <div className="act" data-actor={act.actor.kind} data-state={act.state} data-current={isCurrent || undefined}>
      <div className="act-row">
        <button type="button" className="act-main" aria-expanded={isOpen} onClick={onOpen}>
          <Icon size={13} className="actor" role="img" aria-label={WHO[act.actor.kind]} />
          <span className="verb">{act.verb}</span>
          <span className="target mono cut">{act.target}</span>
          {act.code === undefined ? null : <span className="bad small cut">{act.code}</span>}
          <span className="ms mono faint">{act.state === "running" ? "…" : act.ms === undefined ? "" : `${act.ms < 10 ? act.ms.toFixed(1) : Math.round(act.ms)} ms`}</span>
        </button>
        <button type="button" className="act-time mono" title="Look at this moment" onClick={onJump}>
          {clock(act.t).slice(0, 8)}
        </button>
      </div>
      {isOpen ? <ActDetail act={act} /> : null}
    </div>
  );
}

/** What was shown before the act, and after it. */
function BeforeAndAfter({ act }: { act: Act }): ReactElement | null {
  const { setMoment } = useSessionContext();
  const urlOf = usePictureUrl();
  const [before, after] = picturesOf(act);
  const pair = [["before", before], ["after", after]] as const;
  if (before === undefined && after === undefined) return null;
  return (
    <div className="before-after">
      {pair.map(([name, shot]) =>
        shot === undefined ? null : (
          <button key={name} type="button" title="Look at this moment" onClick={() => setMoment(shot.t)}>
            <RecordPicture url={urlOf(shot)} alt={`The screen ${name} it`} isLazy />
            <span className="small faint">{name === "before" ? "Before" : "After"}</span>
          </button>
        ),
      )}
    </div>
  );
}

function ActDetail({ act }: { act: Act }): ReactElement {
  const { id } = useSessionContext();
  const [language, setLanguage] = useRemembered<CallLanguage>("language", "curl");
  const fields = Object.entries(act.data);
  const others = act.caused.filter(({ kind }) => kind !== "screen");
  const code = act.kind === "call" ? asCall(act, id, language) : undefined;
  return (
    <div className="act-detail">
      <dl className="facts">
        <div>
          <dt>When</dt>
          <dd className="mono">{clock(act.t)}</dd>
        </div>
        <div>
          <dt>Who</dt>
          <dd>
            {WHO[act.actor.kind]}
            {act.actor.via === undefined || act.actor.via === "none" ? "" : ` by ${act.actor.via.toUpperCase()}`}
            {act.actor.id == null ? "" : ` · ${act.actor.id}`}
          </dd>
        </div>
        <div>
          <dt>What</dt>
          <dd className="mono">
            {act.name} {act.status === undefined ? "" : act.status} <span className="bad">{act.code ?? ""}</span>
          </dd>
        </div>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      <div className="line">
        <Button kind="plain" icon={Link} onClick={() => void copyMomentLink(act.t, "activity")}>
          Copy a link to this moment
        </Button>
      </div>
      <BeforeAndAfter act={act} />
      {others.length === 0 ? null : (
        <details>
          <summary>Caused {others.length}</summary>
          <ul className="caused">
            {others.slice(0, 100).map((event) => {
              const { verb, target } = actOf(event);
              return (
                <li key={event.seq} className="line">
                  <span className="small">{verb}</span>
                  <span className="mono faint cut">{target || String((event.data as Record<string, unknown> | undefined)?.["url"] ?? "")}</span>
                </li>
              );
            })}
          </ul>
        </details>
      )}
      {code === undefined ? null : (
        <>
          <Tabs label="Language" tabs={CALL_LANGUAGES.map((name) => [name, name] as const)} current={language} onChoose={setLanguage} />
          <Code label={`This call for ${language}`} text={code} />
        </>
      )}
    </div>
  );
}

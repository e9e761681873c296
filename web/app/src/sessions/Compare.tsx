/** Two sessions side by side: what each shows, and what was done in one and not in the other. */
import type { SessionInfo } from "belljar";
import { Equal, Minus, Plus } from "lucide-react";
import { type ReactElement, useMemo, useState, useSyncExternalStore } from "react";
import { Button } from "../design/Button.tsx";
import { Empty } from "../design/Empty.tsx";
import { Check } from "../design/Field.tsx";
import { Rows } from "../design/Rows.tsx";
import { type Act, isRead } from "../session/record/acts.ts";
import { type RecordSnapshot, RecordStore } from "../session/record/record.ts";
import { follow, href, setQuery } from "../shell/address.ts";
import { useEscape } from "../shell/keys.ts";
import { boxClient } from "../shell/server.ts";
import { span } from "../shell/time.ts";
import { type Pair, diff } from "./diff.ts";
import { dotOf, isLive, nameOf, reasonOf } from "./list.ts";
import { Thumbnail } from "./Thumbnail.tsx";
import { LivePicture } from "./Wall.tsx";

// What the box and its programs do by themselves differs from run to run.
const KINDS = new Set(["call", "cdp", "input", "nav", "dialog", "download", "upload", "mark", "ask"]);
// Beyond this many, an older part of both is left out of the comparison.
const MOST = 1500;

export default function Compare({ left, right }: { left: SessionInfo; right: SessionInfo }): ReactElement {
  const close = (): void => setQuery({ compare: undefined }, { isReplacing: false });
  useEscape(close);
  const [a, b] = [useActs(left), useActs(right)];
  const [onlyOther, setOnlyOther] = useState(false);
  const pairs = useMemo(() => diff(stepsOf(a), stepsOf(b), sameAct), [a.acts, a.version, b.acts, b.version]);
  const shown = onlyOther ? pairs.filter((pair) => pair.left === undefined || pair.right === undefined || isOther(pair)) : pairs;
  const others = pairs.filter((pair) => pair.left === undefined || pair.right === undefined || isOther(pair)).length;
  return (
    <section className="compare" aria-label="Compare">
      <header className="line">
        <h2 className="grow">
          Compare <span className="faint">{others === 0 ? "the same was done in both" : `${others} of ${pairs.length} steps differ`}</span>
        </h2>
        <Check label="Only what differs" isOn={onlyOther} onChange={setOnlyOther} />
        <Button onClick={close}>Close</Button>
      </header>
      <div className="compare-stages">
        <Side session={left} />
        <Side session={right} />
      </div>
      {pairs.length === 0 ? (
        <Empty title="Nothing was done in either" />
      ) : (
        <Rows label="Steps of both" className="compare-rows" items={shown} keyOf={(pair) => `${pair.left?.seq ?? ""}-${pair.right?.seq ?? ""}`} height={() => 28} render={(pair) => <PairRow pair={pair} />} />
      )}
    </section>
  );
}

function useActs(session: SessionInfo): RecordSnapshot {
  const isEnded = !isLive(session);
  const store = useMemo(() => new RecordStore(isEnded ? { kind: "ended", id: session.id } : { kind: "box", box: boxClient(session.id), id: session.id }), [session.id, isEnded]);
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

function stepsOf({ acts }: RecordSnapshot): readonly Act[] {
  return acts.all.filter((act) => KINDS.has(act.kind) && !isRead(act)).slice(-MOST);
}

function sameAct(a: Act, b: Act): boolean {
  return a.name === b.name && a.kind === b.kind && a.target === b.target;
}

/** Done in both, but with another end. */
function isOther({ left, right }: Pair<Act>): boolean {
  return left !== undefined && right !== undefined && (left.state !== right.state || left.code !== right.code);
}

function Side({ session }: { session: SessionInfo }): ReactElement {
  return (
    <div>
      <a className="line" href={href("sessions", session.id)} onClick={follow}>
        <span className="dot" data-state={dotOf(session)} role="img" aria-label={session.state} />
        <strong className="cut">{nameOf(session)}</strong>
        <span className="faint cut">{isLive(session) ? session.glance?.title : reasonOf(session)}</span>
      </a>
      <a className="compare-picture" href={href("sessions", session.id)} onClick={follow} aria-label={`Open ${nameOf(session)}`}>
        {session.state === "running" && session.mode !== "none" ? <LivePicture id={session.id} /> : <Thumbnail session={session} />}
      </a>
    </div>
  );
}

function PairRow({ pair }: { pair: Pair<Act> }): ReactElement {
  const { left, right } = pair;
  const kind = left === undefined ? "right" : right === undefined ? "left" : isOther(pair) ? "other" : "same";
  const Icon = kind === "left" ? Minus : kind === "right" ? Plus : Equal;
  const words = { left: "only in the first", right: "only in the second", other: "with another end", same: "in both" }[kind];
  return (
    <div className="pair-row" data-kind={kind}>
      <Half act={left} />
      <Icon size={12} role="img" aria-label={words} />
      <Half act={right} />
    </div>
  );
}

function Half({ act }: { act: Act | undefined }): ReactElement {
  if (act === undefined) return <span className="half" />;
  return (
    <span className="half line" data-state={act.state}>
      <span className="verb">{act.verb}</span>
      <span className="grow cut mono faint">{act.target}</span>
      {act.code === undefined ? null : <span className="bad small">{act.code}</span>}
      <span className="mono faint">{act.ms === undefined ? "" : act.ms > 1000 ? span(act.ms) : `${Math.round(act.ms)} ms`}</span>
    </span>
  );
}

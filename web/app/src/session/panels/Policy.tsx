/** Where the box may connect to: the policy in force, each decision as it falls, and a host allowed or refused from here. */
import type { EgressConnection, EgressPolicy, RecordEvent } from "belljar";
import { Check, RefreshCw, ShieldCheck, ShieldX } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useMemo, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { Code } from "../../design/Code.tsx";
import { Empty, ProblemNote } from "../../design/Empty.tsx";
import { Rows } from "../../design/Rows.tsx";
import { Tabs } from "../../design/Tabs.tsx";
import { say } from "../../design/Toasts.tsx";
import { setQuery, useAddress } from "../../shell/address.ts";
import { useIsShown } from "../../shell/shown.ts";
import { bytes, clock } from "../../shell/time.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { nothing, recorded, useKeyedRows, useTold } from "./following.ts";
import { type Loosen, useLoosening } from "./loosening.tsx";
import "./policy.css";

interface Decision {
  id: number;
  host: string;
  port: number;
  isAllowed: boolean;
  rule: string;
  reason: string;
  scheme: string;
  address: string;
  traffic: string;
  /** Microseconds since 1970. */
  t: number;
}

const ROW = 28;
const keyOf = ({ id }: Decision): number => id;
const SHOWN = [
  ["all", "All"],
  ["deny", "Refused"],
  ["allow", "Allowed"],
] as const;

export default function Policy(): ReactElement {
  const { isRunning } = useSessionContext();
  return isRunning ? <LivePolicy /> : <RecordedPolicy />;
}

function LivePolicy(): ReactElement {
  const { box } = useSessionContext();
  const [policy, setPolicy] = useState<EgressPolicy>();
  const [error, setError] = useState<unknown>();
  const changes = useTold(isPolicyChange);
  const read = useCallback(() => void box.egress.policy().then(setPolicy, setError), [box]);
  useEffect(read, [read, changes]);
  const isShown = useIsShown();
  const { rows, error: lost } = useKeyedRows<EgressConnection>(
    (signal) => (isShown ? box.egress.followLog({}, { signal }) : nothing()),
    ({ id }) => id,
    [box, isShown],
    { before: async () => (await box.egress.log()).connections },
  );
  const decisions = useMemo(() => rows.map(decisionOf), [rows]);
  const { loosen, why, form } = useLoosening();
  const change = async (wanted: Promise<EgressPolicy | undefined>, said: string): Promise<void> => {
    setError(undefined);
    try {
      const now = await wanted;
      if (now === undefined) return;
      setPolicy(now);
      say(said);
    } catch (failed) {
      setError(failed);
    }
  };
  const act = (one: Decision): ReactElement | null =>
    one.isAllowed ? (
      <Button icon={ShieldX} onClick={() => void change(box.egress.restrict({ deny: [one.host] }), `${one.host} is refused from now on.`)}>
        Refuse this host
      </Button>
    ) : loosen === undefined ? (
      <p className="small faint">{why}</p>
    ) : (
      <Button icon={Check} onClick={() => void change(loosen({ allow: [targetOf(one.host)] }), `${one.host} is allowed from now on.`)}>
        Allow this host
      </Button>
    );
  return (
    <div className="panel panel-scroll">
      <section className="panel-part">
        <div className="line">
          <h3 className="grow">In force</h3>
          <Button kind="plain" icon={RefreshCw} label="Look again" onClick={read} />
        </div>
        {error === undefined ? null : <ProblemNote error={error} />}
        {form}
        {policy === undefined ? null : <Code label="The policy in force" text={wordsOf(policy)} />}
        {policy === undefined ? null : <Learning policy={policy} decisions={decisions} loosen={loosen} onChange={(wanted, said) => void change(wanted, said)} />}
      </section>
      {lost === undefined ? null : <ProblemNote error={lost} />}
      <Decisions decisions={decisions} act={act} whyEmpty="Each connection, and each refusal, stands here as it is decided." />
    </div>
  );
}

/** As a policy names it: an address with colons in brackets. */
function targetOf(host: string, port?: number): string {
  const named = host.includes(":") ? `[${host}]` : host;
  return port === undefined ? named : `${named}:${port}`;
}

function isPolicyChange({ kind, name }: RecordEvent): boolean {
  return kind === "call" && /^(setEgressPolicy|restrictEgress|loosenEgress)\.end$/.test(name);
}

function wordsOf({ policy, allow }: EgressPolicy): string {
  return [...(allow ?? []).map((host) => `allow ${host}`), policy.trim()].join("\n");
}

interface LearningProps {
  policy: EgressPolicy;
  decisions: readonly Decision[];
  loosen: Loosen | undefined;
  onChange: (wanted: Promise<EgressPolicy | undefined>, said: string) => void;
}

const LEARNED = "learn";
const MOST_LISTED = 200;

/** While a policy learns, what no rule of it allows is let through and listed: the list becomes rules. */
function Learning({ policy, decisions, loosen, onChange }: LearningProps): ReactElement | null {
  const { box } = useSessionContext();
  const [text, setText] = useState<string>();
  const [error, setError] = useState<unknown>();
  const learns = /^\s*(use\s+)?learn\s*$/m.test(policy.policy);
  const learned = useMemo(() => [...new Set(decisions.filter(({ rule, isAllowed }) => isAllowed && rule === LEARNED).map(({ host, port }) => targetOf(host, port)))].toSorted(), [decisions]);
  const suggest = (): void => {
    setError(undefined);
    box.egress.suggestion().then((found) => setText(found.policy), setError);
  };
  return (
    <>
      {learns ? <p className="learns">It learns: what no rule allows is let through where it is public, and listed here.</p> : null}
      {learned.length === 0 ? null : (
        <>
          <h4>{learns ? "Would be refused" : "Was let through while it learned"}</h4>
          <ul className="learned mono" aria-label="Hosts that only learning let through">
            {learned.slice(0, MOST_LISTED).map((target) => (
              <li key={target} className="cut">
                {target}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="panel-form">
        {loosen === undefined ? null : learns ? (
          <>
            {learned.length === 0 ? null : (
              <Button kind="strong" icon={Check} onClick={() => onChange(loosen({ allow: learned, learn: false }), "They are allowed, and it learns no more.")}>
                Allow {learned.length === 1 ? "this one" : `these ${learned.length}`}, and learn no more
              </Button>
            )}
            <Button onClick={() => onChange(loosen({ learn: false }), "It learns no more.")}>Learn no more</Button>
          </>
        ) : (
          <Button onClick={() => onChange(loosen({ learn: true }), "It learns.")} title="Let through what is public and no rule allows, and list it">
            Learn
          </Button>
        )}
        <Button onClick={suggest}>{text === undefined ? "Suggest a policy from what was allowed" : "Suggest again"}</Button>
      </div>
      {error === undefined ? null : <ProblemNote error={error} />}
      {text === undefined ? null : text.trim() === "" ? <p className="faint">Nothing was allowed yet.</p> : <Code label="The suggested policy" text={text} />}
    </>
  );
}

function RecordedPolicy(): ReactElement {
  const { events, version } = useRecord();
  const decisions = useMemo(() => events.filter(({ kind, name }) => kind === "egress" && name !== "closed").map(recordedDecision), [events, version]);
  return (
    <div className="panel">
      <Decisions decisions={decisions} act={() => null} whyEmpty="It connected to nothing, or that was not recorded." />
    </div>
  );
}

function decisionOf(one: EgressConnection): Decision {
  return {
    id: one.id,
    host: one.host,
    port: one.port,
    isAllowed: one.decision === "allow",
    rule: one.rule,
    reason: one.reason ?? "",
    scheme: one.scheme,
    address: one.address ?? "",
    traffic: one.durationMs == null ? "" : `${bytes(one.bytesSent)} sent, ${bytes(one.bytesReceived)} received, ${Math.round(one.durationMs)} ms`,
    t: one.time * 1_000_000,
  };
}

function recordedDecision({ seq, t, name, data }: RecordEvent): Decision {
  const one = (data ?? {}) as Record<string, unknown>;
  return {
    id: seq,
    host: recorded(one["host"]),
    port: Number(one["port"] ?? 0),
    isAllowed: name === "allowed",
    rule: recorded(one["rule"] ?? one["policyRule"]),
    reason: recorded(one["reason"]),
    scheme: recorded(one["scheme"]),
    address: recorded(one["address"]),
    traffic: "",
    t,
  };
}

interface DecisionsProps {
  decisions: readonly Decision[];
  act: (one: Decision) => ReactElement | null;
  whyEmpty: string;
}

function Decisions({ decisions, act, whyEmpty }: DecisionsProps): ReactElement {
  const { query } = useAddress();
  const { moment, range } = useSessionContext();
  const shownOf = SHOWN.find(([name]) => name === query.get("decision"))?.[0] ?? "all";
  const typed = query.get("host") ?? "";
  const [opened, setOpened] = useState<number>();
  const shown = useMemo(
    () =>
      decisions.filter(
        (one) =>
          (shownOf === "all" || one.isAllowed === (shownOf === "allow")) &&
          one.host.toLowerCase().includes(typed.toLowerCase()) &&
          (range === undefined || (one.t >= range[0] && one.t <= range[1])),
      ),
    [decisions, shownOf, typed, range],
  );
  const current = moment === undefined ? undefined : shown.findLastIndex(({ t }) => t <= moment + 1);
  return (
    <>
      <div className="panel-tools">
        <Tabs label="Which decisions" tabs={SHOWN} current={shownOf} onChoose={(name) => setQuery({ decision: name === "all" ? undefined : name })} />
        <input className="input" type="search" aria-label="Filter by host" placeholder="Host" value={typed} onChange={(event) => setQuery({ host: event.target.value })} />
      </div>
      {shown.length === 0 ? (
        <Empty icon={ShieldCheck} title={decisions.length === 0 ? "No decisions yet" : "No decision is like that"}>
          {decisions.length === 0 ? <p>{whyEmpty}</p> : null}
        </Empty>
      ) : (
        <Rows
          label="Decisions"
          className="decision-rows"
          items={shown}
          keyOf={keyOf}
          height={ROW}
          opened={opened}
          current={current}
          followsEnd={moment === undefined}
          render={(one, index) => (
            <div className="decision" data-decision={one.isAllowed ? (one.rule === LEARNED ? "learned" : "allow") : "deny"} data-current={index === current || undefined}>
              <div className="data-row">
                <button type="button" className="data-main" aria-expanded={one.id === opened} onClick={() => setOpened(one.id === opened ? undefined : one.id)}>
                  {one.isAllowed ? <ShieldCheck size={13} role="img" aria-label={one.rule === LEARNED ? "Allowed while it learns" : "Allowed"} /> : <ShieldX size={13} role="img" aria-label="Refused" />}
                  <span className="mono cut grow">
                    {one.host}:{one.port}
                  </span>
                  <span className="mono faint cut rule">{one.rule}</span>
                  <span className="mono faint">{clock(one.t).slice(0, 8)}</span>
                </button>
              </div>
              {one.id === opened ? <DecisionDetail one={one}>{act(one)}</DecisionDetail> : null}
            </div>
          )}
        />
      )}
    </>
  );
}

function DecisionDetail({ one, children }: { one: Decision; children: ReactElement | null }): ReactElement {
  const { setMoment } = useSessionContext();
  const facts = [
    ["Why", one.reason],
    ["Rule", one.rule],
    ["Scheme", one.scheme],
    ["Address", one.address],
    ["Traffic", one.traffic],
  ].filter(([, value]) => value !== "");
  return (
    <div className="data-detail">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
        <div>
          <dt>When</dt>
          <dd>
            <button type="button" className="text-button mono" title="Look at this moment" onClick={() => setMoment(one.t)}>
              {clock(one.t)}
            </button>
          </dd>
        </div>
      </dl>
      <div>{children}</div>
    </div>
  );
}

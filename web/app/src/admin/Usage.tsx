/** Usage: what sessions used, by user, day, tag or one by one; as bars, as a list, as CSV. */
import { Download } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { Rows } from "../design/Rows.tsx";
import { Tabs } from "../design/Tabs.tsx";
import { href, root, setQuery, useAddress } from "../shell/address.ts";
import { client } from "../shell/server.ts";
import { bytes } from "../shell/time.ts";
import { MEASURES, MEASURE_WORDS, type Measure, adminAt, count, minutes, sessionsAt, valueOf, words } from "./figures.ts";
import { Bars, Figure, Section, To } from "./parts.tsx";
import { useReading } from "./reading.ts";

const GROUPS = ["user", "day", "tag", "session"] as const;
type Group = (typeof GROUPS)[number];
const MOST_BARS = 40;

interface Line {
  key: string;
  label: string;
  at: string;
  sessions: number;
  running: number;
  seconds: number;
  peakMemoryMb: number;
  egressBytes: number;
  egressSent: number;
  egressReceived: number;
}

export default function Usage(): ReactElement {
  const { query } = useAddress();
  const by = oneOf(GROUPS, query.get("by"), "user");
  const measure = oneOf(MEASURES, query.get("measure"), "minutes");
  const user = query.get("user") ?? "";
  const tag = query.get("tag") ?? "";
  const since = query.get("since") ?? "";
  const until = query.get("until") ?? "";
  const asked = { ...(user ? { user } : {}), ...(tag ? { tag: [tag] } : {}), ...(since ? { since } : {}), ...(until ? { until } : {}) };
  const reading = useReading(JSON.stringify([by, asked]), () => client.usage({ by: [by], ...asked }));
  const lines = useMemo(() => (reading.value === undefined ? undefined : linesOf(reading.value, by)), [reading.value, by]);
  const sorted = useMemo(() => (by === "day" ? lines : lines?.toSorted((a, b) => valueOf(b, measure) - valueOf(a, measure))), [lines, by, measure]);
  const total = reading.value?.total;
  const csv = new URL("api/usage.csv", root);
  csv.searchParams.set("by", by);
  for (const [name, value] of Object.entries({ user, tag, since, until })) if (value) csv.searchParams.set(name, value);
  return (
    <Section
      title="Usage"
      reading={reading}
      tools={
        <>
          <Tabs label="By" current={by} onChoose={(name) => setQuery({ by: name === "user" ? undefined : name })} tabs={GROUPS.map((name) => [name, `By ${name}`] as const)} />
          <a className="button" href={csv.href} download={`usage-by-${by}.csv`}>
            <Download size={15} aria-hidden="true" /> CSV
          </a>
        </>
      }
    >
      <div className="usage-filters">
        <DateField label="From" name="since" value={since} />
        <DateField label="Before" name="until" value={until} />
        {user === "" ? null : <Chosen label={`user: ${user}`} name="user" />}
        {tag === "" ? null : <Chosen label={`tag: ${tag}`} name="tag" />}
        <span className="grow" />
        <label className="line">
          <span className="faint">Bars show</span>
          <select className="input" value={measure} onChange={(event) => setQuery({ measure: event.target.value === "minutes" ? undefined : event.target.value })}>
            {MEASURES.map((name) => (
              <option key={name} value={name}>
                {MEASURE_WORDS[name]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {total === undefined || sorted === undefined ? null : (
        <>
          <div className="figures small-figures">
            <Figure name="Sessions" value={count(total.sessions)} note={`${count(total.running)} running`} at={sessionsAt(...(user ? [`user:${user}`] : []), ...(tag ? [tagTerm(tag)] : []))} />
            <Figure name="Minutes" value={minutes(total.seconds)} note={`${total.seconds.toLocaleString()} s`} at={adminAt("usage", { ...filters(query), by: "session", measure: undefined })} />
            <Figure name="Bytes out" value={bytes(total.egressSent ?? 0)} note={`${count(total.egressSent ?? 0)} B`} at={adminAt("usage", { ...filters(query), by: "session", measure: "sent" })} />
            <Figure name="Bytes in" value={bytes(total.egressReceived ?? 0)} note={`${count(total.egressReceived ?? 0)} B`} at={adminAt("usage", { ...filters(query), by: "session", measure: "received" })} />
            <Figure name="Peak memory" value={bytes(total.peakMemoryMb * 1e6)} note="of the one that had most" at={adminAt("usage", { ...filters(query), by: "session", measure: "memory" })} />
          </div>
          {sorted.length === 0 ? (
            <p className="faint admin-note">No session was asked for in this time, or none with that {tag ? "tag" : "name"}.</p>
          ) : (
            <>
              <Bars
                label={`${MEASURE_WORDS[measure]} by ${by}`}
                bars={(by === "day" ? sorted.slice(-MOST_BARS) : sorted.slice(0, MOST_BARS)).map((line) => ({
                  key: line.key,
                  label: by === "day" ? line.label.slice(5) : line.label,
                  value: valueOf(line, measure),
                  words: words(valueOf(line, measure), measure),
                  at: line.at,
                }))}
              />
              <UsageRows lines={by === "day" ? sorted.toReversed() : sorted} by={by} />
            </>
          )}
        </>
      )}
    </Section>
  );
}

function UsageRows({ lines, by }: { lines: readonly Line[]; by: Group }): ReactElement {
  return (
    <>
      <div className="admin-row usage-row heading" aria-hidden="true">
        <span>{by.charAt(0).toUpperCase() + by.slice(1)}</span>
        <span>Sessions</span>
        <span>Minutes</span>
        <span>Bytes out</span>
        <span>Bytes in</span>
        <span>Peak memory</span>
      </div>
      <Rows
        label={`Usage by ${by}`}
        items={lines}
        keyOf={({ key }) => key}
        height={() => 28}
        render={({ label, at, sessions, seconds, egressSent, egressReceived, peakMemoryMb }) => (
          <div className="admin-row usage-row">
            <span className="cut" title={label}>
              {label}
            </span>
            <To at={at} label={`${sessions} sessions: ${label}`}>
              {count(sessions)}
            </To>
            <span className="data" title={`${seconds.toLocaleString()} s`}>
              {minutes(seconds)}
            </span>
            <span className="data" title={`${count(egressSent)} B`}>
              {bytes(egressSent)}
            </span>
            <span className="data" title={`${count(egressReceived)} B`}>
              {bytes(egressReceived)}
            </span>
            <span className="data">{bytes(peakMemoryMb * 1e6)}</span>
          </div>
        )}
      />
    </>
  );
}

function DateField({ label, name, value }: { label: string; name: string; value: string }): ReactElement {
  return (
    <label className="line">
      <span className="faint">{label}</span>
      <input className="input" type="date" value={value} onChange={(event) => setQuery({ [name]: event.target.value })} />
    </label>
  );
}

function Chosen({ label, name }: { label: string; name: string }): ReactElement {
  return (
    <button type="button" className="button" onClick={() => setQuery({ [name]: undefined })} title="Show all">
      <span className="cut">{label}</span> ×
    </button>
  );
}

function linesOf(report: Awaited<ReturnType<typeof client.usage>>, by: Group): Line[] {
  const whole = <T extends { egressSent?: number; egressReceived?: number }>(used: T): T & { egressSent: number; egressReceived: number } => ({
    ...used,
    egressSent: used.egressSent ?? 0,
    egressReceived: used.egressReceived ?? 0,
  });
  switch (by) {
    case "user":
      return (report.users ?? []).map((one) => ({ ...whole(one), key: one.userId, label: one.userId, at: sessionsAt(`user:${one.userId}`) }));
    case "day":
      return (report.days ?? []).map((one) => ({ ...whole(one), key: one.day, label: one.day, at: sessionsAt(`day:${one.day}`) }));
    case "tag":
      return (report.tags ?? []).map((one) => ({ ...whole(one), key: `${one.name}:${one.value}`, label: `${one.name}: ${one.value}`, at: sessionsAt(tagTerm(`${one.name}:${one.value}`)) }));
    case "session":
      return (report.sessions ?? []).map((one) => ({ ...whole(one), key: one.sessionId, label: `${one.sessionId} · ${one.userId}`, at: href("sessions", one.sessionId), sessions: 1, running: 0 }));
  }
}

/** The list of sessions has words without spaces: of a value with some, the tag's name is asked for. */
function tagTerm(tag: string): string {
  const [name = "", value] = [tag.slice(0, tag.includes(":") ? tag.indexOf(":") : undefined), tag.includes(":") ? tag.slice(tag.indexOf(":") + 1) : undefined];
  return value === undefined || value === "" || /[\s=]/.test(value) ? `tag:${name}` : `tag:${name}=${value}`;
}

function filters(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(["user", "tag", "since", "until"].map((name) => [name, query.get(name) ?? undefined]));
}

function oneOf<Name extends string>(all: readonly Name[], given: string | null, usual: Name): Name {
  return all.find((one) => one === given) ?? usual;
}

export type { Measure };

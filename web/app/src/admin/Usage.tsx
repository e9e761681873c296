/** Usage: what sessions used, by user, day, tag or one by one; as bars, as a list, as CSV. */
import { Download } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { Rows } from "../design/Rows.tsx";
import { Tabs } from "../design/Tabs.tsx";
import { href, root, setQuery, useAddress } from "../shell/address.ts";
import { client } from "../shell/server.ts";
import { bytes } from "../shell/time.ts";
import { MEASURES, MEASURE_WORDS, type Measure, count, dayAfter, minutes, usedAt, valueOf, words } from "./figures.ts";
import { Bars, Figure, Section, To } from "./parts.tsx";
import { useReading } from "./reading.ts";

const GROUPS = ["user", "day", "tag", "session"] as const;
type Group = (typeof GROUPS)[number];
const MOST_BARS = 40;

interface Line {
  key: string;
  label: string;
  /** The list that a measure of it is the sum of. */
  at: (measure: Measure) => string;
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
  const lines = useMemo(() => (reading.value === undefined ? undefined : linesOf(reading.value, by, filters(query))), [reading.value, by, query]);
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
            <Figure name="Sessions" value={count(total.sessions)} note={`${count(total.running)} running`} at={usedAt("sessions", filters(query))} />
            <Figure name="Minutes" value={minutes(total.seconds)} note={`${total.seconds.toLocaleString()} s`} at={usedAt("minutes", filters(query))} />
            <Figure name="Bytes out" value={bytes(total.egressSent ?? 0)} note={`${count(total.egressSent ?? 0)} B`} at={usedAt("sent", filters(query))} />
            <Figure name="Bytes in" value={bytes(total.egressReceived ?? 0)} note={`${count(total.egressReceived ?? 0)} B`} at={usedAt("received", filters(query))} />
            <Figure name="Peak memory" value={bytes(total.peakMemoryMb * 1e6)} note="of one session" at={usedAt("memory", filters(query))} />
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
                  at: line.at(measure),
                }))}
              />
              <p className="faint admin-note">
                A session counts, with all that it used, for the day in UTC on which it was asked for. Bytes are of connections that have ended: what is open in a session that runs is counted when it closes.
              </p>
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
          <div className="admin-row usage-row" data-line={label}>
            <span className="cut" title={label}>
              {label}
            </span>
            <To at={at("sessions")} label={`${count(sessions)} sessions: ${label}`}>
              {count(sessions)}
            </To>
            <To at={at("minutes")} className="data" label={`${minutes(seconds)} minutes, ${seconds.toLocaleString()} s: ${label}`}>
              {minutes(seconds)}
            </To>
            <To at={at("sent")} className="data" label={`${bytes(egressSent)} out, ${count(egressSent)} B: ${label}`}>
              {bytes(egressSent)}
            </To>
            <To at={at("received")} className="data" label={`${bytes(egressReceived)} in, ${count(egressReceived)} B: ${label}`}>
              {bytes(egressReceived)}
            </To>
            <To at={at("memory")} className="data" label={`${bytes(peakMemoryMb * 1e6)} at most: ${label}`}>
              {bytes(peakMemoryMb * 1e6)}
            </To>
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

function linesOf(report: Awaited<ReturnType<typeof client.usage>>, by: Group, asked: Record<string, string | undefined>): Line[] {
  const at =
    (own: Record<string, string>) =>
    (measure: Measure): string =>
      usedAt(measure, { ...asked, ...own });
  const whole = <T extends { egressSent?: number; egressReceived?: number }>(used: T): T & { egressSent: number; egressReceived: number } => ({
    ...used,
    egressSent: used.egressSent ?? 0,
    egressReceived: used.egressReceived ?? 0,
  });
  switch (by) {
    case "user":
      return (report.users ?? []).map((one) => ({ ...whole(one), key: one.userId, label: one.userId, at: at({ user: one.userId }) }));
    case "day":
      return (report.days ?? []).map((one) => ({ ...whole(one), key: one.day, label: one.day, at: at({ since: one.day, until: dayAfter(one.day) }) }));
    case "tag":
      return (report.tags ?? []).map((one) => ({ ...whole(one), key: `${one.name}:${one.value}`, label: `${one.name}: ${one.value}`, at: at({ tag: `${one.name}:${one.value}` }) }));
    case "session":
      return (report.sessions ?? []).map((one) => ({ ...whole(one), key: one.sessionId, label: `${one.sessionId} · ${one.userId}`, at: () => href("sessions", one.sessionId), sessions: 1, running: 0 }));
  }
}

function filters(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(["user", "tag", "since", "until"].map((name) => [name, query.get(name) ?? undefined]));
}

function oneOf<Name extends string>(all: readonly Name[], given: string | null, usual: Name): Name {
  return all.find((one) => one === given) ?? usual;
}

export type { Measure };

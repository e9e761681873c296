/** Overview: what runs, what it uses, whether all is well; each figure leads to the list that it counts. */
import type { ReactElement } from "react";
import { client } from "../shell/server.ts";
import { bytes } from "../shell/time.ts";
import { adminAt, count, lastDays, minutes, sessionsAt, usedAt } from "./figures.ts";
import { Bars, Figure, Meter, Section, To } from "./parts.tsx";
import { useReading } from "./reading.ts";

const DAYS = 14;
const MOST = 8;

export default function Overview(): ReactElement {
  const reading = useReading("overview", async () => {
    const [since] = lastDays(DAYS);
    const [usage, hosts, limits] = await Promise.all([
      client.usage({ by: ["user", "day"], ...(since === undefined ? {} : { since }) }),
      client.administration.hosts(),
      client.administration.limits(),
    ]);
    return { usage, hosts: hosts.hosts, limits, since };
  });
  // Trying the host takes seconds the first time: the rest does not wait for it.
  const checks = useReading("checks", () => client.administration.checks());
  const { value } = reading;
  const today = new Date().toISOString().slice(0, 10);
  const day = value?.usage.days?.find((one) => one.day === today);
  const near = value?.limits.users.filter(({ share }) => share >= 0.8).length ?? 0;
  const wrong = checks.value?.checks.filter(({ level }) => level !== "ok") ?? [];
  const isBad = wrong.some(({ level }) => level === "missing");
  const hosts = value?.hosts ?? [];
  const sum = (of: (host: (typeof hosts)[number]) => number): number => hosts.reduce((total, host) => total + of(host), 0);
  const users = [...(value?.usage.users ?? [])].sort((a, b) => b.seconds - a.seconds).slice(0, MOST);
  return (
    <Section title="Overview" reading={reading}>
      {value === undefined ? null : (
        <div className="admin-scroll" tabIndex={0} role="group" aria-label="Figures">
          <div className="figures">
            <Figure name="Sessions now" value={count(sum(({ sessions }) => sessions))} note={`of ${count(value.limits.sessions.limit ?? 0)} at most`} at={sessionsAt("-state:stopped", "-state:failed")} />
            <Figure name="Sessions today" value={count(day?.sessions ?? 0)} note="since midnight, UTC" at={sessionsAt(`day:${today}`)} />
            <Figure name="Minutes today" value={minutes(day?.seconds ?? 0)} note="that sessions had a box" at={usedAt("minutes", { since: today })} />
            <Figure name="Bytes out today" value={bytes(day?.egressSent ?? 0)} note={`${count(day?.egressSent ?? 0)} B`} at={usedAt("sent", { since: today })} />
            <Figure name="Bytes in today" value={bytes(day?.egressReceived ?? 0)} note={`${count(day?.egressReceived ?? 0)} B`} at={usedAt("received", { since: today })} />
            <Figure name="Warm boxes" value={`${sum(({ warm }) => warm)} of ${sum((host) => host.warmWanted ?? 0)}`} note={hosts.length === 1 ? "on one host" : `on ${hosts.length} hosts`} at={adminAt("hosts")} />
            <Figure name="Near a limit" value={count(near)} note={near === 1 ? "user at 80 % or more" : "users at 80 % or more"} at={adminAt("limits")} kind={near > 0 ? "ask" : undefined} />
            <Figure name="Drained hosts" value={count(hosts.filter(({ drainedAt }) => drainedAt != null).length)} note="take no more sessions" at={adminAt("hosts")} />
            <Figure
              name="Health"
              value={checks.value === undefined ? "…" : wrong.length === 0 ? "All well" : count(wrong.length)}
              note={checks.value === undefined ? "trying what sessions need" : (wrong[0]?.detail ?? "everything that sessions need is there")}
              at={adminAt("health")}
              kind={isBad ? "bad" : wrong.length > 0 ? "ask" : undefined}
            />
          </div>
          <h2>Sessions by day</h2>
          <Bars
            label="Sessions by day"
            bars={lastDays(DAYS).map((key) => {
              const found = value.usage.days?.find((one) => one.day === key);
              return { key, label: key.slice(5), value: found?.sessions ?? 0, words: `${found?.sessions ?? 0} sessions`, at: sessionsAt(`day:${key}`) };
            })}
          />
          <h2>Most minutes in these {DAYS} days</h2>
          <ul className="tops">
            {users.map((user) => (
              <li key={user.userId}>
                <span className="cut who-name">{user.userId}</span>
                <Meter used={user.seconds} limit={users[0]?.seconds} isPlain label={`${minutes(user.seconds)} minutes`} />
                <To at={usedAt("minutes", { user: user.userId, since: value.since })} className="data">{minutes(user.seconds)} min</To>
                <To at={usedAt("sessions", { user: user.userId, since: value.since })} className="data">{count(user.sessions)} sessions</To>
              </li>
            ))}
            {users.length === 0 ? <li className="faint">Nobody has had a session yet: what they use stands here then.</li> : null}
          </ul>
        </div>
      )}
    </Section>
  );
}

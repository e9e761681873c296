/** Limits: what all sessions, one session and one user may have, and who is near that. */
import type { SessionAllowance, UserLimits } from "belljar";
import type { ReactElement } from "react";
import { Rows } from "../design/Rows.tsx";
import { client } from "../shell/server.ts";
import { span } from "../shell/time.ts";
import { adminAt, count, sessionsAt } from "./figures.ts";
import { Meter, Section, To } from "./parts.tsx";
import { useReading } from "./reading.ts";

const NAMES: Record<string, string> = {
  sessions: "sessions",
  memory_mb: "memory",
  cpus: "processors",
  disk_mb: "disk",
  processes: "processes",
  viewers: "viewers",
};
const QUANTITIES = [
  ["memoryMb", "Memory", "memory"],
  ["cpus", "Processors", "cpus"],
  ["diskMb", "Disk", "disk"],
  ["processes", "Processes and threads", "processes"],
  ["viewers", "Live viewers", "viewers"],
  ["inputRate", "Input messages a second", "input_rate"],
  ["commandRate", "Commands a second", "command_rate"],
  ["evaluate", "Scripts of callers", "evaluate"],
  ["cdp", "CDP clients", "cdp"],
  ["record", "Record", "record"],
  ["film", "Film", "film"],
] as const;

// Of these, a user's sessions together may have a limit, too.
const TOGETHER: ReadonlySet<string> = new Set(["memoryMb", "cpus", "diskMb", "processes", "viewers"]);

export default function Limits(): ReactElement {
  const reading = useReading("limits", () => client.administration.limits());
  const { value } = reading;
  return (
    <Section title="Limits" reading={reading}>
      {value === undefined ? null : (
        <div className="admin-scroll" tabIndex={0} role="group" aria-label="Limits">
          <h2>All together</h2>
          <ul className="tops">
            <li>
              <span>Sessions with a box</span>
              <Meter used={value.sessions.used} limit={value.sessions.limit} label={`${value.sessions.used} of ${value.sessions.limit ?? "any number of"} sessions`} />
              <To at={sessionsAt("-state:stopped", "-state:failed", "-state:pending")} className="data">
                {count(value.sessions.used)} of {count(value.sessions.limit ?? 0)}
              </To>
              <To className="setting" at={adminAt("settings", { q: "max_sessions" })}>--max-sessions</To>
            </li>
            <li>
              <span>Sessions that wait for room</span>
              <Meter used={value.waiting.used} limit={value.waiting.limit} label={`${value.waiting.used} of ${value.waiting.limit ?? "any number"} waiting`} />
              <To at={sessionsAt("state:pending")} className="data">
                {count(value.waiting.used)} of {count(value.waiting.limit ?? 0)}
              </To>
              <To className="setting" at={adminAt("settings", { q: "queue" })}>--queue-length</To>
            </li>
          </ul>
          <h2>Who is near</h2>
          {value.users.length === 0 ? <p className="faint">Nobody has a session now: whoever has is here, the nearest to a limit first.</p> : <Near users={value.users} />}
          <h2>One session</h2>
          <p className="faint">
            These are <To at={adminAt("settings")}>settings</To> of the server, changed where it is started, so that who takes an admin&rsquo;s key cannot lift them. What one user may have can be lowered or raised with a key of theirs.
          </p>
          <table className="admin-table">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Unless it asks</th>
                <th scope="col">At most</th>
                <th scope="col">One user together</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  <To at={adminAt("settings", { q: "ttl" })}>Life</To>
                </th>
                <td><To at={adminAt("settings", { q: "--ttl" })}>{span(value.ttl * 1000)}</To></td>
                <td><To at={adminAt("settings", { q: "--max-ttl" })}>{span(value.maxTtl * 1000)}</To></td>
                <td className="faint">–</td>
              </tr>
              <tr>
                <th scope="row">
                  <To at={adminAt("settings", { q: "idle_timeout" })}>Without use</To>
                </th>
                <td><To at={adminAt("settings", { q: "idle_timeout" })}>{value.idleTimeout === 0 ? "any time" : span(value.idleTimeout * 1000)}</To></td>
                <td className="faint">–</td>
                <td className="faint">–</td>
              </tr>
              <tr>
                <th scope="row">
                  <To at={adminAt("settings", { q: "max_sessions_per_user" })}>Sessions</To>
                </th>
                <td className="faint">–</td>
                <td className="faint">–</td>
                <td><To at={adminAt("settings", { q: "max_sessions_per_user" })}>{count(value.perUser.sessions)}</To></td>
              </tr>
              {QUANTITIES.map(([field, label, setting]) => (
                <tr key={field}>
                  <th scope="row">
                    <To at={adminAt("settings", { q: setting })}>{label}</To>
                  </th>
                  <td>{quantity(field, value.default[field], setting)}</td>
                  <td>{quantity(field, value.most[field], setting)}</td>
                  <td>{TOGETHER.has(field) ? quantity(field, value.perUser[field as keyof typeof value.perUser], setting) : <span className="faint">–</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Near({ users }: { users: readonly UserLimits[] }): ReactElement {
  return (
    <div className="near" style={{ height: Math.min(users.length, 10) * 36 }}>
      <Rows
        label="Users by how near they are to a limit"
        items={users}
        keyOf={({ userId }) => userId}
        height={() => 36}
        render={({ userId, share, limits }) => (
          <div className="admin-row near-row" data-user={userId}>
            <span className="cut" title={userId}>
              {userId}
            </span>
            <Meter used={share} limit={1} label={`${Math.round(share * 100)} % of a limit`} />
            <To at={sessionsAt(`user:=${userId}`, "-state:stopped", "-state:failed")} className="data">
              {Math.round(share * 100)} %
            </To>
            <To at={sessionsAt(`user:=${userId}`, "-state:stopped", "-state:failed")} className="cut">
              {limits.map(({ name, used, limit }) => `${shown(name, used)} of ${limit == null ? "any" : shown(name, limit)} ${NAMES[name] ?? name}`).join(" · ")}
            </To>
          </div>
        )}
      />
    </div>
  );
}

function shown(name: string, value: number): string {
  return name.endsWith("_mb") ? `${count(value)} MiB` : count(value);
}

function quantity(field: string, value: SessionAllowance[keyof SessionAllowance] | undefined, setting: string): ReactElement {
  if (value == null) return <span className="faint">no limit</span>;
  return <To at={adminAt("settings", { q: setting })}>{field.endsWith("Mb") ? `${count(Number(value))} MiB` : String(value)}</To>;
}

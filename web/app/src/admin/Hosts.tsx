/** Hosts and their warm boxes: who is there, how much room is left, and draining one. */
import type { Host } from "belljar";
import { PauseCircle, PlayCircle } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "../design/Button.tsx";
import { ProblemNote } from "../design/Empty.tsx";
import { say } from "../design/Toasts.tsx";
import { client } from "../shell/server.ts";
import { absolute, ago, useNow } from "../shell/time.ts";
import { adminAt, count, sessionsAt } from "./figures.ts";
import { Meter, Section, To } from "./parts.tsx";
import { useReading } from "./reading.ts";

export default function Hosts(): ReactElement {
  const reading = useReading("hosts", () => client.administration.hosts());
  return (
    <Section title="Hosts and pool" reading={reading}>
      <div className="admin-scroll" tabIndex={0} role="group" aria-label="Hosts">
        {reading.value?.hosts.map((host) => (
          <OneHost key={host.name} host={host} onChanged={reading.again} />
        ))}
      </div>
    </Section>
  );
}

function OneHost({ host, onChanged }: { host: Host; onChanged: () => void }): ReactElement {
  const now = useNow();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isDrained = host.drainedAt != null;
  const change = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const after = isDrained ? await client.administration.undrain(host.name) : await client.administration.drain(host.name);
      say(isDrained ? `${host.name} takes sessions again.` : `${host.name} takes no more sessions; ${after.sessions === 0 ? "none is" : after.sessions === 1 ? "one is" : `${after.sessions} are`} left on it.`);
      onChanged();
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  const state = isDrained ? "drained" : host.isAlive ? "up" : "gone";
  return (
    <section className="host" data-host={host.name}>
      <div className="line">
        <span className="dot" data-state={isDrained ? "asks" : host.isAlive ? "running" : "failed"} />
        <h2 className="cut">{host.name}</h2>
        <span className="tag">{state}</span>
        {host.isThis ? <span className="faint">answers you</span> : null}
        <span className="grow" />
        <Button icon={isDrained ? PlayCircle : PauseCircle} disabled={isBusy} onClick={() => void change()}>
          {isDrained ? "Take sessions again" : "Drain"}
        </Button>
      </div>
      {isDrained ? (
        <p className="need">
          Takes no more sessions since {absolute(host.drainedAt ?? "")}, as {host.drainedBy} wanted. What runs on it goes on.
        </p>
      ) : host.isAlive ? null : (
        <p className="need" data-kind="bad">
          No control plane of this host has said anything lately: its sessions cannot be reached.
        </p>
      )}
      {error === undefined ? null : <ProblemNote error={error} />}
      <dl className="facts">
        <div>
          <dt>Sessions</dt>
          <dd>
            <To at={sessionsAt(`host:=${host.name}`, "-state:stopped", "-state:failed")}>{count(host.sessions)}</To> ·{" "}
            <To at={sessionsAt(`host:=${host.name}`, "state:running")} className="faint">{count(host.running)} running</To>
          </dd>
        </div>
        <div>
          <dt>Warm boxes</dt>
          <dd>
            <To at={adminAt("settings", { q: "pool" })}>
              {host.warm} of {host.warmWanted ?? 0} wanted{(host.warmStarting ?? 0) > 0 ? `, ${host.warmStarting} starting` : ""}
            </To>
            <Meter used={host.warm} limit={Math.max(host.warmWanted ?? 0, 1)} isPlain label={`${host.warm} of ${host.warmWanted ?? 0} warm boxes`} />
          </dd>
        </div>
        <div>
          <dt>Free memory</dt>
          <dd>{host.freeMemoryMb == null ? <span className="faint">not said</span> : <To at={adminAt("settings", { q: "memory" })}>{count(host.freeMemoryMb)} MiB</To>}</dd>
        </div>
        <div>
          <dt>Free disk</dt>
          <dd>{host.freeDiskMb == null ? <span className="faint">not said</span> : <To at={adminAt("settings", { q: "disk" })}>{count(host.freeDiskMb)} MiB</To>}</dd>
        </div>
        <div>
          <dt>Boxes are</dt>
          <dd>{host.launcher == null ? <span className="faint">not said</span> : host.launcher === "local" ? "processes of this host" : `made by ${host.launcher}`}</dd>
        </div>
        {host.planes.map((plane) => (
          <div key={plane.id}>
            <dt>
              Control plane <span className="mono">{plane.id}</span>
            </dt>
            <dd>
              {plane.isAlive ? "seen " : <span className="bad">gone, last seen </span>}
              <time title={absolute(plane.seenAt)}>{ago(now - Date.parse(plane.seenAt))}</time>
              <span className="faint">
                {" "}
                · started {ago(now - Date.parse(plane.startedAt))}
                {plane.version == null ? "" : ` · ${plane.version}`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What this session is: its state and times, how to connect, what keeps it in, its box's log. */
import type { BrowserStatusResponse, HealthResponse } from "belljar";
import { RefreshCw, Square } from "lucide-react";
import { type ReactElement, type ReactNode, useCallback, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { ProblemNote } from "../../../design/Empty.tsx";
import { Connect } from "../../../sessions/Connect.tsx";
import { reasonOf } from "../../../sessions/list.ts";
import { useAccess } from "../../../shell/server.ts";
import { absolute, bytes, span, useNow } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { Contexts } from "./Contexts.tsx";
import { Log, Programs } from "./Diagnostics.tsx";
import "../rows.css";

export default function About(): ReactElement {
  const { id, info, isRunning, live, mayDrive } = useSessionContext();
  const access = useAccess();
  return (
    <div className="panel about">
      {info === undefined ? null : <SessionFacts />}
      {isRunning ? <Runtime /> : null}
      {id !== undefined && isRunning && access.kind === "in" ? <Connect session={id} /> : null}
      {isRunning && mayDrive ? <Contexts /> : null}
      {isRunning && mayDrive ? <Programs /> : null}
      {access.kind === "in" && id !== undefined ? <Log id={id} /> : null}
      {live.ready === undefined ? null : (
        <p className="faint small">
          Box {live.ready.boxId} · Belljar {live.ready.version}
        </p>
      )}
    </div>
  );
}

function Facts({ title, children, tools }: { title: string; children: ReactNode; tools?: ReactNode }): ReactElement {
  return (
    <section className="about-part">
      <div className="line">
        <h3 className="grow">{title}</h3>
        {tools}
      </div>
      <dl className="facts">{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement | null {
  if (children == null || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function SessionFacts(): ReactElement | null {
  const { info } = useSessionContext();
  const now = useNow();
  if (info === undefined) return null;
  const { isolation, limits } = info;
  return (
    <Facts title="Session">
      <Fact name="Id">
        <span className="mono">{info.id}</span>
      </Fact>
      <Fact name="State">{info.endedAt == null ? info.state : reasonOf(info)}</Fact>
      <Fact name="User">{info.userId}</Fact>
      <Fact name="Host">{info.host}</Fact>
      <Fact name="Began">{absolute(info.createdAt)}</Fact>
      {info.endedAt == null ? <Fact name="Ends">{`${absolute(info.expiresAt)}, in ${span(Date.parse(info.expiresAt) - now)}`}</Fact> : <Fact name="Ended">{absolute(info.endedAt)}</Fact>}
      <Fact name="When idle">{info.idleTimeout === 0 ? "goes on" : `ends after ${span(info.idleTimeout * 1000)}`}</Fact>
      <Fact name="Runs">{`${info.mode}${info.headless ? ", headless" : ""}, ${info.viewport.width} × ${info.viewport.height}`}</Fact>
      <Fact name="Profile">{info.profileId}</Fact>
      <Fact name="Memory">{info.memoryMb == null ? null : `${Math.round(info.memoryMb)} MB${limits?.memoryMb == null ? "" : ` of ${limits.memoryMb} MB`}`}</Fact>
      <Fact name="Processor time">{info.cpuSeconds == null ? null : `${Math.round(info.cpuSeconds)} s`}</Fact>
      <Fact name="Record">{limits?.record}</Fact>
      <Fact name="Kept in by">{isolation == null ? null : isolation.jail === false ? <span className="bad">no jail: {isolation.reason}</span> : "a jail"}</Fact>
      <Fact name="Tags">{Object.entries(info.tags).map(([tag, value]) => (value ? `${tag}: ${value}` : tag)).join(", ")}</Fact>
      <Fact name="Metadata">{Object.keys(info.metadata).length === 0 ? null : <span className="mono">{JSON.stringify(info.metadata)}</span>}</Fact>
    </Facts>
  );
}

function Runtime(): ReactElement {
  const { box, live, mayDrive } = useSessionContext();
  const [status, setStatus] = useState<BrowserStatusResponse>();
  const [health, setHealth] = useState<HealthResponse>();
  const [error, setError] = useState<unknown>();
  const mode = live.ready?.mode;
  const read = useCallback(() => {
    setError(undefined);
    box.browser.status().then(setStatus, setError);
    box.health().then(setHealth, () => undefined);
  }, [box]);
  // When what is shown becomes another; what only counts up is asked for by hand.
  useEffect(read, [read, mode]);
  const stop = (): void => void (mode === "desktop" ? box.desktop.stop() : box.browser.stop()).then(read, setError);
  return (
    <Facts
      title="Runtime"
      tools={
        <>
          <Button kind="plain" icon={RefreshCw} label="Look again" onClick={read} />
          {mayDrive && mode !== "none" && mode !== undefined ? (
            <Button icon={Square} onClick={stop}>
              Stop the {mode}
            </Button>
          ) : null}
        </>
      }
    >
      {error === undefined ? null : <ProblemNote error={error} />}
      <Fact name="Shows">{mode}</Fact>
      <Fact name="Browser">{status?.state}</Fact>
      <Fact name="Address">{status?.url}</Fact>
      <Fact name="Started">{status?.startedAt == null ? null : absolute(status.startedAt)}</Fact>
      <Fact name="Last error">{status?.lastError == null ? null : <span className="bad">{[status.lastError.message, ...(status.lastError.stderr ?? [])].join("\n")}</span>}</Fact>
      <Fact name="Missing">{status?.missingDependencies?.join(", ")}</Fact>
      <Fact name="Box is up">{health === undefined ? null : span(health.uptimeSeconds * 1000)}</Fact>
      <Fact name="Sent and received">{health?.egressBytes == null ? null : bytes(health.egressBytes)}</Fact>
      <Fact name="Viewers">{live.stats?.viewers}</Fact>
    </Facts>
  );
}

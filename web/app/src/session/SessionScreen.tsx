/** One session, whether it is starting, live, ended or failed: head, stage, ask bar, timeline, drawer. */
import { type SandboxAgent, type SessionInfo, Problem } from "belljar";
import { type LiveSession, useSession, useTools } from "@belljar/react";
import { Connection } from "belljar/live";
import { CloudOff, SearchX } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Empty, ProblemNote } from "../design/Empty.tsx";
import { say, sayProblem } from "../design/Toasts.tsx";
import { isLive, nameOf } from "../sessions/list.ts";
import { go, href, setQuery, useAddress } from "../shell/address.ts";
import { useCommands } from "../shell/keys.ts";
import { useRemembered } from "../shell/preferences.ts";
import { boxClient, client, openSession, useAccess } from "../shell/server.ts";
import { TopBar } from "../shell/Shell.tsx";
import { type SessionContext, SessionProvider } from "./context.ts";
import { AskBar } from "./AskBar.tsx";
import { Drawer } from "./Drawer.tsx";
import { Head } from "./Head.tsx";
import { copyMomentLink } from "./moment_link.ts";
import { PANELS } from "./panels/index.ts";
import { usePlayhead } from "./timeline/playhead.ts";
import { useRange } from "./timeline/range.ts";
import { RecordStore } from "./record/record.ts";
import { Stage } from "./Stage.tsx";
import { EndedStage, StartingStage } from "./StillStage.tsx";
import { TabStrip } from "./TabStrip.tsx";
import { Timeline } from "./timeline/Timeline.tsx";
import "./session.css";

export default function SessionScreen({ id }: { id: string | undefined }): ReactElement {
  const { info, error, isKnown, refresh } = useInfo(id);
  if (error !== undefined)
    return (
      <div className="screen">
        <TopBar />
        {error instanceof Problem && error.status === 404 ? (
          <Empty icon={SearchX} title="There is no such session">
            <p>{error.message}</p>
            <Button onClick={() => go(href())}>All sessions</Button>
          </Empty>
        ) : (
          <Empty icon={CloudOff} title="The session could not be read">
            <ProblemNote error={error} onAgain={refresh} />
          </Empty>
        )}
      </div>
    );
  if (!isKnown)
    return (
      <div className="screen" aria-busy="true">
        <TopBar />
        <div className="panel-wait">
          <span className="busy" role="status" aria-label="Loading" />
        </div>
      </div>
    );
  if (info !== undefined && !isLive(info)) return <StillSession key="ended" id={id} info={info} refresh={refresh} />;
  if (info !== undefined && info.state !== "running") return <StillSession key="starting" id={id} info={info} refresh={refresh} />;
  return <RunningSession id={id} info={info} refresh={refresh} />;
}

interface Known {
  id: string | undefined;
  info: SessionInfo | undefined;
  refresh: () => void;
}

/** What the control plane says of it; while it comes up, as it does. */
function useInfo(id: string | undefined): { info: SessionInfo | undefined; error: unknown; isKnown: boolean; refresh: () => void } {
  const access = useAccess();
  const isOwner = access.kind === "in" && id !== undefined;
  const [info, setInfo] = useState<SessionInfo>();
  const [error, setError] = useState<unknown>();
  const [isOpen, setOpen] = useState(!isOwner);
  const isRead = useRef(false);
  const refresh = useCallback(() => {
    if (!isOwner || id === undefined) return;
    client.sessions.get(id).then(
      (found) => {
        isRead.current = true;
        setInfo(found);
        setError(undefined);
      },
      // What is on the screen stays there while the network is away.
      (failed: unknown) => setError((old: unknown) => (failed instanceof Problem || !isRead.current ? failed : old)),
    );
  }, [id, isOwner]);
  useEffect(refresh, [refresh]);
  const state = info?.state;
  const isFaulty = error !== undefined;
  useEffect(() => {
    if (id === undefined || (state !== "pending" && state !== "starting" && state !== "stopping")) return undefined;
    const ending = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const _ of client.sessions.follow(id, {}, { signal: ending.signal })) refresh();
      refresh();
    };
    follow().catch(() => undefined);
    return () => ending.abort();
  }, [id, state, refresh]);
  useEffect(() => {
    if (!isOwner || id === undefined || state !== "running" || isFaulty) return;
    openSession(id).then(() => setOpen(true), setError);
  }, [id, isOwner, state, isFaulty]);
  const isKnown = !isOwner || (info !== undefined && (isOpen || state !== "running"));
  return { info, error, isKnown, refresh };
}

function RunningSession(props: Known): ReactElement {
  const box = useMemo(() => boxClient(props.id), [props.id]);
  const live = useSession(box);
  const { refresh } = props;
  // The connection is refused for good once the session is over: then the control plane knows more.
  useEffect(() => {
    if (live.refusal !== undefined) refresh();
  }, [live.refusal, refresh]);
  return <Workspace {...props} box={box} live={live} isRunning />;
}

function StillSession(props: Known): ReactElement {
  const box = useMemo(() => boxClient(props.id), [props.id]);
  const live = useMemo(notConnected, []);
  return <Workspace {...props} box={box} live={live} isRunning={false} />;
}

function notConnected(): LiveSession {
  const connection = new Connection("", { storage: null });
  const call = (): Promise<never> => Promise.reject(new Error("The session does not run."));
  return { ...connection.getSnapshot(), connection, holdsControl: false, refusal: undefined, call, files: () => Promise.resolve(undefined) };
}

function isBetween(): boolean {
  return innerWidth >= 768 && innerWidth < 1280;
}

interface WorkspaceProps extends Known {
  box: SandboxAgent;
  live: LiveSession;
  isRunning: boolean;
}

function Workspace({ id, info, refresh, box, live, isRunning }: WorkspaceProps): ReactElement {
  const { query } = useAddress();
  const [lastPanel, setLastPanel] = useRemembered("panel", "activity");
  const [isAlone, setAlone] = useState(false);
  const [range, setRange] = useRange();
  const stage = useRef<HTMLTextAreaElement>(null);
  const isEnded = info !== undefined && !isLive(info);
  const record = useMemo(
    () => new RecordStore(isRunning ? { kind: "box", box, id } : isEnded && id !== undefined ? { kind: "ended", id } : { kind: "none" }, refresh),
    [box, id, isRunning, isEnded, refresh],
  );
  // Where it would lie over the stage, the drawer waits to be asked for.
  const panel = query.get("panel") ?? (isBetween() ? "none" : lastPanel);
  const { moment, setMoment, isPlaying, toggle: togglePlay } = usePlayhead(record);
  const mayDrive = live.ready === undefined ? isEnded : live.ready.role !== "view";
  const openPanel = useCallback(
    (name: string) => {
      setAlone(false);
      setLastPanel(name);
      setQuery({ panel: name });
    },
    [setLastPanel],
  );
  const closePanel = (): void => {
    setLastPanel("none");
    setQuery({ panel: "none" });
  };
  const context: SessionContext = {
    id,
    info,
    refresh,
    isRunning,
    box,
    live,
    mayDrive,
    record,
    moment,
    setMoment,
    isPlaying,
    togglePlay,
    range,
    setRange,
    openPanel,
    copyMoment: () => void copyMomentLink(moment ?? record.getSnapshot().events.at(-1)?.t),
    focusStage: () => stage.current?.focus(),
  };
  const own = useTools(live, sayProblem, () => say("Copied."));
  const panels = PANELS.filter(({ isFor }) => isFor === undefined || isFor(context));
  const open = isAlone || panel === "none" ? undefined : (panels.find(({ name }) => name === panel) ?? panels[0]);
  useCommands([
    { keys: "\\", label: open === undefined ? "Show the drawer" : "Hide the drawer", group: "Session", run: () => (open === undefined ? openPanel(lastPanel === "none" ? "activity" : lastPanel) : closePanel()) },
    { keys: "f", label: "Stage alone", group: "Session", run: () => setAlone(!isAlone) },
    { keys: "Enter", label: "Type into the page", group: "Session", run: () => stage.current?.focus(), isKeyOnly: true },
    ...(isRunning && mayDrive
      ? [
          { label: "Find on the page", group: "Session", run: () => own.tools.find() },
          { label: "Save the page as PDF", group: "Session", run: () => void own.tools.print() },
          { label: "Copy what is selected on the page", group: "Session", run: () => void own.tools.copy() },
        ]
      : []),
    { keys: "s", label: "Copy a link to this moment", group: "Session", run: context.copyMoment },
    { keys: "l", label: "Back to now", group: "Session", run: () => setMoment(undefined) },
    { keys: "Space", label: isPlaying ? "Pause" : "Play", group: "Session", run: togglePlay },
    ...panels.map(({ key, name, label }) => ({ keys: key, label: `Panel: ${label}`, group: "Session", run: () => openPanel(name) })),
  ]);
  const title = info === undefined ? (live.tabs.find((tab) => tab.active)?.title ?? "Box") : nameOf(info);
  useEffect(() => {
    document.title = `${title || "Session"} – Belljar`;
  }, [title]);
  return (
    <SessionProvider value={context}>
      <div className="screen session-screen" data-alone={isAlone || undefined}>
        <Head />
        <div className="workspace">
          <div className="stage-side">
            {isRunning ? <TabStrip /> : null}
            {isRunning ? <AskBar stage={stage} own={own} /> : null}
            {isRunning ? <Stage keys={stage} tools={own.tools} /> : isEnded ? <EndedStage /> : <StartingStage />}
            <Timeline />
          </div>
          <Drawer panels={panels} open={open} onChoose={openPanel} onClose={closePanel} />
        </div>
      </div>
    </SessionProvider>
  );
}

/** The live view of a box's browser, and of its desktop. */
import { BelljarError, type DesktopStreamErrorStatus, type DesktopStreamReadyStatus, type LiveNavigated, type SandboxAgent } from "belljar";
import type { LiveTransport } from "belljar/live";
import { type CSSProperties, type ReactElement, useEffect, useState } from "react";
import { NavigationBar, StatusBar } from "./bars.tsx";
import { Stage } from "./Stage.tsx";
import { useLatest } from "./useLatest.ts";
import { type LiveClient, type LiveSession, useSession } from "./useSession.ts";

/** The calls by which spec 1 knows a viewer's client, and the live connection that they go over here. */
export type BrowserViewerClient = Pick<
  SandboxAgent,
  "connectDesktopStream" | "browserNavigate" | "browserBack" | "browserForward" | "browserReload" | "getBrowserStatus"
> &
  LiveClient;
export type DesktopViewerClient = Pick<SandboxAgent, "connectDesktopStream"> & LiveClient;

interface ViewerProps {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  /** Of the picture itself. */
  imageStyle?: CSSProperties | undefined;
  /** Of the whole; 480 pixels where nothing is said. */
  height?: number | string | undefined;
  showStatusBar?: boolean | undefined;
  /** The only way for video, beside pictures; the best that works where none is named. */
  transport?: LiveTransport | undefined;
  /** Give the display the size that it is shown in; the server allows it with `--live-resize`. */
  fitDisplay?: boolean | undefined;
  /** Connected, also again after a loss; with the size of what is shown. */
  onConnect?: ((status: DesktopStreamReadyStatus) => void) | undefined;
  onDisconnect?: (() => void) | undefined;
  /** What is shown comes another way. */
  onTransport?: ((transport: LiveTransport) => void) | undefined;
}

export interface BrowserViewerProps extends ViewerProps {
  client: BrowserViewerClient;
  showNavigationBar?: boolean | undefined;
  /** Of a browser with a window: its page alone, or all of the window with its tabs and menus. */
  show?: "page" | "window" | undefined;
  /** The tab in front shows something else, whoever led it there. */
  onNavigate?: ((url: string, page: LiveNavigated) => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
}

export interface DesktopViewerProps extends ViewerProps {
  client: DesktopViewerClient;
  onError?: ((error: DesktopStreamErrorStatus | Error) => void) | undefined;
}

/** The browser with an address bar: watch it, click into it, type. */
export function BrowserViewer({ client, showNavigationBar = true, onNavigate, ...rest }: BrowserViewerProps): ReactElement {
  const session = useSession(client);
  const told = useLatest(onNavigate);
  useEffect(
    () =>
      session.connection.on("navigated", (page) => {
        const active = session.connection.getSnapshot().tabs.find((tab) => tab.active);
        if (active === undefined || active.id === page.tabId) told.current?.(page.url, page);
      }),
    [session.connection, told],
  );
  return <Viewer session={session} label="The browser" hasNavigation={showNavigationBar} {...rest} />;
}

/** The desktop: watch it, click into it, type. */
export function DesktopViewer({ client, ...rest }: DesktopViewerProps): ReactElement {
  return <Viewer session={useSession(client)} label="The desktop" hasNavigation={false} {...rest} />;
}

interface FrameProps extends ViewerProps {
  session: LiveSession;
  label: string;
  hasNavigation: boolean;
  show?: "page" | "window" | undefined;
  onError?: ((error: Error) => void) | undefined;
}

function Viewer(props: FrameProps): ReactElement {
  const { session, label, hasNavigation, className, style, imageStyle, transport, show, fitDisplay, height = 480, showStatusBar = true } = props;
  const { connection, refusal } = session;
  const [problem, setProblem] = useState("");
  const told = useLatest(props);

  useEffect(() => {
    let isConnected = false;
    const came = (size: { w: number; h: number } | null | undefined): void => {
      if (isConnected || size == null || connection.getSnapshot().ready === undefined) return;
      isConnected = true;
      told.current.onConnect?.({ type: "ready", width: size.w, height: size.h });
    };
    const left = (): void => {
      if (isConnected) told.current.onDisconnect?.();
      isConnected = false;
    };
    const ends = [
      connection.on("ready", (ready) => came(ready.viewport)),
      connection.on("frame", (shot) => came(shot.viewport)),
      connection.on("state", (state) => state === "open" || left()),
      connection.on("navigated", () => setProblem("")),
      connection.on("error", ({ code, message }) => {
        if (code === "rate_limited") return;
        setProblem(message);
        told.current.onError?.(new BelljarError(code, message));
      }),
    ];
    return () => {
      for (const end of ends) end();
      left();
    };
  }, [connection, told]);
  useEffect(() => {
    if (refusal !== undefined) told.current.onError?.(refusal);
  }, [refusal, told]);

  const isOpen = session.state === "open";
  useEffect(() => {
    if (isOpen) told.current.onTransport?.(session.transport);
  }, [isOpen, session.transport, told]);

  const failed = ({ message, code }: { message: string; code?: string }): void => {
    setProblem(message);
    told.current.onError?.(new BelljarError(code ?? "connection_lost", message));
  };
  const part = { session, onProblem: failed };
  return (
    <div className={className === undefined ? "belljar-viewer" : `belljar-viewer ${className}`} style={{ ...FRAME, height, ...style }}>
      {hasNavigation ? <NavigationBar {...part} /> : null}
      <Stage {...part} label={label} imageStyle={imageStyle} transport={transport} show={show} fitDisplay={fitDisplay} />
      {showStatusBar ? <StatusBar {...part} problem={problem} /> : null}
    </div>
  );
}

const FRAME: CSSProperties = { display: "flex", flexDirection: "column", boxSizing: "border-box" };

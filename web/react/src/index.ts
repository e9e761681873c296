/** React components for Belljar: live views of a box's browser and desktop, its terminals, and hooks beneath them. */
export { FindBar } from "./FindBar.tsx";
export type { FindBarProps } from "./FindBar.tsx";
export { PageAsk } from "./PageAsk.tsx";
export type { PageAskProps } from "./PageAsk.tsx";
export { ProcessTerminal } from "./ProcessTerminal.tsx";
export type { ProcessTerminalClient, ProcessTerminalProps } from "./ProcessTerminal.tsx";
export type { LiveTransport } from "belljar/live";
export { useEvents } from "./useEvents.ts";
export type { EventsOptions, FollowedEvents } from "./useEvents.ts";
export { useSession } from "./useSession.ts";
export type { LiveClient, LiveSession } from "./useSession.ts";
export { useTools } from "./useTools.ts";
export type { SessionTools } from "./useTools.ts";
export { BrowserViewer, DesktopViewer } from "./viewers.tsx";
export type { BrowserViewerClient, BrowserViewerProps, DesktopViewerClient, DesktopViewerProps } from "./viewers.tsx";

/** What every part of the session screen knows: which session, who may do what, what happened, and which moment is looked at. */
import type { SandboxAgent, SessionInfo } from "belljar";
import type { LiveSession } from "@belljar/react";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { RecordSnapshot, RecordStore } from "./record/record.ts";

export interface SessionContext {
  /** Undefined where this is a box of its own. */
  id: string | undefined;
  /** What the control plane knows of it: undefined on a box, and for guests. */
  info: SessionInfo | undefined;
  /** Ask for `info` again, after something was changed. */
  refresh: () => void;
  /** Whether its box can be called now. */
  isRunning: boolean;
  /** Calls to its box, with the cookie: `box.browser.markdown()`. */
  box: SandboxAgent;
  /** The live connection: tabs, control, dialogs, `call("navigate", …)`, `connection.on("console", …)`. */
  live: LiveSession;
  /** False for a `view` token: what needs more is absent, not greyed. */
  mayDrive: boolean;
  /** What happened, as it comes: `useRecord()` draws with it. */
  record: RecordStore;
  /** The moment looked at, in microseconds since 1970 as in the record; undefined is now. */
  moment: number | undefined;
  setMoment: (moment: number | undefined) => void;
  /** Whether the moment moves by itself, as in a film. */
  isPlaying: boolean;
  togglePlay: () => void;
  /** What the timeline has marked: console, network and activity show only this. */
  range: readonly [from: number, to: number] | undefined;
  setRange: (range: readonly [from: number, to: number] | undefined) => void;
  /** Show a panel of the drawer by its name. */
  openPanel: (name: string) => void;
  /** Put a link to the moment looked at on the clipboard; looked at now, to the newest event. */
  copyMoment: () => void;
  /** Keys typed go into the page. */
  focusStage: () => void;
}

const Context = createContext<SessionContext | undefined>(undefined);
export const SessionProvider = Context.Provider;

export function useSessionContext(): SessionContext {
  const context = useContext(Context);
  if (context === undefined) throw new TypeError("This is a part of the session screen.");
  return context;
}

/** The record so far; draws again when more came. */
export function useRecord(): RecordSnapshot {
  const { record } = useSessionContext();
  return useSyncExternalStore(record.subscribe, record.getSnapshot);
}

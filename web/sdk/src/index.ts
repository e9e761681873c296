/** Belljar: a real browser and a Linux desktop in a sandbox, for agents. */
export { SandboxAgent } from "./agent.ts";
export type {
  ProcessLogListener,
  ProcessLogSubscription,
  SandboxAgentConnectOptions,
  WebSocketUrlOptions,
} from "./agent.ts";
export { Box } from "./box.ts";
export type { BrowserUploadOwnFiles } from "./browser.ts";
export type { QueryOf } from "./calls.ts";
export { Belljar } from "./client.ts";
export { Events } from "./events.ts";
export type { HeldControl } from "./control.ts";
export type { CallOptions, ConnectionOptions } from "./http.ts";
export { BelljarError, Problem, SandboxAgentError, isProblem } from "./problems.ts";
export type { ProblemCode, ProblemDetails } from "./problems.ts";
export type * from "./queries.ts";
export type * from "./schemas.gen.ts";
export type { Session as SessionInfo } from "./schemas.gen.ts";
export { Session, Sessions } from "./sessions.ts";
export type { SessionListEvent } from "./sessions.ts";
export type { SocketOptions, WebSocketLike } from "./sockets.ts";
export { DesktopStreamSession } from "./stream.ts";
export type {
  DesktopStreamConnectOptions,
  DesktopStreamErrorStatus,
  DesktopStreamReadyStatus,
  DesktopStreamSessionOptions,
  DesktopStreamStatusMessage,
} from "./stream.ts";
export { ProcessTerminalSession } from "./terminal.ts";
export type {
  TerminalErrorStatus,
  TerminalExitStatus,
  TerminalReadyStatus,
  TerminalStatusMessage,
} from "./terminal.ts";

/** Names that spec 1 and the reference client have for what is no schema of its own: queries, and one model's two uses. */
import type { QueryOf } from "./calls.ts";
import type {
  DesktopKeyboardHoldRequest,
  DesktopMouseButtonRequest,
  Ok,
  ProcessTerminalError,
  ProcessTerminalExit,
  ProcessTerminalReady,
  ProcessTerminalSize,
} from "./schemas.gen.ts";

export type BrowserScreenshotRequest = QueryOf<"takeBrowserScreenshot">;
export type BrowserPdfRequest = QueryOf<"getBrowserPdf">;
export type BrowserConsoleQuery = QueryOf<"getBrowserConsole">;
export type BrowserNetworkQuery = QueryOf<"getBrowserNetwork">;
export type BrowserSnapshotQuery = QueryOf<"getBrowserSnapshot">;
export type DesktopScreenshotQuery = QueryOf<"takeDesktopScreenshot">;
export type DesktopRegionScreenshotQuery = QueryOf<"takeDesktopRegionScreenshot">;
export type DesktopClipboardQuery = QueryOf<"getDesktopClipboard">;
export type DesktopActionResponse = Ok;
export type DesktopMouseDownRequest = DesktopMouseButtonRequest;
export type DesktopMouseUpRequest = DesktopMouseButtonRequest;
export type DesktopKeyboardDownRequest = DesktopKeyboardHoldRequest;
export type DesktopKeyboardUpRequest = DesktopKeyboardHoldRequest;
export type FsEntriesQuery = QueryOf<"listFsEntries">;
export type FsPathQuery = QueryOf<"readFsFile">;
export type FsDeleteQuery = QueryOf<"deleteFsEntry">;
export type FsUploadBatchQuery = QueryOf<"uploadFsBatch">;
export type ProcessListQuery = QueryOf<"listProcesses">;
export type ProcessSignalQuery = QueryOf<"stopProcess">;
export type ProcessLogsQuery = QueryOf<"getProcessLogs">;
export type ProcessLogFollowQuery = ProcessLogsQuery;
export type ProcessTerminalResizeRequest = ProcessTerminalSize;
export type ProcessTerminalResizeResponse = ProcessTerminalSize;
export type ProcessTerminalReadyFrame = ProcessTerminalReady;
export type ProcessTerminalExitFrame = ProcessTerminalExit;
export type ProcessTerminalErrorFrame = ProcessTerminalError;

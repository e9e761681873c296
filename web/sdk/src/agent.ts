/** A box by the flat names of spec 1 and of the client `sandbox-agent`, which this can stand for. */
import type { BrowserUploadOwnFiles } from "./browser.ts";
import { Box } from "./box.ts";
import type { QueryOf } from "./calls.ts";
import { sleep } from "./ending.ts";
import { type CallOptions, type ConnectionOptions, Http } from "./http.ts";
import { BelljarError, isProblem } from "./problems.ts";
import type {
  BrowserActionResponse,
  BrowserAnswerRequest,
  BrowserAskListResponse,
  BrowserCdpVersion,
  BrowserClickRequest,
  BrowserConsoleResponse,
  BrowserContentResponse,
  BrowserContextCreateRequest,
  BrowserContextInfo,
  BrowserContextListResponse,
  BrowserCookiesDeleteResponse,
  BrowserCookiesResponse,
  BrowserCookiesSetRequest,
  BrowserCrawlInfo,
  BrowserCrawlJob,
  BrowserCrawlListResponse,
  BrowserCrawlRequest,
  BrowserCrawlResponse,
  BrowserDialogRequest,
  BrowserDialogResponse,
  BrowserDialogStatusResponse,
  BrowserDownloadListResponse,
  BrowserDragRequest,
  BrowserElementsResponse,
  BrowserEmulationRequest,
  BrowserEventsResponse,
  BrowserExecuteRequest,
  BrowserExecuteResponse,
  BrowserFillRequest,
  BrowserHistoryRequest,
  BrowserHoverRequest,
  BrowserLinksResponse,
  BrowserMarkdownResponse,
  BrowserNavigateRequest,
  BrowserNetworkRequestDetails,
  BrowserNetworkResponse,
  BrowserFindRequest,
  BrowserFindResponse,
  BrowserOnTab,
  BrowserSelectionResponse,
  BrowserPageInfo,
  BrowserPartitionInfo,
  BrowserPartitionListResponse,
  BrowserPartitionPutRequest,
  BrowserPressRequest,
  BrowserReloadRequest,
  BrowserScrapeRequest,
  BrowserScrapeResponse,
  BrowserScrollRequest,
  BrowserScrollResponse,
  BrowserSelectRequest,
  BrowserSelectResponse,
  BrowserSnapshotResponse,
  BrowserStartRequest,
  BrowserStatusResponse,
  BrowserStopResponse,
  BrowserStorageRestoreRequest,
  BrowserStorageRestoreResponse,
  BrowserStorageState,
  BrowserTabCloseResponse,
  BrowserTabCreateRequest,
  BrowserTabInfo,
  BrowserTabListResponse,
  BrowserTextResponse,
  BrowserTypeRequest,
  BrowserUploadRequest,
  BrowserUploadResponse,
  BrowserViewportRequest,
  BrowserWaitRequest,
  BrowserWaitResponse,
  ControlRequest,
  ControlResponse,
  DesktopAccessibilityResponse,
  DesktopClipboardResponse,
  DesktopClipboardWriteRequest,
  DesktopDisplayInfoResponse,
  DesktopDisplayResizeRequest,
  DesktopKeyboardHoldRequest,
  DesktopKeyboardPressRequest,
  DesktopKeyboardTypeRequest,
  DesktopLaunchRequest,
  DesktopLaunchResponse,
  DesktopMouseButtonRequest,
  DesktopMouseClickRequest,
  DesktopMouseDragRequest,
  DesktopMouseMoveRequest,
  DesktopMousePositionResponse,
  DesktopMouseScrollRequest,
  DesktopOpenRequest,
  DesktopOpenResponse,
  DesktopRecordingInfo,
  DesktopRecordingListResponse,
  DesktopRecordingStartRequest,
  DesktopStartRequest,
  DesktopStatusResponse,
  DesktopStreamStatusResponse,
  DesktopWindowCloseResponse,
  DesktopWindowInfo,
  DesktopWindowListResponse,
  DesktopWindowMoveRequest,
  DesktopWindowResizeRequest,
  EgressLogResponse,
  EgressPolicy,
  EgressRestrictRequest,
  EgressSuggestionResponse,
  FsActionResponse,
  FsEntry,
  FsMoveRequest,
  FsMoveResponse,
  FsStat,
  FsUploadBatchResponse,
  FsWriteResponse,
  HealthResponse,
  Ok,
  ProcessConfig,
  ProcessCreateRequest,
  ProcessInfo,
  ProcessInputRequest,
  ProcessInputResponse,
  ProcessListResponse,
  ProcessLogEntry,
  ProcessLogsResponse,
  ProcessRunRequest,
  ProcessRunResponse,
  ProcessTerminalSize,
  TokenCreateRequest,
  TokenCreateResponse,
} from "./schemas.gen.ts";
import { type SocketOptions, openSocket } from "./sockets.ts";
import { type DesktopStreamConnectOptions, DesktopStreamSession } from "./stream.ts";
import type { ProcessTerminalSession } from "./terminal.ts";

export interface SandboxAgentConnectOptions extends ConnectionOptions {
  /** Whether `connect` waits until the box answers: yes, for half a minute, unless told otherwise. */
  waitForHealth?: boolean | { timeoutMs?: number; signal?: AbortSignal } | undefined;
  skipHealthCheck?: boolean | undefined;
}

export type ProcessLogListener = (entry: ProcessLogEntry) => void;

export interface ProcessLogSubscription {
  close(): void;
  closed: Promise<void>;
}

export interface WebSocketUrlOptions {
  /** Put into the address, where logs can see it: prefer `connect…`, which does not. */
  accessToken?: string;
}

const HEALTH_WAIT = 30_000;

export class SandboxAgent extends Box implements AsyncDisposable {
  /** Ready to be used once this is done. */
  static async connect<T extends SandboxAgent>(
    this: new (http: Http | ConnectionOptions) => T,
    options: SandboxAgentConnectOptions = {},
  ): Promise<T> {
    const agent = new this(new Http(options));
    if (options.skipHealthCheck !== true && options.waitForHealth !== false) {
      const told = typeof options.waitForHealth === "object" ? options.waitForHealth : {};
      await agent.#untilHealthy(told.timeoutMs ?? HEALTH_WAIT, told.signal ?? options.signal);
    }
    return agent;
  }

  async #untilHealthy(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const end = Date.now() + milliseconds;
    for (;;) {
      try {
        await this.health({ timeout: 5000, signal });
        return;
      } catch (error) {
        // It answers, if only that we may not ask.
        const isUp = isProblem(error) && error.status < 500;
        if (isUp || !(error instanceof BelljarError) || Date.now() > end) throw error;
      }
      await sleep(100, signal);
    }
  }

  get baseUrl(): string {
    return this.http.baseUrl;
  }

  /** There is nothing to give back: each call is a request of its own. */
  async dispose(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  getHealth(options?: CallOptions): Promise<HealthResponse> {
    return this.health(options);
  }

  // Browser

  startBrowser(request: BrowserStartRequest = {}, options?: CallOptions): Promise<BrowserStatusResponse> {
    return this.browser.start(request, options);
  }

  stopBrowser(options?: CallOptions): Promise<BrowserStopResponse> {
    return this.browser.stop(options);
  }

  getBrowserStatus(options?: CallOptions): Promise<BrowserStatusResponse> {
    return this.browser.status(options);
  }

  browserNavigate(request: BrowserNavigateRequest, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.browser.navigate(request, options);
  }

  browserBack(request: BrowserHistoryRequest = {}, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.browser.back(request, options);
  }

  browserForward(request: BrowserHistoryRequest = {}, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.browser.forward(request, options);
  }

  browserReload(request: BrowserReloadRequest = {}, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.browser.reload(request, options);
  }

  browserWait(request: BrowserWaitRequest = {}, options?: CallOptions): Promise<BrowserWaitResponse> {
    return this.browser.wait(request, options);
  }

  getBrowserTabs(options?: CallOptions): Promise<BrowserTabListResponse> {
    return this.browser.tabs(options);
  }

  createBrowserTab(request: BrowserTabCreateRequest = {}, options?: CallOptions): Promise<BrowserTabInfo> {
    return this.browser.createTab(request, options);
  }

  activateBrowserTab(tabId: string, options?: CallOptions): Promise<BrowserTabInfo> {
    return this.browser.activateTab(tabId, options);
  }

  closeBrowserTab(tabId: string, query?: QueryOf<"closeBrowserTab">, options?: CallOptions): Promise<BrowserTabCloseResponse> {
    return this.browser.closeTab(tabId, query, options);
  }

  takeBrowserScreenshot(query?: QueryOf<"takeBrowserScreenshot">, options?: CallOptions): Promise<Uint8Array> {
    return this.browser.screenshot(query, options);
  }

  getBrowserPdf(query?: QueryOf<"getBrowserPdf">, options?: CallOptions): Promise<Uint8Array> {
    return this.browser.pdf(query, options);
  }

  getBrowserContent(query?: QueryOf<"getBrowserContent">, options?: CallOptions): Promise<BrowserContentResponse> {
    return this.browser.content(query, options);
  }

  getBrowserMarkdown(query?: QueryOf<"getBrowserMarkdown">, options?: CallOptions): Promise<BrowserMarkdownResponse> {
    return this.browser.markdown(query, options);
  }

  getBrowserText(query?: QueryOf<"getBrowserText">, options?: CallOptions): Promise<BrowserTextResponse> {
    return this.browser.text(query, options);
  }

  scrapeBrowser(request: BrowserScrapeRequest, options?: CallOptions): Promise<BrowserScrapeResponse> {
    return this.browser.scrape(request, options);
  }

  getBrowserLinks(query?: QueryOf<"getBrowserLinks">, options?: CallOptions): Promise<BrowserLinksResponse> {
    return this.browser.links(query, options);
  }

  executeBrowserScript(request: BrowserExecuteRequest, options?: CallOptions): Promise<BrowserExecuteResponse> {
    return this.browser.execute(request, options);
  }

  getBrowserSnapshot(query?: QueryOf<"getBrowserSnapshot">, options?: CallOptions): Promise<BrowserSnapshotResponse> {
    return this.browser.snapshot(query, options);
  }

  getBrowserElements(query?: QueryOf<"getBrowserElements">, options?: CallOptions): Promise<BrowserElementsResponse> {
    return this.browser.elements(query, options);
  }

  browserClick(request: BrowserClickRequest = {}, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.click(request, options);
  }

  browserType(request: BrowserTypeRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.type(request, options);
  }

  browserFill(request: BrowserFillRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.fill(request, options);
  }

  browserPress(request: BrowserPressRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.press(request, options);
  }

  browserSelect(request: BrowserSelectRequest = {}, options?: CallOptions): Promise<BrowserSelectResponse> {
    return this.browser.select(request, options);
  }

  browserHover(request: BrowserHoverRequest = {}, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.hover(request, options);
  }

  browserDrag(request: BrowserDragRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.drag(request, options);
  }

  browserScroll(request: BrowserScrollRequest = {}, options?: CallOptions): Promise<BrowserScrollResponse> {
    return this.browser.scroll(request, options);
  }

  getBrowserDialog(query?: QueryOf<"getBrowserDialog">, options?: CallOptions): Promise<BrowserDialogStatusResponse> {
    return this.browser.dialog(query, options);
  }

  browserDialog(request: BrowserDialogRequest, options?: CallOptions): Promise<BrowserDialogResponse> {
    return this.browser.answerDialog(request, options);
  }

  browserStopLoading(request: BrowserOnTab = {}, options?: CallOptions): Promise<Ok> {
    return this.browser.stopLoading(request, options);
  }

  getBrowserAsks(query?: QueryOf<"getBrowserAsks">, options?: CallOptions): Promise<BrowserAskListResponse> {
    return this.browser.asks(query, options);
  }

  browserAnswer(request: BrowserAnswerRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.browser.answer(request, options);
  }

  browserFind(request: BrowserFindRequest, options?: CallOptions): Promise<BrowserFindResponse> {
    return this.browser.find(request, options);
  }

  getBrowserSelection(query?: QueryOf<"getBrowserSelection">, options?: CallOptions): Promise<BrowserSelectionResponse> {
    return this.browser.selection(query, options);
  }

  getBrowserConsole(query?: QueryOf<"getBrowserConsole">, options?: CallOptions): Promise<BrowserConsoleResponse> {
    return this.browser.console(query, options);
  }

  getBrowserNetwork(query?: QueryOf<"getBrowserNetwork">, options?: CallOptions): Promise<BrowserNetworkResponse> {
    return this.browser.network(query, options);
  }

  getBrowserNetworkRequest(
    requestId: string,
    query?: QueryOf<"getBrowserNetworkRequest">,
    options?: CallOptions,
  ): Promise<BrowserNetworkRequestDetails> {
    return this.browser.requestDetails(requestId, query, options);
  }

  getBrowserNetworkBody(requestId: string, query?: QueryOf<"getBrowserNetworkBody">, options?: CallOptions): Promise<Uint8Array> {
    return this.browser.responseBody(requestId, query, options);
  }

  getBrowserEvents(query?: QueryOf<"getBrowserEvents">, options?: CallOptions): Promise<BrowserEventsResponse> {
    return this.browser.events(query, options);
  }

  crawlBrowser(request: BrowserCrawlRequest, options?: CallOptions): Promise<BrowserCrawlResponse> {
    return this.browser.crawl(request, options);
  }

  startBrowserCrawl(request: BrowserCrawlRequest, options?: CallOptions): Promise<BrowserCrawlInfo> {
    return this.browser.startCrawl(request, options);
  }

  getBrowserCrawls(options?: CallOptions): Promise<BrowserCrawlListResponse> {
    return this.browser.crawls(options);
  }

  getBrowserCrawl(crawlId: string, options?: CallOptions): Promise<BrowserCrawlJob> {
    return this.browser.getCrawl(crawlId, options);
  }

  cancelBrowserCrawl(crawlId: string, options?: CallOptions): Promise<BrowserCrawlJob> {
    return this.browser.cancelCrawl(crawlId, options);
  }

  getBrowserContexts(options?: CallOptions): Promise<BrowserContextListResponse> {
    return this.browser.contexts(options);
  }

  createBrowserContext(request: BrowserContextCreateRequest, options?: CallOptions): Promise<BrowserContextInfo> {
    return this.browser.createContext(request, options);
  }

  deleteBrowserContext(contextId: string, options?: CallOptions): Promise<void> {
    return this.browser.deleteContext(contextId, options);
  }

  getBrowserCookies(query?: QueryOf<"getBrowserCookies">, options?: CallOptions): Promise<BrowserCookiesResponse> {
    return this.browser.cookies(query, options);
  }

  setBrowserCookies(request: BrowserCookiesSetRequest, options?: CallOptions): Promise<Ok> {
    return this.browser.setCookies(request, options);
  }

  deleteBrowserCookies(query?: QueryOf<"deleteBrowserCookies">, options?: CallOptions): Promise<BrowserCookiesDeleteResponse> {
    return this.browser.deleteCookies(query, options);
  }

  getBrowserStorage(query?: QueryOf<"getBrowserStorage">, options?: CallOptions): Promise<BrowserStorageState> {
    return this.browser.storage(query, options);
  }

  setBrowserStorage(request: BrowserStorageRestoreRequest = {}, options?: CallOptions): Promise<BrowserStorageRestoreResponse> {
    return this.browser.restoreStorage(request, options);
  }

  getBrowserPartitions(options?: CallOptions): Promise<BrowserPartitionListResponse> {
    return this.browser.partitions(options);
  }

  putBrowserPartition(name: string, request: BrowserPartitionPutRequest = {}, options?: CallOptions): Promise<BrowserPartitionInfo> {
    return this.browser.putPartition(name, request, options);
  }

  deleteBrowserPartition(name: string, options?: CallOptions): Promise<Ok> {
    return this.browser.deletePartition(name, options);
  }

  getBrowserDownloads(options?: CallOptions): Promise<BrowserDownloadListResponse> {
    return this.browser.downloads(options);
  }

  readBrowserDownload(downloadId: string, options?: CallOptions): Promise<Uint8Array> {
    return this.browser.readDownload(downloadId, options);
  }

  deleteBrowserDownload(downloadId: string, options?: CallOptions): Promise<Ok> {
    return this.browser.deleteDownload(downloadId, options);
  }

  emulateBrowser(request: BrowserEmulationRequest = {}, options?: CallOptions): Promise<Ok> {
    return this.browser.emulate(request, options);
  }

  setBrowserViewport(request: BrowserViewportRequest, options?: CallOptions): Promise<Ok> {
    return this.browser.resize(request, options);
  }

  getBrowserCdpVersion(options?: CallOptions): Promise<BrowserCdpVersion> {
    return this.browser.cdpVersion(options);
  }


  // Desktop

  startDesktop(request: DesktopStartRequest = {}, options?: CallOptions): Promise<DesktopStatusResponse> {
    return this.desktop.start(request, options);
  }

  stopDesktop(options?: CallOptions): Promise<DesktopStatusResponse> {
    return this.desktop.stop(options);
  }

  getDesktopStatus(options?: CallOptions): Promise<DesktopStatusResponse> {
    return this.desktop.status(options);
  }

  getDesktopDisplayInfo(options?: CallOptions): Promise<DesktopDisplayInfoResponse> {
    return this.desktop.displayInfo(options);
  }

  resizeDesktopDisplay(request: DesktopDisplayResizeRequest, options?: CallOptions): Promise<DesktopDisplayInfoResponse> {
    return this.desktop.resize(request, options);
  }

  takeDesktopScreenshot(query?: QueryOf<"takeDesktopScreenshot">, options?: CallOptions): Promise<Uint8Array> {
    return this.desktop.screenshot(query, options);
  }

  takeDesktopRegionScreenshot(query: QueryOf<"takeDesktopRegionScreenshot">, options?: CallOptions): Promise<Uint8Array> {
    return this.desktop.screenshotRegion(query, options);
  }

  getDesktopMousePosition(options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.mousePosition(options);
  }

  moveDesktopMouse(request: DesktopMouseMoveRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.moveMouse(request, options);
  }

  clickDesktop(request: DesktopMouseClickRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.click(request, options);
  }

  mouseDownDesktop(request: DesktopMouseButtonRequest = {}, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.mouseDown(request, options);
  }

  mouseUpDesktop(request: DesktopMouseButtonRequest = {}, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.mouseUp(request, options);
  }

  dragDesktopMouse(request: DesktopMouseDragRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.dragMouse(request, options);
  }

  scrollDesktop(request: DesktopMouseScrollRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.desktop.scroll(request, options);
  }

  typeDesktopText(request: DesktopKeyboardTypeRequest, options?: CallOptions): Promise<Ok> {
    return this.desktop.type(request, options);
  }

  pressDesktopKey(request: DesktopKeyboardPressRequest, options?: CallOptions): Promise<Ok> {
    return this.desktop.press(request, options);
  }

  keyDownDesktop(request: DesktopKeyboardHoldRequest, options?: CallOptions): Promise<Ok> {
    return this.desktop.keyDown(request, options);
  }

  keyUpDesktop(request: DesktopKeyboardHoldRequest, options?: CallOptions): Promise<Ok> {
    return this.desktop.keyUp(request, options);
  }

  listDesktopWindows(options?: CallOptions): Promise<DesktopWindowListResponse> {
    return this.desktop.windows(options);
  }

  getDesktopFocusedWindow(options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.desktop.focusedWindow(options);
  }

  focusDesktopWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.desktop.focusWindow(windowId, options);
  }

  moveDesktopWindow(windowId: string, request: DesktopWindowMoveRequest, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.desktop.moveWindow(windowId, request, options);
  }

  resizeDesktopWindow(windowId: string, request: DesktopWindowResizeRequest, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.desktop.resizeWindow(windowId, request, options);
  }

  minimizeDesktopWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.desktop.minimizeWindow(windowId, options);
  }

  maximizeDesktopWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.desktop.maximizeWindow(windowId, options);
  }

  closeDesktopWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowCloseResponse> {
    return this.desktop.closeWindow(windowId, options);
  }

  getDesktopClipboard(query?: QueryOf<"getDesktopClipboard">, options?: CallOptions): Promise<DesktopClipboardResponse> {
    return this.desktop.clipboard(query, options);
  }

  setDesktopClipboard(request: DesktopClipboardWriteRequest = {}, options?: CallOptions): Promise<Ok> {
    return this.desktop.setClipboard(request, options);
  }

  launchDesktopApp(request: DesktopLaunchRequest, options?: CallOptions): Promise<DesktopLaunchResponse> {
    return this.desktop.launch(request, options);
  }

  openDesktopTarget(request: DesktopOpenRequest, options?: CallOptions): Promise<DesktopOpenResponse> {
    return this.desktop.open(request, options);
  }

  getDesktopAccessibility(options?: CallOptions): Promise<DesktopAccessibilityResponse> {
    return this.desktop.accessibility(options);
  }

  startDesktopRecording(request: DesktopRecordingStartRequest = {}, options?: CallOptions): Promise<DesktopRecordingInfo> {
    return this.desktop.startRecording(request, options);
  }

  stopDesktopRecording(options?: CallOptions): Promise<DesktopRecordingInfo> {
    return this.desktop.stopRecording(options);
  }

  listDesktopRecordings(options?: CallOptions): Promise<DesktopRecordingListResponse> {
    return this.desktop.recordings(options);
  }

  getDesktopRecording(id: string, options?: CallOptions): Promise<DesktopRecordingInfo> {
    return this.desktop.recording(id, options);
  }

  downloadDesktopRecording(id: string, options?: CallOptions): Promise<Uint8Array> {
    return this.desktop.downloadRecording(id, options);
  }

  deleteDesktopRecording(id: string, options?: CallOptions): Promise<void> {
    return this.desktop.deleteRecording(id, options);
  }

  getDesktopStreamStatus(options?: CallOptions): Promise<DesktopStreamStatusResponse> {
    return this.desktop.streamStatus(options);
  }

  startDesktopStream(options?: CallOptions): Promise<DesktopStreamStatusResponse> {
    return this.desktop.startStream(options);
  }

  stopDesktopStream(options?: CallOptions): Promise<DesktopStreamStatusResponse> {
    return this.desktop.stopStream(options);
  }


  // Processes

  runProcess(request: ProcessRunRequest, options?: CallOptions): Promise<ProcessRunResponse> {
    return this.processes.run(request, options);
  }

  createProcess(request: ProcessCreateRequest, options?: CallOptions): Promise<ProcessInfo> {
    return this.processes.start(request, options);
  }

  listProcesses(query?: QueryOf<"listProcesses">, options?: CallOptions): Promise<ProcessListResponse> {
    return this.processes.list(query, options);
  }

  getProcess(id: string, options?: CallOptions): Promise<ProcessInfo> {
    return this.processes.get(id, options);
  }

  stopProcess(id: string, query?: QueryOf<"stopProcess">, options?: CallOptions): Promise<ProcessInfo> {
    return this.processes.stop(id, query, options);
  }

  killProcess(id: string, query?: QueryOf<"killProcess">, options?: CallOptions): Promise<ProcessInfo> {
    return this.processes.kill(id, query, options);
  }

  deleteProcess(id: string, options?: CallOptions): Promise<void> {
    return this.processes.delete(id, options);
  }

  getProcessLogs(id: string, query?: QueryOf<"getProcessLogs">, options?: CallOptions): Promise<ProcessLogsResponse> {
    return this.processes.logs(id, query, options);
  }

  sendProcessInput(id: string, request: ProcessInputRequest, options?: CallOptions): Promise<ProcessInputResponse> {
    return this.processes.write(id, request, options);
  }

  resizeProcessTerminal(id: string, request: ProcessTerminalSize, options?: CallOptions): Promise<ProcessTerminalSize> {
    return this.processes.resizeTerminal(id, request, options);
  }

  getProcessConfig(options?: CallOptions): Promise<ProcessConfig> {
    return this.processes.config(options);
  }

  setProcessConfig(request: ProcessConfig, options?: CallOptions): Promise<ProcessConfig> {
    return this.processes.setConfig(request, options);
  }


  // Files

  listFsEntries(query?: QueryOf<"listFsEntries">, options?: CallOptions): Promise<FsEntry[]> {
    return this.files.list(query, options);
  }

  statFs(query: QueryOf<"statFs">, options?: CallOptions): Promise<FsStat> {
    return this.files.stat(query, options);
  }

  readFsFile(query: QueryOf<"readFsFile">, options?: CallOptions): Promise<Uint8Array> {
    return this.files.read(query, options);
  }

  mkdirFs(query: QueryOf<"mkdirFs">, options?: CallOptions): Promise<FsActionResponse> {
    return this.files.mkdir(query, options);
  }

  moveFs(request: FsMoveRequest, options?: CallOptions): Promise<FsMoveResponse> {
    return this.files.move(request, options);
  }

  deleteFsEntry(query: QueryOf<"deleteFsEntry">, options?: CallOptions): Promise<FsActionResponse> {
    return this.files.delete(query, options);
  }


  // Egress

  getEgressPolicy(options?: CallOptions): Promise<EgressPolicy> {
    return this.egress.policy(options);
  }

  setEgressPolicy(request: EgressPolicy, options?: CallOptions): Promise<EgressPolicy> {
    return this.egress.setPolicy(request, options);
  }

  restrictEgress(request: EgressRestrictRequest = {}, options?: CallOptions): Promise<EgressPolicy> {
    return this.egress.restrict(request, options);
  }

  getEgressLog(query?: QueryOf<"getEgressLog">, options?: CallOptions): Promise<EgressLogResponse> {
    return this.egress.log(query, options);
  }

  getEgressSuggestion(options?: CallOptions): Promise<EgressSuggestionResponse> {
    return this.egress.suggestion(options);
  }


  // Control

  getControl(query?: QueryOf<"getControl">, options?: CallOptions): Promise<ControlResponse> {
    return this.control.show(query, options);
  }

  setControl(request: ControlRequest, options?: CallOptions): Promise<ControlResponse> {
    return this.control.move(request, options);
  }

  // What is more than a call

  browserUpload(request: BrowserUploadRequest | BrowserUploadOwnFiles, options?: CallOptions): Promise<BrowserUploadResponse> {
    return this.browser.upload(request, options);
  }

  /** Where CDP clients connect to; it carries no credential. */
  getBrowserCdpUrl(): string {
    return this.browser.cdpUrl();
  }

  /** An address for CDP that needs no other secret and opens once, within a minute.  It takes the operator's token to make one. */
  async getBrowserCdpTicket(options?: CallOptions): Promise<string> {
    const { token } = await this.live.createToken({ role: "drive", ttl: 60, name: "cdp", once: true }, options);
    return this.http.socketUrl("/v1/browser/cdp", { token });
  }

  writeFsFile(query: QueryOf<"writeFsFile">, body: BodyInit, options?: CallOptions): Promise<FsWriteResponse> {
    return this.files.write(query, body, options);
  }

  uploadFsBatch(body: BodyInit, query?: QueryOf<"uploadFsBatch">, options?: CallOptions): Promise<FsUploadBatchResponse> {
    return this.files.unpack(body, query, options);
  }

  createToken(request: TokenCreateRequest, options?: CallOptions): Promise<TokenCreateResponse> {
    return this.live.createToken(request, options);
  }

  /** Calls `listener` with what the process writes, until it is closed. */
  async followProcessLogs(
    id: string,
    listener: ProcessLogListener,
    query?: QueryOf<"getProcessLogs">,
  ): Promise<ProcessLogSubscription> {
    // An unknown process is refused here and not later.
    await this.processes.get(id);
    const ending = new AbortController();
    const closed = (async () => {
      try {
        for await (const entry of this.processes.followLogs(id, query, { signal: ending.signal })) listener(entry);
      } catch (error) {
        if (!ending.signal.aborted) throw error;
      }
    })();
    // Whoever does not wait for the end is not to be ended by it.
    closed.catch(() => undefined);
    return { close: () => ending.abort(), closed };
  }

  /** An address that opens by itself: it carries the client's token, unless another is given.  The methods that connect put none there. */
  buildProcessTerminalWebSocketUrl(id: string, options: WebSocketUrlOptions = {}): string {
    return this.http.socketUrl(this.processes.terminalPath(id), this.#secretOf(options));
  }

  connectProcessTerminalWebSocket(id: string, options?: SocketOptions): WebSocket {
    return openSocket(this.http, this.processes.terminalPath(id), options);
  }

  connectProcessTerminal(id: string, options?: SocketOptions): ProcessTerminalSession {
    return this.processes.terminal(id, options);
  }

  buildDesktopStreamWebSocketUrl(options: WebSocketUrlOptions = {}): string {
    return this.http.socketUrl("/v1/desktop/stream/signaling", this.#secretOf(options));
  }

  connectDesktopStreamWebSocket(options?: DesktopStreamConnectOptions): WebSocket {
    return openSocket(this.http, "/v1/desktop/stream/signaling", options);
  }

  connectDesktopStream(options?: DesktopStreamConnectOptions): DesktopStreamSession {
    return new DesktopStreamSession(this.connectDesktopStreamWebSocket(options), options);
  }

  #secretOf(options: WebSocketUrlOptions): { access_token: string | undefined } {
    const { token } = this.http.options;
    return { access_token: options.accessToken ?? (typeof token === "string" ? token : undefined) };
  }
}

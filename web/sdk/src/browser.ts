/** The browser: its life, pages, what is on them, and what can be done there. */
import type { CallOptions, Http } from "./http.ts";
import type {
  BrowserActionResponse,
  BrowserAnswerRequest,
  BrowserAskListResponse,
  BrowserCdpVersion,
  BrowserClickRequest,
  BrowserConsoleMessage,
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
  BrowserCrawlPage,
  BrowserCrawlRequest,
  BrowserCrawlResponse,
  BrowserDialogRequest,
  BrowserDialogResponse,
  BrowserDialogStatusResponse,
  BrowserDownloadListResponse,
  BrowserDragRequest,
  BrowserElementsResponse,
  BrowserEmulationRequest,
  BrowserEvent,
  BrowserEventsResponse,
  BrowserExecuteRequest,
  BrowserExecuteResponse,
  BrowserFillRequest,
  BrowserHistoryRequest,
  BrowserHoverRequest,
  BrowserLinksResponse,
  BrowserMarkdownResponse,
  BrowserNavigateRequest,
  BrowserNetworkRequest,
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
  Ok,
} from "./schemas.gen.ts";
import { follow, part, type QueryOf } from "./calls.ts";

/** Your own files for a file input, and the fields of the request but `path` and `paths`. */
export interface BrowserUploadOwnFiles extends Omit<BrowserUploadRequest, "path" | "paths" | "report"> {
  files: Blob[];
}

export class Browser {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Start Chromium on a display of its own, or headless, and open the first page. */
  start(request: BrowserStartRequest = {}, options?: CallOptions): Promise<BrowserStatusResponse> {
    return this.http.post("/v1/browser/start", request, options);
  }

  /** End Chromium and its display.  Not running is fine. */
  stop(options?: CallOptions): Promise<BrowserStopResponse> {
    return this.http.post("/v1/browser/stop", undefined, options);
  }

  /** How the browser is; also what is missing where it cannot be started.  `stderr` is not for the role `view`. */
  status(options?: CallOptions): Promise<BrowserStatusResponse> {
    return this.http.get("/v1/browser/status", undefined, options);
  }

  /** Load an address and wait for it.  A download or a 204 leaves the page where it was, and says so. */
  navigate(request: BrowserNavigateRequest, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.http.post("/v1/browser/navigate", request, options);
  }

  /** Go back in history; at its beginning the page stays and `moved` is false. */
  back(request: BrowserHistoryRequest = {}, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.http.post("/v1/browser/back", request, options);
  }

  /** Go forward in history; at its end the page stays and `moved` is false. */
  forward(request: BrowserHistoryRequest = {}, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.http.post("/v1/browser/forward", request, options);
  }

  /** Load the page again, with `ignoreCache` past the cache. */
  reload(request: BrowserReloadRequest = {}, options?: CallOptions): Promise<BrowserPageInfo> {
    return this.http.post("/v1/browser/reload", request, options);
  }

  /** Wait until an element, text, address, script or the page itself is as asked; `found` says whether it came. */
  wait(request: BrowserWaitRequest = {}, options?: CallOptions): Promise<BrowserWaitResponse> {
    return this.http.post("/v1/browser/wait", request, options);
  }

  /** Every open tab, in the order they were opened. */
  tabs(options?: CallOptions): Promise<BrowserTabListResponse> {
    return this.http.get("/v1/browser/tabs", undefined, options);
  }

  /** Open a tab, which becomes the active one unless it is a partition's, and load its address. */
  createTab(request: BrowserTabCreateRequest = {}, options?: CallOptions): Promise<BrowserTabInfo> {
    return this.http.post("/v1/browser/tabs", request, options);
  }

  /** Bring a tab to the front; it is the active one from now on. */
  activateTab(tabId: string, options?: CallOptions): Promise<BrowserTabInfo> {
    return this.http.post(`/v1/browser/tabs/${part(tabId)}/activate`, undefined, options);
  }

  /** Close a tab.  Another one becomes active; closing the last one leaves a blank one. */
  closeTab(tabId: string, query?: QueryOf<"closeBrowserTab">, options?: CallOptions): Promise<BrowserTabCloseResponse> {
    return this.http.json("DELETE", `/v1/browser/tabs/${part(tabId)}`, { ...options, query });
  }

  /** A picture of what is in view, of an element, or of the whole page.  The tab need not be in front. */
  screenshot(query?: QueryOf<"takeBrowserScreenshot">, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes("/v1/browser/screenshot", query, options);
  }

  /** The page as a PDF, as it would be printed. */
  pdf(query?: QueryOf<"getBrowserPdf">, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes("/v1/browser/pdf", query, options);
  }

  /** The page's HTML as it is now, after its scripts; with a selector what is inside that element. */
  content(query?: QueryOf<"getBrowserContent">, options?: CallOptions): Promise<BrowserContentResponse> {
    return this.http.get("/v1/browser/content", query, options);
  }

  /** The rendered page as markdown: its main content, or all of it but the furniture. */
  markdown(query?: QueryOf<"getBrowserMarkdown">, options?: CallOptions): Promise<BrowserMarkdownResponse> {
    return this.http.get("/v1/browser/markdown", query, options);
  }

  /** The text of the page, or of an element, as it is rendered (`innerText`). */
  text(query?: QueryOf<"getBrowserText">, options?: CallOptions): Promise<BrowserTextResponse> {
    return this.http.get("/v1/browser/text", query, options);
  }

  /** For each name the text of every element its selector matches, through open shadow roots and into frames. */
  scrape(request: BrowserScrapeRequest, options?: CallOptions): Promise<BrowserScrapeResponse> {
    return this.http.post("/v1/browser/scrape", request, options);
  }

  /** Every link of the page, its frames' too, absolute and with its text; with `frame` those of that frame. */
  links(query?: QueryOf<"getBrowserLinks">, options?: CallOptions): Promise<BrowserLinksResponse> {
    return this.http.get("/v1/browser/links", query, options);
  }

  /** Evaluate JavaScript in the page's own world, at the top level as in a console. */
  execute(request: BrowserExecuteRequest, options?: CallOptions): Promise<BrowserExecuteResponse> {
    return this.http.post("/v1/browser/execute", request, options);
  }

  /** The page for a model: roles, names, values, states, and refs that actions take; with `since` only changes. */
  snapshot(query?: QueryOf<"getBrowserSnapshot">, options?: CallOptions): Promise<BrowserSnapshotResponse> {
    return this.http.get("/v1/browser/snapshot", query, options);
  }

  /** What of the page can be acted on, with the refs that actions take; a snapshot's lines as values. */
  elements(query?: QueryOf<"getBrowserElements">, options?: CallOptions): Promise<BrowserElementsResponse> {
    return this.http.get("/v1/browser/elements", query, options);
  }

  /** Click an element when it is there, shows, is enabled and would get the click. */
  click(request: BrowserClickRequest = {}, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/click", request, options);
  }

  /** Type into a field, key by key.  Dates, times, colours and ranges take their value as a whole. */
  type(request: BrowserTypeRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/type", request, options);
  }

  /** Replace what a field holds, at once: with `beforeinput` and `input` events, without those of keys. */
  fill(request: BrowserFillRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/fill", request, options);
  }

  /** Strike a key, with modifiers as in `Control+a`, in an element or where the focus is. */
  press(request: BrowserPressRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/press", request, options);
  }

  /** Choose options of a `<select>`, with the input and change events that a person's choice brings. */
  select(request: BrowserSelectRequest = {}, options?: CallOptions): Promise<BrowserSelectResponse> {
    return this.http.post("/v1/browser/select", request, options);
  }

  /** Bring the pointer over an element. */
  hover(request: BrowserHoverRequest = {}, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/hover", request, options);
  }

  /** Drag with the mouse from one element or point to another; HTML drag and drop works too. */
  drag(request: BrowserDragRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/drag", request, options);
  }

  /** Scroll the page or what an element is in, by pixels; an element without pixels is brought into view. */
  scroll(request: BrowserScrollRequest = {}, options?: CallOptions): Promise<BrowserScrollResponse> {
    return this.http.post("/v1/browser/scroll", request, options);
  }

  /** The dialog that is open, if one is. */
  dialog(query?: QueryOf<"getBrowserDialog">, options?: CallOptions): Promise<BrowserDialogStatusResponse> {
    return this.http.get("/v1/browser/dialog", query, options);
  }

  /** Answer the open dialog; the page goes on. */
  answerDialog(request: BrowserDialogRequest, options?: CallOptions): Promise<BrowserDialogResponse> {
    return this.http.post("/v1/browser/dialog", request, options);
  }

  /** Stop what is on its way, as a browser's Stop does; whoever waits for it goes on with what has come. */
  stopLoading(request: BrowserOnTab = {}, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/browser/stop-loading", request, options);
  }

  /** What waits for a person: fields that one opened, and files that a page asks for. */
  asks(query?: QueryOf<"getBrowserAsks">, options?: CallOptions): Promise<BrowserAskListResponse> {
    return this.http.get("/v1/browser/asks", query, options);
  }

  /** Answer what a page asks, with the events that a person's choice brings, or close it. */
  answer(request: BrowserAnswerRequest, options?: CallOptions): Promise<BrowserActionResponse> {
    return this.http.post("/v1/browser/answer", request, options);
  }

  /** Find words on the page: all places are marked, and one is shown; no words take the marks away. */
  find(request: BrowserFindRequest, options?: CallOptions): Promise<BrowserFindResponse> {
    return this.http.post("/v1/browser/find", request, options);
  }

  /** The words that are selected on the page; never those of a password. */
  selection(query?: QueryOf<"getBrowserSelection">, options?: CallOptions): Promise<BrowserSelectionResponse> {
    return this.http.get("/v1/browser/selection", query, options);
  }

  /** What the tab's scripts logged and threw, the last 1,000; with `follow` as server-sent events. */
  console(query?: QueryOf<"getBrowserConsole">, options?: CallOptions): Promise<BrowserConsoleResponse> {
    return this.http.get("/v1/browser/console", query, options);
  }

  /** The tab's last 1,000 requests, failed ones too; with `follow` as server-sent events, one for each change. */
  network(query?: QueryOf<"getBrowserNetwork">, options?: CallOptions): Promise<BrowserNetworkResponse> {
    return this.http.get("/v1/browser/network", query, options);
  }

  /** One request with its headers, timing and what began it; without cookies, credentials, tokens and query values. */
  requestDetails(
    requestId: string,
    query?: QueryOf<"getBrowserNetworkRequest">,
    options?: CallOptions,
  ): Promise<BrowserNetworkRequestDetails> {
    return this.http.get(`/v1/browser/network/${part(requestId)}`, query, options);
  }

  /** The body of a response, decoded, as long as Chromium has it: until the tab goes to another page, mostly. */
  responseBody(requestId: string, query?: QueryOf<"getBrowserNetworkBody">, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/v1/browser/network/${part(requestId)}/body`, query, options);
  }

  /** States, tabs, crashes, dialogs and downloads, the last 1,000; also over stops and starts. */
  events(query?: QueryOf<"getBrowserEvents">, options?: CallOptions): Promise<BrowserEventsResponse> {
    return this.http.get("/v1/browser/events", query, options);
  }

  /** Visit pages from an address along its links, in tabs of their own.  A client that hangs up ends it. */
  crawl(request: BrowserCrawlRequest, options?: CallOptions): Promise<BrowserCrawlResponse> {
    return this.http.post("/v1/browser/crawl", request, options);
  }

  /** As `crawl`, but the answer comes at once and the crawl goes on by itself. */
  startCrawl(request: BrowserCrawlRequest, options?: CallOptions): Promise<BrowserCrawlInfo> {
    return this.http.post("/v1/browser/crawls", request, options);
  }

  /** Crawls that run, and the last twenty that ended. */
  crawls(options?: CallOptions): Promise<BrowserCrawlListResponse> {
    return this.http.get("/v1/browser/crawls", undefined, options);
  }

  /** How far a crawl has come, and the pages it has found. */
  getCrawl(crawlId: string, options?: CallOptions): Promise<BrowserCrawlJob> {
    return this.http.get(`/v1/browser/crawls/${part(crawlId)}`, undefined, options);
  }

  /** End a crawl that runs; what it found stays. */
  cancelCrawl(crawlId: string, options?: CallOptions): Promise<BrowserCrawlJob> {
    return this.http.json("DELETE", `/v1/browser/crawls/${part(crawlId)}`, { ...options });
  }

  /** Every saved context, the oldest first, with its size on disk. */
  contexts(options?: CallOptions): Promise<BrowserContextListResponse> {
    return this.http.get("/v1/browser/contexts", undefined, options);
  }

  /** Make a context, empty or as a copy of another one that is not in use; pass its id to start. */
  createContext(request: BrowserContextCreateRequest, options?: CallOptions): Promise<BrowserContextInfo> {
    return this.http.post("/v1/browser/contexts", request, options);
  }

  /** Delete a context with all it holds; refused while the browser uses it. */
  deleteContext(contextId: string, options?: CallOptions): Promise<void> {
    return this.http.json("DELETE", `/v1/browser/contexts/${part(contextId)}`, { ...options });
  }

  /** The cookies of all sites, or those for one address; `httpOnly` and partitioned ones too. */
  cookies(query?: QueryOf<"getBrowserCookies">, options?: CallOptions): Promise<BrowserCookiesResponse> {
    return this.http.get("/v1/browser/cookies", query, options);
  }

  /** Set cookies: all of them, or none when one cannot be set. */
  setCookies(request: BrowserCookiesSetRequest, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/browser/cookies", request, options);
  }

  /** Delete cookies by name, by domain, by both; all of them when neither is given. */
  deleteCookies(query?: QueryOf<"deleteBrowserCookies">, options?: CallOptions): Promise<BrowserCookiesDeleteResponse> {
    return this.http.json("DELETE", "/v1/browser/cookies", { ...options, query });
  }

  /** Cookies, local storage and IndexedDB, in the form of Playwright's `storageState`. */
  storage(query?: QueryOf<"getBrowserStorage">, options?: CallOptions): Promise<BrowserStorageState> {
    return this.http.get("/v1/browser/storage", query, options);
  }

  /** Put a storage state into the profile, beside what is there.  Sites see it from their next page on. */
  restoreStorage(request: BrowserStorageRestoreRequest = {}, options?: CallOptions): Promise<BrowserStorageRestoreResponse> {
    return this.http.post("/v1/browser/storage", request, options);
  }

  /** Every partition, in the order they were made. */
  partitions(options?: CallOptions): Promise<BrowserPartitionListResponse> {
    return this.http.get("/v1/browser/partitions", undefined, options);
  }

  /** Make a partition, or say what holds for tabs that one will have. */
  putPartition(name: string, request: BrowserPartitionPutRequest = {}, options?: CallOptions): Promise<BrowserPartitionInfo> {
    return this.http.json("PUT", `/v1/browser/partitions/${part(name)}`, { ...options, json: request });
  }

  /** Throw a partition away, with its tabs, cookies and storage. */
  deletePartition(name: string, options?: CallOptions): Promise<Ok> {
    return this.http.json("DELETE", `/v1/browser/partitions/${part(name)}`, { ...options });
  }

  /** Downloads since the box began, in the order they were started; the last hundred are kept. */
  downloads(options?: CallOptions): Promise<BrowserDownloadListResponse> {
    return this.http.get("/v1/browser/downloads", undefined, options);
  }

  /** The file itself, streamed, a part of it with `Range`; an attachment: a page's file must not run as ours. */
  readDownload(downloadId: string, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/v1/browser/downloads/${part(downloadId)}`, undefined, options);
  }

  /** Forget a download, with its file. */
  deleteDownload(downloadId: string, options?: CallOptions): Promise<Ok> {
    return this.http.json("DELETE", `/v1/browser/downloads/${part(downloadId)}`, { ...options });
  }

  /** Change locale, time zone, user agent and the like for every tab, those to come included. */
  emulate(request: BrowserEmulationRequest = {}, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/browser/emulation", request, options);
  }

  /** Set the size of every tab's page, headful and headless. */
  resize(request: BrowserViewportRequest, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/browser/viewport", request, options);
  }

  /** What Chromium's own debugging port would say: how Playwright finds the WebSocket from a plain http address. */
  cdpVersion(options?: CallOptions): Promise<BrowserCdpVersion> {
    return this.http.get("/v1/browser/cdp/json/version", undefined, options);
  }

  /** Go to `url`; the browser is started first where it does not run. */
  async open(url: string, options?: CallOptions): Promise<BrowserPageInfo> {
    const { state } = await this.status(options);
    if (state === "inactive" || state === "failed") await this.start({}, options);
    return this.navigate({ url }, options);
  }

  /** Give files to an element, or to the chooser that is open: those of the box by path, or your own. */
  upload(request: BrowserUploadRequest | BrowserUploadOwnFiles, options?: CallOptions): Promise<BrowserUploadResponse> {
    if (!("files" in request)) return this.http.post("/v1/browser/upload", request, options);
    const { files, ...fields } = request;
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && value !== null) form.append(name, String(value));
    for (const file of files) form.append("file", file, "name" in file ? (file as File).name : "file");
    return this.http.json("POST", "/v1/browser/upload", { ...options, body: form });
  }

  /** A downloaded file, piece by piece. */
  downloadStream(downloadId: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.http.stream(`/v1/browser/downloads/${part(downloadId)}`, undefined, options);
  }

  /** The tab's console from `since` on, for as long as the loop goes on. */
  followConsole(query?: QueryOf<"getBrowserConsole">, options?: CallOptions): AsyncGenerator<BrowserConsoleMessage, void, undefined> {
    return follow(this.http, "/v1/browser/console", { ...query, follow: true }, "console", options);
  }

  /** The tab's requests, each at every change. */
  followNetwork(query?: QueryOf<"getBrowserNetwork">, options?: CallOptions): AsyncGenerator<BrowserNetworkRequest, void, undefined> {
    return follow(this.http, "/v1/browser/network", { ...query, follow: true }, "request", options);
  }

  /** States, tabs, crashes, dialogs and downloads as they happen. */
  followEvents(query?: { since?: number }, options?: CallOptions): AsyncGenerator<BrowserEvent, void, undefined> {
    return follow(this.http, "/v1/browser/events", { ...query, follow: true }, "browser", options);
  }

  /** The pages of a crawl, from its first one to its last. */
  followCrawl(crawlId: string, options?: CallOptions): AsyncGenerator<BrowserCrawlPage, void, undefined> {
    return follow(this.http, `/v1/browser/crawls/${part(crawlId)}/events`, undefined, "page", options);
  }

  /** Where Playwright and Puppeteer connect to; it carries no credential, so give them the header `Authorization`. */
  cdpUrl(): string {
    return this.http.socketUrl("/v1/browser/cdp");
  }
}

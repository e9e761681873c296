/** Spec 1 §5's snippets and the reference client's shapes, as types: this file compiles, or the check fails. */
import { expect, expectTypeOf, test } from "vitest";
import type {
  BrowserClickRequest,
  BrowserContextInfo,
  BrowserCookie,
  BrowserCrawlRequest,
  BrowserCrawlResponse,
  BrowserNavigateRequest,
  BrowserPageInfo,
  BrowserScreenshotRequest,
  BrowserStartRequest,
  BrowserStatusResponse,
  BrowserTabInfo,
  BrowserTabListResponse,
  BrowserTypeRequest,
  DesktopMousePositionResponse,
  ProblemCode,
  SandboxAgent,
} from "../src/index.ts";
import { SandboxAgent as Agent } from "../src/index.ts";

test("the methods of spec 1 take and give what it says", () => {
  expectTypeOf<SandboxAgent["startBrowser"]>().toBeCallableWith({ width: 1, url: "about:blank", headless: false });
  expectTypeOf<SandboxAgent["getBrowserStatus"]>().returns.resolves.toEqualTypeOf<BrowserStatusResponse>();
  expectTypeOf<SandboxAgent["getBrowserCdpUrl"]>().returns.toEqualTypeOf<string>();
  expectTypeOf<SandboxAgent["browserNavigate"]>().parameter(0).toEqualTypeOf<BrowserNavigateRequest>();
  expectTypeOf<SandboxAgent["browserBack"]>().returns.resolves.toEqualTypeOf<BrowserPageInfo>();
  expectTypeOf<SandboxAgent["getBrowserTabs"]>().returns.resolves.toEqualTypeOf<BrowserTabListResponse>();
  expectTypeOf<SandboxAgent["createBrowserTab"]>().returns.resolves.toEqualTypeOf<BrowserTabInfo>();
  expectTypeOf<SandboxAgent["takeBrowserScreenshot"]>().returns.resolves.toEqualTypeOf<Uint8Array>();
  expectTypeOf<SandboxAgent["getBrowserPdf"]>().returns.resolves.toEqualTypeOf<Uint8Array>();
  expectTypeOf<SandboxAgent["crawlBrowser"]>().returns.resolves.toEqualTypeOf<BrowserCrawlResponse>();
  expectTypeOf<SandboxAgent["createBrowserContext"]>().returns.resolves.toEqualTypeOf<BrowserContextInfo>();
  expectTypeOf<SandboxAgent["setBrowserCookies"]>().toBeCallableWith({ cookies: [] as BrowserCookie[] });
  expectTypeOf<SandboxAgent["clickDesktop"]>().returns.resolves.toEqualTypeOf<DesktopMousePositionResponse>();
});

test("requests of the spec are requests of ours", () => {
  const start: BrowserStartRequest = { width: 1, height: 1, dpi: 96, url: "x", headless: true, contextId: "c", streamFrameRate: 30, recordingFps: 30 };
  const click: BrowserClickRequest = { selector: "a", button: "left", clickCount: 2, timeout: 5 };
  const type: BrowserTypeRequest = { selector: "a", text: "b", delay: 1, clear: true };
  const shot: BrowserScreenshotRequest = { format: "webp", quality: 5, fullPage: true, selector: "a" };
  const crawl: BrowserCrawlRequest = { url: "x", maxPages: 1, maxDepth: 1, allowedDomains: ["x"], extract: "links" };
  expect([start, click, type, shot, crawl]).toHaveLength(5);
});

test("answers of the spec can be read as it says", () => {
  const read = (status: BrowserStatusResponse, tab: BrowserTabInfo, page: BrowserPageInfo) => {
    const missing: string[] = status.missingDependencies;
    const running: boolean[] = status.processes.map((one) => one.running);
    const size: number | undefined = status.resolution?.width;
    return [missing, running, size, tab.active, page.status];
  };
  expect(read).toBeTypeOf("function");
});

test("every method of spec 1 is there", () => {
  const names = `startBrowser stopBrowser getBrowserStatus getBrowserCdpUrl browserNavigate browserBack browserForward
    browserReload browserWait getBrowserTabs createBrowserTab activateBrowserTab closeBrowserTab takeBrowserScreenshot
    getBrowserPdf getBrowserContent getBrowserMarkdown scrapeBrowser getBrowserLinks executeBrowserScript
    getBrowserSnapshot browserClick browserType browserSelect browserHover browserScroll browserUpload browserDialog
    getBrowserConsole getBrowserNetwork crawlBrowser getBrowserContexts createBrowserContext deleteBrowserContext
    getBrowserCookies setBrowserCookies deleteBrowserCookies`.split(/\s+/);
  expect(names).toHaveLength(37);
  expect(names.filter((name) => !(name in Agent.prototype))).toEqual([]);
});

test("codes of problems are known", () => {
  expectTypeOf<"element_not_found">().toExtend<ProblemCode>();
});

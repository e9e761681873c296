/** Every browser method against a real box, with its effect checked. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { SandboxAgent, isProblem } from "../src/index.ts";

const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
const site = inject("site");
const evaluated = async (expression: string) => (await agent.executeBrowserScript({ expression })).result;

beforeAll(async () => {
  const status = await agent.startBrowser({ width: 1024, height: 768, url: `${site}/`, headless: true });
  expect(status.state).toBe("active");
});
afterAll(async () => {
  expect((await agent.stopBrowser()).state).toBe("inactive");
});

describe("life and pages", () => {
  test("status", async () => {
    const status = await agent.getBrowserStatus();
    expect(status.state).toBe("active");
    expect(status.missingDependencies).toEqual([]);
    expect(status.processes.some((one) => one.running)).toBe(true);
  });

  test("navigate, back, forward, reload, wait", async () => {
    const page = await agent.browserNavigate({ url: `${site}/second`, waitUntil: "load" });
    expect([page.url, page.title, page.status]).toEqual([`${site}/second`, "Second", 200]);
    expect((await agent.browserBack()).title).toBe("Home");
    expect((await agent.browserForward()).title).toBe("Second");
    await evaluated("window.mark = 1");
    expect((await agent.browserReload({ ignoreCache: true })).title).toBe("Second");
    expect(await evaluated("window.mark === undefined")).toBe(true);
    expect((await agent.browserWait({ selector: "main", state: "visible", timeout: 5000 })).found).toBe(true);
    expect((await agent.browserWait({ selector: "#nowhere", timeout: 50 })).found).toBe(false);
  });

  test("tabs", async () => {
    const [first] = (await agent.getBrowserTabs()).tabs;
    const made = await agent.createBrowserTab({ url: `${site}/second` });
    expect((await agent.getBrowserTabs()).tabs.find((tab) => tab.active)?.id).toBe(made.id);
    expect((await agent.activateBrowserTab(first!.id)).id).toBe(first!.id);
    expect((await agent.getBrowserTabs()).tabs.find((tab) => tab.active)?.id).toBe(first!.id);
    expect((await agent.closeBrowserTab(made.id)).ok).toBe(true);
    expect((await agent.getBrowserTabs()).tabs.map((tab) => tab.id)).toEqual([first!.id]);
  });

  test("resize, emulate, cdpVersion", async () => {
    await agent.browserNavigate({ url: `${site}/` });
    await agent.setBrowserViewport({ width: 800, height: 600 });
    expect(await evaluated("[innerWidth, innerHeight]")).toEqual([800, 600]);
    await agent.emulateBrowser({ colorScheme: "dark" });
    expect(await evaluated("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true);
    await agent.emulateBrowser({});
    expect((await agent.getBrowserCdpVersion()).webSocketDebuggerUrl).toContain("/v1/browser/cdp");
  });

  test("open starts the browser where it does not run", async () => {
    await agent.stopBrowser();
    expect((await agent.browser.open(`${site}/second`)).title).toBe("Second");
    await agent.stopBrowser();
    await agent.startBrowser({ url: `${site}/`, headless: true });
  });
});

describe("reading", () => {
  beforeAll(async () => void (await agent.browserNavigate({ url: `${site}/` })));

  test("screenshot and pdf are bytes", async () => {
    const png = await agent.takeBrowserScreenshot({ fullPage: true });
    expect([...png.slice(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    const jpeg = await agent.takeBrowserScreenshot({ format: "jpeg", quality: 50, selector: "#go" });
    expect([...jpeg.slice(0, 2)]).toEqual([0xff, 0xd8]);
    expect(new TextDecoder().decode((await agent.getBrowserPdf({ format: "a4" })).slice(0, 5))).toBe("%PDF-");
  });

  test("content, markdown, text, links, snapshot, elements, scrape", async () => {
    expect((await agent.getBrowserContent({ selector: "h1" })).html).toContain("Home");
    expect((await agent.getBrowserText()).text).toContain("Home");
    expect((await agent.getBrowserLinks()).links[0]).toMatchObject({ href: `${site}/second`, text: "Second" });
    expect((await agent.getBrowserSnapshot()).snapshot).toContain("Go");
    expect((await agent.getBrowserElements()).elements.length).toBeGreaterThan(3);
    const scraped = await agent.scrapeBrowser({ selectors: { price: ".price" } });
    expect(scraped.data["price"]).toEqual(["1", "2"]);
    await agent.browserNavigate({ url: `${site}/second` });
    expect((await agent.getBrowserMarkdown()).markdown).toContain("Some words.");
    await agent.browserNavigate({ url: `${site}/` });
  });

  test("execute awaits and throws as the page does", async () => {
    expect(await agent.executeBrowserScript({ expression: "Promise.resolve(7)", awaitPromise: true })).toMatchObject({
      result: 7,
      type: "number",
    });
    const thrown = await agent.executeBrowserScript({ expression: "nowhere.at" }).catch((error: unknown) => error);
    expect(isProblem(thrown, "script_error")).toBe(true);
  });
});

describe("acting", () => {
  beforeAll(async () => void (await agent.browserNavigate({ url: `${site}/` })));

  test("click, type, fill, press, select, hover, scroll", async () => {
    expect((await agent.browserClick({ selector: "#go" })).ok).toBe(true);
    expect(await evaluated("go.textContent")).toBe("gone");
    await agent.browserType({ selector: "#name", text: "Ann é 日本" });
    expect(await evaluated("document.querySelector('#name').value")).toBe("Ann é 日本");
    await agent.browserFill({ selector: "#name", value: "Bob" });
    await agent.browserPress({ selector: "#name", key: "Backspace" });
    expect(await evaluated("document.querySelector('#name').value")).toBe("Bo");
    await agent.browserSelect({ selector: "#pet", value: "dog" });
    expect(await evaluated("pet.value")).toBe("dog");
    await agent.browserHover({ selector: "#go" });
    expect(await evaluated("document.querySelector('#go:hover') !== null")).toBe(true);
    await agent.browserScroll({ y: 500 });
    expect(await evaluated("scrollY")).toBe(500);
  });

  test("drag", async () => {
    await evaluated("scrollTo(0, 0); window.seen = []; for (const kind of ['mousedown', 'mouseup']) addEventListener(kind, (event) => seen.push(kind + ':' + event.target.id)); 0");
    await agent.browserDrag({ from: "#go", to: "#pet" });
    expect(await evaluated("seen")).toEqual(["mousedown:go", "mouseup:pet"]);
  });

  test("upload from the box and of one's own", async () => {
    await agent.writeFsFile({ path: "given.txt" }, "from the box");
    await agent.browserUpload({ selector: "#file", path: "given.txt" });
    const read = "Promise.all([...file.files].map(async (one) => one.name + '=' + await one.text()))";
    expect(await evaluated(read)).toEqual(["given.txt=from the box"]);
    const own = [new File(["one"], "one.txt"), new File(["two"], "two.txt")];
    await agent.browserUpload({ selector: "#file", files: own });
    expect(await evaluated(read)).toEqual(["one.txt=one", "two.txt=two"]);
  });

  test("files that a page asks for are asked of a person, who may give none", async () => {
    await evaluated("(file.oncancel = () => (window.isCanceled = true), go.onclick = () => file.click(), 0)");
    await agent.browserClick({ selector: "#go" });
    await expect.poll(async () => (await agent.getBrowserAsks()).asks.map(({ kind }) => kind)).toEqual(["file"]);
    const [ask] = (await agent.getBrowserAsks()).asks;
    await agent.browserAnswer({ id: ask?.id ?? "", cancel: true });
    expect(await evaluated("isCanceled")).toBe(true);
    expect((await agent.getBrowserAsks()).asks).toEqual([]);
  });

  test("words are found, and what is selected can be read", async () => {
    expect((await agent.browserFind({ text: "go" })).count).toBeGreaterThan(0);
    await agent.browserFind({ text: "" });
    await evaluated("(document.querySelector('#name').select(), 0)");
    expect(await agent.getBrowserSelection()).toEqual({ text: await evaluated("document.querySelector('#name').value") });
  });

  test("what is on its way is stopped", async () => {
    expect(await agent.browserStopLoading()).toEqual({ ok: true });
  });

  test("dialogs", async () => {
    await evaluated("void setTimeout(() => (window.said = prompt('Name?')))");
    await expect.poll(async () => (await agent.getBrowserDialog()).dialog?.message).toBe("Name?");
    expect((await agent.browserDialog({ accept: true, text: "Ann" })).ok).toBe(true);
    expect(await evaluated("said")).toBe("Ann");
  });
});

describe("watching", () => {
  test("console, once and followed", async () => {
    await agent.browserNavigate({ url: `${site}/second` });
    await evaluated("console.warn('look')");
    const { messages, cursor } = await agent.getBrowserConsole({ level: "warn" });
    expect(messages.at(-1)?.text).toBe("look");
    const following = agent.browser.followConsole({ since: cursor });
    const next = following.next();
    await evaluated("console.error('more')");
    expect((await next).value).toMatchObject({ level: "error", text: "more" });
    await following.return();
  });

  test("network, its bodies, followed", async () => {
    await agent.browserNavigate({ url: `${site}/second` });
    const { requests } = await agent.getBrowserNetwork({ urlPattern: "/second$" });
    const last = requests.at(-1)!;
    expect(last).toMatchObject({ method: "GET", status: 200 });
    expect(new TextDecoder().decode(await agent.getBrowserNetworkBody(last.id))).toContain("Some words.");
    const details = await agent.getBrowserNetworkRequest(last.id);
    expect(details.requestHeaders.map((header) => header.name.toLowerCase())).toContain("host");
    expect(details.timing?.wait).toBeGreaterThan(0);
    const following = agent.browser.followNetwork({ urlPattern: "later" });
    const next = following.next();
    await evaluated("fetch('/later').then((answer) => answer.status)");
    expect((await next).value?.url).toBe(`${site}/later`);
    await following.return();
  });

  test("events, once and followed, and a loop that is left ends its stream", async () => {
    const { cursor } = await agent.getBrowserEvents();
    const seen: string[] = [];
    const tab = await agent.createBrowserTab();
    for await (const event of agent.browser.followEvents({ since: cursor })) {
      seen.push(event.kind);
      if (event.tabId === tab.id) break;
    }
    expect(seen).toContain("tab_opened");
    await agent.closeBrowserTab(tab.id);
  });

  test("crawls, waited for and as a job", async () => {
    const crawled = await agent.crawlBrowser({ url: `${site}/`, maxPages: 2, extract: "text", robots: false });
    expect(crawled.pages.map((page) => page.title)).toEqual(["Home", "Second"]);
    const { id } = await agent.startBrowserCrawl({ url: `${site}/`, maxPages: 2, robots: false });
    const titles: string[] = [];
    for await (const page of agent.browser.followCrawl(id)) titles.push(page.title);
    expect(titles).toEqual(["Home", "Second"]);
    expect((await agent.getBrowserCrawl(id)).state).toBe("done");
    expect((await agent.getBrowserCrawls()).crawls.map((one) => one.id)).toContain(id);
    // Of what is done, nothing is left to cancel; what is not ends where it is.
    expect((await agent.cancelBrowserCrawl(id)).state).toBe("done");
    const endless = await agent.startBrowserCrawl({ url: `${site}/endless/0`, maxPages: 100, maxDepth: 10, robots: false });
    const pages = agent.browser.followCrawl(endless.id);
    expect((await pages.next()).value?.url).toBe(`${site}/endless/0`);
    expect((await agent.cancelBrowserCrawl(endless.id)).state).toBe("cancelled");
    for await (const _ of pages) continue;
    const ended = await agent.getBrowserCrawl(endless.id);
    expect([ended.state, ended.result.pages.length < 100]).toEqual(["cancelled", true]);
  });
});

describe("what is kept", () => {
  test("cookies", async () => {
    await agent.setBrowserCookies({ cookies: [{ name: "a", value: "1", url: `${site}/` }] });
    expect((await agent.getBrowserCookies({ url: `${site}/` })).cookies).toMatchObject([{ name: "a", value: "1" }]);
    await agent.deleteBrowserCookies({ name: "a" });
    expect((await agent.getBrowserCookies({ url: `${site}/` })).cookies).toEqual([]);
  });

  test("storage", async () => {
    await agent.browserNavigate({ url: `${site}/` });
    await evaluated("localStorage.setItem('k', 'v'); 0");
    const state = await agent.getBrowserStorage();
    await evaluated("localStorage.clear(); 0");
    await agent.setBrowserStorage(state);
    expect(await evaluated("localStorage.getItem('k')")).toBe("v");
  });

  test("contexts", async () => {
    const made = await agent.createBrowserContext({ name: "shop" });
    expect((await agent.getBrowserContexts()).contexts.map((one) => one.id)).toContain(made.id);
    expect(await agent.deleteBrowserContext(made.id)).toBeUndefined();
    expect((await agent.getBrowserContexts()).contexts.map((one) => one.id)).not.toContain(made.id);
  });

  test("downloads, whole and as a stream", async () => {
    await agent.browserNavigate({ url: `${site}/` });
    await agent.browserClick({ selector: "text=File" });
    await expect.poll(async () => (await agent.getBrowserDownloads()).downloads[0]?.state).toBe("completed");
    const [file] = (await agent.getBrowserDownloads()).downloads;
    expect(new TextDecoder().decode(await agent.readBrowserDownload(file!.id))).toBe("kept");
    expect(await new Response(await agent.browser.downloadStream(file!.id)).text()).toBe("kept");
    expect((await agent.deleteBrowserDownload(file!.id)).ok).toBe(true);
    expect((await agent.getBrowserDownloads()).downloads).toEqual([]);
  });

  test("partitions", async () => {
    await agent.putBrowserPartition("work");
    expect((await agent.getBrowserPartitions()).partitions.map((one) => one.name)).toContain("work");
    expect((await agent.deleteBrowserPartition("work")).ok).toBe(true);
    expect((await agent.getBrowserPartitions()).partitions.map((one) => one.name)).not.toContain("work");
  });
});

test("the CDP address carries no credential, a ticket does, and opens", async () => {
  expect(agent.getBrowserCdpUrl()).toBe(`${inject("boxUrl").replace("http", "ws")}/v1/browser/cdp`);
  const ticket = await agent.getBrowserCdpTicket();
  const socket = new WebSocket(ticket);
  const answer = await new Promise<string>((resolve, reject) => {
    socket.onerror = () => reject(new Error("refused"));
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: "Browser.getVersion" }));
    socket.onmessage = (event) => resolve(String(event.data));
  });
  expect(JSON.parse(answer).result.product).toContain("Chrom");
  socket.close();
  // Once, and only for a socket.
  const again = new WebSocket(ticket);
  expect(await new Promise((resolve) => ((again.onopen = () => resolve("open")), (again.onerror = () => resolve("refused"))))).toBe("refused");
  const token = new URL(await agent.getBrowserCdpTicket()).searchParams.get("token")!;
  const refused = await new SandboxAgent({ baseUrl: agent.baseUrl, token }).getBrowserTabs().catch((error: unknown) => error);
  expect(isProblem(refused, "token_invalid")).toBe(true);
});

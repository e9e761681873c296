/** The viewer page in a frame of another site, in a real Chromium: localhost may have it, 127.0.0.1 may not. */
import { SandboxAgent } from "belljar";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";

const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
// Another site than the box's: cookies of the one do not go to the other's frames.
const allowed = inject("host").replace("127.0.0.1", "localhost");
const foreign = inject("host").replace("127.0.0.1", "evil.localhost");
const view = `${agent.baseUrl}/view`;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let addresses: string[];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  await agent.startBrowser({ headless: true, width: 800, height: 600, url: `${inject("site")}/events` });
});
afterAll(async () => {
  await browser.close();
  await agent.stopBrowser();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  page = await context.newPage();
  addresses = [];
  context.on("request", (request) => addresses.push(request.url(), request.headers()["referer"] ?? ""));
  page.on("websocket", (socket) => addresses.push(socket.url()));
});
afterEach(async () => {
  await context.close();
  await expect.poll(async () => (await agent.live.health()).viewers).toBe(0);
});

const frame = () => page.frames().find((one) => one.url().startsWith(agent.baseUrl));
const state = () => frame()?.evaluate(() => document.getElementById("state")?.dataset["state"]);
const note = () => frame()?.evaluate(() => document.getElementById("note-text")?.textContent);
const tokenFor = async (role: "view" | "drive", ttl = 60) => (await agent.createToken({ role, ttl })).token;

/** The embedder's page, with a token that it has from its own server. */
async function embed(token: string, at: string = allowed): Promise<void> {
  await page.addInitScript((given) => void ((globalThis as { token?: string }).token = given), token);
  await page.goto(`${at}/embed.html?view=${encodeURIComponent(view)}`);
}

test("a page of an allowed origin hands over a token, and the frame is driven with it", async () => {
  const token = await tokenFor("drive");
  await embed(token);
  await expect.poll(state).toBe("open");
  await expect.poll(() => frame()!.evaluate(() => document.querySelector<HTMLCanvasElement>("#picture")!.checkVisibility({ visibilityProperty: true }))).toBe(true);
  await page.frameLocator("#view").locator("#keys").click({ position: { x: 20, y: 200 } });
  await expect.poll(() => page.frameLocator("#view").locator("#holder").textContent()).toBe("You have control");
  await page.frameLocator("#view").locator("#control").click();
  await expect.poll(async () => (await agent.control.show()).holder.kind).toBe("none");
  // In no address, referrer, history, store or cookie.
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  const kept = () => JSON.stringify([location.href, document.cookie, document.referrer, document.documentElement.outerHTML]);
  expect(await frame()!.evaluate(kept)).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }]))).not.toContain(token);
  // A frame of another site may not even be allowed to keep something.
  expect(await frame()!.evaluate(() => { try { return localStorage.length; } catch { return "denied"; } })).toBe("denied");
  expect(await context.cookies()).toEqual([]);
});

test("a page of another origin shows no frame, and is not asked for a token", async () => {
  for (const at of [foreign, inject("host")]) {
    await embed(await tokenFor("drive"), at);
    await expect.poll(() => page.frames().at(-1)!.url()).toBe("chrome-error://chromewebdata/");
    expect(await page.evaluate(() => (globalThis as unknown as { asked: number }).asked)).toBe(0);
  }
});

test("a page around a page that is allowed must be allowed, too", async () => {
  await page.goto(`${foreign}/embed.html`);
  await page.evaluate((address) => void (document.querySelector("iframe")!.src = address), `${allowed}/embed.html?view=${encodeURIComponent(view)}&token=x`);
  await expect.poll(() => page.frames().map((one) => one.url())).toContain("chrome-error://chromewebdata/");
});

test("what others say is no token: not the frame's own windows, not another window, not another form", async () => {
  await page.goto(`${allowed}/embed.html`);
  const good = await tokenFor("drive");
  // Nobody answers what the frame asks; it goes on asking, and only its parent's token of the right form counts.
  await page.evaluate((address) => void (document.querySelector("iframe")!.src = address), view);
  await expect.poll(note).toBe("Waiting for a token from the page around this one…");
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: [string, { type: string }][] }).heard.map(([origin, data]) => [origin, Object.keys(data).join(), data.type]));
  await expect.poll(heard).toContainEqual([agent.baseUrl, "type", "belljar.token-wanted"]);
  await frame()!.evaluate((token) => postMessage({ type: "belljar.token", token }, "*"), good);
  const [other] = await Promise.all([context.waitForEvent("page"), page.evaluate((address) => void open(address), `${foreign}/embed.html`)]);
  await other.evaluate((token) => opener.frames[0].postMessage({ type: "belljar.token", token }, "*"), good);
  const answer = (data: unknown) => page.evaluate(([said, origin]) => frames[0]!.postMessage(said, origin as string), [data, agent.baseUrl] as const);
  for (const wrong of [null, "belljar.token", { type: "belljar.token" }, { type: "belljar.token", token: 7 }, { type: "belljar.token", token: "" }, { type: "other", token: good }]) await answer(wrong);
  expect(await state()).toBe("connecting");
  expect(addresses.filter((address) => address.startsWith("ws:"))).toEqual([]);
  await answer({ type: "belljar.token", token: good });
  await expect.poll(state).toBe("open");
});

test("a token that ended is followed by another, and nobody is asked for one in a frame", async () => {
  await embed("not a good one".replaceAll(" ", "-"));
  await expect.poll(() => page.evaluate(() => (globalThis as unknown as { asked: number }).asked)).toBeGreaterThan(1);
  expect(await frame()!.evaluate(() => document.getElementById("sign-in")!.hidden)).toBe(true);
  const token = await tokenFor("view", 2);
  await page.evaluate((given) => void ((globalThis as { token?: string }).token = given), token);
  await expect.poll(state).toBe("open");
  await page.evaluate((given) => void ((globalThis as { token?: string }).token = given), await tokenFor("view"));
  const before = await page.evaluate(() => (globalThis as unknown as { asked: number }).asked);
  await expect.poll(() => page.evaluate(() => (globalThis as unknown as { asked: number }).asked)).toBeGreaterThan(before);
  await expect.poll(state).toBe("open");
});

test("somebody's own sign-in counts for nothing in a frame of another site", async () => {
  const signed = await context.newPage();
  await signed.goto((await agent.createToken({ role: "drive", ttl: 60 })).link);
  await expect.poll(() => signed.evaluate(() => document.getElementById("state")?.dataset["state"])).toBe("open");
  expect(await context.cookies()).toHaveLength(1);
  await page.goto(`${allowed}/embed.html`);
  await page.evaluate((address) => void (document.querySelector("iframe")!.src = address), view);
  await expect.poll(note).toBe("Waiting for a token from the page around this one…");
  expect(await state()).toBe("connecting");
  await signed.close();
});

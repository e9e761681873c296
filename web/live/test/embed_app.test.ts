/** The web app in a frame of another site, in a real Chromium: of a box at /ui/, and of one session of a control plane. */
import { readFileSync } from "node:fs";
import { Belljar, SandboxAgent, type Session } from "belljar";
import { type Browser, type BrowserContext, type Frame, type FrameLocator, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";

const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
const plane = new Belljar({ baseUrl: inject("planeUrl"), token: inject("planeKey") });
// Another site than the servers': cookies of the one do not go to the other's frames.
const allowed = inject("host").replace("127.0.0.1", "localhost");
const foreign = inject("host").replace("127.0.0.1", "evil.localhost");
let browser: Browser;
let session: Session;
let context: BrowserContext;
let page: Page;
// All that was said where others can read it: addresses, referrers, the console.
let said: string[];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  await agent.startBrowser({ headless: true, width: 800, height: 600, url: `${inject("site")}/events` });
  session = await plane.sessions.create({ mode: "browser", headless: true, url: `${inject("site")}/events`, record: "content" });
});
afterAll(async () => {
  await browser.close();
  await session.end();
  await agent.stopBrowser();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  page = await context.newPage();
  said = [];
  context.on("request", (request) => said.push(request.url(), request.headers()["referer"] ?? ""));
  page.on("websocket", (socket) => said.push(socket.url()));
  page.on("console", (message) => said.push(message.text()));
});
afterEach(() => context.close());

type Role = "view" | "drive";

/** The places where the app is, each with the box behind it and who makes tokens for it. */
const PLACES: Record<string, { address: () => string; box: () => SandboxAgent; token: (role: Role, ttl?: number) => Promise<string>; log: string }> = {
  "a box": {
    // As wide as the frame is, the drawer waits to be asked for.
    address: () => `${agent.baseUrl}/ui/?panel=activity&act=run`,
    box: () => agent,
    token: async (role, ttl = 60) => (await agent.createToken({ role, ttl })).token,
    log: inject("boxLog"),
  },
  "a session of a control plane": {
    address: () => `${plane.baseUrl}/sessions/${session.id}?panel=activity&act=run`,
    box: () => session,
    token: async (role, ttl = 60) => (await plane.sessions.createToken(session.id, { role, ttl })).token!,
    log: inject("planeLog"),
  },
  "a session's box through the gateway": {
    address: () => `${plane.baseUrl}/s/${session.id}/ui/?panel=activity&act=run`,
    box: () => session,
    token: async (role, ttl = 60) => (await plane.sessions.createToken(session.id, { role, ttl })).token!,
    log: inject("planeLog"),
  },
};

const app = (): FrameLocator => page.frameLocator("#view");
const frame = (): Frame => page.frames().find((one) => one.url().startsWith(agent.baseUrl) || one.url().startsWith(plane.baseUrl))!;
const give = (token: string): Promise<void> => page.evaluate((given) => void ((globalThis as { token?: string }).token = given), token);
const asked = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { asked: number }).asked);
/** Of those that the filter in the address leaves. */
const acts = (): Promise<number> => app().locator(".act").count();
const isOpen = (): Promise<void> => expect.poll(() => app().locator(".stage").getAttribute("data-state")).toBe("open");
const isShown = (): Promise<void> => expect.poll(() => app().locator("canvas.picture").isVisible()).toBe(true);

async function embed(address: string, token: string, at: string = allowed): Promise<void> {
  await page.addInitScript((given) => void ((globalThis as { token?: string }).token = given), token);
  await page.goto(`${at}/embed.html?view=${encodeURIComponent(address)}`);
}

describe.each(Object.keys(PLACES))("%s", (name) => {
  const { address, box, token: tokenFor, log } = PLACES[name]!;

  test("a page of an allowed origin hands over a token, and all of the app works with it", async () => {
    const token = await tokenFor("drive");
    await box().files.write({ path: "~/kept in a frame.txt" }, "kept");
    await box().runProcess({ command: "true" });
    await embed(address(), token);
    await isOpen();
    await isShown();
    // The live view is driven.
    await app().locator(".stage-keys").click({ position: { x: 20, y: 200 } });
    await expect.poll(() => app().locator(".who").textContent()).toContain("You drive");
    await app().getByRole("button", { name: "Give back" }).click();
    await expect.poll(async () => (await box().control.show()).holder.kind).toBe("none");
    // Calls, and the record as it comes.
    await expect.poll(acts).toBeGreaterThan(0);
    const before = await acts();
    await box().runProcess({ command: "true" });
    await expect.poll(acts).toBe(before + 1);
    // What elements load by an address alone: files to save, and a terminal's socket.
    await app().getByRole("button", { name: "Files", exact: true }).click();
    const [saved] = await Promise.all([page.waitForEvent("download"), app().getByRole("link", { name: "Download kept in a frame.txt" }).click()]);
    expect(saved.suggestedFilename()).toBe("kept in a frame.txt");
    expect(readFileSync(await saved.path(), "utf8")).toBe("kept");
    await app().getByRole("button", { name: "Try", exact: true }).click();
    await expect.poll(() => app().getByLabel("Tool", { exact: true }).locator("option").count()).toBeGreaterThan(10);
    await app().getByRole("tab", { name: "API call" }).click();
    await app().getByRole("button", { name: "Send" }).click();
    await expect.poll(() => app().getByLabel("The answer", { exact: true }).textContent()).toContain('"state": "active"');
    // In no address, referrer, console, log, history, store or cookie.
    expect(said.filter((words) => words.includes(token))).toEqual([]);
    expect(readFileSync(log, "utf8")).not.toContain(token);
    const kept = () => JSON.stringify([location.href, document.cookie, document.referrer, document.documentElement.outerHTML, performance.getEntries().map((entry) => entry.name)]);
    expect(await frame().evaluate(kept)).not.toContain(token);
    expect(await page.evaluate(() => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }]))).not.toContain(token);
    // A frame of another site may not even be allowed to keep something.
    expect(await frame().evaluate(() => { try { return localStorage.length; } catch { return "denied"; } })).toBe("denied");
    expect(await context.cookies()).toEqual([]);
  });

  test("with a token that may only watch it is watched", async () => {
    await embed(address(), await tokenFor("view"));
    await isOpen();
    await isShown();
    expect(await app().getByRole("button", { name: "Take control" }).count()).toBe(0);
    expect(await app().getByRole("button", { name: "Files", exact: true }).count()).toBe(0);
  });

  test("a page of another origin shows no frame, and is not asked for a token", async () => {
    await embed(address(), await tokenFor("drive"), foreign);
    await expect.poll(() => page.frames().at(-1)!.url()).toBe("chrome-error://chromewebdata/");
    expect(await asked()).toBe(0);
  });

  test("what others say is no token, and others are told none", async () => {
    const good = await tokenFor("drive");
    await page.goto(`${allowed}/embed.html`);
    await page.evaluate((at) => void (document.querySelector("iframe")!.src = at), address());
    await expect.poll(() => app().getByRole("status").first().textContent()).toContain("Waiting for a token from the page around this one…");
    await frame().evaluate((token) => postMessage({ type: "belljar.token", token }, "*"), good);
    const [other] = await Promise.all([context.waitForEvent("page"), page.evaluate((at) => void open(at), `${foreign}/embed.html`)]);
    await other.evaluate((token) => opener.frames[0].postMessage({ type: "belljar.token", token }, "*"), good);
    const answer = (data: unknown) => page.evaluate(([what, origin]) => frames[0]!.postMessage(what, origin as string), [data, new URL(address()).origin] as const);
    for (const wrong of [null, "belljar.token", { type: "belljar.token" }, { type: "belljar.token", token: 7 }, { type: "belljar.token", token: "" }, { type: "other", token: good }]) await answer(wrong);
    // Nothing but the page and its parts was asked for.
    expect(said.filter((words) => /^ws:|\/v1\/|\/api\//.test(words))).toEqual([]);
    await answer({ type: "belljar.token", token: good });
    await isOpen();
    // Whoever asks in the app's words from another frame or window hears nothing.
    const ask = (to: "parent" | "opener") => `new Promise((resolve) => { const heard = []; addEventListener("message", (event) => heard.push(event.data)); ${to}.postMessage({ type: "belljar.token-wanted" }, "*"); ${to}.frames[0].postMessage({ type: "belljar.token-wanted" }, "*"); setTimeout(() => resolve(heard), 500); })`;
    expect(await other.evaluate(ask("opener"))).toEqual([]);
    await embed(address(), good);
    await isOpen();
    await page.evaluate((at) => void document.body.append(Object.assign(document.createElement("iframe"), { src: at, id: "evil" })), `${foreign}/embed.html`);
    await expect.poll(() => page.frames().some((one) => one.url().startsWith(foreign))).toBe(true);
    const evil = page.frames().find((one) => one.url().startsWith(foreign))!;
    await evil.waitForLoadState();
    const before = await asked();
    expect(await evil.evaluate(ask("parent"))).toEqual([]);
    expect(await asked()).toBe(before);
  });

  test("a token that ended is followed by another, for calls, the live view and the record alike", async () => {
    await embed(address(), "not-a-good-one");
    await expect.poll(() => app().getByRole("status").first().textContent()).toContain("is not, or no longer, good here");
    expect(await app().locator("form.sign-in, input[type=password]").count()).toBe(0);
    const short = await tokenFor("drive", 3);
    await give(short);
    await isOpen();
    await give(await tokenFor("drive"));
    const before = await asked();
    await expect.poll(asked).toBeGreaterThan(before);
    await isOpen();
    await expect.poll(acts).toBeGreaterThan(0);
    const known = await acts();
    await box().runProcess({ command: "true" });
    await expect.poll(acts).toBe(known + 1);
  });
});

test("of a control plane's app no other screen is shown in a frame", async () => {
  for (const path of ["/", "/profiles", "/admin"]) {
    await embed(`${plane.baseUrl}${path}`, inject("planeKey"));
    await expect.poll(() => page.frames().at(-1)!.url()).toBe("chrome-error://chromewebdata/");
    expect(await asked()).toBe(0);
  }
});

test("whoever is signed in counts for nothing in a frame, even where both pages are of one site", async () => {
  // 127.0.0.1 with another port is another origin of the same site: cookies go along, and must not count.
  const signed = await context.newPage();
  await signed.goto(`${plane.baseUrl}/`);
  await signed.getByLabel("API key").fill(inject("planeKey"));
  await signed.getByRole("button", { name: "Sign in" }).click();
  await expect.poll(() => signed.getByRole("button", { name: /^Signed in as/ }).isVisible()).toBe(true);
  await signed.goto(`${plane.baseUrl}/sessions/${session.id}`);
  await expect.poll(() => signed.locator(".stage").getAttribute("data-state")).toBe("open");
  expect((await context.cookies()).length).toBeGreaterThan(1);
  await signed.close();
  const at = inject("host");
  await page.goto(`${at}/embed.html`);
  await page.evaluate((address) => void (document.querySelector("iframe")!.src = address), `${plane.baseUrl}/sessions/${session.id}`);
  await expect.poll(() => app().getByRole("status").first().textContent()).toContain("Waiting for a token");
  await embed(`${plane.baseUrl}/sessions/${session.id}`, await PLACES["a session of a control plane"]!.token("view"), at);
  await isOpen();
  await isShown();
  expect(await app().getByRole("button", { name: "Take control" }).count()).toBe(0);
  expect(await app().getByRole("link", { name: "All sessions" }).count()).toBe(0);
});

test("pictures of the record are shown in a frame, too", async () => {
  await session.browser.click({ selector: "#box" });
  await embed(`${plane.baseUrl}/sessions/${session.id}`, await PLACES["a session of a control plane"]!.token("drive"));
  await isOpen();
  const drawn = () => app().locator("img.strip").evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length);
  await expect.poll(drawn).toBeGreaterThan(0);
});

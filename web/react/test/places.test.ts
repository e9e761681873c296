/** The viewer wherever its server is: alone behind TLS at a sub-path, through the gateway, and both; and when its token is revoked, its tab sleeps, its display is to fit. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Belljar, SandboxAgent, type Session } from "belljar";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { cuttable } from "../../sdk/test/cable.ts";
import { type TlsProxy, tlsProxy } from "../../sdk/test/proxy.ts";
import { TOKEN, start, stop } from "../../sdk/test/servers.ts";
import { Person, agent, launch, site, viewers } from "./person.ts";

const [W, H] = [800, 600];
const BLUE = [0, 0, 255];
const jar = new Belljar({ baseUrl: inject("planeUrl"), token: inject("planeKey") });
type Box = Pick<SandboxAgent, "browserNavigate" | "executeBrowserScript" | "live">;
let browser: Browser;
let person: Person | undefined;
let session: Session;
let proxies: { box: TlsProxy; plane: TlsProxy };
const folder = mkdtempSync(join(tmpdir(), "belljar-places-"));

beforeAll(async () => {
  browser = await launch();
  for (const name of ["box", "plane"]) mkdirSync(join(folder, name));
  proxies = { box: await tlsProxy(inject("boxUrl"), join(folder, "box"), "/a/box"), plane: await tlsProxy(inject("planeUrl"), join(folder, "plane"), "/some/jar") };
  session = await jar.sessions.create({ ttl: 600, headless: true, viewport: { width: W, height: H } });
  await agent.startBrowser({ headless: true, width: W, height: H });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([session.end(), agent.stopBrowser(), proxies.box.end(), proxies.plane.end()]);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await person?.leave();
  person = undefined;
});

const tokenFor = async () => (await jar.sessions.createToken(session.id, { role: "drive", ttl: 600 })).token!;

test.each([
  ["a box alone behind TLS at a sub-path", "18", () => agent as Box, async () => ({ baseUrl: proxies.box.url, token: inject("boxToken") })],
  ["a session through the gateway", "19", () => session as Box, async () => ({ baseUrl: session.baseUrl, token: await tokenFor() })],
  ["a session through the gateway behind TLS at a sub-path", "18", () => session as Box, async () => ({ baseUrl: `${proxies.plane.url}/s/${session.id}`, token: await tokenFor() })],
] as const)("%s, with React %s, on a screen of two pixels to a point", async (_, version, boxOf, addressOf) => {
  const [box, address] = [boxOf(), await addressOf()];
  await box.browserNavigate({ url: `${site}/events` });
  const here = (person = await Person.at(browser, version, { ignoreHTTPSErrors: true, deviceScaleFactor: 2 }));
  await here.mount(address);
  await here.sees(450 / W, 250 / H, BLUE);
  expect((await box.live.health()).viewers).toBe(1);
  expect(here.sockets.every((url) => url.startsWith(address.baseUrl.replace("http", "ws")))).toBe(true);
  await here.page.mouse.click(...(await here.point(150, 60, W, H)));
  const key = await here.page.evaluate((name) => sessionStorage.getItem(name), `belljar-viewer ${address.baseUrl}`);
  const asks = async <T>(expression: string) => (await box.executeBrowserScript({ expression }, { headers: { "Belljar-Viewer": key ?? "" } })).result as T;
  await expect.poll(() => asks("document.activeElement.id")).toBe("field");
  expect(await asks<number>("Math.hypot(seen.findLast((e) => e.type === 'mousedown').x - 150, seen.findLast((e) => e.type === 'mousedown').y - 60)")).toBeLessThanOrEqual(2);
  await here.page.keyboard.type("aB é");
  await expect.poll(() => asks("document.getElementById('field').value")).toBe("aB é");
  await here.unmount();
  await expect.poll(async () => (await box.live.health()).viewers).toBe(0);
  expect(here.errors).toEqual([]);
  // Calls from a page go the same way.
  const plain = await here.page.context().newPage();
  await plain.goto(`${inject("host")}/plain.html`);
  await plain.waitForFunction(() => "belljar" in globalThis);
  const said = await plain.evaluate(async (given) => {
    const { belljar } = globalThis as unknown as { belljar: typeof import("belljar") };
    const client = new belljar.SandboxAgent(given);
    return [(await client.getBrowserTabs()).tabs.length, (await client.runProcess({ command: "echo", args: ["hi"] })).stdout, (await client.live.link({ role: "view" })).link.split("#")[0], client.getBrowserCdpUrl()];
  }, address);
  expect(said).toEqual([1, "hi\n", `${address.baseUrl}/view`, `${address.baseUrl.replace("http", "ws")}/v1/browser/cdp`]);
  expect([...proxies.box.log, ...proxies.plane.log].filter((line) => line.includes(address.token))).toEqual([]);
});

test.each(["18", "19"])("a token that is revoked while its viewer watches ends it, and it says why once, with React %s", async (version) => {
  const { id, token } = await jar.sessions.createToken(session.id, { role: "drive", ttl: 600 });
  await session.browserNavigate({ url: `${site}/events` });
  const here = (person = await Person.at(browser, version));
  await here.mount({ baseUrl: session.baseUrl, token: token! });
  await here.sees(450 / W, 250 / H, BLUE);
  await here.page.mouse.click(...(await here.point(150, 60, W, H)));
  await expect.poll(async () => (await session.control.show()).holder.kind).toBe("viewer");
  await jar.sessions.revokeToken(session.id, id);
  await expect.poll(() => here.told("error")).toHaveLength(1);
  expect((await here.told("error"))[0]).toMatchObject([{ code: "token_invalid" }]);
  expect(await here.page.locator(".belljar-stage").getAttribute("data-state")).toBe("closed");
  await expect.poll(async () => (await session.live.health()).viewers).toBe(0);
  expect(await here.told("disconnect")).toHaveLength(1);
  const tried = here.sockets.length;
  await here.unmount();
  // Another that is good comes in at once, and nobody has tried in between.
  await here.mount({ baseUrl: session.baseUrl, token: await tokenFor() });
  await here.sees(450 / W, 250 / H, BLUE);
  expect(here.sockets).toHaveLength(tried + 1);
  expect(await here.told("error")).toHaveLength(1);
  await here.unmount();
  await expect.poll(async () => (await session.control.show()).holder.kind).toBe("none");
});

test.each(["18", "19"])("a tab that was put to sleep while its network went is back when it is shown, with React %s", async (version) => {
  await agent.browserNavigate({ url: `${site}/events` });
  const cable = await cuttable(new URL(agent.baseUrl).port);
  try {
    const here = (person = await Person.at(browser, version));
    await here.mount({ baseUrl: `http://127.0.0.1:${cable.port}` });
    await here.sees(450 / W, 250 / H, BLUE);
    await here.cdp.send("Page.setWebLifecycleState", { state: "frozen" });
    await agent.executeBrowserScript({ expression: "box.style.background = 'rgb(255, 0, 0)'" });
    cable.cut();
    await expect.poll(viewers).toBe(0);
    await here.cdp.send("Page.setWebLifecycleState", { state: "active" });
    await here.sees(450 / W, 250 / H, [255, 0, 0]);
    expect(await viewers()).toBe(1);
    expect(here.sockets).toHaveLength(2);
    // Asleep with a whole network it misses nothing either.
    await here.cdp.send("Page.setWebLifecycleState", { state: "frozen" });
    await agent.executeBrowserScript({ expression: "box.style.background = 'rgb(0, 0, 255)'" });
    await here.cdp.send("Page.setWebLifecycleState", { state: "active" });
    await here.sees(450 / W, 250 / H, BLUE);
    await here.unmount();
    await expect.poll(viewers).toBe(0);
  } finally {
    await cable.end();
  }
});

test("the display has the size that it is shown in, and another when that changes, where the server allows it", { timeout: 120_000 }, async () => {
  const flags = ["box", "--port", "0", "--state-dir", join(folder, "state"), "--egress", "open", "--cors-origin", inject("host"), "--live-resize", "1600x900"];
  const { child, said } = await start(flags, /listens on (\S+)/);
  try {
    const own = new SandboxAgent({ baseUrl: said[1]!, token: TOKEN });
    await own.startDesktop({ width: W, height: H });
    const here = (person = await Person.at(browser, "19"));
    await here.mount({ kind: "desktop", baseUrl: own.baseUrl, token: TOKEN, fitDisplay: true });
    const shown = () => here.page.locator(".belljar-picture").evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    const isFitting = async () => {
      const [[width, height], { resolution }] = [await shown(), await own.getDesktopDisplayInfo()];
      // A display has widths in steps of eight.
      return Math.abs(resolution!.width - width!) <= 8 && Math.abs(resolution!.height - height!) <= 8;
    };
    await here.page.getByRole("button", { name: "Take control" }).click();
    await expect.poll(isFitting).toBe(true);
    await here.page.setViewportSize({ width: 640, height: 700 });
    await expect.poll(async () => (await shown())[0]).toBeLessThan(640);
    await expect.poll(isFitting).toBe(true);
    await here.unmount();
  } finally {
    await stop(child);
  }
});

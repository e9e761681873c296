/** `DesktopStreamSession` in a real Chromium against a real box: picture, clicks, keys, and its end. */
import { SandboxAgent } from "belljar";
import { type Browser, type Page, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
let browser: Browser;
let page: Page;

beforeAll(async () => {
  // Loopback is all that tests speak to, and no address of a browser's own by default.
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--allow-loopback-in-peer-connection"] });
  await agent.startBrowser({ width: 800, height: 600, url: `${inject("site")}/events` });
});
afterAll(async () => {
  await browser.close();
  await agent.stopBrowser();
});

interface Watched {
  told: unknown[][];
  session: import("belljar").DesktopStreamSession;
}

async function connect(token: string): Promise<void> {
  page = await browser.newPage();
  await page.goto(`${inject("host")}/plain.html`);
  await page.waitForFunction(() => "belljar" in globalThis);
  await page.evaluate(
    ([baseUrl, secret]) => {
      const { belljar } = globalThis as unknown as { belljar: typeof import("belljar") };
      const told: unknown[][] = [];
      const session = new belljar.SandboxAgent({ baseUrl: baseUrl!, token: secret! }).connectDesktopStream();
      session.onReady((status) => told.push(["ready", status]));
      session.onConnect(() => told.push(["connect"]));
      session.onDisconnect(() => told.push(["disconnect"]));
      session.onClose(() => told.push(["close"]));
      session.onFrame(() => told.push(["frame"]));
      session.onError((error) => told.push(["error", error.message]));
      session.onTrack((stream) => {
        told.push(["track", stream === session.getMediaStream(), stream.getVideoTracks().length]);
        document.querySelector("video")!.srcObject = stream;
      });
      Object.assign(globalThis, { told, session });
    },
    [agent.baseUrl, token],
  );
}

const told = (name: string) => page.evaluate((wanted) => (globalThis as unknown as Watched).told.filter(([one]) => one === wanted), name);
const press = (x: number, y: number) =>
  page.evaluate(
    ([left, top]) => {
      const { session } = globalThis as unknown as Watched;
      session.moveMouse(left!, top!);
      session.mouseDown("left", left, top);
      session.mouseUp("left", left, top);
    },
    [x, y],
  );
const type = (...keys: string[]) =>
  page.evaluate((all) => {
    const { session } = globalThis as unknown as Watched;
    for (const key of all) {
      session.keyDown(key);
      session.keyUp(key);
    }
  }, keys);
const asks = async <T>(expression: string) => (await agent.executeBrowserScript({ expression })).result as T;

/** The colour of the video at a point of the display. */
const colour = ([x, y]: [number, number]) =>
  page.evaluate(
    ([left, top]) => {
      const video = document.querySelector("video")!;
      if (video.videoWidth === 0) return [];
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext("2d")!;
      context.drawImage(video, 0, 0);
      return [...context.getImageData(left!, top!, 1, 1).data].slice(0, 3);
    },
    [x, y],
  );
const isNear = (seen: number[], wanted: number[]) => seen.length === 3 && seen.every((value, index) => Math.abs(value - wanted[index]!) < 40);

test("the screen is seen, and what is clicked and typed arrives", async () => {
  await connect(inject("boxToken"));
  await expect.poll(() => told("ready")).toEqual([["ready", { type: "ready", width: 800, height: 600 }]]);
  await expect.poll(() => told("connect")).toHaveLength(1);
  expect(await told("track")).toEqual([["track", true, 1]]);
  // Where the page begins on the display: Chromium's own bars are above it.
  const [left, top] = await asks<[number, number]>("[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]");
  const at = (x: number, y: number): [number, number] => [Math.round(left + x), Math.round(top + y)];
  await expect.poll(async () => isNear(await colour(at(450, 250)), [0, 0, 255])).toBe(true);
  await press(...at(150, 60));
  await expect.poll(() => asks("document.activeElement.id")).toBe("field");
  const [x, y] = await asks<[number, number]>("(({ x, y }) => [x, y])(seen.findLast((e) => e.type === 'mousedown'))");
  expect([Math.abs(x - 150) <= 1, Math.abs(y - 60) <= 1]).toEqual([true, true]);
  await type("a", "B", "1", "é", "Enter", "x", "Backspace", "€");
  await expect.poll(() => asks("document.getElementById('field').value")).toBe("aB1é\n€");
  await page.evaluate(([left, top]) => (globalThis as unknown as Watched).session.scroll(left!, top!, 0, 240), at(600, 400));
  await expect.poll(() => asks<number>("scrollY")).toBeGreaterThan(0);
  // What is no key is passed over, as are points that are none.
  await type("Nonsense", "");
  await page.evaluate(() => {
    const { session } = globalThis as unknown as Watched;
    session.moveMouse(NaN, -5);
    session.moveMouse(1e9, 2e9);
  });
  expect(await told("error")).toEqual([]);
  await page.evaluate(() => {
    const { session } = globalThis as unknown as Watched;
    session.close();
    session.close();
    session.moveMouse(1, 1);
  });
  await expect.poll(() => told("disconnect")).toHaveLength(1);
  expect(await told("close")).toHaveLength(1);
  // There are none but in the track.
  expect(await told("frame")).toEqual([]);
  expect(await told("error")).toEqual([]);
  await expect.poll(async () => (await agent.live.health()).viewers).toBe(0);
  await page.close();
});

test("whoever may only watch sees, and cannot act", async () => {
  await connect((await agent.createToken({ role: "view", ttl: 60 })).token);
  await expect.poll(() => told("connect")).toHaveLength(1);
  await expect.poll(async () => (await colour([5, 5])).length).toBe(3);
  const before = await asks<number>("seen.length");
  await press(400, 400);
  await type("a");
  // The stream's own end comes behind all that was sent.
  await agent.stopDesktopStream();
  await expect.poll(() => told("disconnect")).toHaveLength(1);
  expect(await told("error")).toEqual([["error", "the stream has ended"]]);
  expect(await asks<number>("seen.length")).toBe(before);
  await agent.startDesktopStream();
  await page.close();
});

test("descriptions and messages that are none end nothing but themselves", async () => {
  page = await browser.newPage();
  await page.goto(`${inject("host")}/plain.html`);
  await page.waitForFunction(() => "belljar" in globalThis);
  const errors = await page.evaluate(async () => {
    const { belljar } = globalThis as unknown as { belljar: typeof import("belljar") };
    const socket = Object.assign(new EventTarget(), { readyState: 1, sent: [] as string[], send: (text: string) => void socket.sent.push(text), close: () => void socket.dispatchEvent(new CloseEvent("close")) });
    const session = new belljar.DesktopStreamSession(socket as unknown as WebSocket);
    const told: string[] = [];
    session.onError((error) => told.push(error.message));
    const say = (data: unknown) => socket.dispatchEvent(new MessageEvent("message", { data }));
    for (const data of ["", "null", "[]", "{", '{"event": 5}', '{"event": "system/init"}', new ArrayBuffer(4), '{"event":"signal/candidate","payload":{"candidate":"x"}}', '{"event":"signal/provide","payload":{"sdp":7}}']) say(data);
    const sent = socket.sent.length;
    for (const sdp of ["", "v=0", "v=0\r\nm=video x", "\u0000".repeat(1000)]) say(JSON.stringify({ event: "signal/provide", payload: { sdp, iceservers: [null, 5, {}, { urls: "nonsense:" }] } }));
    const deadline = performance.now() + 10_000;
    while (told.length < 4 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    say(JSON.stringify({ event: "system/disconnect", payload: { message: "over" } }));
    await session.closed;
    return { sent, told: told.length, last: told.at(-1), media: session.getMediaStream() };
  });
  expect(errors).toEqual({ sent: 2, told: 5, last: "over", media: null });
  await page.close();
});

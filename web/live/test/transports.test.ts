/** How what is shown comes to a real Chromium: WebRTC where it works, video over the socket where not, pictures in the end. */
import { SandboxAgent } from "belljar";
import { type Browser, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";

const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
const [W, H] = [800, 600];
// A name that is no localhost: to Chromium its pages are as insecure as any on plain http.
const INSECURE = "viewer.test";
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    // Loopback is all that tests speak to, and no address of a browser's own by default.
    args: ["--no-sandbox", "--allow-loopback-in-peer-connection", `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`],
  });
  await agent.startDesktop({ width: W, height: H });
  await agent.launchDesktopApp({ app: "xterm", args: ["-geometry", "60x20+0+0", "-bg", "rgb:ff/00/00"] });
});
afterAll(async () => {
  await browser.close();
  await agent.stopDesktop();
});
afterEach(async () => {
  await page.close();
  await expect.poll(async () => (await agent.live.health()).viewers).toBe(0);
});

interface Watching {
  connection: import("../src/index.ts").Connection;
  picture: import("../src/index.ts").Picture;
  canvas: HTMLCanvasElement;
  transports: string[];
}

/** A page that watches, with `spoiled` run in it before. */
async function watch(options: { transport?: string; spoiled?: string; host?: string; token?: string } = {}): Promise<void> {
  page = await browser.newPage();
  await page.goto(`${inject("host").replace("127.0.0.1", options.host ?? "127.0.0.1")}/plain.html`);
  await page.waitForFunction(() => "live" in globalThis);
  await page.evaluate(
    ([baseUrl, token, transport, spoiled]) => {
      new Function(spoiled!)();
      const { live } = globalThis as unknown as { live: typeof import("../src/index.ts") };
      const canvas = document.body.appendChild(document.createElement("canvas"));
      const connection = new live.Connection(async (viewer) => live.openLive(`${baseUrl}/`, viewer, token), { storage: null });
      const picture = new live.Picture(canvas, connection, { transport: transport as "jpeg" });
      const transports: string[] = [];
      connection.subscribe(() => {
        const { transport: now, state } = connection.getSnapshot();
        if (state === "open" && transports.at(-1) !== now) transports.push(now);
      });
      Object.assign(globalThis, { connection, picture, canvas, transports });
      connection.open();
    },
    [agent.baseUrl, options.token ?? inject("boxToken"), options.transport, options.spoiled ?? ""] as [string, string, string, string],
  );
}

const known = <T>(read: (watching: Watching) => T) => page.evaluate(`(${read})(globalThis)`) as Promise<T>;
const transport = () => known(({ connection }) => connection.getSnapshot().transport);
const colour = () =>
  known(({ canvas }) => (canvas.width < 400 ? "" : [...canvas.getContext("2d")!.getImageData((canvas.width * 250) / 800, (canvas.height * 200) / 600, 1, 1).data].slice(0, 3).join()));
const isRed = async () => {
  const [red = 0, green = 255] = (await colour()).split(",").map(Number);
  return red > 200 && green < 60;
};

test("it begins over the socket and goes on by WebRTC, never without a picture", async () => {
  await watch();
  await expect.poll(isRed).toBe(true);
  await expect.poll(transport).toBe("webrtc");
  expect(await known(({ transports }) => transports)).toEqual(["jpeg", "webcodecs", "webrtc"]);
  await expect.poll(isRed).toBe(true);
  expect(await known(({ picture }) => picture.viewport)).toMatchObject({ w: W, h: H });
  // One person is one viewer, with one socket.
  expect((await agent.live.health()).viewers).toBe(1);
  await expect.poll(() => known(({ connection }) => (connection.getSnapshot().stats?.kbps ?? 0) > 0)).toBe(true);
  // Input goes over the socket, in the display's pixels.
  await known(({ connection }) => connection.send({ type: "input", device: "mouse", action: "move", x: 321, y: 234 }));
  await expect.poll(async () => { const at = await agent.getDesktopMousePosition(); return [at.x, at.y]; }).toEqual([321, 234]);
});

test("a stream that is stopped is seen over the socket, and by WebRTC when it is there again", async () => {
  await watch();
  await expect.poll(transport).toBe("webrtc");
  await agent.stopDesktopStream();
  await expect.poll(transport).toBe("webcodecs");
  expect(await known(({ connection }) => connection.getSnapshot().peerLost)).toBe("the stream has ended");
  await agent.startDesktopStream();
  await expect.poll(transport).toBe("webrtc");
});

test.each([
  ["webcodecs", "webcodecs", ""],
  ["mse", "mse", ""],
  ["webrtc", "webrtc", ""],
  ["jpeg", "jpeg", ""],
  [undefined, "webcodecs", "delete globalThis.RTCRtpReceiver"],
  [undefined, "mse", "delete globalThis.RTCRtpReceiver; delete globalThis.VideoDecoder"],
  [undefined, "jpeg", "delete globalThis.RTCRtpReceiver; delete globalThis.VideoDecoder; delete globalThis.MediaSource"],
  [undefined, "webcodecs", "RTCPeerConnection.prototype.setRemoteDescription = async () => { throw new Error('no') }"],
] as const)("asked for %s it comes by %s (%s)", async (asked, comes, spoiled) => {
  await watch({ ...(asked === undefined ? {} : { transport: asked }), spoiled });
  await expect.poll(transport).toBe(comes);
  await expect.poll(isRed).toBe(true);
});

// Every peer that the page has made.
const COUNTED = "globalThis.peers = []; const Real = RTCPeerConnection; globalThis.RTCPeerConnection = class extends Real { constructor(...given) { super(...given); peers.push(this); } }";
const openPeers = () => page.evaluate(() => (globalThis as unknown as { peers: RTCPeerConnection[] }).peers.filter((peer) => peer.connectionState !== "closed").length);

test("with its token the peer ends, and with fifty viewers that come and go all of theirs", async () => {
  await watch({ spoiled: COUNTED, token: (await agent.createToken({ role: "view", ttl: 6 })).token });
  await expect.poll(transport).toBe("webrtc");
  expect(await openPeers()).toBe(1);
  await expect.poll(openPeers).toBe(0);
  expect(await known(({ connection }) => connection.getSnapshot().state)).not.toBe("open");
  await known(({ connection, picture }) => (picture.end(), connection.close()));
  await page.evaluate(
    async ([baseUrl, token]) => {
      const { live } = globalThis as unknown as { live: typeof import("../src/index.ts") };
      for (let time = 0; time < 50; time++) {
        const connection = new live.Connection(() => live.openLive(`${baseUrl}/`, "", token), { storage: null });
        const picture = new live.Picture(document.createElement("canvas"), connection);
        connection.open();
        // Some before they are connected, some after, some with an offer on its way.
        await new Promise((resolve) => setTimeout(resolve, (time % 5) * 40));
        picture.end();
        connection.close();
      }
    },
    [agent.baseUrl, inject("boxToken")] as [string, string],
  );
  await expect.poll(openPeers).toBe(0);
  await expect.poll(async () => (await agent.live.health()).viewers).toBe(0);
});

test("on plain http of another host there is no WebCodecs: WebRTC, else MSE", async () => {
  await watch({ host: INSECURE });
  expect(await page.evaluate(() => [isSecureContext, "VideoDecoder" in globalThis])).toEqual([false, false]);
  await expect.poll(transport).toBe("webrtc");
  expect(await known(({ transports }) => transports)).toEqual(["jpeg", "mse", "webrtc"]);
  await expect.poll(isRed).toBe(true);
});

test("of a browser with a window the page alone is shown, and the window when it is asked for", async () => {
  await agent.stopDesktop();
  await agent.startBrowser({ width: W, height: H, url: `${inject("site")}/events` });
  try {
    await watch();
    await expect.poll(transport).toBe("webrtc");
    const asks = async <T>(expression: string) => (await agent.executeBrowserScript({ expression })).result as T;
    const inner = await asks<{ w: number; h: number }>("({ w: innerWidth & ~1, h: innerHeight & ~1 })");
    await expect.poll(() => known(({ picture }) => picture.viewport)).toMatchObject(inner);
    const blue = () => known(({ canvas, picture }) => { const { w, h } = picture.viewport!; const [red, , blue] = canvas.getContext("2d")!.getImageData((450 * canvas.width) / w, (250 * canvas.height) / h, 1, 1).data; return red! < 60 && blue! > 200; });
    await expect.poll(blue).toBe(true);
    await known(({ connection }) => {
      for (const action of ["move", "down", "up"] as const) connection.send({ type: "input", device: "mouse", action, x: 150, y: 60, button: action === "move" ? "none" : "left" });
      for (const action of ["keydown", "keyup"] as const) connection.send({ type: "input", device: "key", action, key: "a", code: "KeyA" });
      connection.send({ type: "input", device: "key", action: "char", text: "é日本🙂" });
    });
    await expect.poll(() => asks("document.getElementById('field').value")).toBe("aé日本🙂");
    await known(({ picture }) => picture.show("window"));
    await expect.poll(() => known(({ picture }) => picture.viewport)).toMatchObject({ w: W, h: H });
    await expect.poll(transport).toBe("webrtc");
  } finally {
    await agent.stopBrowser();
    await agent.startDesktop({ width: W, height: H });
  }
});

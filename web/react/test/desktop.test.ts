/** The desktop's viewer and the terminal, in a real Chromium against a real box. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cuttable } from "../../sdk/test/cable.ts";
import { VERSIONS } from "./host.ts";
import { Person, agent, launch, viewers } from "./person.ts";

const [W, H] = [800, 600];
let browser: Browser;
let person: Person;

beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());
afterEach(() => person.leave());

describe.each(VERSIONS)("with React %s", (version) => {
  test("the desktop is seen, and a press arrives at its point", async () => {
    await agent.startDesktop({ width: W, height: H });
    try {
      person = await Person.at(browser, version);
      await person.mount({ kind: "desktop" });
      await expect.poll(() => person.told("connect")).toEqual([[{ type: "ready", width: W, height: H }]]);
      await expect.poll(() => person.page.locator(".belljar-picture").evaluate((canvas) => (canvas as HTMLElement).style.visibility)).toBe("visible");
      expect(await person.page.locator(".belljar-picture").evaluate((canvas) => (canvas as HTMLElement).style.imageRendering)).toBe("pixelated");
      expect(await person.page.getByLabel("Address").count()).toBe(0);
      await person.page.mouse.click(...(await person.point(321, 234, W, H)));
      await expect.poll(async () => { const at = await agent.getDesktopMousePosition(); return Math.hypot(at.x - 321, at.y - 234) <= 2; }).toBe(true);
      await person.unmount();
      await expect.poll(viewers).toBe(0);
      expect(person.sockets).toHaveLength(1);
    } finally {
      await agent.stopDesktop();
    }
  });

  test.each([
    ["by WebRTC", undefined, "", /WebRTC/],
    ["as video over the socket", "webcodecs", "", /H\.264|VP8/],
    ["as video without WebCodecs", "mse", "delete globalThis.VideoDecoder", /H\.264 \(MSE\)/],
    ["as pictures without WebCodecs", "webcodecs", "delete globalThis.VideoDecoder", /pictures/],
    ["as pictures where the decoder fails", "webcodecs", "VideoDecoder.prototype.decode = () => { throw new Error('no') }", /pictures/],
    ["as pictures where it fails later", "webcodecs", "VideoDecoder.prototype.decode = function () { this.close(); throw new Error('no') }", /pictures/],
  ] as const)("the desktop comes %s, and the viewer says so", async (_, transport, spoiled, words) => {
    await agent.startDesktop({ width: W, height: H });
    try {
      person = await Person.at(browser, version);
      await person.page.evaluate(spoiled);
      await person.mount({ kind: "desktop", ...(transport === undefined ? {} : { transport }) });
      const colours = () =>
        person.page.locator(".belljar-picture").evaluate((element) => {
          const canvas = element as HTMLCanvasElement;
          const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
          return new Set(Array.from({ length: data.length / 400 }, (_, index) => data.slice(index * 400, index * 400 + 3).join())).size;
        });
      await expect.poll(() => person.page.locator(".belljar-picture").evaluate((canvas) => (canvas as HTMLElement).style.visibility)).toBe("visible");
      await person.page.mouse.click(...(await person.point(400, 300, W, H)));
      await expect.poll(() => person.page.locator(".belljar-figures").textContent()).toMatch(words);
      await expect.poll(colours).toBeGreaterThan(1);
      const at = async () => agent.getDesktopMousePosition();
      await person.page.mouse.click(...(await person.point(321, 234, W, H)));
      await expect.poll(async () => Math.hypot((await at()).x - 321, (await at()).y - 234) <= 2).toBe(true);
      await person.unmount();
      await expect.poll(viewers).toBe(0);
    } finally {
      await agent.stopDesktop();
    }
  });

  test("a desktop's sound is muted until the person asks for it", async () => {
    await agent.startDesktop({ width: W, height: H, streamAudioCodec: "opus" });
    try {
      person = await Person.at(browser, version);
      await person.mount({ kind: "desktop" });
      const button = person.page.locator(".belljar-sound");
      await button.waitFor();
      expect([await button.textContent(), await button.getAttribute("aria-pressed")]).toEqual(["Sound is muted", "false"]);
      await button.click();
      await expect.poll(() => button.textContent()).toBe("Mute");
      await button.click();
      await expect.poll(() => button.textContent()).toBe("Sound is muted");
      await person.unmount();
      await expect.poll(viewers).toBe(0);
    } finally {
      await agent.stopDesktop();
    }
  });

  test("a terminal shows what was there and what is typed into, over a cut, until the program ends", async () => {
    const { id } = await agent.createProcess({ command: "bash", args: ["--norc"], tty: true, interactive: true, env: { PS1: "ready> ", LC_ALL: "C.UTF-8" } });
    await expect.poll(async () => (await agent.getProcessLogs(id)).entries.length).toBeGreaterThan(0);
    const cable = await cuttable(new URL(agent.baseUrl).port);
    try {
      person = await Person.at(browser, version);
      await person.mount({ kind: "terminal", processId: id, baseUrl: `http://127.0.0.1:${cable.port}` });
      const screen = () => person.page.evaluate(() => [...document.querySelectorAll(".xterm-rows > div")].map((row) => row.textContent).join("\n"));
      const status = () => person.page.locator(".belljar-terminal [role=status]").textContent();
      await expect.poll(screen).toContain("ready>");
      await expect.poll(status).toBe("connected");
      expect(person.sockets).toHaveLength(1);
      await person.page.locator(".belljar-terminal-screen").click();
      await person.page.keyboard.type("echo $((6 * 7))é🙂\n");
      await expect.poll(screen).toContain("\n42é🙂");
      expect(await person.hostKeys()).toEqual([]);
      await person.page.keyboard.type("stty size\n");
      const [, rows, cols] = /\n(\d+) (\d+)/.exec(await expectMatch(screen, /\n\d+ \d+/))!;
      expect(Number(cols)).toBeGreaterThan(81);
      expect(Number(rows)).toBeGreaterThan(9);
      cable.cut();
      await expect.poll(status).toBe("reconnecting…");
      await expect.poll(status).toBe("connected");
      await person.page.keyboard.type("echo again$((1 + 1))\n");
      await expect.poll(screen).toContain("again2");
      await person.page.keyboard.press("Shift+Escape");
      expect(await person.page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
      await person.page.locator(".belljar-terminal-screen").click();
      await person.page.keyboard.type("exit 3\n");
      await expect.poll(() => person.told("exit")).toEqual([[{ type: "exit", exitCode: 3 }]]);
      expect(await status()).toBe("ended with 3");
      await person.unmount();
      expect(await person.page.locator(".xterm").count()).toBe(0);
    } finally {
      await cable.end();
      await agent.killProcess(id, { waitMs: 5000 });
      await agent.deleteProcess(id);
    }
  });

  test("a terminal that is not there is said to be", async () => {
    person = await Person.at(browser, version);
    await person.mount({ kind: "terminal", processId: "none" });
    await expect.poll(async () => (await person.told("error")).length).toBeGreaterThan(0);
    await person.unmount();
  });
});

async function expectMatch(get: () => Promise<string>, pattern: RegExp): Promise<string> {
  await expect.poll(get).toMatch(pattern);
  return get();
}

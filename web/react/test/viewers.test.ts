/** The components in a real Chromium with React 18 and 19, against a real box. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { cuttable } from "../../sdk/test/cable.ts";
import { VERSIONS } from "./host.ts";
import { Person, agent, launch, site, viewers } from "./person.ts";

const [W, H] = [800, 600];
const FIELD = [150, 60] as const;
const BLUE = [0, 0, 255];
let browser: Browser;
let person: Person;

beforeAll(async () => {
  browser = await launch();
  await agent.startBrowser({ headless: true, width: W, height: H });
});
afterAll(async () => {
  await browser.close();
  await agent.stopBrowser();
});
afterEach(async () => {
  const errors = person.errors.splice(0);
  await person.leave();
  await expect.poll(viewers).toBe(0);
  // Whoever held control gave it back.
  expect((await agent.control.show()).holder.kind).toBe("none");
  expect(errors).toEqual([]);
});

async function come(version: string, options: Parameters<typeof Person.at>[2] = {}): Promise<Person> {
  await agent.browserNavigate({ url: `${site}/events` });
  return (person = await Person.at(browser, version, options));
}

/** The picture is shown, and the field in the page has the focus by a click on it. */
async function intoField(): Promise<void> {
  await person.mount({});
  await person.sees(450 / W, 250 / H, BLUE);
  await person.page.mouse.click(...(await person.point(...FIELD, W, H)));
  await expect.poll(() => person.asks("document.activeElement.id")).toBe("field");
}

const field = () => person.asks<string>("document.getElementById('field').value");
const state = () => person.page.locator(".belljar-stage").getAttribute("data-state");

describe.each(VERSIONS)("with React %s", (version) => {
  test("one connection after mount under StrictMode, none after unmount, nothing asked for in between", async () => {
    await come(version);
    await person.mount({});
    await person.sees(450 / W, 250 / H, BLUE);
    expect(person.sockets).toHaveLength(1);
    expect(await viewers()).toBe(1);
    const before = person.requests.length;
    // Figures come every two seconds, over the same connection.
    await expect.poll(() => person.page.locator(".belljar-figures").textContent()).toContain("Mb/s");
    expect(person.requests.slice(before)).toEqual([]);
    await person.unmount();
    await expect.poll(viewers).toBe(0);
    for (let time = 0; time < 20; time++) {
      await person.mount({});
      if (time % 3 === 0) await expect.poll(state).toBe("open");
      await person.unmount();
    }
    await expect.poll(viewers).toBe(0);
    expect((await person.told("connect"))[0]).toEqual([{ type: "ready", width: W, height: H }]);
    expect(person.sockets.every((address) => !address.includes(inject("boxToken")))).toBe(true);
  });

  test("three cuts of the network are survived, with control", async () => {
    await come(version);
    const cable = await cuttable(new URL(agent.baseUrl).port);
    try {
      const baseUrl = `http://127.0.0.1:${cable.port}`;
      await person.mount({ baseUrl });
      await person.sees(450 / W, 250 / H, BLUE);
      await person.page.mouse.click(...(await person.point(...FIELD, W, H)));
      await expect.poll(() => person.asks("document.activeElement.id", baseUrl)).toBe("field");
      for (let cut = 1; cut <= 3; cut++) {
        cable.cut();
        await expect.poll(async () => (await person.told("disconnect")).length).toBe(cut);
        await expect.poll(async () => (await person.told("connect")).length).toBe(cut + 1);
        await expect.poll(() => person.page.locator("[data-holder]").getAttribute("data-holder")).toBe("you");
        await person.page.keyboard.type(`${cut}`);
        await expect.poll(() => person.asks("document.getElementById('field').value", baseUrl)).toBe("123".slice(0, cut));
      }
      expect(await viewers()).toBe(1);
      await person.unmount();
      await expect.poll(viewers).toBe(0);
    } finally {
      await cable.end();
    }
    // What Chromium says of the cuts is true.
    person.errors.splice(0);
  });

  test("the host page's keys are its own, and those for the box are not the host's", async () => {
    await come(version);
    await intoField();
    await person.page.keyboard.type("ab");
    await expect.poll(field).toBe("ab");
    expect(await person.hostKeys()).toEqual([]);
    await person.page.keyboard.press("Shift+Escape");
    expect(await person.page.evaluate(() => document.activeElement?.className)).not.toContain("belljar-keys");
    await person.page.locator("#before").focus();
    await person.page.keyboard.type("xyz");
    expect(await person.page.locator("#before").inputValue()).toBe("xyz");
    expect(await person.hostKeys()).toEqual(["x", "y", "z"]);
    expect(await field()).toBe("ab");
    // The wheel is the host's, too, until the picture has the focus.
    const top = await person.page.evaluate(() => scrollY);
    await person.page.mouse.move(...(await person.point(600, 400, W, H)));
    await person.page.mouse.wheel(0, 120);
    await expect.poll(() => person.page.evaluate(() => scrollY)).toBeGreaterThan(top);
    expect(await person.asks("scrollY")).toBe(0);
  });

  test("all of it is reached and used with the keyboard alone, and left again", async () => {
    await come(version);
    await person.mount({});
    await person.sees(450 / W, 250 / H, BLUE);
    const focused = () => person.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
    const tab = async (): Promise<string | null | undefined> => (await person.page.keyboard.press("Tab"), focused());
    await person.page.locator("#before").focus();
    const passed = [await tab(), await tab(), await tab(), await tab(), await tab()];
    expect(passed).toEqual(["Back", "Forward", "Reload", "Address", "The browser; Shift+Escape leaves"]);
    // In the picture Tab is the box's: it goes to the first field of its page.
    expect(await tab()).toBe("The browser; Shift+Escape leaves");
    await expect.poll(() => person.asks("document.activeElement.id")).toBe("field");
    await person.page.keyboard.type("by keys");
    await expect.poll(field).toBe("by keys");
    await person.page.keyboard.press("Shift+Escape");
    expect(await tab()).toBe("Give back");
    await person.page.keyboard.press("Space");
    await expect.poll(() => person.page.locator("[data-holder]").getAttribute("data-holder")).toBe("none");
    expect(await tab()).toBe("After");
    expect(await field()).toBe("by keys");
  });

  test("whoever goes in the moment of the first act gives back the control that it took", async () => {
    await come(version);
    await person.mount({});
    await expect.poll(state).toBe("open");
    await expect.poll(() => person.page.locator("[data-holder]").getAttribute("data-holder")).toBe("none");
    // In one breath: the server has not answered yet.
    await person.page.evaluate(() => {
      const keys = document.querySelector<HTMLTextAreaElement>(".belljar-keys")!;
      keys.focus();
      keys.dispatchEvent(new KeyboardEvent("keydown", { key: "a", code: "KeyA", bubbles: true, cancelable: true }));
      globalThis.host.unmount();
    });
    await expect.poll(viewers).toBe(0);
    expect((await agent.control.show()).holder.kind).toBe("none");
    const moves = (await agent.events.list({ kinds: "control", limit: 1000 })).events.map(({ name }) => name);
    expect(moves.slice(-2)).toEqual(["taken", "released"]);
  });

  test("the page receives what was typed: keys, emoji, dead keys, an input method, the clipboard", async () => {
    await come(version);
    await intoField();
    await person.page.keyboard.type("aB1 ");
    await person.cdp.send("Input.insertText", { text: "👩🏽‍🚀" });
    // A dead key makes no text by itself; with the next one it does.
    for (const type of ["rawKeyDown", "keyUp"] as const) await person.cdp.send("Input.dispatchKeyEvent", { type, key: "Dead", code: "BracketLeft", windowsVirtualKeyCode: 229 });
    await person.cdp.send("Input.imeSetComposition", { text: "ˆ", selectionStart: 1, selectionEnd: 1 });
    await person.cdp.send("Input.insertText", { text: "ê" });
    await expect.poll(field).toBe("aB1 👩🏽‍🚀ê");
    for (const text of ["n", "に", "にほん"]) {
      await person.cdp.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      await expect.poll(field).toBe(`aB1 👩🏽‍🚀ê${text}`);
    }
    await person.cdp.send("Input.insertText", { text: "日本" });
    await expect.poll(field).toBe("aB1 👩🏽‍🚀ê日本");
    await person.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "\npasted");
      document.querySelector(".belljar-keys")!.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await expect.poll(field).toBe("aB1 👩🏽‍🚀ê日本\npasted");
    expect(await person.asks("seen.filter((e) => e.type === 'keydown').map((e) => e.code).slice(0, 4).join()")).toBe("KeyA,KeyB,Digit1,Space");
  });

  test("drags and turns of the wheel arrive where they were made", async () => {
    await come(version);
    await intoField();
    const [from, to] = [await person.point(420, 220, W, H), await person.point(620, 420, W, H)];
    await person.page.mouse.move(...from);
    await person.page.mouse.down();
    await person.page.mouse.move(...to, { steps: 5 });
    await person.page.mouse.up();
    const ends = "seen.filter((e) => e.type === 'mousedown' || e.type === 'mouseup').slice(-2).map((e) => [e.x, e.y])";
    await expect.poll(() => person.asks<number[][]>(`(${ends}).length`)).toBe(2);
    await expect.poll(async () => (await person.asks<number[][]>(ends)).flat().map((value, index) => Math.abs(value - [420, 220, 620, 420][index]!) <= 2)).toEqual([true, true, true, true]);
    expect(await person.asks("seen.some((e) => e.type === 'mousemove' && e.buttons === 1)")).toBe(true);
    const top = await person.page.evaluate(() => scrollY);
    await person.page.mouse.wheel(0, 240);
    await expect.poll(() => person.asks<number>("scrollY")).toBe(240);
    expect(await person.page.evaluate(() => scrollY)).toBe(top);
  });

  test("a finger taps, and once the picture has the focus it scrolls the page in the box", async () => {
    await come(version, { hasTouch: true, isMobile: true, viewport: { width: 500, height: 900 } });
    await person.mount({});
    await person.sees(450 / W, 250 / H, BLUE);
    const [x, y] = await person.point(...FIELD, W, H);
    await person.page.touchscreen.tap(x, y);
    await expect.poll(() => person.asks("document.activeElement.id")).toBe("field");
    const [left, top] = await person.point(600, 400, W, H);
    await person.cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: left, y: top }] });
    for (let step = 1; step <= 4; step++) await person.cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: left, y: top - 30 * step }] });
    await person.cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(() => person.asks<number>("scrollY")).toBeGreaterThan(60);
    expect(await person.page.evaluate(() => scrollY)).toBe(0);
  });

  test("the address bar goes there, and whoever led there is told of", async () => {
    await come(version);
    await person.mount({});
    await person.sees(450 / W, 250 / H, BLUE);
    await person.page.getByLabel("Address").fill(`${site}/second`);
    await person.page.keyboard.press("Enter");
    await expect.poll(() => person.asks("document.title")).toBe("Second");
    await expect.poll(async () => (await person.told("navigate")).map(([url]) => url)).toContain(`${site}/second`);
    await person.page.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => person.asks("document.title")).toBe("Events");
    await expect.poll(() => person.page.getByLabel("Address").inputValue()).toBe(`${site}/events`);
    await person.page.getByLabel("Address").fill("http://127.0.0.1:1/");
    await person.page.keyboard.press("Enter");
    await expect.poll(async () => (await person.told("error")).length).toBe(1);
    // Words are no address, and go nowhere.
    await person.page.getByLabel("Address").fill("two words");
    await person.page.keyboard.press("Enter");
    await expect.poll(() => person.page.locator(".belljar-figures").textContent()).toContain("That is no address: two words");
    expect((await person.told("error"))[1]).toMatchObject([{ code: "invalid_request" }]);
    const bare = site.replace("http://", "");
    await person.page.getByLabel("Address").fill(`${bare}/second`);
    await person.page.keyboard.press("Enter");
    await expect.poll(() => person.asks("document.title")).toBe("Second");
  });

  test("whoever may only watch does not act; a token that is not good is said once", async () => {
    const { token } = await agent.createToken({ role: "view", ttl: 60 });
    await come(version);
    await person.mount({ token });
    await person.sees(450 / W, 250 / H, BLUE);
    await person.page.mouse.click(...(await person.point(...FIELD, W, H)));
    await person.page.keyboard.type("no");
    expect(await person.page.getByRole("button", { name: "Take control" }).count()).toBe(0);
    expect(await agent.executeBrowserScript({ expression: "seen.length + field.value" })).toMatchObject({ result: "0" });
    await person.unmount();
    await person.mount({ token: "wrong" });
    await expect.poll(async () => (await person.told("error")).length).toBe(1);
    expect((await person.told("error"))[0]).toMatchObject([{ code: "token_invalid" }]);
    const tried = person.sockets.length;
    await expect.poll(state).toBe("closed");
    expect(tried).toBe(2);
    // Chromium says that the handshake was refused, as it was.
    person.errors.splice(0);
  });

  test("somebody who has control keeps it until it is taken", async () => {
    await come(version);
    await person.mount({});
    await person.sees(450 / W, 250 / H, BLUE);
    await agent.control.take();
    await expect.poll(() => person.page.locator("[data-holder]").getAttribute("data-holder")).toBe("agent");
    await person.page.mouse.click(...(await person.point(...FIELD, W, H)));
    await person.page.getByRole("button", { name: "Take it" }).click();
    await expect.poll(() => person.page.locator("[data-holder]").getAttribute("data-holder")).toBe("you");
    await person.page.getByRole("button", { name: "Give back" }).click();
    await expect.poll(async () => (await agent.control.show()).holder.kind).toBe("none");
  });

  test("hooks: what is logged, the newest of it, and one stream that ends with the component", async () => {
    await come(version);
    const before = (await agent.getBrowserConsole()).messages.length;
    await person.mount({ kind: "console" });
    const lines = () => person.page.locator("#lines li").allTextContents();
    await expect.poll(() => person.requests.filter((address) => address.includes("/console")).length).toBe(1);
    await agent.executeBrowserScript({ expression: "for (let i = 1; i <= 5; i++) console.log('line ' + i)" });
    await expect.poll(lines).toEqual(["line 3", "line 4", "line 5"]);
    expect(await person.page.locator("#lines").getAttribute("data-dropped")).toBe(String(before + 2));
    const ended = person.page.waitForEvent("requestfailed", (request) => request.url().includes("/console"));
    await person.unmount();
    await ended;
    await person.mount({ kind: "session" });
    await expect.poll(() => person.page.locator("#live").textContent()).toBe("open 1 true ");
    expect(person.sockets).toHaveLength(1);
  });

  test("on a server they are text, and open nothing", async () => {
    await come(version);
    const { render } = (await import(`${inject("hostFolder")}/server-${version}/server.mjs`)) as { render(): { version: string; markup: string } };
    const made = render();
    expect(made.version.split(".")[0]).toBe(version);
    expect(made.markup.match(/Connecting…/g)).toHaveLength(2);
  });

  test("variables of CSS change how it looks", async () => {
    await come(version);
    await person.page.addStyleTag({ content: ":root { --belljar-ground: rgb(1, 2, 3) }" });
    await person.mount({});
    await expect.poll(() => person.page.locator(".belljar-viewer").evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgb(1, 2, 3)");
  });
});

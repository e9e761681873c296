/** The connection against a real box: what it is told, what it sends, and that it comes back. */
import { type LiveReady, SandboxAgent } from "belljar";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { cuttable } from "../../sdk/test/cable.ts";
import { Connection, type LiveShot, pointOnPage } from "../src/index.ts";

const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
const site = inject("site");
const opened: Connection[] = [];

function watch(through: SandboxAgent = agent): Connection {
  const connection = new Connection((viewer) => through.live.open({ viewer }), { storage: null });
  opened.push(connection);
  connection.open();
  return connection;
}

function next<T>(listen: (listener: (value: T) => void) => () => void, is: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const end = listen((value) => {
      if (!is(value)) return;
      // It may be told while it is added.
      queueMicrotask(() => end());
      resolve(value);
    });
  });
}

const isReady = (connection: Connection) => expect.poll(() => connection.getSnapshot().ready?.viewer).toBeTypeOf("string");

beforeAll(async () => void (await agent.startBrowser({ url: `${site}/`, headless: true, width: 800, height: 600 })));
afterAll(async () => void (await agent.stopBrowser()));
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

test("a connection is told what is shown, and its snapshot follows", async () => {
  const connection = watch();
  const states: string[] = [];
  const end = connection.subscribe(() => states.push(connection.getSnapshot().state));
  const shot = await next<LiveShot>((listener) => connection.on("frame", listener));
  expect(shot.viewport).toMatchObject({ w: 800, h: 600 });
  expect([...new Uint8Array(await shot.jpeg.slice(0, 2).arrayBuffer())]).toEqual([0xff, 0xd8]);
  const snapshot = connection.getSnapshot();
  expect(snapshot).toMatchObject({ state: "open", mayAct: true });
  expect(snapshot.tabs).toHaveLength(1);
  expect(connection.getSnapshot()).toBe(snapshot);
  await agent.createBrowserTab({ url: `${site}/second` });
  await expect.poll(() => connection.getSnapshot().tabs.length).toBe(2);
  expect(connection.getSnapshot()).not.toBe(snapshot);
  await agent.closeBrowserTab((await agent.getBrowserTabs()).tabs.find((tab) => tab.active)!.id);
  end();
  connection.close();
  expect(connection.getSnapshot()).toMatchObject({ state: "closed", mayAct: false, tabs: [] });
});

test("commands answer, fail with their problem, and with the connection", async () => {
  const connection = watch();
  await isReady(connection);
  expect(await connection.call("navigate", { url: `${site}/second` })).toMatchObject({ title: "Second" });
  await expect(connection.call("nonsense")).rejects.toMatchObject({ code: "unknown_method" });
  const slow = connection.call("evaluate", { expression: "new Promise(() => 0)" });
  connection.close();
  await expect(slow).rejects.toMatchObject({ message: "The connection was closed." });
  await expect(connection.call("navigate")).rejects.toMatchObject({ message: "Not connected." });
});

test("input arrives where it was pointed at", async () => {
  const connection = watch();
  await isReady(connection);
  await connection.call("navigate", { url: `${site}/` });
  const box = await connection.call<{ result: { x: number; y: number } }>("evaluate", {
    expression: "(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(document.querySelector('#name').getBoundingClientRect())",
  });
  // A surface of half the page's size.
  const at = { x: box.result.x / 2, y: box.result.y / 2, surface: { w: 400, h: 300 } };
  for (const action of ["move", "down", "up"] as const)
    connection.send({ type: "input", device: "mouse", action, ...at, button: action === "move" ? "none" : "left", clickCount: 1 });
  for (const action of ["keydown", "keyup"] as const)
    connection.send({ type: "input", device: "key", action, key: "a", code: "KeyA" });
  connection.send({ type: "input", device: "key", action: "char", text: "é日本🙂" });
  const typed = async () => (await connection.call<{ result: string }>("evaluate", { expression: "document.querySelector('#name').value" })).result;
  await expect.poll(typed).toBe("aé日本🙂");
});

test("whoever may only watch may not act, nor while somebody else holds control", async () => {
  const { token } = await agent.createToken({ role: "view", ttl: 60 });
  const watcher = watch(new SandboxAgent({ baseUrl: agent.baseUrl, token }));
  const driver = watch();
  const other = watch();
  for (const one of [watcher, driver, other]) await isReady(one);
  expect([watcher, driver, other].map((one) => one.getSnapshot().mayAct)).toEqual([false, true, true]);
  await driver.call("control.take");
  await expect.poll(() => other.getSnapshot().mayAct).toBe(false);
  expect(driver.getSnapshot().mayAct).toBe(true);
  await driver.call("control.release");
  await expect.poll(() => other.getSnapshot().mayAct).toBe(true);
});

test("three cuts of the network are survived by the same viewer, who keeps control", async () => {
  const cable = await cuttable(new URL(agent.baseUrl).port);
  try {
    const through = new SandboxAgent({ baseUrl: `http://127.0.0.1:${cable.port}`, token: inject("boxToken") });
    const connection = watch(through);
    await isReady(connection);
    const { viewer } = connection.getSnapshot().ready!;
    await connection.call("control.take");
    for (let cut = 0; cut < 3; cut++) {
      const lost = next((listener) => connection.on("lost", listener));
      const ready = next<LiveReady>((listener) => connection.on("ready", listener));
      cable.cut();
      await lost;
      expect(connection.getSnapshot().mayAct).toBe(false);
      expect((await ready).viewer).toBe(viewer);
      expect(connection.getSnapshot()).toMatchObject({ state: "open", mayAct: true });
    }
    await connection.call("control.release");
  } finally {
    await cable.end();
  }
});

test("opened and closed twenty times, nobody is left watching", async () => {
  for (let time = 0; time < 20; time++) {
    const connection = watch();
    if (time % 2 === 0) await isReady(connection);
    connection.close();
  }
  await expect.poll(async () => (await agent.live.health()).viewers).toBe(0);
});

test("a point of the surface is a point of the page, or of the bars beside it", () => {
  const page = { w: 200, h: 100 };
  expect(pointOnPage({ x: 50, y: 25 }, { w: 100, h: 50 }, page)).toEqual({ x: 100, y: 50 });
  expect(pointOnPage({ x: 100, y: 100 }, { w: 200, h: 200 }, page)).toEqual({ x: 100, y: 50 });
  expect(pointOnPage({ x: 100, y: 10 }, { w: 200, h: 200 }, page)).toBeNull();
  expect(pointOnPage({ x: 200, y: 100 }, { w: 200, h: 200 }, page)).toBeNull();
  expect(pointOnPage({ x: 0, y: 0 }, { w: 0, h: 0 }, page)).toBeNull();
});

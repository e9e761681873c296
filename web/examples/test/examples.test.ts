/** The examples as somebody would run them: built packages beside them, a real control plane, a real browser that opens their pages. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type Page, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Belljar } from "../../sdk/src/index.ts";
import { start, stop } from "../../sdk/test/servers.ts";

const examples = fileURLToPath(new URL("..", import.meta.url));
const modules = join(examples, "node_modules");
const next = join(modules, "next/dist/bin/next");
const children: ChildProcess[] = [];
const ports = { page: 0, next: 0 };
let folder = "";
let key = "";
let jar: Belljar;
let browser: Browser;

beforeAll(async () => {
  for (const [from, to] of [["sdk", "belljar"], ["react", "@belljar/react"]] as const)
    for (const part of ["package.json", "dist"])
      cpSync(join(examples, "..", from, part), join(modules, to, part), { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "belljar-examples-"));
  for (const name of ["page", "next"] as const) ports[name] = await freePort();
  const origins = Object.values(ports).flatMap((port) => ["--cors-origin", `http://127.0.0.1:${port}`]);
  const plane = await start(
    ["serve", "--port", "0", "--state-dir", join(folder, "plane"), "--jail", "off", "--egress", "open", "--pool-size", "0", ...origins],
    /listens on (\S+)[^]*shown this once: (\S+)[^]*sign-in\?ticket/,
  );
  children.push(plane.child);
  key = plane.said[2]!;
  jar = new Belljar({ baseUrl: plane.said[1]!, token: key });
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  // Those that use the control plane first.
  for (const child of children.reverse()) await stop(child);
  rmSync(folder, { recursive: true, force: true });
});

test("Node: an errand in a session that is given back", async () => {
  const picture = join(folder, "order.png");
  const { status, said } = await run(["node/agent.ts", picture]);
  expect(status, said).toBe(0);
  expect(said.trim().split("\n")).toEqual([expect.stringMatching(/Thanks, Ann$/), "There is nothing to pay: element_not_found"]);
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe("PNG");
  const { sessions } = await jar.sessions.list({ tag: ["errand:order"] });
  expect(sessions.map((one) => one.state)).toEqual(["stopped"]);
});

test("a plain page: it watches with a token that can do nothing else, and never has the key", async () => {
  await serve(["page/server.mjs"], { PORT: String(ports.page) }, /http:\S+/);
  const { page, seen } = await visit(`http://127.0.0.1:${ports.page}/`);
  await expect.poll(() => page.textContent("#title")).toBe("Hello");
  // The green of the page that is watched, on the canvas of the one that watches.
  const colour = () => page.evaluate(() => [...document.querySelector("canvas")!.getContext("2d")!.getImageData(300, 300, 1, 1).data].slice(0, 3));
  await expect.poll(async () => (await colour()).map((part) => Math.round(part / 32))).toEqual([0, 4, 0]);
  const { baseUrl, token } = (await page.evaluate(async () => (await fetch("/token", { method: "POST" })).json())) as { baseUrl: string; token: string };
  const refused = await new Belljar({ baseUrl, token }).browser.navigate({ url: "about:blank" }).catch((error: { code: string }) => error.code);
  expect(refused).toBe("forbidden");
  expect(seen()).not.toContain(key);
  await page.close();
});

const isThere = existsSync(next);
test.skipIf(!isThere)(`Next.js${isThere ? "" : " is not there: its example was NOT tried (scripts/web examples)"}: a viewer that drives with a short token, from a route that has the key`, { timeout: 300_000 }, async () => {
  const built = await run([next, "build"], { cwd: join(examples, "next") });
  expect(built.status, built.said).toBe(0);
  await serve([next, "start", "--hostname", "127.0.0.1", "--port", String(ports.next)], {}, /Ready/, join(examples, "next"));
  const { page, seen } = await visit(`http://127.0.0.1:${ports.next}/`);
  await page.waitForSelector("canvas, img, video", { timeout: 30_000 });
  const [session] = (await jar.sessions.list({ tag: ["user:ann"], state: ["running"] })).sessions;
  const driven = await jar.sessions.connect(session!.id);
  await driven.browser.navigate({ url: "data:text/html,<title>Elsewhere</title>" });
  await expect.poll(() => page.textContent("#where")).toContain("Elsewhere");
  // One session for one person, however often a token is asked for.
  const again = (await page.evaluate(async () => (await fetch("/api/belljar", { method: "POST" })).json())) as { baseUrl: string };
  expect(again.baseUrl).toBe(`${jar.baseUrl}/s/${session!.id}`);
  expect(seen()).not.toContain(key);
  await page.close();
  await driven.end();
});

/** A page, and all that its browser was sent and sent itself, as text. */
async function visit(url: string): Promise<{ page: Page; seen: () => string }> {
  const page = await browser.newPage();
  const all: string[] = [];
  page.on("pageerror", (error) => all.push(`page error: ${error.message}`));
  page.on("request", (request) => all.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ""}`));
  page.on("response", (response) => void response.text().then((text) => all.push(text), () => undefined));
  await page.goto(url);
  return { page, seen: () => all.join("\n") };
}

function environment(given: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: folder, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", BELLJAR_URL: jar.baseUrl, BELLJAR_TOKEN: key, ...given };
}

function run(args: string[], { cwd = examples } = {}): Promise<{ status: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--no-warnings", ...args], { cwd, env: environment(), timeout: 280_000 }, (error, out, err) =>
      resolve({ status: error === null ? 0 : 1, said: out + err }),
    );
  });
}

/** Started, and listening once it has said so. */
function serve(args: string[], given: Record<string, string>, until: RegExp, cwd = examples): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, env: environment(given), stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`not up: ${said}`)), 50_000);
    const take = (data: Buffer) => {
      said += data;
      if (!until.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

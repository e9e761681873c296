/** A real box, a real control plane and a small site, for all tests of a run; on loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { buildHost, serveHost } from "../../react/test/host.ts";

declare module "vitest" {
  interface ProvidedContext {
    boxUrl: string;
    boxToken: string;
    planeUrl: string;
    planeKey: string;
    site: string;
    /** The page of somebody who uses the React components: at /18/ and /19/, by React's version. */
    host: string;
    hostFolder: string;
    /** What the servers logged. */
    boxLog: string;
    planeLog: string;
  }
}

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const PATIENCE = 60_000;
export const TOKEN = "token-for-tests";

const PAGES: Record<string, string> = {
  "/": `<!doctype html><title>Home</title><h1>Home</h1><a href="/second">Second</a> <a href="/kept.txt">File</a>
    <input id="name"><select id="pet"><option value="cat">Cat</option><option value="dog">Dog</option></select>
    <input id="file" type="file" multiple><button id="go" onclick="this.textContent = 'gone'">Go</button>
    <p class="price">1</p><p class="price">2</p><div style="height:3000px"></div>`,
  // Says what it saw, in order.
  "/events": `<!doctype html><meta charset="utf-8"><title>Events</title>
    <style>html, body { margin: 0; height: 3000px; background: rgb(0, 128, 0) } #field { position: absolute; left: 40px; top: 40px; width: 300px; height: 60px }
    #box { position: absolute; left: 400px; top: 200px; width: 100px; height: 100px; background: rgb(0, 0, 255) }</style>
    <textarea id="field"></textarea><div id="box"></div><script>
    const seen = [];
    for (const type of ["mousedown", "mouseup", "mousemove", "wheel", "keydown", "keyup", "compositionend"])
      addEventListener(type, (e) => seen.push({ type, x: e.clientX, y: e.clientY, buttons: e.buttons, dy: e.deltaY, key: e.key, code: e.code, data: e.data }), true);
    </script>`,
  "/second": `<!doctype html><title>Second</title><main><h1>Second</h1><p>Some words.</p></main><a href="/">Home</a>`,
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "belljar-web-"));
  // As root the box starts its children under another uid.
  chmodSync(folder, 0o711);
  const site = await serveSite();
  const hostFolder = join(folder, "host");
  const host = await serveHost(hostFolder);
  const hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const startedBox = start(
    ["box", "--port", "0", "--state-dir", join(folder, "box"), "--egress", "open", "--cors-origin", hostUrl, "--cors-origin", hostUrl.replace("127.0.0.1", "viewer.test"), "--embed-origin", hostUrl.replace("127.0.0.1", "localhost")],
    /listens on (\S+)/,
    join(folder, "box.log"),
  );
  const startedPlane = start(
    ["serve", "--port", "0", "--state-dir", join(folder, "plane"), "--jail", "off", "--egress", "open", "--admin-egress", "public", "--pool-size", "0", "--webhook-network", "127.0.0.0/8", "--webhook-retries", "0.1", "--cors-origin", hostUrl, "--embed-origin", hostUrl, "--embed-origin", hostUrl.replace("127.0.0.1", "localhost")],
    /listens on (\S+)[^]*shown this once: (\S+)[^]*sign-in\?ticket/,
    join(folder, "plane.log"),
  );
  const [box, plane] = await Promise.all([startedBox, startedPlane, buildHost(hostFolder)]);
  project.provide("site", `http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  project.provide("host", hostUrl);
  project.provide("hostFolder", hostFolder);
  project.provide("boxLog", join(folder, "box.log"));
  project.provide("planeLog", join(folder, "plane.log"));
  project.provide("boxUrl", box.said[1]!);
  project.provide("boxToken", TOKEN);
  project.provide("planeUrl", plane.said[1]!);
  project.provide("planeKey", plane.said[2]!);
  return async () => {
    await Promise.all([stop(box.child), stop(plane.child)]);
    for (const server of [site, host]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

function serveSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    if (path === "/kept.txt") {
      response.writeHead(200, { "Content-Disposition": "attachment", "Content-Type": "text/plain" }).end("kept");
      return;
    }
    const number = /^\/endless\/(\d+)$/.exec(path)?.[1];
    const page = number === undefined ? PAGES[path] : `<!doctype html><title>${number}</title><a href="/endless/${Number(number) + 1}">On</a>`;
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html" }).end(page ?? "nothing here");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** A server, once it has said `until`; what it logs goes into `logFile`, too. */
export async function start(flags: string[], until: RegExp, logFile?: string): Promise<{ child: ChildProcess; said: RegExpExecArray }> {
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], BELLJAR_TOKEN: TOKEN };
  const child = spawn(PYTHON, ["-m", "belljar", ...flags], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let log = "";
  child.stderr.on("data", (data: Buffer) => {
    log = (log + data).slice(-10_000);
    if (logFile !== undefined) appendFileSync(logFile, data);
  });
  return new Promise((resolve, reject) => {
    const give = (why: string) => reject(new Error(`belljar ${flags[0]} ${why}\n${said}\n${log}`));
    const timer = setTimeout(give, PATIENCE, "did not come up");
    child.once("exit", (code) => give(`ended with ${code}`));
    child.stdout.on("data", (data: Buffer) => {
      said += data;
      const found = until.exec(said);
      if (found === null) return;
      clearTimeout(timer);
      child.removeAllListeners("exit");
      resolve({ child, said: found });
    });
  });
}

export function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

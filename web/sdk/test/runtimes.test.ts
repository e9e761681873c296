/** The built client in each runtime it is for: against a box, as it is and behind TLS at a sub-path, and against a session through the gateway behind such. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Belljar, SandboxAgent, type Session } from "../src/index.ts";
import { type TlsProxy, tlsProxy } from "./proxy.ts";

const modules = fileURLToPath(new URL("../../runtimes/node_modules/", import.meta.url));
// What Deno may: reach this machine and read the three variables. It is asked for nothing else.
const deno = ["run", "--no-prompt", "--node-modules-dir=manual", "--allow-net=127.0.0.1", "--allow-env=BELLJAR_URL,BELLJAR_TOKEN,PAGE,CDP_TICKET"];
const RUNTIMES: Record<string, [string, ...string[]]> = {
  // WebSocket has a flag there.
  "Node 20": [join(modules, "node-20/bin/node"), "--no-warnings", "--experimental-websocket"],
  "Node 22": [join(modules, "node-22/bin/node")],
  [`Node ${process.versions.node.split(".")[0]}, which runs these tests`]: [process.execPath],
  Deno: [join(modules, "@deno/linux-x64-glibc/deno"), ...deno],
  Bun: [join(modules, "@oven/bun-linux-x64/bin/bun"), "run"],
};
const isThere = ([program]: [string, ...string[]]) => {
  try {
    return existsSync(program) && execFileSync(program, ["--version"]).length > 0;
  } catch {
    return false;
  }
};

let folder = "";
let proxy: TlsProxy;
let boxProxy: TlsProxy;
let session: Session;
let token = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "belljar-runtimes-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules", "belljar"));
  writeFileSync(join(folder, "package.json"), '{"type": "module", "dependencies": {"belljar": "*"}}');
  cpSync(fileURLToPath(new URL("runtime/smoke.mjs", import.meta.url)), join(folder, "smoke.mjs"));
  proxy = await tlsProxy(inject("planeUrl"), folder, "/some/jar");
  mkdirSync(join(folder, "box"));
  boxProxy = await tlsProxy(inject("boxUrl"), join(folder, "box"), "/a/box");
  const plane = new Belljar({ baseUrl: inject("planeUrl"), token: inject("planeKey") });
  session = await plane.sessions.create({ ttl: 600 });
  token = (await plane.sessions.createToken(session.id, { role: "drive", ttl: 600 })).token!;
});
afterAll(async () => {
  await Promise.all([session.end(), new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") }).stopBrowser()]);
  await Promise.all([proxy.end(), boxProxy.end()]);
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(RUNTIMES))("%s", (name, command) => {
  if (!isThere(command)) {
    test.skip(`${name} is not there: the client was NOT tried in it (scripts/web runtimes)`, () => undefined);
    return;
  }

  test("a box", async () => {
    const said = await run(command, { BELLJAR_URL: inject("boxUrl"), BELLJAR_TOKEN: inject("boxToken") });
    expect(said).toContain("all of it works");
  });

  test("a box behind TLS at a sub-path", async () => {
    const trusted = { NODE_EXTRA_CA_CERTS: boxProxy.certificate, DENO_CERT: boxProxy.certificate };
    const said = await run(command, { BELLJAR_URL: boxProxy.url, BELLJAR_TOKEN: inject("boxToken"), ...trusted });
    expect(said).toContain("all of it works");
    expect(boxProxy.log.filter((line) => line.includes(inject("boxToken")))).toEqual([]);
  });

  test("a session through the gateway, behind TLS at a sub-path", async () => {
    // Whoever has a session's token alone is given such an address by whoever has the key.
    const ticket = new URL(await session.getBrowserCdpTicket());
    const said = await run(command, {
      BELLJAR_URL: `${proxy.url}/s/${session.id}`,
      BELLJAR_TOKEN: token,
      CDP_TICKET: `${proxy.url.replace("https", "wss")}${ticket.pathname}${ticket.search}`,
      NODE_EXTRA_CA_CERTS: proxy.certificate,
      DENO_CERT: proxy.certificate,
    });
    expect(said).toContain("all of it works");
    expect(proxy.log.filter((line) => line.includes(token))).toEqual([]);
  });
});

function run([program, ...flags]: [string, ...string[]], given: Record<string, string>): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: folder, DENO_NO_UPDATE_CHECK: "1", PAGE: `${inject("site")}/second`, ...given };
  return new Promise((resolve) => {
    execFile(program, [...flags, "smoke.mjs"], { cwd: folder, env, timeout: 50_000 }, (_, out, err) => resolve(out + err));
  });
}

/** The examples of docs/guide/typescript.md, run as they are written, against what was built. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { SandboxAgent } from "../src/index.ts";

const guide = readFileSync(new URL("../../../docs/guide/typescript.md", import.meta.url), "utf8");
const examples = [...guide.matchAll(/^## (.+)$|^```ts( plane)?\n([^]*?)^```$/gm)];
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "belljar-guide-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules", "belljar"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each example is for somebody who has just begun.
afterEach(async () => void (await new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") }).stopBrowser()));

let heading = "";
for (const [at, [, title, plane, code]] of examples.entries()) {
  heading = title ?? heading;
  if (code === undefined) continue;
  test(`${heading} (${at})`, async () => {
    const file = join(folder, `example-${at}.js`);
    // For older Nodes, which know neither types nor `await using`.
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    writeFileSync(file, ts.transpileModule(code, { compilerOptions: options }).outputText);
    const environment = {
      PATH: process.env["PATH"],
      BELLJAR_URL: inject(plane === undefined ? "boxUrl" : "planeUrl"),
      BELLJAR_TOKEN: inject(plane === undefined ? "boxToken" : "planeKey"),
    };
    const { status, said } = await run(file, environment);
    expect(status, said).toBe(0);
    for (const [, line] of code.matchAll(/\/\/ → (.+)$/gm)) expect(said.split("\n")).toContain(line);
  });
}

test("there are examples", () => expect(examples.length).toBeGreaterThan(10));

function run(file: string, env: NodeJS.ProcessEnv): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, ["--no-warnings", file], { env, timeout: 50_000 });
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data));
  child.stderr.on("data", (data: Buffer) => (said += data));
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, said })));
}

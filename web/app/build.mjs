// The web app as it is served: hashed assets, each also compressed, in src/belljar/server/app, which is not committed.
// `node app/build.mjs` builds when something it is made of has changed since; --force builds in any case.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { operations } from "./operations.mjs";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const TARGET = join(WEB, "../src/belljar/server/app");
const STAMP = join(TARGET, ".made-of");
const SOURCES = ["app/index.html", "app/build.mjs", "app/src", "sdk/src", "live/src", "react/src", "app/operations.mjs", "../openapi/box.json", "package-lock.json"];
// What the first screen loads, compressed, and all of it together.
const MOST_FIRST = 200 * 1024;
const MOST = 1.5 * 1024 * 1024;

function digest() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(path).update(readFileSync(join(WEB, path)));
  for (const source of SOURCES) {
    if (/\.\w+$/.test(source)) add(source);
    else
      for (const name of readdirSync(join(WEB, source), { recursive: true }).toSorted())
        if (/\.(tsx?|css|svg)$/.test(name)) add(join(source, name));
  }
  return hash.digest("hex");
}

const madeOf = digest();
if (!process.argv.includes("--force") && existsSync(STAMP) && readFileSync(STAMP, "utf8") === madeOf) process.exit(0);

const made = await build({
  root: join(WEB, "app"),
  base: "./",
  logLevel: "error",
  configFile: false,
  resolve: {
    // From the sources: nothing has to be built before, and what is not used falls away.
    alias: [
      { find: /^belljar$/, replacement: join(WEB, "sdk/src/index.ts") },
      { find: /^belljar\/live$/, replacement: join(WEB, "live/src/index.ts") },
      { find: /^@belljar\/react$/, replacement: join(WEB, "react/src/index.ts") },
    ],
  },
  plugins: [
    {
      name: "operations",
      resolveId: (id) => (id === "virtual:operations" ? "\0operations" : undefined),
      load: (id) => (id === "\0operations" ? operations() : undefined),
    },
  ],
  oxc: { jsx: { runtime: "automatic" } },
  build: { write: false, target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
const outputs = (Array.isArray(made) ? made[0] : made).output;

rmSync(TARGET, { recursive: true, force: true });
const packed = new Map();
for (const output of outputs) {
  const content = Buffer.from(output.type === "chunk" ? output.code : output.source);
  const path = join(TARGET, output.fileName);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const compressed = gzipSync(content, { level: 9 });
  packed.set(output.fileName, compressed.length);
  if (output.fileName.startsWith("assets/")) writeFileSync(`${path}.gz`, compressed);
}
const page = readFileSync(join(TARGET, "index.html"), "utf8");
const first = [...packed].filter(([name]) => name === "index.html" || page.includes(name));
const sum = (pairs) => pairs.reduce((total, [, bytes]) => total + bytes, 0);
console.log(`the web app: ${Math.round(sum(first) / 1024)} KB at first, ${Math.round(sum([...packed]) / 1024)} KB in all, compressed`);
if (sum(first) > MOST_FIRST || sum([...packed]) > MOST) {
  console.error(`which is more than ${MOST_FIRST / 1024} KB at first or ${MOST / 1024} KB in all`);
  process.exit(1);
}
writeFileSync(STAMP, madeOf);

// The script of the viewer page, /view, as it is served: one module, kept in the tree so that a clone and a wheel need no Node.
// With --check nothing is written: it says whether what is kept is what would be built.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const KEPT = fileURLToPath(new URL("../../src/belljar/box/view/main.js", import.meta.url));
const HEAD = "// Made by `make web` from web/view and web/live: change it there.\n";

const made = await build({
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "error",
  configFile: false,
  build: {
    write: false,
    minify: false,
    target: "es2022",
    lib: { entry: "src/main.ts", formats: ["es"] },
  },
});
const script = HEAD + (Array.isArray(made) ? made[0] : made).output[0].code;

if (!process.argv.includes("--check")) writeFileSync(KEPT, script);
else if (readFileSync(KEPT, "utf8") !== script) {
  console.error("src/belljar/box/view/main.js is stale: run 'make web' and commit it.");
  process.exit(1);
}

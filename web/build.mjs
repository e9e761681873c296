// The package's dist/: plain modules and their declarations, by the compiler alone.
import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";

const MOST = 15 * 1024;

for (const name of ["sdk", "react"]) rmSync(`${name}/dist`, { recursive: true, force: true });
// `live` takes its types from what was built of `sdk`, and is built into it: `belljar/live`; `react` takes both.
for (const name of ["sdk", "live", "react"]) {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", name], { stdio: "inherit" });
}
// A terminal cannot do without xterm's own styles: one file has all that a page needs.
const styles = ["react/src/styles.css", "node_modules/@xterm/xterm/css/xterm.css"].map((path) => readFileSync(path, "utf8"));
writeFileSync("react/dist/styles.css", styles.join("\n"));

// What a page that uses all of the client loads.
const made = await build({
  logLevel: "error",
  configFile: false,
  build: { write: false, minify: true, lib: { entry: "sdk/dist/index.js", formats: ["es"] } },
});
const bytes = gzipSync((Array.isArray(made) ? made[0] : made).output[0].code, { level: 9 }).length;
console.log(`belljar is ${bytes} bytes minified and compressed`);
if (bytes > MOST) {
  console.error(`which is more than ${MOST}`);
  process.exit(1);
}

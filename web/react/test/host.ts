/** The host page, built with React 18 and with 19 as its users would, and served from an origin of its own. */
import { readFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

export const VERSIONS = ["18", "19"] as const;
const PAGE = fileURLToPath(new URL("page", import.meta.url));
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../sdk/dist", import.meta.url));
const EMBED = `<!doctype html><meta charset="utf-8"><title>Embedder</title><link rel="icon" href="data:,">
<iframe id="view" width="900" height="600"></iframe>
<script type="module">
  import { embedView } from "./belljar/live/index.js";
  globalThis.heard = [];
  addEventListener("message", (event) => heard.push([event.origin, event.data]));
  const asked = new URLSearchParams(location.search);
  globalThis.asked = 0;
  if (asked.has("view"))
    globalThis.end = embedView(document.getElementById("view"), asked.get("view"), async () => {
      globalThis.asked++;
      return globalThis.token ?? asked.get("token") ?? "";
    });
</script>`;
// With the packages as they are published, and nothing else.
const PLAIN = `<!doctype html><meta charset="utf-8"><title>Plain</title><link rel="icon" href="data:,"><video autoplay muted playsinline></video>
<script type="module">
  import * as belljar from "./belljar/index.js";
  import * as live from "./belljar/live/index.js";
  Object.assign(globalThis, { belljar, live });
</script>`;
const KINDS: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Development builds: StrictMode mounts everything twice only there. */
export async function buildHost(folder: string): Promise<void> {
  for (const version of VERSIONS) {
    const named = version === "18" ? "-18" : "";
    const shared = {
      root: PAGE,
      configFile: false as const,
      mode: "development",
      logLevel: "error" as const,
      define: { "process.env.NODE_ENV": '"development"' },
      resolve: {
        alias: [
          { find: /^react($|\/)/, replacement: join(MODULES, `react${named}`) + "$1" },
          { find: /^react-dom($|\/)/, replacement: join(MODULES, `react-dom${named}`) + "$1" },
        ],
      },
    };
    await build({ ...shared, base: "./", build: { outDir: join(folder, version), minify: false } });
    await build({
      ...shared,
      ssr: { noExternal: true },
      build: { ssr: "server.tsx", outDir: join(folder, `server-${version}`), minify: false, rolldownOptions: { output: { entryFileNames: "server.mjs" } } },
    });
  }
}

export function serveHost(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const module = /^\/belljar\/((?:live\/)?[\w.]+\.js)$/.exec(path)?.[1];
    // What embeds the viewer page: a plain page, with the modules as they are published.
    if (path === "/embed.html") return void response.writeHead(200, { "Content-Type": "text/html" }).end(EMBED);
    if (path === "/plain.html") return void response.writeHead(200, { "Content-Type": "text/html" }).end(PLAIN);
    if (module !== undefined) return void response.writeHead(200, { "Content-Type": "text/javascript" }).end(readFileSync(join(PACKAGE, module)));
    const name = /^\/(18|19)\/(?:assets\/)?[\w.-]*$/.test(path) ? path.replace(/\/$/, "/index.html") : "/none";
    try {
      const content = readFileSync(join(folder, name));
      response.writeHead(200, { "Content-Type": KINDS[name.split(".").pop() ?? ""] ?? "text/plain" }).end(content);
    } catch {
      response.writeHead(404).end("nothing here");
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

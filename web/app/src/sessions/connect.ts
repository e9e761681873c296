/** How programs connect to a session: a line for each client, with the key masked until it is copied. */
import { client, boxAddress } from "../shell/server.ts";

/** Stands for the secret in what is shown. */
export const MASK = "••••••••";
const TOKEN_SECONDS = 3600;

export interface Client {
  name: string;
  /** `token`: a key of the session, for an hour; `cdp`: an address that opens once. */
  needs: "token" | "cdp";
  line: (base: string, secret: string) => string;
}

export const CLIENTS: readonly Client[] = [
  { name: "curl", needs: "token", line: (base, key) => `curl -H 'Authorization: Bearer ${key}' ${base}/v1/browser/status` },
  {
    name: "Python",
    needs: "token",
    line: (base, key) => `from belljar import Belljar\n\nwith Belljar("${base}", "${key}") as jar:\n    print(jar.browser.markdown().markdown)`,
  },
  {
    name: "TypeScript",
    needs: "token",
    line: (base, key) => `import { Belljar } from "belljar";\n\nconst jar = new Belljar({ baseUrl: "${base}", token: "${key}" });\nconsole.log(await jar.browser.markdown());`,
  },
  {
    name: "Playwright (Python)",
    needs: "cdp",
    line: (_, url) => `browser = playwright.chromium.connect_over_cdp("${url}")`,
  },
  { name: "Playwright (Node)", needs: "cdp", line: (_, url) => `const browser = await chromium.connectOverCDP("${url}");` },
  { name: "Puppeteer", needs: "cdp", line: (_, url) => `const browser = await puppeteer.connect({ browserWSEndpoint: "${url}", defaultViewport: null });` },
  {
    name: "browser-use",
    needs: "cdp",
    line: (_, url) => `session = BrowserSession(cdp_url="${url}")`,
  },
  {
    name: "Claude Code",
    needs: "token",
    line: (base, key) => `claude mcp add --transport http belljar ${base}/mcp --header "Authorization: Bearer ${key}"`,
  },
  {
    name: "MCP (JSON)",
    needs: "token",
    line: (base, key) => JSON.stringify({ mcpServers: { belljar: { type: "http", url: `${base}/mcp`, headers: { Authorization: `Bearer ${key}` } } } }, null, 2),
  },
  {
    name: "WebSocket",
    needs: "token",
    line: (base, key) => `websocat -H='Authorization: Bearer ${key}' ${base.replace(/^http/, "ws")}/v1/live`,
  },
];

function baseOf(session: string): string {
  return boxAddress(session).replace(/\/$/, "");
}

/** The line as it is shown. */
export function masked(session: string, { needs, line }: Client): string {
  const base = baseOf(session);
  return line(base, needs === "cdp" ? `${base.replace(/^http/, "ws")}/v1/browser/cdp?ticket=${MASK}` : MASK);
}

/** The line as it is copied, with a secret made for it; and the word that says so. */
export async function withSecret(session: string, { needs, line, name }: Client): Promise<{ line: string; said: string }> {
  if (needs === "cdp") {
    const { cdpUrl } = await client.sessions.tickets(session, { role: "drive" });
    return { line: line(baseOf(session), cdpUrl), said: "Copied. Its address opens once, within five minutes." };
  }
  const made = await client.sessions.createToken(session, { role: "drive", ttl: TOKEN_SECONDS, note: `copied for ${name}` });
  return { line: line(baseOf(session), made.token ?? ""), said: "Copied with a key for this session, good for an hour." };
}

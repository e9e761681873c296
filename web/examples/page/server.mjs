// Your server, for a plain page: it alone has the API key, and gives the page a token that may only watch, for five minutes.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Belljar } from "belljar";

const jar = new Belljar(); // BELLJAR_URL and BELLJAR_TOKEN
const session = await jar.sessions.create({ ttl: 3600 });
await session.browser.open("data:text/html,<title>Hello</title><body style='background:rgb(0,128,0)'><h1>Hello</h1>");

const modules = fileURLToPath(new URL(".", import.meta.resolve("belljar")));
const TYPES = { html: "text/html", js: "text/javascript" };

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://page").pathname;
  if (path === "/token" && request.method === "POST") {
    // Here you would look at your own cookie first.
    const { token } = await jar.sessions.createToken(session.id, { role: "view", ttl: 300 });
    response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
    response.end(JSON.stringify({ baseUrl: session.baseUrl, token }));
    return;
  }
  // The page, and the client as it was installed: plain modules, nothing to build.
  const name = /^\/belljar\/((?:live\/)?[\w.-]+\.js)$/.exec(path)?.[1];
  const file = path === "/" ? new URL("index.html", import.meta.url) : name && `${modules}${name}`;
  const body = file && (await readFile(file).catch(() => undefined));
  if (!body) response.writeHead(404).end();
  else response.writeHead(200, { "Content-Type": TYPES[path === "/" ? "html" : "js"] }).end(body);
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));

process.once("SIGTERM", async () => {
  await session.end();
  process.exit(0);
});

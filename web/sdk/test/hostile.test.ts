/** Servers that mean harm or are broken, and calls that are given up: nothing is leaked, followed or waited for. */
import { getEventListeners } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readBytes } from "../src/bodies.ts";
import { Belljar, BelljarError, Problem, SandboxAgent } from "../src/index.ts";
import { EventParser } from "../src/sse.ts";
import { endless, json, strange } from "./strange.ts";

const failure = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error) as Promise<BelljarError>;
const STREAM = { "Content-Type": "text/event-stream" };

test("a redirection is told and not followed, with a token or without", async () => {
  const other = await strange((_, response) => json(response, 200, {}));
  const { jar } = await strange((request, response) =>
    response.writeHead(request.method === "GET" ? 302 : 307, { Location: `${other.jar.baseUrl}${request.url}` }).end(),
  );
  const calls = [() => jar.browser.tabs(), () => jar.browser.click({}), () => jar.browser.followConsole().next(), () => jar.files.stream({ path: "a" })];
  for (const call of calls) {
    const told = await failure(call());
    expect([told.code, told.message.includes(other.jar.baseUrl)]).toEqual(["not_belljar", true]);
  }
  expect(other.asked).toEqual([]);
});

test("an answer without end is not read to its end", async () => {
  const { jar, open } = await strange((request, response) => {
    response.writeHead(request.url === "/ok" ? 200 : 500, { "Content-Type": "application/json" });
    endless(response, "x".repeat(65_536));
  });
  await expect(readBytes(await fetch(`${jar.baseUrl}/ok`), 2 ** 20)).rejects.toThrow("more than 1048576 bytes");
  const told = await failure(jar.browser.status());
  expect([told.code, (told as Problem).status]).toEqual(["not_belljar", 500]);
  await expect.poll(() => open.size).toBe(0);
});

test("an event without end is not kept, in one line or in many", () => {
  const piece = "x".repeat(2 ** 20);
  for (const text of [piece, `data: ${piece}\n`]) {
    const parser = new EventParser();
    const feed = () => {
      for (let count = 0; count < 70; count++) [...parser.feed(text)];
    };
    expect(feed).toThrow("An event of more than");
  }
});

test("what is no stream of events is told as such, and odd events do no harm", async () => {
  const { jar, asked } = await strange((request, response, count) => {
    if (request.url?.startsWith("/v1/browser/network")) return json(response, 200, {});
    response.writeHead(200, STREAM);
    // A mark of order, an id that no header takes, lines without meaning, and half an event before the end.
    if (count < 3) response.write('\ufeff:\n\nid: é\u2028\n\nevent\nnonsense: 1\nretry: 1\n\nevent: console\nid: 7\ndata: {"text":\ndata: "a"}\n\ndata: {"te');
    else response.write("event: console\ndata: {\n\n");
    setTimeout(() => request.socket.destroy(), 10);
  });
  expect((await failure(jar.browser.followNetwork().next())).message).toContain("no events");
  const following = jar.browser.followConsole();
  expect((await following.next()).value?.text).toBe("a");
  expect((await failure(following.next())).code).toBe("not_belljar");
  expect(asked.at(-1)?.headers["last-event-id"]).toBe("7");
});

test.each([
  '{"type":5}', '{"type":null,"code":{}}', "[]", "null", '"x"', "7", "", "<html>", '{"type":"about:blank","title":{}}',
  '{"type":"urn:belljar:error:conflict","code":{},"detail":[1],"retryAfterMs":-1}', `{"type":"${"x".repeat(1000)}","detail":""}`,
])("a problem of an odd shape is one all the same: %s", async (body) => {
  const { jar } = await strange((_, response) => response.writeHead(409, { "Content-Type": "application/problem+json" }).end(body));
  const told = (await failure(jar.browser.tabs())) as Problem;
  expect(told).toBeInstanceOf(Problem);
  expect([told.status, told.code, told.retryAfterMs]).toEqual([409, body.includes("conflict") ? "conflict" : "not_belljar", undefined]);
  expect(told.message).toContain("answered 409");
});

test.each([
  ["no HTTP", "hello\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}"],
  ["too short", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"],
  ["a bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"],
  ["no gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"],
])("%s: a read is tried three times, an action once, and both say so", async (_, said) => {
  let count = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(said));
    count++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const jar = new Belljar({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" });
  expect((await failure(jar.browser.tabs())).code).toBe("unreachable");
  expect(count).toBe(3);
  expect((await failure(jar.browser.click({ selector: "a" }))).code).toBe("unreachable");
  expect(count).toBe(4);
});

test("a body that stops coming ends with the call's time or signal", async () => {
  const { jar, open } = await strange((_, response) => void response.writeHead(200).write('{"tabs":'));
  expect((await failure(jar.browser.tabs({ timeout: 100 }))).code).toBe("timeout");
  const ending = new AbortController();
  const call = failure(jar.browser.tabs({ signal: ending.signal }));
  await expect.poll(() => open.size).toBe(1);
  ending.abort(new Error("enough"));
  expect((await call).message).toBe("enough");
  const stream = await jar.files.stream({ path: "a" }, { timeout: 100 });
  expect((await failure(new Response(stream).text())).code).toBe("timeout");
  await expect.poll(() => open.size).toBe(0);
});

test("hundreds of calls that are given up leave no connection and no listener", async () => {
  const { jar, open, asked } = await strange((request, response) => {
    if (request.url?.includes("follow=true")) response.writeHead(200, STREAM).write('event: console\ndata: {"text":"a"}\n\n');
    else if (request.url?.includes("/fs/")) response.writeHead(200).write("x");
    else if (request.url?.includes("/status")) json(response, 200, {});
  });
  const kept = new AbortController();
  const options = { signal: kept.signal };
  for (let round = 0; round < 20; round++) {
    const ending = new AbortController();
    const calls = Array.from({ length: 10 }, () => failure(jar.browser.tabs({ signal: ending.signal })));
    await jar.browser.status(options);
    ending.abort();
    expect((await Promise.all(calls)).map((error) => error.name)).toEqual(Array(10).fill("AbortError"));
    // Left by `break`, by `return` while `next` waits, by `await using`, and by cancelling.
    for await (const message of jar.browser.followConsole({}, options)) if (message.text === "a") break;
    const following = jar.browser.followConsole({}, options);
    await following.next();
    const next = following.next();
    await following.return();
    expect(await next).toEqual({ done: true, value: undefined });
    {
      await using console = jar.browser.followConsole({}, options);
      await console.next();
    }
    const stream = await jar.files.stream({ path: "a" }, options);
    await stream.cancel();
  }
  expect(asked.length).toBeGreaterThan(250);
  await expect.poll(() => open.size).toBe(0);
  expect(getEventListeners(kept.signal, "abort")).toEqual([]);
});

test("a follower outlives a server that is away for a while, and the proxy's word for that", async () => {
  const { jar, asked } = await strange((request, response, count) => {
    if (count === 2) return void request.socket.destroy();
    if (count === 3) return void response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad Gateway");
    response.writeHead(200, STREAM).write(`event: console\nid: ${count}\ndata: {"text":"${count}"}\n\n`);
    if (count === 1) setTimeout(() => request.socket.destroy(), 10);
  });
  const seen: string[] = [];
  for await (const message of jar.browser.followConsole()) if (seen.push(message.text) === 2) break;
  expect(seen).toEqual(["1", "4"]);
  expect(asked.map((one) => one.headers["last-event-id"])).toEqual([undefined, "1", "1", "1"]);
});

test("a token is in no error and in nothing that is printed", async () => {
  const secret = "Sup3rSecret";
  for (const token of [`${secret}\nX: y`, `${secret}é`, `${secret} ${secret}`])
    expect(() => new Belljar({ baseUrl: "http://127.0.0.1:9", token })).toThrow(/^The token has characters that no header takes\.$/);
  const jar = new Belljar({ baseUrl: "http://127.0.0.1:9", token: `${secret}=/` });
  expect(() => jar.live.open()).toThrow(/^The token has characters that no subprotocol takes/);
  expect(`${inspect(jar, { depth: 9, showHidden: true })}${JSON.stringify(jar)}`).not.toContain(secret);
  for (const baseUrl of [`http://u:${secret}@h`, `http://h/?token=${secret}`, `ws://h/${secret}`])
    expect(inspect(await failure((async () => new Belljar({ baseUrl }))()))).not.toContain(secret);
  expect((await failure(new Belljar({ baseUrl: jar.baseUrl, token: () => Promise.reject<string>(new Error("mine")) }).browser.tabs())).message).toBe("mine");
  const never = new Belljar({ baseUrl: jar.baseUrl, token: () => new Promise<string>(() => undefined), timeout: 50 });
  expect((await failure(never.browser.tabs())).code).toBe("timeout");
});

test("hundreds of odd arguments lead nowhere else and end every time", async () => {
  const { jar, asked } = await strange((_, response) => json(response, 200, {}));
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const alphabet = ["/", "..", "%2e", "?", "#", "\\", "\0", "\r\n", " ", "é", "日", "\u{1f600}", "\ud800", "a", ":", "@", "&", "=", ";", "\u202e"];
  const odd = () => Array.from({ length: random(6) }, () => alphabet[random(alphabet.length)]).join("");
  for (let round = 0; round < 300; round++) {
    const id = odd();
    const before = asked.length;
    const calls = [() => jar.processes.get(id), () => jar.browser.closeTab(id), () => jar.files.read({ path: id }), () => jar.browser.click({ selector: id })];
    const error = await failure((async () => calls[round % calls.length]!())());
    if (error !== undefined) {
      expect([error.name, asked.length]).toEqual(["TypeError", before]);
      continue;
    }
    const { url = "" } = asked[before]!;
    expect(url).toMatch(/^\/v1\/(processes\/[^/?#]+|browser\/tabs\/[^/?#]+|fs\/file\?path=[^&#]*|browser\/click)$/);
    if (url.startsWith("/v1/processes/")) expect(decodeURIComponent(url.slice(14))).toBe(id);
  }
  expect(asked.length).toBeGreaterThan(200);
});

test("a terminal that sends nonsense tells an error and goes on", () => {
  const socket = new EventTarget() as WebSocket;
  const agent = new SandboxAgent({ baseUrl: "http://127.0.0.1:9", token: "t" });
  const terminal = agent.connectProcessTerminal("p", { WebSocket: class { constructor() { return socket; } } as never });
  const told: unknown[] = [];
  terminal.onError((error) => told.push(error instanceof Error ? "error" : error));
  for (const data of ["{", "null", "7", '{"type":"error","message":"m"}']) socket.dispatchEvent(new MessageEvent("message", { data }));
  expect(told).toEqual(["error", "error", "error", { type: "error", message: "m" }]);
});

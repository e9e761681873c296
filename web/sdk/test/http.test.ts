/** The transport: what is sent again, how failures are told, how events are taken up again. */
import { expect, inject, test } from "vitest";
import { Belljar, BelljarError, Problem, isProblem } from "../src/index.ts";
import { search } from "../src/addresses.ts";
import { EventParser } from "../src/sse.ts";
import { json, strange } from "./strange.ts";

test("a problem of a real box has its code, status, sentence and members", async () => {
  const jar = new Belljar({ baseUrl: inject("boxUrl"), token: "wrong" });
  const refused = (await jar.getProcess("x").catch((error: unknown) => error)) as Problem;
  expect(refused).toBeInstanceOf(Problem);
  expect([refused.code, refused.status]).toEqual(["token_invalid", 401]);
  expect(refused.message).toBe(refused.problem?.detail);
  expect(isProblem(refused, "token_invalid")).toBe(true);
  expect(isProblem(refused, "conflict")).toBe(false);
});

test("a read whose connection breaks is sent again, an action is not", async () => {
  const { jar, asked } = await strange((request, response, count) => {
    if (count === 1 || request.method === "POST") request.socket.destroy();
    else json(response, 200, { tabs: [] });
  });
  expect(await jar.browser.tabs()).toEqual({ tabs: [] });
  expect(asked).toHaveLength(2);
  const failed = await jar.browser.click({ selector: "a" }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BelljarError);
  expect((failed as BelljarError).code).toBe("unreachable");
  expect(asked).toHaveLength(3);
});

test("a creation is sent again, with the same key", async () => {
  const { jar, asked } = await strange((request, response, count) => {
    if (count === 1) request.socket.destroy();
    else json(response, 201, { id: "s1", token: "secret" });
  });
  const session = await jar.sessions.create();
  expect(session.baseUrl).toBe(`${jar.baseUrl}/s/s1`);
  expect(asked.map((one) => one.headers["idempotency-key"]).filter((key, _, all) => key === all[0])).toHaveLength(2);
});

test("what a server refuses for now is asked again when it says, and not sooner or for ever", async () => {
  const problem = { type: "urn:x", title: "Slow down", status: 429, detail: "Later.", code: "rate_limited" };
  const { jar, asked } = await strange((_, response, count) => {
    if (count < 3) json(response, 429, problem, { "Retry-After": "0.05" });
    else json(response, 200, { ok: true });
  });
  expect(await jar.browser.click({ selector: "a" })).toEqual({ ok: true });
  expect(asked).toHaveLength(3);
  const reads = await strange((_, response, count) => {
    if (count === 1) json(response, 503, problem, { "Retry-After": new Date(Date.now() - 1000).toUTCString() });
    else json(response, 503, problem, { "Retry-After": "0" });
  });
  await expect(reads.jar.browser.tabs()).rejects.toThrow("Later.");
  expect(reads.asked).toHaveLength(3);
  await expect(reads.jar.browser.click({ selector: "a" })).rejects.toThrow("Later.");
  expect(reads.asked).toHaveLength(4);
  const never = await strange((_, response) => json(response, 429, problem, { "Retry-After": "3600" }));
  expect(isProblem(await never.jar.browser.tabs().catch((error: unknown) => error), "rate_limited")).toBe(true);
  expect(never.asked).toHaveLength(1);
});

test("a signal ends a call with its reason, a timeout with its own", async () => {
  const { jar } = await strange(() => undefined);
  const ending = new AbortController();
  const call = jar.browser.tabs({ signal: ending.signal });
  ending.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  const late = await jar.browser.tabs({ timeout: 50 }).catch((error: unknown) => error);
  expect((late as BelljarError).code).toBe("timeout");
});

test("nobody there is told as such", async () => {
  const { jar, server } = await strange(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  const failed = await jar.browser.click({ selector: "a" }).catch((error: unknown) => error);
  expect((failed as BelljarError).code).toBe("unreachable");
  expect((failed as BelljarError).message).toContain("ECONNREFUSED");
});

test("an answer that is not ours is told as such", async () => {
  const { jar } = await strange((_, response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>"));
  const failed = (await jar.browser.tabs().catch((error: unknown) => error)) as Problem;
  expect([failed.code, failed.status, failed.problem]).toEqual(["not_belljar", 502, undefined]);
});

test("events go on after the last one when the connection breaks, without one lost or twice", async () => {
  const { jar, asked } = await strange((request, response) => {
    const from = Number(request.headers["last-event-id"] ?? 0);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (let id = from + 1; id <= from + 2; id++)
      response.write(`event: browser\nid: ${id}\ndata: {"kind":"state","timestamp":"${id}"}\n\n`);
    setTimeout(() => (from < 4 ? request.socket.destroy() : response.end()), 20);
  });
  const seen: string[] = [];
  for await (const event of jar.browser.followEvents()) seen.push(event.timestamp);
  expect(seen).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(asked.map((one) => one.headers["last-event-id"])).toEqual([undefined, "2", "4"]);
});

test("a follower that is refused throws the problem", async () => {
  const jar = new Belljar({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
  const failed = await jar.processes.followLogs("none").next().catch((error: unknown) => error);
  expect(isProblem(failed, "not_found")).toBe(true);
});

test("the token is asked for anew at each call, and waiting for control is said", async () => {
  const sent: (string | undefined)[] = [];
  const { jar } = await strange((request, response) => {
    sent.push(request.headers.authorization, request.headers["belljar-control-wait"] as string);
    json(response, 200, {});
  });
  let number = 0;
  const other = new Belljar({ baseUrl: jar.baseUrl, token: () => `t${++number}`, controlWait: 500 });
  await other.browser.status();
  await other.browser.status();
  expect(sent).toEqual(["Bearer t1", "500", "Bearer t2", "500"]);
});

test("connecting waits until a box is up", async () => {
  const { jar, asked } = await strange((_, response, count) => {
    if (count < 3) response.writeHead(503).end();
    else json(response, 200, { status: "ok" });
  });
  const agent = await Belljar.connect({ baseUrl: jar.baseUrl });
  expect(agent).toBeInstanceOf(Belljar);
  expect(asked).toHaveLength(3);
});

test("without an address the environment's is taken, with its token, which goes nowhere else", async () => {
  const { jar, asked } = await strange((_, response) => json(response, 200, {}));
  const before = { ...process.env };
  Object.assign(process.env, { BELLJAR_URL: jar.baseUrl, BELLJAR_TOKEN: "from-the-environment" });
  try {
    await new Belljar().browser.status();
    await new Belljar({ baseUrl: jar.baseUrl }).browser.status();
  } finally {
    process.env = before;
  }
  expect(asked.map((one) => one.headers.authorization)).toEqual(["Bearer from-the-environment", undefined]);
  expect(() => new Belljar()).toThrow("BELLJAR_URL");
});

test("queries leave out what is not given and repeat what is a list", () => {
  expect(search({ a: 1, b: undefined, c: null, d: ["x", "y z"], e: false })).toBe("?a=1&d=x&d=y+z&e=false");
  expect(search(undefined)).toBe("");
});

test("an id cannot lead to another path", async () => {
  const { jar, asked } = await strange((_, response) => json(response, 200, {}));
  for (const id of ["a/b", "a?b#c", "é"]) await jar.processes.get(id);
  const paths = asked.map((one) => one.url);
  expect(paths).toEqual(["/v1/processes/a%2Fb", "/v1/processes/a%3Fb%23c", "/v1/processes/%C3%A9"]);
  for (const id of ["", ".", ".."]) expect(() => jar.processes.get(id)).toThrow(TypeError);
});

test("events are parsed however they are cut", () => {
  const text = ": hello\r\n\r\nevent: a\r\nid: 1\r\ndata: one\r\ndata:two\r\n\r\nid: 2\ndata: x: y\n\ndata\n\n";
  for (let size = 1; size < 12; size++) {
    const parser = new EventParser();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...parser.feed(text.slice(at, at + size)));
    expect(found).toEqual([
      { event: "a", id: "1", data: "one\ntwo" },
      { event: "message", id: "2", data: "x: y" },
      { event: "message", id: "2", data: "" },
    ]);
  }
});

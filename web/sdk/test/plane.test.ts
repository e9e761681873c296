/** Sessions, profiles, keys and webhooks of a real control plane. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, inject, test } from "vitest";
import { Belljar, isProblem } from "../src/index.ts";

const jar = new Belljar({ baseUrl: inject("planeUrl"), token: inject("planeKey") });

test("a session is lent for the length of a block, and does what a box does", async () => {
  let id = "";
  {
    await using session = await jar.sessions.create({ ttl: 300, tags: { team: "web" } });
    id = session.id;
    expect(session.info.state).toBe("running");
    expect((await session.runProcess({ command: "echo", args: ["hi"] })).stdout).toBe("hi\n");
    expect((await session.browser.open(`${inject("site")}/second`)).title).toBe("Second");
    expect(await session.getBrowserCdpTicket()).toContain("ticket=");
    expect((await session.live.link()).link).toContain(`/s/${id}/`);
    const again = await jar.sessions.connect(id);
    expect((await again.browser.markdown()).markdown).toContain("Some words.");
    expect((await jar.sessions.list({ tag: ["team:web"] })).sessions.map((one) => one.id)).toContain(id);
    expect([...(await jar.sessions.thumbnail(id)).slice(0, 2)]).toEqual([0xff, 0xd8]);
    const token = await jar.sessions.createToken(id, { role: "view", ttl: 60 });
    expect((await jar.sessions.tokens(id)).tokens.map((one) => one.id)).toContain(token.id);
    expect((await jar.sessions.revokeToken(id, token.id)).ok).toBe(true);
    expect((await jar.sessions.tickets(id)).viewUrl).toContain("#ticket=");
    expect((await jar.sessions.update(id, { ttl: 400 })).id).toBe(id);
  }
  expect((await jar.sessions.get(id)).state).toBe("stopped");
  const kinds: string[] = [];
  for await (const event of jar.sessions.follow(id)) kinds.push(event.kind);
  expect(kinds.length).toBeGreaterThan(2);
  expect(await jar.sessions.logs(id)).toBeTypeOf("string");
  expect((await jar.sessions.recordings(id)).recordings).toEqual([]);
});

test("films of a session, and the end of all that have a tag", async () => {
  const session = await jar.sessions.create({ ttl: 300, tags: { batch: "b1" } });
  // A session begins with a browser, which has the display.
  await session.stopBrowser();
  await session.startDesktop({ width: 320, height: 240 });
  const { id } = await session.startDesktopRecording({ fps: 5 });
  await session.moveDesktopMouse({ x: 5, y: 5 });
  await session.stopDesktopRecording();
  expect((await jar.sessions.recordings(session.id)).recordings.map((one) => one.id)).toContain(id);
  expect((await jar.sessions.endAll({ tag: ["batch:b1"] })).removed).toEqual([session.id]);
  expect((await jar.sessions.get(session.id)).state).toBe("stopped");
  const film = await jar.sessions.downloadRecording(session.id, id);
  expect(new TextDecoder().decode(film.slice(4, 8))).toBe("ftyp");
  expect((await new Response(await jar.sessions.recordingStream(session.id, id)).arrayBuffer()).byteLength).toBe(film.length);
});

test("where people are signed in", async () => {
  const headers = { "Content-Type": "application/json", Origin: inject("planeUrl") };
  const signed = await fetch(`${inject("planeUrl")}/sign-in`, { method: "POST", headers, body: JSON.stringify({ key: inject("planeKey") }) });
  const cookie = signed.headers.get("set-cookie")?.split(";")[0] ?? "";
  const me = (): Promise<number> => fetch(`${inject("planeUrl")}/api/me`, { headers: { Cookie: cookie } }).then(({ status }) => status);
  expect(await me()).toBe(200);
  const [newest] = (await jar.signIns.list({ kind: "browser" })).signIns;
  expect([newest?.via, newest?.isCurrent]).toEqual(["key", false]);
  expect((await jar.signIns.end(newest?.id ?? "")).ok).toBe(true);
  expect(await me()).toBe(401);
  expect(isProblem(await jar.signIns.end("nobody").catch((error: unknown) => error), "not_found")).toBe(true);
});

test("an app is described, and let in or not", async () => {
  const redirectUri = "http://127.0.0.1:1/back";
  const registered = await fetch(`${inject("planeUrl")}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "An app", redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const asked = { clientId, redirectUri, responseType: "code", codeChallenge: "a".repeat(43), codeChallengeMethod: "S256", state: "s", scope: "view" };
  expect(await jar.signIns.describeApp(asked)).toMatchObject({ name: "An app", redirectHost: "this computer", roles: ["view"] });
  expect((await jar.signIns.answerApp({ ...asked, allow: false })).redirectTo).toContain("error=access_denied");
  expect((await jar.signIns.answerApp({ ...asked, allow: true, role: "view" })).redirectTo).toContain("code=");
});

test("profiles", async () => {
  const made = await jar.profiles.create({ name: "shop" });
  expect((await jar.profiles.get(made.id)).id).toBe(made.id);
  expect((await jar.profiles.list()).profiles.map((one) => one.id)).toContain(made.id);
  expect((await jar.profiles.delete(made.id)).ok).toBe(true);
  expect(isProblem(await jar.profiles.get(made.id).catch((error: unknown) => error), "profile_not_found")).toBe(true);
});

test("keys, whose key this is, usage and audit", async () => {
  const made = await jar.keys.create({ user: "ann" });
  const ann = new Belljar({ baseUrl: jar.baseUrl, token: made.key! });
  expect((await ann.me()).user).toBe("ann");
  expect((await jar.keys.list()).keys.map((one) => one.id)).toContain(made.id);
  expect((await jar.keys.get(made.id)).sessions).toEqual([]);
  expect((await jar.keys.revoke(made.id, { endSessions: true })).ok).toBe(true);
  await expect(jar.keys.admit(made.id)).rejects.toMatchObject({ code: "invalid_request" });
  expect(isProblem(await ann.me().catch((error: unknown) => error), "token_invalid")).toBe(true);
  expect((await jar.usage()).sessions).toBeDefined();
  expect((await jar.audit()).events.length).toBeGreaterThan(0);
  expect((await jar.usage({ by: ["day"] })).total.sessions).toBeGreaterThan(0);
  expect(await jar.usageCsv({ by: "user" })).toMatch(/^userId,sessions,/);
});

test("administration: users, limits, hosts, settings, checks", async () => {
  expect((await jar.administration.users({ q: "admin" })).users[0]?.role).toBe("admin");
  expect((await jar.administration.limits()).perUser.sessions).toBeGreaterThan(0);
  const name = (await jar.administration.hosts()).hosts[0]?.name ?? "";
  expect((await jar.administration.drain(name)).drainedBy).toBe("admin");
  await expect(jar.sessions.create({ mode: "none" })).rejects.toMatchObject({ code: "draining" });
  expect((await jar.administration.undrain(name)).drainedAt).toBeUndefined();
  expect((await jar.administration.settings()).settings.find((one) => one.name === "port")?.source).toBe("flag");
  expect((await jar.administration.checks()).checks.length).toBeGreaterThan(5);
});

test("administration: users, limits, settings, checks, usage as a table, and a host that takes no more sessions", async () => {
  const made = await jar.keys.create({ user: "bea" });
  try {
    expect((await jar.keys.get(made.id)).id).toBe(made.id);
    expect((await jar.administration.users()).users.map(({ userId }) => userId)).toContain("bea");
  } finally {
    await jar.keys.revoke(made.id);
  }
  const { maxTtl } = await jar.administration.limits();
  const refused = await jar.sessions.create({ ttl: maxTtl + 1 }).catch((error: unknown) => error);
  expect(isProblem(refused)).toBe(true);
  const { settings } = await jar.administration.settings();
  expect(settings.find(({ name }) => name === "pool_size")?.value).toBe("0");
  expect((await jar.administration.checks()).checks.length).toBeGreaterThan(0);
  expect((await jar.usageCsv()).split("\n")[0]).toContain(",");
  const { name } = (await jar.administration.hosts()).hosts.find(({ isThis }) => isThis)!;
  expect((await jar.administration.drain(name)).drainedAt).toBeTypeOf("string");
  try {
    expect(isProblem(await jar.sessions.create({ ttl: 60 }).catch((error: unknown) => error))).toBe(true);
  } finally {
    expect((await jar.administration.undrain(name)).drainedAt ?? null).toBe(null);
  }
});

test("webhooks", async () => {
  // Nothing is ever sent there: of this kind there is nothing to tell.
  const made = await jar.webhooks.create({ url: "https://93.184.215.14/hook", kinds: ["webhook.test"] });
  expect(made.secret).toMatch(/^whsec_/);
  expect((await jar.webhooks.list()).webhooks.map((one) => one.id)).toContain(made.id);
  expect((await jar.webhooks.rotate(made.id)).secret).not.toBe(made.secret);
  expect((await jar.webhooks.deliveries(made.id, { state: "dead" })).deliveries).toEqual([]);
  expect((await jar.webhooks.delete(made.id)).ok).toBe(true);
  const refused = await jar.webhooks.create({ url: "https://10.0.0.1/" }).catch((error: unknown) => error);
  expect(isProblem(refused, "invalid_request")).toBe(true);
});

test("a webhook's test is sent, and once more by its delivery's id", async () => {
  const received: [id: unknown, type: string][] = [];
  let status = 500;
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => (body += data)).on("end", () => {
      received.push([request.headers["webhook-id"], JSON.parse(body).type]);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { id } = await jar.webhooks.create({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook` });
  try {
    const sent = await jar.webhooks.test(id);
    const state = async () => (await jar.webhooks.deliveries(id)).deliveries.find((one) => one.id === sent.id)?.state;
    await expect.poll(state).toBe("dead");
    const before = received.length;
    status = 200;
    expect((await jar.webhooks.redeliver(id, sent.id)).id).toBe(sent.id);
    await expect.poll(state).toBe("delivered");
    expect(received).toHaveLength(before + 1);
    expect(new Set(received.map(([one]) => one))).toHaveProperty("size", 1);
    expect(received.at(-1)?.[1]).toBe("webhook.test");
  } finally {
    await jar.webhooks.delete(id);
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  }
});

test("the list is watched: a session comes, is revoked with its tokens, and its record has its pictures", async () => {
  const ending = new AbortController();
  const seen: string[] = [];
  const watched = (async () => {
    for await (const event of jar.sessions.watch({ tag: ["watch:me"] }, { signal: ending.signal })) seen.push(event.type === "session" ? `${event.session.id} ${event.session.state}` : event.type);
  })().catch((error: unknown) => ending.signal.aborted || Promise.reject(error));
  await expect.poll(() => seen).toContain("listed");
  const session = await jar.sessions.create({ ttl: 300, tags: { watch: "me" }, record: "content", url: `${inject("site")}/`, headless: true });
  await expect.poll(() => seen).toContain(`${session.id} running`);
  expect((await session.live.glance()).url).toBe(`${inject("site")}/`);
  await session.browserClick({ selector: "#go" });
  const screens = async () => (await jar.sessions.record(session.id, { kinds: "screen" })).events;
  await expect.poll(async () => (await screens()).map((event) => event.name)).toContain("after");
  // As far as the plane's --admin-egress goes; nobody connects there.
  expect((await jar.sessions.loosenEgress(session.id, { allow: ["example.com"] })).policy).toContain("example.com");
  expect((await session.getEgressPolicy()).policy).toContain("example.com");
  expect((await jar.sessions.revoke(session.id)).state).toBe("stopped");
  await expect.poll(() => seen).toContain(`${session.id} stopped`);
  ending.abort();
  await watched;
  expect(isProblem(await session.runProcess({ command: "true" }).catch((error: unknown) => error))).toBe(true);
  const { sha256 } = (await screens())[0]!.data as { sha256: string };
  const picture = await jar.sessions.recordPicture(session.id, sha256);
  expect(Buffer.from(await crypto.subtle.digest("SHA-256", picture as BufferSource)).toString("hex")).toBe(sha256);
  const lines = (await new Response(await jar.sessions.exportRecord(session.id, { format: "jsonl" })).text()).trimEnd().split("\n").map((line) => JSON.parse(line));
  expect(lines.map((event) => event.name)).toContain("browserClick.begin");
  expect(lines.map((event) => event.data?.sha256)).toContain(sha256);
});

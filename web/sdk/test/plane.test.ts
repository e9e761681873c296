/** Sessions, profiles and keys of a real control plane. */
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
  expect((await jar.keys.revoke(made.id)).ok).toBe(true);
  expect(isProblem(await ann.me().catch((error: unknown) => error), "token_invalid")).toBe(true);
  expect((await jar.usage()).sessions).toBeDefined();
  expect((await jar.audit()).events.length).toBeGreaterThan(0);
});

test("webhooks", async () => {
  // Nothing is ever sent there: of this kind there is nothing to tell.
  const made = await jar.webhooks.create({ url: "https://93.184.215.14/hook", kinds: ["webhook.test"] });
  expect(made.secret).toMatch(/^whsec_/);
  expect((await jar.webhooks.list()).webhooks.map((one) => one.id)).toContain(made.id);
  expect((await jar.webhooks.rotate(made.id)).secret).not.toBe(made.secret);
  expect((await jar.webhooks.deliveries(made.id, { state: "dead" })).deliveries).toEqual([]);
  expect((await jar.webhooks.delete(made.id)).ok).toBe(true);
  const refused = await jar.webhooks.create({ url: "https://127.0.0.1/" }).catch((error: unknown) => error);
  expect(isProblem(refused, "invalid_request")).toBe(true);
});

/** The record, read, followed and marked on a real box and a real control plane. */
import { expect, inject, test } from "vitest";
import { Belljar, isProblem } from "../src/index.ts";
import { cuttable } from "./cable.ts";

const agent = new Belljar({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
const jar = new Belljar({ baseUrl: inject("planeUrl"), token: inject("planeKey") });

test("what happened is read, page by page, and marked", async () => {
  const { newest } = await agent.events.list({ limit: 1 });
  const marked = await agent.events.mark("checkout begins");
  await agent.runProcess({ command: "true" });
  const seen: string[] = [];
  for await (const event of agent.events.all({ since: newest, kinds: "mark,call" })) seen.push(event.name);
  expect(seen.filter((name) => !name.startsWith("markEvents"))).toEqual(["mark", "runProcess.begin", "runProcess.end"]);
  const page = await agent.events.list({ since: newest, kinds: "mark" });
  expect(page.events.map((event) => [event.t, event.data?.["mark"]])).toEqual([[marked.t, "checkout begins"]]);
  const refused = await agent.events.mark({ text: "x", film: true }).catch((error: unknown) => error);
  expect(isProblem(refused, "conflict")).toBe(true);
  const proof = await agent.events.proof();
  expect(proof.head!.seq).toBeGreaterThan(newest);
  const text = await new Response(await agent.events.export({ format: "jsonl" })).text();
  expect(text.trimEnd().split("\n").map((line) => JSON.parse(line).seq)).toContain(page.events[0]!.seq);
  expect(isProblem(await agent.events.picture("0".repeat(64)).catch((error: unknown) => error), "not_found")).toBe(true);
});

test("a follower whose connection is cut goes on where it was", async () => {
  const { newest } = await agent.events.list({ limit: 1 });
  const way = await cuttable(new URL(inject("boxUrl")).port);
  const cut = new Belljar({ baseUrl: `http://127.0.0.1:${way.port}`, token: inject("boxToken") });
  const seen: string[] = [];
  for (let n = 0; n < 6; n++) await agent.events.mark(`mark ${n}`);
  for await (const event of cut.events.follow({ since: newest, kinds: "mark" })) {
    seen.push(event.data!["mark"] as string);
    if (seen.length === 3) {
      way.cut();
      await agent.events.mark("mark 6");
    }
    if (seen.length === 7) break;
  }
  await way.end();
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `mark ${n}`));
});

test("a session's record, while it runs and after", async () => {
  let id = "";
  {
    await using session = await jar.sessions.create({ mode: "none", ttl: 300, film: "off" });
    id = session.id;
    await session.events.mark("here");
    expect((await session.record({ kinds: "mark" })).events.length).toBe(1);
  }
  const followed: number[] = [];
  for await (const event of jar.sessions.followRecord(id)) followed.push(event.seq);
  const all: number[] = [];
  for await (const event of jar.sessions.allOfRecord(id)) all.push(event.seq);
  expect(all.length).toBeGreaterThan(2);
  expect(followed).toEqual(all);
  expect((await jar.sessions.recordProof(id)).head!.seq).toBe(all.at(-1));
  expect(isProblem(await jar.sessions.recordPicture(id, "x").catch((error: unknown) => error), "not_found")).toBe(true);
});

test("a follower outlives its short token where there is another, and what is over ends all the same", async () => {
  const { newest } = await agent.events.list({ limit: 1 });
  const given: string[] = [];
  const token = async (): Promise<string> => {
    given.push((await agent.createToken({ role: "drive", ttl: 3 })).token);
    return given.at(-1)!;
  };
  const guest = new Belljar({ baseUrl: inject("boxUrl"), token });
  const seen: string[] = [];
  await agent.events.mark("mark 0");
  for await (const event of guest.events.follow({ since: newest, kinds: "mark" })) {
    seen.push(event.data!["mark"] as string);
    if (seen.length === 3) break;
    // Its stream has ended with its token, and another was asked for.
    const before = given.length;
    void expect.poll(() => given.length).toBeGreaterThan(before).then(() => agent.events.mark(`mark ${seen.length}`));
  }
  expect(seen).toEqual(["mark 0", "mark 1", "mark 2"]);
  const { id } = await agent.createProcess({ command: "sh", args: ["-c", "echo one; echo two"] });
  const lines: string[] = [];
  for await (const { data } of guest.processes.followLogs(id)) {
    lines.push(atob(data));
    if (!lines.join("").endsWith("two\n")) continue;
    await expect.poll(async () => (await agent.getProcess(id)).status).toBe("exited");
    await agent.deleteProcess(id);
  }
  expect(lines.join("")).toBe("one\ntwo\n");
});

// Every process method of the published client, against a real box.
import assert from "node:assert/strict";
import { SandboxAgent, SandboxAgentError } from "sandbox-agent";

const { BOX_URL: baseUrl, BOX_TOKEN: token } = process.env;
const client = await SandboxAgent.connect({ baseUrl, token });
const text = (entry) => Buffer.from(entry.data, "base64").toString();
const refused = (status, type) => (error) => {
  assert.ok(error instanceof SandboxAgentError, String(error));
  assert.equal(error.status, status);
  assert.equal(error.problem?.type, type);
  return true;
};

async function eventually(what, look) {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < deadline, `never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// Config
const config = await client.getProcessConfig();
assert.equal(config.maxConcurrentProcesses, 64);
assert.deepEqual(await client.setProcessConfig({ ...config, maxConcurrentProcesses: 60 }), {
  ...config,
  maxConcurrentProcesses: 60,
});
await client.setProcessConfig(config);

// Run once
const ran = await client.runProcess({ command: "sh", args: ["-c", "echo out; echo err >&2; exit 3"], env: { A: "b" } });
assert.deepEqual([ran.exitCode, ran.stdout, ran.stderr, ran.timedOut], [3, "out\n", "err\n", false]);
const late = await client.runProcess({ command: "sleep", args: ["60"], timeoutMs: 100 });
assert.deepEqual([late.exitCode, late.timedOut], [null, true]);

// A process with pipes: create, get, list, input, logs, follow, stop, delete
const cat = await client.createProcess({ command: "cat", interactive: true });
assert.equal(cat.status, "running");
assert.equal((await client.getProcess(cat.id)).pid, cat.pid);
assert.ok((await client.listProcesses({ owner: "user" })).processes.some(({ id }) => id === cat.id));
assert.ok(!(await client.listProcesses({ owner: "desktop" })).processes.some(({ id }) => id === cat.id));
const followed = [];
const follow = await client.followProcessLogs(cat.id, (entry) => followed.push(text(entry)));
const sent = await client.sendProcessInput(cat.id, { data: Buffer.from("héllo\n").toString("base64"), encoding: "base64" });
assert.equal(sent.bytesWritten, 7);
await eventually("the echo in the stream", () => followed.join("") === "héllo\n");
const logs = await client.getProcessLogs(cat.id, { stream: "stdout", tail: 10 });
assert.equal(logs.entries.map(text).join(""), "héllo\n");
await assert.rejects(client.deleteProcess(cat.id), refused(409, "urn:sandbox-agent:error:conflict"));
const stopped = await client.stopProcess(cat.id, { waitMs: 5000 });
assert.equal(stopped.status, "exited");
assert.equal(await client.deleteProcess(cat.id), undefined);
await follow.closed;
await assert.rejects(client.getProcess(cat.id), refused(404, "urn:sandbox-agent:error:not_found"));

// A follower that leaves by itself
const quiet = await client.createProcess({ command: "sleep", args: ["600"] });
const left = await client.followProcessLogs(quiet.id, () => {});
left.close();
await left.closed;
const killed = await client.killProcess(quiet.id, { waitMs: 5000 });
assert.equal(killed.status, "exited");
assert.equal(killed.exitCode, undefined);

// A terminal: resize, WebSocket, exit
const shell = await client.createProcess({ command: "sh", tty: true, env: { PS1: "> " } });
assert.deepEqual(await client.resizeProcessTerminal(shell.id, { cols: 101, rows: 33 }), { cols: 101, rows: 33 });
assert.match(client.buildProcessTerminalWebSocketUrl(shell.id), /\/terminal\/ws\?access_token=/);
const session = client.connectProcessTerminal(shell.id);
const shown = [];
const exited = new Promise((resolve, reject) => {
  session.onExit(resolve);
  session.onError(reject);
});
const ready = new Promise((resolve) => session.onReady(resolve));
session.onData((bytes) => shown.push(Buffer.from(bytes)));
assert.equal((await ready).processId, shell.id);
session.sendInput("stty size\n");
await eventually("the size in the terminal", () => Buffer.concat(shown).toString().includes("33 101"));
session.resize({ cols: 90, rows: 20 });
session.sendInput("stty size; exit 4\n");
assert.equal((await exited).exitCode, 4);
await session.closed;
assert.ok(Buffer.concat(shown).toString().includes("20 90"));
assert.ok(!Buffer.concat(shown).toString().includes("os error"));
const screen = await client.getProcessLogs(shell.id, { stream: "pty" });
assert.ok(screen.entries.map(text).join("").includes("20 90"));

// What a caller gets wrong
await assert.rejects(client.createProcess({ command: " " }), refused(400, "urn:sandbox-agent:error:invalid_request"));
await assert.rejects(client.createProcess({ command: "no-such-program" }), refused(502, "urn:sandbox-agent:error:stream_error"));
await assert.rejects(client.resizeProcessTerminal(quiet.id, { cols: 1, rows: 1 }), refused(409, "urn:sandbox-agent:error:conflict"));

await client.dispose?.();
console.log("every process method works");
process.exit(0);

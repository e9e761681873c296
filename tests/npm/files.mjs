// Every file method of the published client, against a real box.
import assert from "node:assert/strict";
import { SandboxAgent, SandboxAgentError } from "sandbox-agent";

const { BOX_URL: baseUrl, BOX_TOKEN: token, TAR: tar, HOME_PATH: home } = process.env;
const client = await SandboxAgent.connect({ baseUrl, token });
const refused = (status, type) => (error) => {
  assert.ok(error instanceof SandboxAgentError, String(error));
  assert.equal(error.status, status);
  assert.equal(error.problem?.type, `urn:sandbox-agent:error:${type}`);
  return true;
};
const words = (bytes) => Buffer.from(bytes).toString();

// Write and read
const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
assert.deepEqual(await client.writeFsFile({ path: "npm/deep/data.bin" }, bytes), {
  path: `${home}/npm/deep/data.bin`,
  bytesWritten: bytes.length,
});
assert.deepEqual(await client.readFsFile({ path: `${home}/npm/deep/data.bin` }), bytes);
await client.writeFsFile({ path: "npm/note.txt" }, "ähnlich\n");
assert.equal(words(await client.readFsFile({ path: "npm/note.txt" })), "ähnlich\n");
await assert.rejects(client.readFsFile({ path: "npm/none" }), refused(400, "invalid_request"));
await assert.rejects(client.readFsFile({ path: "npm/deep" }), refused(400, "invalid_request"));
await assert.rejects(client.readFsFile({ path: "/etc/passwd" }), refused(403, "permission_denied"));

// The box's programs see the same file
const seen = await client.runProcess({ command: "sh", args: ["-c", `cat ${home}/npm/note.txt; stat -c %U ${home}/npm/note.txt; whoami`] });
const [text, owner, me] = seen.stdout.trim().split("\n");
assert.equal(text, "ähnlich");
assert.equal(owner, me);

// Stat and list
const stat = await client.statFs({ path: "npm/note.txt" });
assert.deepEqual([stat.path, stat.entryType, stat.size], [`${home}/npm/note.txt`, "file", 9]);
assert.ok(Math.abs(Date.parse(stat.modified) - Date.now()) < 600_000);
const listed = await client.listFsEntries({ path: "npm" });
assert.deepEqual(listed.map((entry) => [entry.name, entry.path, entry.entryType]), [
  ["deep", `${home}/npm/deep`, "directory"],
  ["note.txt", `${home}/npm/note.txt`, "file"],
]);
assert.ok((await client.listFsEntries()).some((entry) => entry.name === "npm"));
await assert.rejects(client.listFsEntries({ path: "npm/note.txt" }), refused(400, "invalid_request"));

// Make, move, delete
assert.deepEqual(await client.mkdirFs({ path: "npm/a/b" }), { path: `${home}/npm/a/b` });
await client.mkdirFs({ path: "npm/a/b" });
assert.deepEqual(await client.moveFs({ from: "npm/note.txt", to: "npm/a/b/moved.txt" }), {
  from: `${home}/npm/note.txt`,
  to: `${home}/npm/a/b/moved.txt`,
});
await client.writeFsFile({ path: "npm/note.txt" }, "second");
await assert.rejects(
  client.moveFs({ from: "npm/note.txt", to: "npm/a/b/moved.txt" }),
  refused(400, "invalid_request"),
);
await client.moveFs({ from: "npm/note.txt", to: "npm/a/b/moved.txt", overwrite: true });
assert.equal(words(await client.readFsFile({ path: "npm/a/b/moved.txt" })), "second");
await assert.rejects(client.deleteFsEntry({ path: "npm/a" }), refused(502, "stream_error"));
assert.deepEqual(await client.deleteFsEntry({ path: "npm/a", recursive: true }), { path: `${home}/npm/a` });
await assert.rejects(client.statFs({ path: "npm/a" }), refused(400, "invalid_request"));

// Unpack
const unpacked = await client.uploadFsBatch(Buffer.from(tar, "base64"), { path: "npm/tree" });
assert.deepEqual(unpacked, {
  paths: ["one", "sub", "sub/two"].map((name) => `${home}/npm/tree/${name}`),
  truncated: false,
});
assert.equal(words(await client.readFsFile({ path: "npm/tree/sub/two" })), "2");
await assert.rejects(client.uploadFsBatch(Buffer.from("xx"), { path: "npm/bad" }), refused(502, "stream_error"));

await client.dispose?.();
// For whoever runs this next
await client.deleteFsEntry({ path: "npm", recursive: true });
console.log("every file method works");
process.exit(0);

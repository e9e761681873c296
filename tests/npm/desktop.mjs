// Every desktop method of the published client, against a real box: what was typed is read back from the program
// that received it, what was drawn from the pixels.  PYTHON and NOTEPAD name a program that writes its events down.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { SandboxAgent, SandboxAgentError } from "sandbox-agent";

const { BOX_URL: baseUrl, BOX_TOKEN: token, PYTHON, NOTEPAD, TYPED, TYPED_BY_PROGRAM } = process.env;
const client = await SandboxAgent.connect({ baseUrl, token });
const refused = (status, code) => (error) => {
  assert.ok(error instanceof SandboxAgentError, String(error));
  assert.equal(error.status, status);
  assert.equal(error.problem?.type, `urn:sandbox-agent:error:${code}`);
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

// The pixels of a PNG of 8-bit RGB whose rows are differences to the left neighbour, which is what a box sends.
function pixels(png) {
  const file = Buffer.from(png);
  assert.equal(file.subarray(1, 4).toString(), "PNG");
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.subarray(at + 4, at + 8).toString() === "IDAT") parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(parts));
  const stride = width * 3 + 1;
  return {
    width,
    height,
    at(x, y) {
      assert.equal(rows[y * stride], 1);
      const sum = [0, 0, 0];
      for (let column = 0; column <= x; column++) {
        for (let channel = 0; channel < 3; channel++) sum[channel] += rows[y * stride + 1 + column * 3 + channel];
      }
      return sum.map((value) => value & 255);
    },
  };
}

// Before the start
assert.equal((await client.getDesktopStatus()).state, "inactive");
await assert.rejects(client.moveDesktopMouse({ x: 1, y: 1 }), refused(409, "desktop_runtime_inactive"));
await assert.rejects(client.moveDesktopMouse({ x: -1, y: 1 }), refused(400, "desktop_invalid_action"));
await assert.rejects(client.startDesktopRecording(), refused(409, "conflict"));

// Start, status, display
const started = await client.startDesktop({ width: 800, height: 600, dpi: 96 });
assert.deepEqual([started.state, started.resolution], ["active", { width: 800, height: 600, dpi: 96 }]);
assert.deepEqual((await client.startDesktop()).resolution, started.resolution);
assert.equal((await client.getDesktopDisplayInfo()).display, started.display);
const owned = (await client.listProcesses({ owner: "desktop" })).processes.map(({ command }) => command);
assert.ok(owned.includes("Xvfb") && owned.includes("openbox"));

// Launch, windows
const pad = await client.launchDesktopApp({
  app: PYTHON,
  args: [NOTEPAD, "--at", "300x200+200+150", "--colour", "C86432", "--title", "Pad"],
  wait: true,
});
assert.ok(pad.pid > 0 && pad.windowId);
const saw = (fields) =>
  eventually(JSON.stringify(fields), async () => {
    const { entries } = await client.getProcessLogs(pad.processId, { stream: "stdout" });
    const lines = Buffer.concat(entries.map((entry) => Buffer.from(entry.data, "base64"))).toString().split("\n");
    return lines.filter(Boolean).map((line) => JSON.parse(line)).find((seen) => Object.entries(fields).every(([k, v]) => seen[k] === v));
  });
await saw({ kind: "shown" });
await assert.rejects(client.launchDesktopApp({ app: "no-such-program" }), refused(404, "app_not_found"));
const { windows } = await client.listDesktopWindows();
const [window] = windows.filter(({ id }) => id === pad.windowId);
assert.deepEqual([window.title, window.width, window.height, window.isActive], ["Pad", 300, 200, true]);
assert.equal((await client.getDesktopFocusedWindow()).id, pad.windowId);
assert.equal((await client.focusDesktopWindow(pad.windowId)).isActive, true);
const moved = await client.moveDesktopWindow(pad.windowId, { x: 100, y: 120 });
const sized = await client.resizeDesktopWindow(pad.windowId, { width: 400, height: 250 });
assert.deepEqual([sized.width, sized.height, sized.x, sized.y], [400, 250, moved.x, moved.y]);
await assert.rejects(client.focusDesktopWindow("999999999"), refused(404, "window_not_found"));

// Screenshots: the very pixels
await client.moveDesktopMouse({ x: 5, y: 5 });
const inside = [sized.x + 200, sized.y + 125];
const shot = await eventually("the window's colour", async () => {
  const picture = pixels(await client.takeDesktopScreenshot());
  return picture.at(...inside).join() === "200,100,50" && picture;
});
assert.deepEqual([shot.width, shot.height], [800, 600]);
assert.deepEqual(shot.at(sized.x, sized.y), [200, 100, 50]);
assert.notDeepEqual(shot.at(sized.x - 3, sized.y + 50), [200, 100, 50]);
const region = pixels(await client.takeDesktopRegionScreenshot({ x: sized.x, y: sized.y, width: 20, height: 10 }));
assert.deepEqual([region.width, region.height, ...region.at(19, 9)], [20, 10, 200, 100, 50]);
assert.equal(pixels(await client.takeDesktopScreenshot({ scale: 0.5 })).width, 400);
const jpeg = Buffer.from(await client.takeDesktopScreenshot({ format: "jpeg", quality: 50, showCursor: true }));
assert.deepEqual([...jpeg.subarray(0, 3)], [0xff, 0xd8, 0xff]);
assert.equal(Buffer.from(await client.takeDesktopScreenshot({ format: "webp" })).subarray(8, 12).toString(), "WEBP");
await assert.rejects(client.takeDesktopScreenshot({ quality: 0 }), refused(400, "desktop_invalid_action"));

// Mouse
assert.deepEqual(await client.moveDesktopMouse({ x: inside[0], y: inside[1] }), {
  x: inside[0],
  y: inside[1],
  screen: 0,
  window: pad.windowId,
});
assert.equal((await client.getDesktopMousePosition()).x, inside[0]);
await client.clickDesktop({ x: inside[0], y: inside[1], button: "right", clickCount: 2 });
await saw({ kind: "release", button: 3, x: inside[0], y: inside[1] });
await client.mouseDownDesktop({ x: inside[0], y: inside[1] });
await client.mouseUpDesktop({ x: inside[0] + 9, y: inside[1] });
await saw({ kind: "release", button: 1, x: inside[0] + 9 });
await client.dragDesktopMouse({ startX: inside[0], startY: inside[1], endX: inside[0] + 60, endY: inside[1] + 40, button: "middle" });
await saw({ kind: "press", button: 2, x: inside[0], y: inside[1] });
await saw({ kind: "release", button: 2, x: inside[0] + 60, y: inside[1] + 40 });
await client.scrollDesktop({ x: inside[0], y: inside[1], deltaY: 2, deltaX: -1 });
await saw({ kind: "release", button: 5 });
await saw({ kind: "release", button: 6 });

// Keyboard
assert.deepEqual(await client.pressDesktopKey({ key: "a", modifiers: { ctrl: true, shift: true } }), { ok: true });
await saw({ kind: "down", keysym: 0x41, state: 5 });
await client.pressDesktopKey({ key: "Enter" });
await saw({ kind: "up", keysym: 0xff0d });
await client.keyDownDesktop({ key: "shift" });
await client.pressDesktopKey({ key: "b" });
await client.keyUpDesktop({ key: "shift" });
await saw({ kind: "down", keysym: 0x42, state: 1 });
await assert.rejects(client.pressDesktopKey({ key: "bogus" }), refused(400, "desktop_invalid_action"));

// Text, read back from the terminal that received it
const terminal = await client.launchDesktopApp({
  app: "xterm",
  args: ["-u8", "-e", "sh", "-c", `stty -echo; umask 0; cat > '${TYPED_BY_PROGRAM}'`],
  wait: true,
});
await client.focusDesktopWindow(terminal.windowId);
await eventually("the terminal's program", () => existsSync(TYPED));
const text = "Hello, Wörld! 你好 € 😀\n";
assert.deepEqual(await client.typeDesktopText({ text, delayMs: 0 }), { ok: true });
await eventually("the text in the terminal", () => readFileSync(TYPED, "utf8") === text);

// Clipboard
assert.deepEqual(await client.setDesktopClipboard({ text: "copied ✓" }), { ok: true });
assert.equal((await client.getDesktopClipboard()).text, "copied ✓");
await client.setDesktopClipboard({ text: "selected", selection: "primary" });
assert.deepEqual((({ text, selection }) => [text, selection])(await client.getDesktopClipboard({ selection: "primary" })), ["selected", "primary"]);
assert.equal((await client.getDesktopClipboard()).text, "copied ✓");

// Open
const opened = await client.openDesktopTarget({ target: "x-unknown://nothing" }).catch((error) => error);
assert.ok(opened.processId || opened instanceof SandboxAgentError);
await assert.rejects(client.openDesktopTarget({ target: "/no/such/file" }), refused(400, "desktop_invalid_action"));

// Recording
const recording = await client.startDesktopRecording({ fps: 10 });
assert.equal(recording.status, "recording");
await assert.rejects(client.startDesktopRecording(), refused(409, "conflict"));
await assert.rejects(client.deleteDesktopRecording(recording.id), refused(409, "conflict"));
await eventually("some film", async () => (await client.getDesktopRecording(recording.id)).bytes > 500);
const done = await client.stopDesktopRecording();
assert.deepEqual([done.id, done.status, done.fileName], [recording.id, "completed", `${recording.id}.mp4`]);
const film = Buffer.from(await client.downloadDesktopRecording(done.id));
assert.equal(film.length, done.bytes);
assert.equal(film.subarray(4, 8).toString(), "ftyp");
assert.ok((await client.listDesktopRecordings()).recordings.some(({ id }) => id === done.id));
assert.equal(await client.deleteDesktopRecording(done.id), undefined);
await assert.rejects(client.getDesktopRecording(done.id), refused(404, "not_found"));

// Streaming: begun and ended
assert.equal((await client.getDesktopStreamStatus()).active, false);
assert.equal((await client.startDesktopStream()).active, true);
assert.equal((await client.getDesktopStreamStatus()).active, true);
assert.equal((await client.stopDesktopStream()).active, false);

// Stop
const stopped = await client.stopDesktop();
assert.deepEqual([stopped.state, stopped.processes], ["inactive", []]);
await client.dispose?.();
console.log("every desktop method works");
process.exit(0);

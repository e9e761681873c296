/** Desktop, processes, files, egress, control and live of a real box, with their effects. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Belljar, Problem, SandboxAgent, isProblem } from "../src/index.ts";

const agent = new Belljar({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("health and metrics", async () => {
  expect((await agent.getHealth()).status).toBe("ok");
  expect(await agent.metrics()).toContain("belljar_http_requests_total");
});

describe("desktop", () => {
  beforeAll(async () => {
    const started = await agent.startDesktop({ width: 800, height: 600 });
    expect([started.state, started.resolution?.width]).toEqual(["active", 800]);
  });
  afterAll(async () => void expect((await agent.stopDesktop()).state).toBe("inactive"));

  test("status, display, screenshots", async () => {
    expect((await agent.getDesktopStatus()).state).toBe("active");
    expect((await agent.getDesktopDisplayInfo()).resolution).toMatchObject({ width: 800, height: 600 });
    expect([...(await agent.takeDesktopScreenshot({ format: "jpeg", quality: 60, scale: 0.5 })).slice(0, 2)]).toEqual([0xff, 0xd8]);
    const region = await agent.takeDesktopRegionScreenshot({ x: 0, y: 0, width: 10, height: 20 });
    // The size in a PNG's header.
    expect([...region.slice(16, 24)]).toEqual([0, 0, 0, 10, 0, 0, 0, 20]);
  });

  test("mouse", async () => {
    // A program that has told its terminal to report the mouse, and keeps what it hears: button;column;row, M for down and m for up.
    const heard = "stty raw -echo; printf '\\033[?1003h\\033[?1006h'; touch $HOME/mouse.ready; cat > $HOME/mouse";
    const { windowId } = await agent.launchDesktopApp({ app: "xterm", args: ["-geometry", "90x30+0+0", "-e", heard], wait: true });
    await expect.poll(() => agent.statFs({ path: "mouse.ready" }).then(() => true, () => false)).toBe(true);
    const reports = async (wanted: RegExp) => [...text(await agent.readFsFile({ path: "mouse" }).catch(() => new Uint8Array())).matchAll(/<(\d+);(\d+);(\d+)([Mm])/g)].filter(([, button, , , end]) => wanted.test(`${button}${end}`)).map(([, , x, y]) => [Number(x), Number(y)] as const);
    expect(await agent.moveDesktopMouse({ x: 40, y: 50 })).toMatchObject({ x: 40, y: 50 });
    expect(await agent.getDesktopMousePosition()).toMatchObject({ x: 40, y: 50 });
    await agent.moveDesktopMouse({ x: 100, y: 100 });
    await expect.poll(async () => (await reports(/^35M/)).length).toBeGreaterThan(0);
    expect(await agent.clickDesktop({ x: 160, y: 170, button: "left", clickCount: 2 })).toMatchObject({ x: 160, y: 170 });
    await expect.poll(async () => [(await reports(/^0M/)).length, (await reports(/^0m/)).length]).toEqual([2, 2]);
    await agent.mouseDownDesktop({ x: 200, y: 200, button: "right" });
    await agent.moveDesktopMouse({ x: 300, y: 200 });
    // Moved while it is down.
    await expect.poll(async () => (await reports(/^34M/)).length).toBeGreaterThan(0);
    expect(await reports(/^2m/)).toEqual([]);
    await agent.mouseUpDesktop({ button: "right" });
    await expect.poll(async () => (await reports(/^2m/)).length).toBe(1);
    const [[down], [up]] = [await reports(/^2M/), await reports(/^2m/)];
    expect([up![0] > down![0] + 5, up![1]]).toEqual([true, down![1]]);
    expect(await agent.dragDesktopMouse({ startX: 100, startY: 100, endX: 130, endY: 240 })).toMatchObject({ x: 130, y: 240 });
    await expect.poll(async () => (await reports(/^0m/)).length).toBe(3);
    expect((await reports(/^32M/)).length).toBeGreaterThan(0);
    expect((await reports(/^0m/))[2]![1]).toBeGreaterThan((await reports(/^0M/))[2]![1] + 5);
    expect(await agent.scrollDesktop({ x: 105, y: 106, deltaY: 2 })).toMatchObject({ x: 105, y: 106 });
    await expect.poll(async () => (await reports(/^65M/)).length).toBe(2);
    await agent.scrollDesktop({ x: 105, y: 106, deltaY: -1 });
    await expect.poll(async () => (await reports(/^64M/)).length).toBe(1);
    expect((await agent.closeDesktopWindow(windowId!)).closed).toBe(true);
  });

  test("a window, typed into, moved and closed", async () => {
    const launched = await agent.launchDesktopApp({ app: "xterm", args: ["-e", "cat > $HOME/typed"], wait: true });
    const id = launched.windowId!;
    expect((await agent.listDesktopWindows()).windows.map((one) => one.id)).toContain(id);
    await agent.focusDesktopWindow(id);
    expect((await agent.getDesktopFocusedWindow()).id).toBe(id);
    const shown = async () => (await agent.listDesktopWindows()).windows.find((one) => one.id === id)!;
    expect((await agent.moveDesktopWindow(id, { x: 20, y: 30 })).id).toBe(id);
    expect((await agent.resizeDesktopWindow(id, { width: 300, height: 200 })).id).toBe(id);
    // A terminal snaps to its cells, and its frame is about it.
    await expect.poll(async () => { const { x, y, width, height } = await shown(); return [x - 20, y - 30, width - 300, height - 200].every((off) => Math.abs(off) <= 30); }).toBe(true);
    expect((await agent.maximizeDesktopWindow(id)).id).toBe(id);
    await expect.poll(async () => [(await shown()).isMaximized, (await shown()).width > 700]).toEqual([true, true]);
    expect((await agent.minimizeDesktopWindow(id)).id).toBe(id);
    await expect.poll(async () => (await shown()).isMinimized).toBe(true);
    await expect.poll(async () => (await agent.getDesktopFocusedWindow().catch(() => undefined))?.id).not.toBe(id);
    await agent.focusDesktopWindow(id);
    expect((await agent.typeDesktopText({ text: "hello" })).ok).toBe(true);
    await agent.keyDownDesktop({ key: "shift" });
    await agent.pressDesktopKey({ key: "a" });
    await agent.keyUpDesktop({ key: "shift" });
    await agent.pressDesktopKey({ key: "Return" });
    await expect.poll(async () => text(await agent.readFsFile({ path: "typed" }).catch(() => new Uint8Array()))).toBe("helloA\n");
    expect((await agent.closeDesktopWindow(id)).closed).toBe(true);
  });

  test("accessibility: what a program tells of itself, or why nothing can be told", async () => {
    const none = await agent.getDesktopAccessibility();
    // As root the bus is had only in a jail, which not every machine allows.
    if (!(await agent.health()).isolation?.jail) {
      expect([none.available, none.reason]).toEqual([false, expect.stringContaining("jail")]);
      return;
    }
    expect([none.available, none.applications]).toEqual([true, []]);
    const flags = ["--no-first-run", "--no-sandbox", "--force-renderer-accessibility", "--disable-gpu", "--user-data-dir=/tmp/told"];
    const { processId } = await agent.launchDesktopApp({ app: "chromium", args: [...flags, "data:text/html,<button>Press me</button><input aria-label=City value=Bonn>"] });
    type Node = { role: string; name: string; text?: string | null; children?: Node[] };
    const nodes = (among: readonly Node[]): Node[] => among.flatMap((node) => [node, ...nodes(node.children ?? [])]);
    const told = async () => nodes((await agent.getDesktopAccessibility()).applications as Node[]).map(({ role, name, text: value }) => `${role} ${name} ${value ?? ""}`.trim());
    await expect.poll(told, { timeout: 40_000 }).toContain("push button Press me");
    expect(await told()).toContain("entry City Bonn");
    await agent.killProcess(processId);
    await expect.poll(async () => (await agent.getProcess(processId)).status).toBe("exited");
  });

  test("clipboard, open, resize", async () => {
    await agent.setDesktopClipboard({ text: "kept 日本" });
    expect((await agent.getDesktopClipboard()).text).toBe("kept 日本");
    expect((await agent.resizeDesktopDisplay({ width: 640, height: 480 })).resolution).toMatchObject({ width: 640 });
    // The size in a PNG's header.
    expect([...(await agent.takeDesktopScreenshot()).slice(16, 24)]).toEqual([0, 0, 2, 128, 0, 0, 1, 224]);
    // What is meant for addresses in this box keeps them.
    await agent.writeFsFile({ path: "keep" }, '#!/bin/sh\necho "$1" > "$HOME/opened"\n');
    const home = (await agent.runProcess({ command: "sh", args: ["-c", 'chmod +x "$HOME/keep"; printf %s "$HOME"'] })).stdout;
    await agent.mkdirFs({ path: ".local/share/applications" });
    await agent.mkdirFs({ path: ".config" });
    await agent.writeFsFile({ path: ".local/share/applications/keep.desktop" }, `[Desktop Entry]\nType=Application\nName=Keep\nExec=${home}/keep %u\n`);
    await agent.writeFsFile({ path: ".config/mimeapps.list" }, "[Default Applications]\nx-scheme-handler/http=keep.desktop\n");
    expect((await agent.openDesktopTarget({ target: "http://127.0.0.1:1/kept" })).processId).not.toBe("");
    await expect.poll(async () => text(await agent.readFsFile({ path: "opened" }).catch(() => new Uint8Array()))).toBe("http://127.0.0.1:1/kept\n");
    const nowhere = await agent.openDesktopTarget({ target: "nowhere.txt" }).catch((error: unknown) => error);
    expect(isProblem(nowhere)).toBe(true);
  });

  test("films", async () => {
    const { id } = await agent.startDesktopRecording({ fps: 10 });
    await agent.moveDesktopMouse({ x: 1, y: 1 });
    expect((await agent.getDesktopRecording(id)).status).toBe("recording");
    expect((await agent.stopDesktopRecording()).status).toBe("completed");
    expect((await agent.listDesktopRecordings()).recordings.map((one) => one.id)).toContain(id);
    expect(text((await agent.downloadDesktopRecording(id)).slice(4, 8))).toBe("ftyp");
    expect((await new Response(await agent.desktop.recordingStream(id)).arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect(await agent.deleteDesktopRecording(id)).toBeUndefined();
    expect((await agent.listDesktopRecordings()).recordings.map((one) => one.id)).not.toContain(id);
  });

  test("a stream is started and stopped, and a session says where there is no WebRTC", async () => {
    expect((await agent.startDesktopStream()).active).toBe(true);
    expect((await agent.getDesktopStreamStatus()).active).toBe(true);
    const session = agent.connectDesktopStream();
    const told: string[] = [];
    session.onError((error) => told.push(error.message));
    session.onDisconnect(() => told.push("gone"));
    await session.closed;
    expect(told).toEqual([expect.stringContaining("no RTCPeerConnection"), "gone"]);
    // The bare socket, whose address has no token, and an address that opens by itself.
    const sockets: string[] = [];
    for (const open of [() => agent.connectDesktopStreamWebSocket(), () => new WebSocket(agent.buildDesktopStreamWebSocketUrl())]) {
      const socket = open();
      const first = await new Promise<string>((resolve, reject) => {
        socket.onmessage = (event) => resolve(String(event.data));
        socket.onclose = () => reject(new Error("closed"));
      });
      expect(JSON.parse(first).event).toMatch(/^(system|signal)\//);
      sockets.push(socket.url);
      socket.close();
    }
    expect(sockets.map((url) => url.includes(inject("boxToken")))).toEqual([false, true]);
    expect((await agent.stopDesktopStream()).active).toBe(false);
  });
});

describe("processes", () => {
  test("run", async () => {
    const done = await agent.runProcess({ command: "sh", args: ["-c", "echo out; echo err >&2; exit 3"] });
    expect(done).toMatchObject({ exitCode: 3, stdout: "out\n", stderr: "err\n", timedOut: false });
  });

  test("start, write, logs, followed, stop, delete", async () => {
    const { id } = await agent.createProcess({ command: "cat" });
    expect((await agent.listProcesses({ owner: "user" })).processes.map((one) => one.id)).toContain(id);
    const lines: string[] = [];
    const subscription = await agent.followProcessLogs(id, (entry) => lines.push(atob(entry.data)));
    expect(await agent.sendProcessInput(id, { data: btoa("hello\n") })).toEqual({ bytesWritten: 6 });
    await expect.poll(() => lines.join("")).toBe("hello\n");
    subscription.close();
    await subscription.closed;
    expect(atob((await agent.getProcessLogs(id)).entries[0]!.data)).toBe("hello\n");
    for await (const entry of agent.processes.followLogs(id)) {
      expect(atob(entry.data)).toBe("hello\n");
      break;
    }
    expect((await agent.getProcess(id)).status).toBe("running");
    expect((await agent.stopProcess(id, { waitMs: 5000 })).status).toBe("exited");
    // Of what is over, nothing is left to kill.
    expect((await agent.killProcess(id)).status).toBe("exited");
    expect(await agent.deleteProcess(id)).toBeUndefined();
    expect(isProblem(await agent.getProcess(id).catch((error: unknown) => error), "not_found")).toBe(true);
  });

  test("what does not hear that it should stop is killed", async () => {
    const { id } = await agent.createProcess({ command: "sh", args: ["-c", "trap '' TERM; echo deaf; while :; do sleep 0.1; done"] });
    await expect.poll(async () => (await agent.getProcessLogs(id)).entries.length).toBe(1);
    expect((await agent.stopProcess(id, { waitMs: 100 })).status).toBe("running");
    await agent.killProcess(id);
    await expect.poll(async () => { const { status, exitCode } = await agent.getProcess(id); return [status, exitCode ?? "by a signal"]; }).toEqual(["exited", "by a signal"]);
    await agent.deleteProcess(id);
  });

  test("a terminal", async () => {
    const { id } = await agent.createProcess({ command: "sh", tty: true });
    await agent.resizeProcessTerminal(id, { cols: 90, rows: 20 });
    await agent.sendProcessInput(id, { data: btoa("stty size\n") });
    await expect.poll(async () => (await agent.getProcessLogs(id)).entries.map(({ data }) => atob(data)).join("")).toContain("20 90");
    await using terminal = agent.connectProcessTerminal(id);
    let shown = "";
    const exited = new Promise((resolve) => terminal.onExit(resolve));
    terminal.onReady((status) => expect(status.processId).toBe(id));
    terminal.onData((data) => (shown += text(data)));
    terminal.resize({ cols: 100, rows: 30 });
    terminal.sendInput("stty size\n");
    await expect.poll(() => shown).toContain("30 100");
    terminal.sendInput(new TextEncoder().encode("exit 4\n"));
    expect(await exited).toEqual({ type: "exit", exitCode: 4 });
    await terminal.closed;
    // An address that opens by itself, and a bare socket, which has no token in its own.
    expect(agent.buildProcessTerminalWebSocketUrl(id)).toContain(`/terminal/ws?access_token=${inject("boxToken")}`);
    const socket = agent.connectProcessTerminalWebSocket(id);
    expect(socket.url).not.toContain(inject("boxToken"));
    const first = await new Promise<string>((resolve) => (socket.onmessage = (event) => resolve(String(event.data))));
    expect(JSON.parse(first)).toMatchObject({ type: "ready", processId: id });
    socket.close();
  });

  test("a terminal of no process says so, and ends", async () => {
    const terminal = agent.connectProcessTerminal("none");
    const told: string[] = [];
    terminal.onError(() => told.push("error"));
    terminal.onClose(() => told.push("close"));
    await terminal.closed;
    expect(told.at(-1)).toBe("close");
    expect(told).toContain("error");
  });

  test("configuration", async () => {
    const config = await agent.getProcessConfig();
    const long = { command: "sh", args: ["-c", "printf 0123456789"] };
    try {
      expect(await agent.setProcessConfig({ ...config, maxOutputBytes: 4 })).toEqual({ ...config, maxOutputBytes: 4 });
      expect(await agent.getProcessConfig()).toEqual({ ...config, maxOutputBytes: 4 });
      expect(await agent.runProcess(long)).toMatchObject({ stdout: "0123", stdoutTruncated: true });
    } finally {
      expect(await agent.setProcessConfig(config)).toEqual(config);
    }
    expect(await agent.runProcess(long)).toMatchObject({ stdout: "0123456789", stdoutTruncated: false });
  });
});

describe("files", () => {
  test("write, read, stat, list, move, delete", async () => {
    await agent.mkdirFs({ path: "folder/inner" });
    expect((await agent.writeFsFile({ path: "folder/a.txt" }, "text")).bytesWritten).toBe(4);
    expect(text(await agent.readFsFile({ path: "folder/a.txt" }))).toBe("text");
    expect((await agent.statFs({ path: "folder/a.txt" })).size).toBe(4);
    expect((await agent.listFsEntries({ path: "folder" })).map((one) => one.name)).toEqual(["a.txt", "inner"]);
    await agent.moveFs({ from: "folder/a.txt", to: "folder/b.txt" });
    expect((await agent.listFsEntries({ path: "folder" })).map((one) => one.name)).toEqual(["b.txt", "inner"]);
    await agent.deleteFsEntry({ path: "folder", recursive: true });
    expect(isProblem(await agent.statFs({ path: "folder" }).catch((error: unknown) => error))).toBe(true);
  });

  test("a stream goes in and comes out piece by piece", async () => {
    const pieces = 40;
    const piece = new Uint8Array(64 * 1024).fill(7);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < pieces) controller.enqueue(piece);
        else controller.close();
      },
    });
    expect((await agent.writeFsFile({ path: "large" }, body)).bytesWritten).toBe(pieces * piece.length);
    let received = 0;
    for await (const some of await agent.files.stream({ path: "large" })) received += some.length;
    expect(received).toBe(pieces * piece.length);
  });

  test("an archive is unpacked", async () => {
    await agent.runProcess({ command: "sh", args: ["-c", "mkdir -p t && echo hi > t/in && tar cf t.tar -C t in"] });
    const unpacked = await agent.uploadFsBatch((await agent.readFsFile({ path: "t.tar" })) as BodyInit, { path: "out" });
    expect(unpacked.paths).toHaveLength(1);
    expect(text(await agent.readFsFile({ path: "out/in" }))).toBe("hi\n");
  });
});

test("egress: policy, restriction, log", async () => {
  const policy = await agent.getEgressPolicy();
  // By way of the proxy, loopback too.
  const reached = async () => (await agent.runProcess({ command: "curl", args: ["-s", "-m", "5", "--noproxy", "", "-o", "/dev/null", "-w", "%{http_code}", `${inject("site")}/`] })).stdout;
  try {
    const narrow = await agent.setEgressPolicy({ ...policy, policy: "none" });
    expect([narrow.policy, (await agent.getEgressPolicy()).policy]).toEqual(["none", "none"]);
    expect(await reached()).not.toBe("200");
  } finally {
    await agent.setEgressPolicy(policy);
  }
  expect((await agent.getEgressPolicy()).policy).toBe(policy.policy);
  try {
    await agent.setEgressPolicy({ ...policy, policy: "none" });
    expect((await agent.egress.loosen({ allow: [new URL(inject("site")).host] })).policy).toContain(new URL(inject("site")).hostname);
    expect(await reached()).toBe("200");
  } finally {
    await agent.setEgressPolicy(policy);
  }
  expect(await reached()).toBe("200");
  const restricted = await agent.restrictEgress({ deny: ["nowhere.invalid"] });
  expect(restricted.policy).toContain("nowhere.invalid");
  // Others were refused what they asked for by themselves, such as Chromium; nobody asked for this one.
  const denied = (await agent.getEgressLog({ decision: "deny" })).connections;
  expect(JSON.stringify(denied)).not.toContain("nowhere.invalid");
  expect((await agent.getEgressSuggestion()).policy).toBeTypeOf("string");
  const following = agent.egress.followLog({ decision: "deny" });
  const next = (async () => {
    for await (const connection of following) if (connection.host === "nowhere.invalid") return connection.decision;
    return undefined;
  })();
  await agent.runProcess({ command: "sh", args: ["-c", "curl -s -m 5 http://nowhere.invalid/ || true"] });
  expect(await next).toBe("deny");
  await following.return(undefined);
});

test("control for the length of a block", async () => {
  {
    await using held = await agent.control.hold();
    expect(held.control.holder.kind).toBe("agent");
    expect((await agent.getControl()).holder.kind).toBe("agent");
  }
  expect((await agent.control.show()).holder.kind).toBe("none");
  expect((await agent.control.ask("Who are you?")).question).toBe("Who are you?");
  await agent.setControl({ action: "ask" });
  await agent.control.take();
  expect((await agent.live.glance()).holder.kind).toBe("agent");
  expect((await agent.control.release()).holder.kind).toBe("none");
  expect((await agent.live.glance()).holder.kind).toBe("none");
});

test("a client that is connected when it is had, for the length of a block", async () => {
  let asked = 0;
  {
    await using connected = await Belljar.connect({ baseUrl: agent.baseUrl, token: async () => (asked++, inject("boxToken")) });
    expect((await connected.runProcess({ command: "echo", args: ["hi"] })).stdout).toBe("hi\n");
    expect(await connected.accessToken()).toBe(inject("boxToken"));
    expect(asked).toBeGreaterThan(1);
    await connected.dispose();
  }
  const refused = await SandboxAgent.connect({ baseUrl: agent.baseUrl, token: "wrong" }).then((one) => one.listProcesses(), (error: unknown) => Promise.reject(error)).catch((error: unknown) => error);
  expect(isProblem(refused, "token_invalid")).toBe(true);
  // Nobody listens at this port.
  const nobody = await SandboxAgent.connect({ baseUrl: "http://127.0.0.1:1", waitForHealth: { timeoutMs: 200 } }).catch((error: unknown) => error);
  expect(nobody).toMatchObject({ code: "unreachable" });
});

test("live: a link, a token that may only watch, health, and the socket", async () => {
  expect((await agent.live.link({ role: "view" })).link).toContain("#ticket=");
  const { token } = await agent.createToken({ role: "view", ttl: 60 });
  const watcher = new SandboxAgent({ baseUrl: agent.baseUrl, token });
  const refused = await watcher.runProcess({ command: "true" }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Problem);
  expect(isProblem(refused, "forbidden") && refused.status).toBe(403);
  expect((await watcher.live.health()).viewers).toBe(0);
  const socket = watcher.live.open();
  const first = await new Promise<string>((resolve) => (socket.onmessage = (event) => resolve(String(event.data))));
  expect(JSON.parse(first)).toMatchObject({ type: "event", name: "ready", data: { role: "view" } });
  socket.close();
});

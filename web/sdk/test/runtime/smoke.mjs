// The built client in whatever runs this, against the box or session at BELLJAR_URL: every kind of transport, and its end.
import { Belljar, BelljarError, isProblem } from "belljar";

const { BELLJAR_URL: baseUrl, BELLJAR_TOKEN: token, PAGE } = process.env;
const jar = new Belljar({ baseUrl, token });

function equal(found, wanted, what) {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${what}: ${left} instead of ${right}`);
}

/** The first message of a socket for which `wanted` holds. */
function message(socket, wanted, start = () => undefined) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("nothing came over the socket")), 20_000);
    const settle = (how, value) => {
      clearTimeout(timer);
      how(value);
    };
    socket.addEventListener("open", start);
    socket.addEventListener("error", () => settle(reject, new Error("the socket was refused")));
    socket.addEventListener("message", ({ data }) => wanted(data) && settle(resolve, data));
  });
}

// Requests, problems, signals, deadlines.
equal((await jar.browser.open(PAGE)).title, "Second", "title");
equal((await jar.browser.execute({ expression: "1 + 1" })).result, 2, "script");
equal([...(await jar.browser.screenshot()).slice(0, 4)], [0x89, 0x50, 0x4e, 0x47], "png");
const refused = await jar.processes.get("none").catch((error) => error);
equal([isProblem(refused, "not_found"), refused.status], [true, 404], "problem");
const late = await jar.processes.run({ command: "sleep", args: ["9"] }, { timeout: 300 }).catch((error) => error);
equal([late instanceof BelljarError, late.code], [true, "timeout"], "deadline");
const ending = new AbortController();
const call = jar.processes.run({ command: "sleep", args: ["9"] }, { signal: ending.signal }).catch((error) => error);
setTimeout(() => ending.abort(new Error("enough")), 100);
equal((await call).message, "enough", "signal");
const away = await new Belljar({ baseUrl: "http://127.0.0.1:9", token }).browser.click({}).catch((error) => error);
equal(away.code, "unreachable", "nobody there");

// Streams up and down.
let sent = 0;
const piece = new Uint8Array(64 * 1024).fill(7);
const body = new ReadableStream({
  pull: (controller) => (sent++ < 16 ? controller.enqueue(piece) : controller.close()),
});
equal((await jar.files.write({ path: "smoke" }, body)).bytesWritten, 16 * piece.length, "uploaded");
let received = 0;
for await (const some of await jar.files.stream({ path: "smoke" })) received += some.length;
equal(received, 16 * piece.length, "downloaded");
await (await jar.files.stream({ path: "smoke" })).cancel();
const own = new File(["mine"], "mine.txt");
await jar.browser.execute({ expression: "document.body.innerHTML = '<input id=file type=file>'; 0" });
await jar.browser.upload({ selector: "#file", files: [own] });
equal((await jar.browser.execute({ expression: "file.files[0].text()", awaitPromise: true })).result, "mine", "own file");

// Events, left in each way.
// From here on: another runtime may have been before.
const { cursor } = await jar.browser.console();
const following = jar.browser.followConsole({ since: cursor });
const next = following.next();
await jar.browser.execute({ expression: "console.log('tick')" });
equal((await next).value.text, "tick", "event");
const pending = following.next();
await following.return();
equal((await pending).done, true, "left");

// Sockets: terminal, live, CDP; none carries the token in its address.
const { id } = await jar.processes.start({ command: "sh", tty: true });
const terminal = jar.processes.terminal(id);
let shown = "";
const saw = new Promise((resolve) => terminal.onData((data) => (shown += new TextDecoder().decode(data)).includes("7 words") && resolve()));
const exited = new Promise((resolve) => terminal.onExit(resolve));
terminal.sendInput("echo $((3 + 4)) words\n");
await saw;
terminal.sendInput("exit 5\n");
equal((await exited).exitCode, 5, "exit");
await terminal[Symbol.asyncDispose]();
const live = jar.live.open();
equal(JSON.parse(await message(live, (data) => typeof data === "string")).name, "ready", "live");
live.close();
equal(jar.getBrowserCdpUrl(), `${baseUrl.replace(/^http/, "ws")}/v1/browser/cdp`, "CDP address");
const ticket = process.env.CDP_TICKET ?? (await jar.getBrowserCdpTicket());
const cdp = new WebSocket(ticket);
const version = await message(cdp, () => true, () => cdp.send(JSON.stringify({ id: 1, method: "Browser.getVersion" })));
equal(JSON.parse(version).result.product.includes("Chrom"), true, "CDP");
cdp.close();
const { link } = await jar.live.link({ role: "view" });
equal(link.startsWith(`${baseUrl}/view#ticket=`), true, `link ${link}`);
// The process ends by itself: nothing that was left holds it up.
console.log("all of it works");

/** Somebody at Debian's Firefox, by WebDriver BiDi: what they press is pressed by Firefox itself, and so is an input method's text. */
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FIREFOX = "/usr/bin/firefox-esr";
const PATIENCE = 90_000;
// Wheels and fingers go to the page itself, not by way of a window, which it has none of; and nothing is asked of anybody outside.
const PREFERENCES: Record<string, unknown> = {
  "remote.events.async.enabled": false,
  "remote.events.async.wheel.enabled": false,
  "dom.w3c_touch_events.enabled": 1,
  "media.peerconnection.ice.loopback": true,
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
};

export function hasFirefox(): boolean {
  try {
    accessSync(FIREFOX, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface Call {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** One Firefox with one page. */
export class Firefox {
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  readonly #profile: string;
  readonly #calls = new Map<number, Call>();
  #number = 0;
  #page = "";
  #window = "";

  private constructor(child: ChildProcess, socket: WebSocket, profile: string) {
    this.#child = child;
    this.#socket = socket;
    this.#profile = profile;
    socket.addEventListener("message", ({ data }) => {
      const { id, type, result, error, message } = JSON.parse(String(data));
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (type === "error") call?.reject(new Error(`${error}: ${message}`));
      else call?.resolve(result as never);
    });
  }

  static async launch(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "belljar-firefox-"));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    writeFileSync(join(profile, "user.js"), lines.join("\n"));
    // With its own parts within reach there is an input method to be had.
    const flags = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--remote-allow-system-access", "--profile", profile];
    const child = spawn(FIREFOX, flags, { env: { PATH: process.env["PATH"], HOME: profile }, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    const address = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Firefox did not come up: ${said}`)), PATIENCE);
      child.stderr.on("data", (data: Buffer) => {
        const found = /BiDi listening on (ws:\S+)/.exec((said = (said + data).slice(-10_000)));
        if (found === null) return;
        clearTimeout(timer);
        resolve(`${found[1]}/session`);
      });
    });
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error("no connection to Firefox")));
    });
    const firefox = new Firefox(child, socket, profile);
    await firefox.#send("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    firefox.#page = (await firefox.#send<{ contexts: { context: string }[] }>("browsingContext.getTree")).contexts[0]!.context;
    firefox.#window = (await firefox.#send<{ contexts: { context: string }[] }>("browsingContext.getTree", { "moz:scope": "chrome" })).contexts[0]!.context;
    await firefox.#send("browsingContext.setViewport", { context: firefox.#page, viewport: { width: 1000, height: 800 } });
    return firefox;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#socket.close();
    this.#child.kill("SIGKILL");
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }

  #send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#number;
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { resolve: resolve as Call["resolve"], reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  async open(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { context: this.#page, url, wait: "complete" });
  }

  /** What an expression says in the page, by way of JSON. */
  asks<T>(expression: string): Promise<T> {
    return this.#evaluate<T>(expression, this.#page);
  }

  async #evaluate<T>(expression: string, context: string): Promise<T> {
    const asked = { expression: `(async () => JSON.stringify(await (${expression})) ?? "null")()`, target: { context }, awaitPromise: true };
    const answer = await this.#send<{ type: string; result: { value: string }; exceptionDetails?: { text: string } }>("script.evaluate", asked);
    if (answer.type !== "success") throw new Error(answer.exceptionDetails?.text);
    return JSON.parse(answer.result.value) as T;
  }

  #act(...actions: object[]): Promise<unknown> {
    return this.#send("input.performActions", { context: this.#page, actions });
  }

  mouse(...steps: ([x: number, y: number] | "down" | "up")[]): Promise<unknown> {
    return this.#point("mouse", steps);
  }

  finger(...steps: ([x: number, y: number] | "down" | "up")[]): Promise<unknown> {
    return this.#point("touch", steps);
  }

  #point(pointerType: string, steps: ([x: number, y: number] | "down" | "up")[]): Promise<unknown> {
    const actions = steps.map((step) =>
      step === "down" || step === "up"
        ? { type: step === "down" ? "pointerDown" : "pointerUp", button: 0 }
        : { type: "pointerMove", x: Math.round(step[0]), y: Math.round(step[1]), duration: 20 },
    );
    return this.#act({ type: "pointer", id: pointerType, parameters: { pointerType }, actions });
  }

  wheel([x, y]: [number, number], deltaY: number): Promise<unknown> {
    return this.#act({ type: "wheel", id: "wheel", actions: [{ type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY }] });
  }

  /** Keys one after another; those of an inner list are held down together. */
  keys(...keys: (string | string[])[]): Promise<unknown> {
    const actions = keys.flatMap((key) => {
      const held = typeof key === "string" ? [key] : key;
      return [...held.map((value) => ({ type: "keyDown", value })), ...held.toReversed().map((value) => ({ type: "keyUp", value }))];
    });
    return this.#act({ type: "key", id: "keys", actions });
  }

  /** What an input method shows while it is at work. */
  compose(text: string): Promise<void> {
    return this.#inContent(`
      tip.setPendingCompositionString(${JSON.stringify(text)});
      tip.appendClauseToPendingComposition(${text.length}, tip.ATTR_RAW_CLAUSE);
      tip.setCaretInPendingComposition(${text.length});
      tip.flushPendingComposition();`);
  }

  /** What it makes of it in the end. */
  commit(text: string): Promise<void> {
    return this.#inContent(`tip.commitCompositionWith(${JSON.stringify(text)});`);
  }

  async #inContent(code: string): Promise<void> {
    const script = `{
      if (!this.tip) {
        this.tip = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
        const answer = (tip, { type }) => { if (type === "request-to-commit") tip.commitComposition(); else if (type === "request-to-cancel") tip.cancelComposition(); return true; };
        this.tip.beginInputTransactionForTests(content, answer);
      }
      const tip = this.tip;
      ${code}
      sendAsyncMessage("belljar:done");
    }`;
    const address = `data:application/javascript;charset=utf-8,${encodeURIComponent(script)}`;
    const run = `new Promise((resolve) => {
      const { messageManager } = gBrowser.selectedBrowser;
      const done = () => { messageManager.removeMessageListener("belljar:done", done); resolve(true); };
      messageManager.addMessageListener("belljar:done", done);
      messageManager.loadFrameScript(${JSON.stringify(address)}, false);
    })`;
    await this.#evaluate(run, this.#window);
  }
}

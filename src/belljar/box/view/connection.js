/* The live WebSocket: connects, reconnects with back-off, and tells listeners what came. */

const HEADER_BYTES = 16;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
const PING_MS = 2_000;
// Without a pong for this long the connection is taken for dead, whatever TCP says.
const SILENCE_MS = 12_000;

export class Connection extends EventTarget {
  state = "closed"; // connecting | open | waiting | closed
  latency = null;
  #key = sessionStorage.getItem("belljar-viewer") ?? "";
  #socket = null;
  #calls = new Map();
  #number = 0;
  #wait = FIRST_WAIT_MS;
  #timer = 0;
  #pinging = 0;
  #heard = 0;

  /** `address` is the http address of the box, with a slash at its end. */
  constructor(address) {
    super();
    this.address = address;
    addEventListener("online", () => this.#retryNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.#retryNow());
  }

  open() {
    const url = new URL("v1/live", this.address);
    url.protocol = url.protocol.replace("http", "ws");
    if (this.#key) url.searchParams.set("viewer", this.#key);
    this.#move("connecting");
    const socket = (this.#socket = new WebSocket(url, ["belljar.binary", "belljar"]));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#heardFrom(event.data);
    socket.onclose = (event) => this.#closed(socket, event);
  }

  close() {
    clearTimeout(this.#timer);
    this.#move("closed");
    this.#socket?.close();
  }

  /** Now, whatever the back-off says. */
  again() {
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT_MS;
    this.open();
  }

  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Run a command; rejects with the problem it failed with. */
  call(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return reject({ message: "Not connected." });
      const id = ++this.#number;
      this.#calls.set(id, { resolve, reject });
      this.send({ id, type: "cmd", method, params });
    });
  }

  #opened() {
    this.#wait = FIRST_WAIT_MS;
    this.#heard = performance.now();
    this.#move("open");
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
    this.#ping();
  }

  #ping() {
    if (performance.now() - this.#heard > SILENCE_MS) this.#socket.close();
    else this.send({ type: "ping", t: performance.now() });
  }

  #heardFrom(data) {
    this.#heard = performance.now();
    if (data instanceof ArrayBuffer) return this.#frame(data);
    const message = JSON.parse(data);
    if (message.type === "pong") {
      this.latency = performance.now() - message.t;
      this.#emit("latency", this.latency);
    } else if (message.type === "result") {
      const call = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if (call) message.ok ? call.resolve(message.result) : call.reject(message.error);
    } else if (message.type === "event") {
      if (message.name === "ready") sessionStorage.setItem("belljar-viewer", (this.#key = message.data.key));
      this.#emit(message.name, message.data);
    }
  }

  #frame(buffer) {
    const view = new DataView(buffer);
    if (view.getUint8(0) !== 1) return;
    this.#emit("frame", {
      small: (view.getUint8(1) & 1) === 1,
      viewport: { w: view.getUint16(2), h: view.getUint16(4), dpr: view.getUint16(6) / 100 },
      timestamp: view.getFloat64(8),
      jpeg: new Blob([new Uint8Array(buffer, HEADER_BYTES)], { type: "image/jpeg" }),
    });
  }

  #closed(socket, event) {
    clearInterval(this.#pinging);
    if (socket !== this.#socket) return;
    for (const { reject } of this.#calls.values()) reject({ message: "The connection was lost." });
    this.#calls.clear();
    if (this.state === "closed") return;
    this.#move("waiting");
    this.#emit("lost", { code: event.code, reason: event.reason });
    if (this.state !== "waiting") return;
    this.#timer = setTimeout(() => this.open(), this.#wait * (0.7 + Math.random() * 0.6));
    this.#wait = Math.min(this.#wait * 1.8, LONGEST_WAIT_MS);
  }

  #retryNow() {
    if (this.state !== "waiting") return;
    clearTimeout(this.#timer);
    this.open();
  }

  #move(state) {
    this.state = state;
    this.#emit("state", state);
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

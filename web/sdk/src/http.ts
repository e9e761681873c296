/** Requests: the token, deadlines, what may be sent again, and answers as JSON, bytes, streams or events. */
import { BelljarError, problemOf, secondsOf } from "./problems.ts";
import { type ServerEvent, eventsOf } from "./sse.ts";

export interface CallOptions {
  /** Ends the call; the promise is rejected with its reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, without end where it is 0. */
  timeout?: number | undefined;
  headers?: Record<string, string> | undefined;
}

export interface ConnectionOptions {
  /** Of a box, of a control plane, or of a session behind one (`…/s/{id}`); `BELLJAR_URL` where it is left out. */
  baseUrl?: string | undefined;
  /** A token, an API key, or what gives one whenever it is needed; `BELLJAR_TOKEN` where both are left out. */
  token?: string | (() => string | Promise<string>) | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  headers?: Record<string, string> | undefined;
  /** Milliseconds for each call that says nothing else: 10 minutes, for a page may take long. */
  timeout?: number | undefined;
  /** Milliseconds that an action waits while a person holds control, instead of being refused. */
  controlWait?: number | undefined;
  /** Ends every call. */
  signal?: AbortSignal | undefined;
}

export type Query = object | undefined;

interface Sent extends CallOptions {
  query?: Query;
  json?: unknown;
  body?: BodyInit | undefined;
  accept?: string;
}

const ATTEMPTS = 3;
const FIRST_PAUSE = 100;
const LONGEST_TOLD_PAUSE = 30_000;
/** A server says something every 15 seconds, if only a comment. */
const SILENCE = 60_000;
// What HTTP says may be done twice; DELETE is left out, whose second answer would be another.
const REPEATABLE = new Set(["GET", "HEAD", "PUT"]);

export class Http {
  readonly baseUrl: string;
  readonly options: ConnectionOptions;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ConnectionOptions) {
    // A token from the environment goes only where the environment says.
    const isToldElsewhere = options.baseUrl === undefined;
    const baseUrl = options.baseUrl ?? variable("BELLJAR_URL");
    if (!baseUrl) throw new TypeError("Which server? Give baseUrl, or set BELLJAR_URL.");
    const token = options.token ?? (isToldElsewhere ? variable("BELLJAR_TOKEN") : undefined);
    this.options = { ...options, baseUrl, token };
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    // Called as a method of ours it would not know its window.
    const given = options.fetch ?? globalThis.fetch;
    this.#fetch = (input, init) => given(input, init);
  }

  /** The same connection to another address or with another token. */
  with(options: Partial<ConnectionOptions>): Http {
    return new Http({ ...this.options, ...options });
  }

  get<T>(path: string, query?: Query, options?: CallOptions): Promise<T> {
    return this.json<T>("GET", path, { ...options, query });
  }

  post<T>(path: string, body?: unknown, options?: CallOptions & { query?: Query }): Promise<T> {
    return this.json<T>("POST", path, { ...options, json: body });
  }

  async json<T>(method: string, path: string, sent: Sent): Promise<T> {
    const response = await this.request(method, path, { accept: "application/json", ...sent });
    const text = await response.text();
    if (text === "") return undefined as T;
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw new BelljarError("not_belljar", `${method} ${path} answered with what is not JSON`, { cause: error });
    }
  }

  async bytes(path: string, query?: Query, options?: CallOptions & { accept?: string }): Promise<Uint8Array> {
    return new Uint8Array(await (await this.request("GET", path, { accept: "*/*", ...options, query })).arrayBuffer());
  }

  async text(path: string, query?: Query, options?: CallOptions): Promise<string> {
    return (await this.request("GET", path, { accept: "text/plain", ...options, query })).text();
  }

  /** The answer as a stream; leaving it unread and cancelling it ends the download. */
  async stream(path: string, query?: Query, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    const response = await this.request("GET", path, { accept: "*/*", timeout: 0, ...options, query });
    return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  /** Send it, again where that is safe; an answer of 400 and more is thrown as the problem it is. */
  async request(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const repeats = REPEATABLE.has(method) || sent.headers?.["Idempotency-Key"] !== undefined;
    // A stream can be read once.
    const resendable = !(sent.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= ATTEMPTS || !resendable;
      let pause = FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random());
      try {
        const response = await this.#once(method, path, sent);
        if (response.ok) return response;
        // It was refused, so nothing was done.
        const told = response.status === 429 ? secondsOf(response.headers.get("retry-after")) : undefined;
        if (isLast || told === undefined || told > LONGEST_TOLD_PAUSE) throw await problemOf(response);
        await response.body?.cancel();
        pause = told;
      } catch (error) {
        const isLost = error instanceof BelljarError && error.code === "unreachable";
        if (isLast || !isLost || !(repeats || neverArrived(error))) throw error;
      }
      await sleep(pause, sent.signal ?? this.options.signal);
    }
  }

  /** Server-sent events until the server ends them.  A connection that breaks is opened again after the last event. */
  async *events(path: string, query?: Query, options?: CallOptions): AsyncGenerator<ServerEvent, void, undefined> {
    let seen = "";
    for (let failures = 0; ; ) {
      const headers = { ...options?.headers, ...(seen === "" ? {} : { "Last-Event-ID": seen }) };
      const sent = { ...options, query, headers, accept: "text/event-stream", timeout: 0 };
      const response = await this.request("GET", path, sent);
      try {
        for await (const event of eventsOf(response, SILENCE)) {
          seen = event.id || seen;
          failures = 0;
          yield event;
        }
        return;
      } catch (error) {
        this.#throwIfAborted(options?.signal);
        if (++failures >= ATTEMPTS) throw new BelljarError("unreachable", `${path} broke off`, { cause: error });
      }
      await sleep(FIRST_PAUSE * 2 ** failures, options?.signal ?? this.options.signal);
    }
  }

  /** Of a path, without a credential. */
  url(path: string, query?: Query): string {
    return `${this.baseUrl}${path}${search(query)}`;
  }

  /** The same for a WebSocket. */
  socketUrl(path: string, query?: Query): string {
    return this.url(path, query).replace(/^http/, "ws");
  }

  async token(): Promise<string | undefined> {
    const { token } = this.options;
    return typeof token === "function" ? await token() : token;
  }

  async #once(method: string, path: string, sent: Sent): Promise<Response> {
    const { controlWait, timeout: usual = 600_000 } = this.options;
    const token = await this.token();
    const headers: Record<string, string> = {
      ...(sent.accept === undefined ? {} : { Accept: sent.accept }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(controlWait === undefined ? {} : { "Belljar-Control-Wait": String(controlWait) }),
      ...(sent.json === undefined ? {} : { "Content-Type": "application/json" }),
      ...this.options.headers,
      ...sent.headers,
    };
    const timeout = sent.timeout ?? usual;
    const ends = [sent.signal, this.options.signal, timeout > 0 ? AbortSignal.timeout(timeout) : undefined];
    const given = ends.filter((one) => one !== undefined);
    const init: RequestInit & { duplex?: "half" } = { method, headers };
    if (given.length > 0) init.signal = AbortSignal.any(given);
    if (sent.json !== undefined) init.body = JSON.stringify(sent.json);
    if (sent.body !== undefined) init.body = sent.body;
    if (sent.body instanceof ReadableStream) init.duplex = "half";
    try {
      return await this.#fetch(this.url(path, sent.query), init);
    } catch (error) {
      this.#throwIfAborted(sent.signal);
      if (isTimeout(error))
        throw new BelljarError("timeout", `${method} ${path} took longer than ${timeout} ms`, { cause: error });
      throw new BelljarError("unreachable", `Cannot reach ${this.baseUrl}: ${reasonOf(error)}`, { cause: error });
    }
  }

  #throwIfAborted(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    this.options.signal?.throwIfAborted();
  }
}

/** Of the environment, where there is one. */
function variable(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
}

/** With what is undefined left out, and lists as the same name several times. */
export function search(query: Query): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) pairs.append(name, String(one));
  const text = pairs.toString();
  return text === "" ? "" : `?${text}`;
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** No connection was made, so nothing was done: Node and Deno say so, browsers do not. */
function neverArrived(error: unknown): boolean {
  return /ECONNREFUSED|ENOTFOUND|ConnectionRefused|Connection refused/.test(reasonOf(error));
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 5; one = one.cause)
    parts.push(`${one.message} ${(one as { code?: string }).code ?? ""}`.trim());
  return parts.filter((part) => part !== "").join(": ");
}

/** Requests: the token, deadlines, what may be sent again, and answers as JSON, bytes, streams or events. */
import { type Query, addressOf, checkedToken, search, variable } from "./addresses.ts";
import { MOST_BYTES, readBytes, readProblem, readText, streamOf } from "./bodies.ts";
import { Ending, sleep } from "./ending.ts";
import { BelljarError } from "./problems.ts";
import { comeBackAfter, isLoss, neverArrived, reasonOf } from "./retries.ts";
import { type ServerEvent, eventsOf } from "./sse.ts";

export type { Query } from "./addresses.ts";

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

interface Sent extends CallOptions {
  query?: Query;
  json?: unknown;
  body?: BodyInit | undefined;
  accept?: string;
  /** Ends the call as `signal` does. */
  leaving?: AbortSignal;
}

/** One call while it lasts. */
interface Call {
  method: string;
  path: string;
  sent: Sent;
  ending: Ending;
}

const ATTEMPTS = 3;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;
const LONGEST_TOLD_PAUSE = 30_000;
/** A server says something every 15 seconds, if only a comment. */
const SILENCE = 60_000;
/** A stream that was asked for again and ends so soon, without an event, is over. */
const SHORTEST = 1000;
/** How long events that were being followed are looked for again. */
const RECONNECTING = 30_000;
// What HTTP says may be done twice; DELETE is left out, whose second answer would be another.
const REPEATABLE = new Set(["GET", "HEAD", "PUT"]);

export class Http {
  readonly baseUrl: string;
  // Private, so that whoever prints a client does not print its token.
  readonly #options: ConnectionOptions;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ConnectionOptions) {
    // A token from the environment goes only where the environment says.
    const isToldElsewhere = options.baseUrl === undefined;
    const baseUrl = options.baseUrl ?? variable("BELLJAR_URL");
    if (!baseUrl) throw new TypeError("Which server? Give baseUrl, or set BELLJAR_URL.");
    const token = options.token ?? (isToldElsewhere ? variable("BELLJAR_TOKEN") : undefined);
    this.baseUrl = addressOf(baseUrl);
    this.#options = { ...options, baseUrl: this.baseUrl, token: typeof token === "string" ? checkedToken(token) : token };
    // Called as a method of ours it would not know its window.
    const given = options.fetch ?? globalThis.fetch;
    this.#fetch = (input, init) => given(input, init);
  }

  get options(): ConnectionOptions {
    return this.#options;
  }

  /** The same connection to another address or with another token. */
  with(options: Partial<ConnectionOptions>): Http {
    return new Http({ ...this.#options, ...options });
  }

  get<T>(path: string, query?: Query, options?: CallOptions): Promise<T> {
    return this.json<T>("GET", path, { ...options, query });
  }

  post<T>(path: string, body?: unknown, options?: CallOptions & { query?: Query }): Promise<T> {
    return this.json<T>("POST", path, { ...options, json: body });
  }

  async json<T>(method: string, path: string, sent: Sent): Promise<T> {
    const text = await this.#read(method, path, { accept: "application/json", ...sent }, readText);
    if (text === "") return undefined as T;
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw new BelljarError("not_belljar", `${method} ${path} answered with what is not JSON`, { cause: error });
    }
  }

  async bytes(path: string, query?: Query, options?: CallOptions & { accept?: string }): Promise<Uint8Array> {
    return this.#read("GET", path, { accept: "*/*", ...options, query }, (response) => readBytes(response, MOST_BYTES));
  }

  async text(path: string, query?: Query, options?: CallOptions): Promise<string> {
    return this.#read("GET", path, { accept: "text/plain", ...options, query }, readText);
  }

  /** The answer as a stream; leaving it unread and cancelling it ends the download. */
  async stream(path: string, query?: Query, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    const call = this.#call("GET", path, { accept: "*/*", timeout: 0, ...options, query });
    try {
      const response = await this.#repeated(call, async (answer) => answer);
      return streamOf(
        response,
        (error) => this.#failure(call, error),
        () => call.ending.release(),
      );
    } catch (error) {
      call.ending.release();
      throw error;
    }
  }

  /**
   * Server-sent events until the server ends them.  A connection that breaks is opened again after the last event, and one
   * that may have ended with its token is, too, where there is what gives another.
   */
  async *events(
    path: string,
    query?: Query,
    options?: CallOptions & { leaving?: AbortSignal },
  ): AsyncGenerator<ServerEvent, void, undefined> {
    const call = this.#call("GET", path, { ...options, query, accept: "text/event-stream", timeout: 0 });
    let isFollowing = false;
    // Whether the server ended it, and it is asked for once more.
    let isAgain = false;
    let isResumable = true;
    let opened = Number.POSITIVE_INFINITY;
    // Since when there is no connection that lasts.
    let lost: number | undefined;
    try {
      for (let failures = 0; ; failures++) {
        try {
          const response = await this.#repeated(call, async (answer) => answer, isFollowing ? 1 : ATTEMPTS);
          checkIsStream(response, path);
          isFollowing = true;
          opened = Date.now();
          const wasEnded = isAgain;
          isAgain = false;
          let hasCome = false;
          for await (const event of eventsOf(response, SILENCE)) {
            hasCome = true;
            if (event.id === "") isResumable = false;
            else call.sent.headers = { ...call.sent.headers, "Last-Event-ID": event.id };
            lost = undefined;
            failures = 0;
            yield event;
          }
          const isNothingNew = wasEnded && !hasCome && Date.now() - opened < SHORTEST;
          if (isNothingNew || !isResumable || typeof this.#options.token !== "function") return;
          isAgain = true;
          failures = 0;
        } catch (error) {
          const failure = this.#failure(call, error);
          if (isAgain && !call.ending.signal.aborted) return;
          if (Date.now() - opened > LONGEST_PAUSE) lost = undefined;
          lost ??= Date.now();
          if (!isFollowing || !isLoss(failure) || Date.now() - lost > RECONNECTING) throw failure;
          opened = Number.POSITIVE_INFINITY;
        }
        await this.#pause(call, Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE));
      }
    } finally {
      call.ending.release();
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
    const { token } = this.#options;
    return typeof token === "function" ? checkedToken(await token()) : token;
  }

  /** One answer, read to its end. */
  async #read<T>(method: string, path: string, sent: Sent, read: (response: Response) => Promise<T>): Promise<T> {
    const call = this.#call(method, path, sent);
    try {
      return await this.#repeated(call, read);
    } finally {
      call.ending.release();
    }
  }

  #call(method: string, path: string, sent: Sent): Call {
    const { signal, timeout = 600_000 } = this.#options;
    return { method, path, sent, ending: new Ending([sent.signal, sent.leaving, signal], sent.timeout ?? timeout) };
  }

  /** Send it, again where that is safe; an answer of 400 and more is thrown as the problem it is. */
  async #repeated<T>(call: Call, read: (response: Response) => Promise<T>, attempts: number = ATTEMPTS): Promise<T> {
    const { method, sent, ending } = call;
    const repeats = REPEATABLE.has(method) || new Headers(sent.headers).has("Idempotency-Key");
    // A stream can be read once.
    const most = sent.body instanceof ReadableStream ? 1 : attempts;
    for (let attempt = 1; ; attempt++) {
      let pause = FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random());
      const request = await this.#requestOf(call);
      try {
        const response = await this.#fetch(this.url(call.path, sent.query), request);
        if (response.ok) return await read(response);
        const told = checkIsHere(response, this.baseUrl) ?? comeBackAfter(response, repeats);
        if (attempt >= most || told === undefined || told > LONGEST_TOLD_PAUSE) throw await readProblem(response);
        await response.body?.cancel();
        pause = told;
      } catch (error) {
        const failure = this.#failure(call, error);
        const isLost = failure instanceof BelljarError && failure.code === "unreachable";
        if (attempt >= most || !isLost || !(repeats || neverArrived(error))) throw failure;
      }
      ending.throwIfAborted();
      await this.#pause(call, pause);
    }
  }

  async #requestOf(call: Call): Promise<RequestInit> {
    const { method, sent, ending } = call;
    const { controlWait } = this.#options;
    let token: string | undefined;
    try {
      token = await ending.race(this.token());
    } catch (error) {
      // Why there is no token is for its own function to say.
      throw ending.signal.aborted ? this.#failure(call, error) : error;
    }
    const headers = new Headers();
    if (sent.accept !== undefined) headers.set("Accept", sent.accept);
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    if (controlWait !== undefined) headers.set("Belljar-Control-Wait", String(controlWait));
    if (sent.json !== undefined) headers.set("Content-Type", "application/json");
    for (const given of [this.#options.headers, sent.headers])
      for (const [name, value] of Object.entries(given ?? {})) headers.set(name, value);
    // A redirection is told and not followed: what is sent is for this server alone.
    const request: RequestInit & { duplex?: "half" } = { method, headers, signal: ending.signal, redirect: "manual" };
    if (sent.json !== undefined) request.body = JSON.stringify(sent.json);
    if (sent.body !== undefined) request.body = sent.body;
    if (sent.body instanceof ReadableStream) request.duplex = "half";
    return request;
  }

  async #pause(call: Call, milliseconds: number): Promise<void> {
    try {
      await sleep(milliseconds, call.ending.signal);
    } catch (error) {
      throw this.#failure(call, error);
    }
  }

  /** What an error of a call means to whoever made it. */
  #failure({ method, path, sent, ending }: Call, error: unknown): unknown {
    try {
      ending.throwIfAborted();
    } catch (reason) {
      return reason;
    }
    const cause = { cause: error };
    const timeout = sent.timeout ?? this.#options.timeout ?? 600_000;
    if (ending.isLate) return new BelljarError("timeout", `${method} ${path} took longer than ${timeout} ms`, cause);
    if (error instanceof BelljarError) return error;
    return new BelljarError("unreachable", `Cannot reach ${this.baseUrl}: ${reasonOf(error)}`, cause);
  }
}

/** Throws where the server says to go elsewhere. */
function checkIsHere(response: Response, baseUrl: string): undefined {
  // Browsers do not tell where to.
  if (response.type !== "opaqueredirect" && (response.status < 300 || response.status > 399)) return;
  const where = response.headers.get("location")?.slice(0, 200) ?? "another address";
  void response.body?.cancel().catch(() => undefined);
  throw new BelljarError("not_belljar", `${baseUrl} redirects to ${where}: if that is the server, give it as baseUrl`);
}

function checkIsStream(response: Response, path: string): void {
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) return;
  void response.body?.cancel().catch(() => undefined);
  throw new BelljarError("not_belljar", `${path} answered with no events`);
}

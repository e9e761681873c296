/** Programs: run to their end, or started and followed. */
import type { CallOptions, Http } from "./http.ts";
import type {
  ProcessConfig,
  ProcessCreateRequest,
  ProcessInfo,
  ProcessInputRequest,
  ProcessInputResponse,
  ProcessListResponse,
  ProcessLogEntry,
  ProcessLogsResponse,
  ProcessRunRequest,
  ProcessRunResponse,
  ProcessTerminalSize,
} from "./schemas.gen.ts";
import { follow, part, type QueryOf } from "./calls.ts";
import { ProcessTerminalSession } from "./terminal.ts";
import { type SocketOptions, openSocket } from "./sockets.ts";

export class Processes {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Run a program to its end and answer with its output.  A client that hangs up ends it. */
  run(request: ProcessRunRequest, options?: CallOptions): Promise<ProcessRunResponse> {
    return this.http.post("/v1/processes/run", request, options);
  }

  /** Start a program that goes on running. */
  start(request: ProcessCreateRequest, options?: CallOptions): Promise<ProcessInfo> {
    return this.http.post("/v1/processes", request, options);
  }

  /** Running and ended processes, in the order they were started. */
  list(query?: QueryOf<"listProcesses">, options?: CallOptions): Promise<ProcessListResponse> {
    return this.http.get("/v1/processes", query, options);
  }

  /** One process. */
  get(id: string, options?: CallOptions): Promise<ProcessInfo> {
    return this.http.get(`/v1/processes/${part(id)}`, undefined, options);
  }

  /** Ask a process and its group to end (SIGTERM).  The answer says whether it has; otherwise there is `kill`. */
  stop(id: string, query?: QueryOf<"stopProcess">, options?: CallOptions): Promise<ProcessInfo> {
    return this.http.post(`/v1/processes/${part(id)}/stop`, undefined, { ...options, query });
  }

  /** Kill a process with everything it started (SIGKILL). */
  kill(id: string, query?: QueryOf<"killProcess">, options?: CallOptions): Promise<ProcessInfo> {
    return this.http.post(`/v1/processes/${part(id)}/kill`, undefined, { ...options, query });
  }

  /** Forget a process that has ended, with its log.  Streams that follow it end. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.http.json("DELETE", `/v1/processes/${part(id)}`, { ...options });
  }

  /** What a process wrote, as far as it is kept: at once, or as server-sent events that go on until it is deleted. */
  logs(id: string, query?: QueryOf<"getProcessLogs">, options?: CallOptions): Promise<ProcessLogsResponse> {
    return this.http.get(`/v1/processes/${part(id)}/logs`, query, options);
  }

  /** Write to the standard input or terminal of a process.  One that leaves it unread for 5 s is a conflict. */
  write(id: string, request: ProcessInputRequest, options?: CallOptions): Promise<ProcessInputResponse> {
    return this.http.post(`/v1/processes/${part(id)}/input`, request, options);
  }

  /** Resize the terminal of a process. */
  resizeTerminal(id: string, request: ProcessTerminalSize, options?: CallOptions): Promise<ProcessTerminalSize> {
    return this.http.post(`/v1/processes/${part(id)}/terminal/resize`, request, options);
  }

  /** The limits of the process runtime. */
  config(options?: CallOptions): Promise<ProcessConfig> {
    return this.http.get("/v1/processes/config", undefined, options);
  }

  /** Set all limits at once.  `defaultRunTimeoutMs` is lowered to `maxRunTimeoutMs` where it is above. */
  setConfig(request: ProcessConfig, options?: CallOptions): Promise<ProcessConfig> {
    return this.http.post("/v1/processes/config", request, options);
  }

  /** What a process writes, from its beginning or `since`, until it is deleted or the loop is left. */
  followLogs(id: string, query?: QueryOf<"getProcessLogs">, options?: CallOptions): AsyncGenerator<ProcessLogEntry, void, undefined> {
    return follow(this.http, `/v1/processes/${part(id)}/logs`, { ...query, follow: "true" }, "log", options);
  }

  /** The terminal of a process that has one (`tty: true`). */
  terminal(id: string, options?: SocketOptions): ProcessTerminalSession {
    return new ProcessTerminalSession(openSocket(this.http, this.terminalPath(id), options));
  }

  /** @internal */
  terminalPath(id: string): string {
    return `/v1/processes/${part(id)}/terminal/ws`;
  }
}

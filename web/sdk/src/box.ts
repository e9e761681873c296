/** One box: the areas of what it can do. */
import { Browser } from "./browser.ts";
import { Control } from "./control.ts";
import { Desktop } from "./desktop.ts";
import { Egress } from "./egress.ts";
import { Events } from "./events.ts";
import { Files } from "./files.ts";
import { type CallOptions, type ConnectionOptions, Http } from "./http.ts";
import { Live } from "./live.ts";
import { Processes } from "./processes.ts";
import type { HealthResponse } from "./schemas.gen.ts";

export class Box {
  /** @internal */
  readonly http: Http;
  readonly browser: Browser;
  readonly desktop: Desktop;
  readonly processes: Processes;
  readonly files: Files;
  readonly egress: Egress;
  readonly control: Control;
  readonly events: Events;
  readonly live: Live;

  constructor(connection: Http | ConnectionOptions = {}) {
    this.http = connection instanceof Http ? connection : new Http(connection);
    this.browser = new Browser(this.http);
    this.desktop = new Desktop(this.http);
    this.processes = new Processes(this.http);
    this.files = new Files(this.http);
    this.egress = new Egress(this.http);
    this.control = new Control(this.http);
    this.events = new Events(this.http);
    this.live = new Live(this.http);
  }

  /** The token that calls are made with now: for sockets, where the client was given what gives one whenever it is needed. */
  accessToken(): Promise<string | undefined> {
    return this.http.token();
  }

  health(options?: CallOptions): Promise<HealthResponse> {
    return this.http.get("/v1/health", undefined, options);
  }

  /** Prometheus' text. */
  metrics(options?: CallOptions): Promise<string> {
    return this.http.text("/metrics", undefined, options);
  }
}

/** The client: of a box, or of a control plane that lends them. */
import { Administration } from "./administration.ts";
import { SandboxAgent } from "./agent.ts";
import type { QueryOf } from "./calls.ts";
import { type CallOptions, type ConnectionOptions, Http } from "./http.ts";
import { Keys } from "./keys.ts";
import { Profiles } from "./profiles.ts";
import type { MeResponse, SessionEventListResponse, UsageResponse } from "./schemas.gen.ts";
import { Sessions } from "./sessions.ts";
import { SignIns } from "./sign_ins.ts";
import { Webhooks } from "./webhooks.ts";

/** `new Belljar({ baseUrl, token })`; a control plane has the sessions, a box everything else. */
export class Belljar extends SandboxAgent {
  readonly sessions: Sessions;
  readonly profiles: Profiles;
  readonly keys: Keys;
  readonly signIns: SignIns;
  readonly webhooks: Webhooks;
  readonly administration: Administration;

  constructor(connection: Http | ConnectionOptions = {}) {
    super(connection);
    this.sessions = new Sessions(this.http);
    this.profiles = new Profiles(this.http);
    this.keys = new Keys(this.http);
    this.signIns = new SignIns(this.http);
    this.webhooks = new Webhooks(this.http);
    this.administration = new Administration(this.http);
  }

  /** Whose key this is. */
  me(options?: CallOptions): Promise<MeResponse> {
    return this.http.get("/api/me", undefined, options);
  }

  /** What sessions used, by user, day or tag. */
  usage(query?: QueryOf<"getUsage">, options?: CallOptions): Promise<UsageResponse> {
    return this.http.get("/api/usage", query, options);
  }

  /** The same as CSV, a line for each. */
  async usageCsv(query?: QueryOf<"getUsageCsv">, options?: CallOptions): Promise<string> {
    return this.http.text("/api/usage.csv", query, options);
  }

  /** Who did what. */
  audit(query?: QueryOf<"getAudit">, options?: CallOptions): Promise<SessionEventListResponse> {
    return this.http.get("/api/audit", query, options);
  }
}

/** Users, limits, hosts, settings and checks of a control plane, for its administrators. */
import { type QueryOf, part } from "./calls.ts";
import type { CallOptions, Http } from "./http.ts";
import type { CheckListResponse, Host, HostListResponse, LimitsResponse, SettingsResponse, UserListResponse } from "./schemas.gen.ts";

export class Administration {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Everybody who has a key or had sessions that are kept, by name, with what they used. */
  users(query?: QueryOf<"listUsers">, options?: CallOptions): Promise<UserListResponse> {
    return this.http.get("/api/users", query, options);
  }

  /** What sessions get and may have, alone and together, and who is near that. */
  limits(options?: CallOptions): Promise<LimitsResponse> {
    return this.http.get("/api/limits", undefined, options);
  }

  /** Hosts with their control planes, sessions, room and warm boxes. */
  hosts(options?: CallOptions): Promise<HostListResponse> {
    return this.http.get("/api/hosts", undefined, options);
  }

  /** Take no more sessions on a host, until `undrain` and over restarts.  Nothing is ended. */
  drain(name: string, options?: CallOptions): Promise<Host> {
    return this.http.post(`/api/hosts/${part(name)}/drain`, undefined, options);
  }

  /** Take sessions on a host again. */
  undrain(name: string, options?: CallOptions): Promise<Host> {
    return this.http.post(`/api/hosts/${part(name)}/undrain`, undefined, options);
  }

  /** Every setting of the control plane, with where it comes from and what it may be; secrets are masked. */
  settings(options?: CallOptions): Promise<SettingsResponse> {
    return this.http.get("/api/settings", undefined, options);
  }

  /** What `belljar doctor` finds on the server's host, and what would mend it. */
  checks(query?: QueryOf<"getChecks">, options?: CallOptions): Promise<CheckListResponse> {
    return this.http.get("/api/checks", query, options);
  }
}

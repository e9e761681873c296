/** Where the box may connect to, and where it did. */
import type { CallOptions, Http } from "./http.ts";
import type {
  EgressConnection,
  EgressLogResponse,
  EgressLoosenRequest,
  EgressPolicy,
  EgressRestrictRequest,
  EgressSuggestionResponse,
} from "./schemas.gen.ts";
import { follow, type QueryOf } from "./calls.ts";

export class Egress {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** The policy in force. */
  policy(options?: CallOptions): Promise<EgressPolicy> {
    return this.http.get("/v1/egress/policy", undefined, options);
  }

  /** Replace the policy.  It holds when this answers, and connections that it does not allow are cut. */
  setPolicy(request: EgressPolicy, options?: CallOptions): Promise<EgressPolicy> {
    return this.http.json("PUT", "/v1/egress/policy", { ...options, json: request });
  }

  /** Put refusals before the policy in force, for as long as the box runs; whoever drives it may. */
  restrict(request: EgressRestrictRequest = {}, options?: CallOptions): Promise<EgressPolicy> {
    return this.http.post("/v1/egress/restrict", request, options);
  }

  /** Put permissions before the policy in force, or have it learn, for as long as the box runs; the operator may. */
  loosen(request: EgressLoosenRequest, options?: CallOptions): Promise<EgressPolicy> {
    return this.http.post("/v1/egress/loosen", request, options);
  }

  /** Each connection: when it is decided and, in the stream, again when it ends. */
  log(query?: QueryOf<"getEgressLog">, options?: CallOptions): Promise<EgressLogResponse> {
    return this.http.get("/v1/egress/log", query, options);
  }

  /** After a time in learn mode: the policy that fits. */
  suggestion(options?: CallOptions): Promise<EgressSuggestionResponse> {
    return this.http.get("/v1/egress/suggestion", undefined, options);
  }

  /** Each connection when it is decided, and again when it ends. */
  followLog(query?: { decision?: "allow" | "deny" }, options?: CallOptions): AsyncGenerator<EgressConnection, void, undefined> {
    return follow(this.http, "/v1/egress/log", { ...query, follow: "true" }, "connection", options);
  }
}

/** API keys of a control plane, for its administrators. */
import type { CallOptions, Http } from "./http.ts";
import type {
  ApiKey,
  KeyCreateRequest,
  KeyListResponse,
  KeyReachResponse,
  KeyRevokeResponse,
} from "./schemas.gen.ts";
import { type QueryOf, part } from "./calls.ts";

export class Keys {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Make a key.  It is shown in this answer and never again. */
  create(request: KeyCreateRequest, options?: CallOptions): Promise<ApiKey> {
    return this.http.post("/api/keys", request, options);
  }

  /** Every key, revoked ones included, without their secrets. */
  list(options?: CallOptions): Promise<KeyListResponse> {
    return this.http.get("/api/keys", undefined, options);
  }

  /** One key, and what its revocation would end. */
  get(id: string, options?: CallOptions): Promise<KeyReachResponse> {
    return this.http.get(`/api/keys/${part(id)}`, undefined, options);
  }

  /** Make a key worthless, with all tokens, links and cookies that go back to it, and close what they opened. */
  revoke(id: string, query?: QueryOf<"revokeKey">, options?: CallOptions): Promise<KeyRevokeResponse> {
    return this.http.json("DELETE", `/api/keys/${part(id)}`, { ...options, query });
  }

  /** Let a person who was shut out sign in again; a key that was revoked stays so. */
  admit(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.http.post(`/api/keys/${part(id)}/admit`, undefined, options);
  }
}

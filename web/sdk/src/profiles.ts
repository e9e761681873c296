/** Browser profiles that outlive sessions. */
import type { CallOptions, Http } from "./http.ts";
import type {
  Ok,
  Profile,
  ProfileCreateRequest,
  ProfileListResponse,
} from "./schemas.gen.ts";
import { part } from "./calls.ts";

export class Profiles {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** An empty profile, to be used by sessions one after another. */
  create(request: ProfileCreateRequest = {}, options?: CallOptions): Promise<Profile> {
    return this.http.post("/api/profiles", request, options);
  }

  /** Your profiles; an admin sees everyone's. */
  list(options?: CallOptions): Promise<ProfileListResponse> {
    return this.http.get("/api/profiles", undefined, options);
  }

  /** One profile, and the session that runs on it. */
  get(id: string, options?: CallOptions): Promise<Profile> {
    return this.http.get(`/api/profiles/${part(id)}`, undefined, options);
  }

  /** Remove a profile with everything in it.  Not while a session runs on it. */
  delete(id: string, options?: CallOptions): Promise<Ok> {
    return this.http.json("DELETE", `/api/profiles/${part(id)}`, { ...options });
  }
}

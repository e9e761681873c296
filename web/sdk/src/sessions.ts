/** Sessions of a control plane, each a box of its own. */
import { SandboxAgent } from "./agent.ts";
import { type QueryOf, follow, part } from "./calls.ts";
import { allPages } from "./events.ts";
import type { CallOptions, Http } from "./http.ts";
import type {
  EgressLoosenRequest,
  EgressPolicy,
  Ok,
  RecordEvent,
  RecordPageResponse,
  Session as SessionInfo,
  SessionConnectResponse,
  SessionCreateRequest,
  SessionDeleteResponse,
  SessionEvent,
  SessionListResponse,
  SessionRecordProof,
  SessionRecordingListResponse,
  SessionTicketCreateRequest,
  SessionToken,
  SessionTokenCreateRequest,
  SessionTokenListResponse,
  SessionUpdateRequest,
} from "./schemas.gen.ts";

/** Of a token for a session that somebody made earlier: tokens are told once. */
const TOKEN_SECONDS = 12 * 3600;

/** A box that is lent: everything a box can do, and its end.  `await using` gives it back. */
export class Session extends SandboxAgent implements AsyncDisposable {
  readonly info: SessionInfo;
  readonly #sessions: Sessions;

  constructor(http: Http, sessions: Sessions, info: SessionInfo) {
    super(http);
    this.#sessions = sessions;
    this.info = info;
  }

  get id(): string {
    return this.info.id;
  }

  end(options?: CallOptions): Promise<SessionInfo> {
    return this.#sessions.end(this.id, options);
  }

  /** What happened in it, oldest first, also after its end. */
  record(query?: QueryOf<"getSessionRecord">, options?: CallOptions): Promise<RecordPageResponse> {
    return this.#sessions.record(this.id, query, options);
  }

  /** An address for CDP that opens once, without another secret. */
  override async getBrowserCdpTicket(options?: CallOptions): Promise<string> {
    return (await this.#sessions.tickets(this.id, { role: "drive" }, options)).cdpUrl;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

/** `listed` has the ids of all that there are, once each has been told: also again, after a connection broke. */
export type SessionListEvent =
  | { type: "session"; session: SessionInfo }
  | { type: "gone"; id: string }
  | { type: "listed"; ids: string[] };

export class Sessions {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** A new session, running when this is done.  Sent twice, it is made once. */
  async create(request: SessionCreateRequest = {}, options?: CallOptions): Promise<Session> {
    const headers = { "Idempotency-Key": newKey(), ...options?.headers };
    const info = await this.http.post<SessionInfo>("/api/sessions", request, { ...options, headers });
    return this.#session(info, info.token ?? undefined, options);
  }

  /** One that runs, by its id; another token is made where none is given. */
  async connect(sessionId: string, token?: string, options?: CallOptions): Promise<Session> {
    return this.#session(await this.get(sessionId, options), token, options);
  }

  /** The session's life from its beginning, until it is over. */
  follow(sessionId: string, query?: { after?: number }, options?: CallOptions): AsyncGenerator<SessionEvent, void, undefined> {
    return follow(this.http, `/api/sessions/${part(sessionId)}/events`, query, undefined, options);
  }

  /** The list, going on: every session that there is, then each when it changes, with what it shows; until the signal ends it. */
  async *watch(query?: QueryOf<"listSessions">, options?: CallOptions): AsyncGenerator<SessionListEvent, void, undefined> {
    for await (const { event, data } of this.http.events("/api/sessions", { ...query, follow: "true" }, options)) {
      if (event === "session") yield { type: event, session: JSON.parse(data) as SessionInfo };
      else if (event === "gone" || event === "listed") yield { type: event, ...JSON.parse(data) };
    }
  }

  /** A film, piece by piece. */
  recordingStream(sessionId: string, recordingId: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.http.stream(`/api/sessions/${part(sessionId)}/recordings/${part(recordingId)}`, undefined, options);
  }

  /** Sessions, newest first, those that are over included as long as they are kept. */
  list(query?: QueryOf<"listSessions">, options?: CallOptions): Promise<SessionListResponse> {
    return this.http.get("/api/sessions", query, options);
  }

  /** One session, for as long as it is kept. */
  get(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return this.http.get(`/api/sessions/${part(sessionId)}`, undefined, options);
  }

  /** Extend a session, or change its tags and metadata.  The box learns of new times too. */
  update(sessionId: string, request: SessionUpdateRequest = {}, options?: CallOptions): Promise<SessionInfo> {
    return this.http.json("PATCH", `/api/sessions/${part(sessionId)}`, { ...options, json: request });
  }

  /** End a session; answers when its box is gone.  Ending it twice is fine. */
  end(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return this.http.json("DELETE", `/api/sessions/${part(sessionId)}`, { ...options });
  }

  /** End every session of yours that has all these tags, side by side, on whatever host they run. */
  endAll(query: QueryOf<"deleteSessions">, options?: CallOptions): Promise<SessionDeleteResponse> {
    return this.http.json("DELETE", "/api/sessions", { ...options, query });
  }

  /** Make every token of the session worthless, close its connections and end it. */
  revoke(sessionId: string, options?: CallOptions): Promise<SessionInfo> {
    return this.http.post(`/api/sessions/${part(sessionId)}/revoke`, undefined, options);
  }

  /** The box's own log, also after the session's end, for as long as it is kept. */
  logs(sessionId: string, query?: QueryOf<"getSessionLogs">, options?: CallOptions): Promise<string> {
    return this.http.text(`/api/sessions/${part(sessionId)}/logs`, query, options);
  }

  /** The session's films, also after its end, for as long as they are kept. */
  recordings(sessionId: string, options?: CallOptions): Promise<SessionRecordingListResponse> {
    return this.http.get(`/api/sessions/${part(sessionId)}/recordings`, undefined, options);
  }

  /** One film. */
  downloadRecording(sessionId: string, recordingId: string, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/api/sessions/${part(sessionId)}/recordings/${part(recordingId)}`, undefined, options);
  }

  /** What happened in the session, oldest first, also after its end. */
  record(sessionId: string, query?: QueryOf<"getSessionRecord">, options?: CallOptions): Promise<RecordPageResponse> {
    return this.http.get(`/api/sessions/${part(sessionId)}/record`, query, options);
  }

  /** Every event of the session's record, page by page, also after its end. */
  allOfRecord(
    sessionId: string,
    query?: Omit<QueryOf<"getSessionRecord">, "limit">,
    options?: CallOptions,
  ): AsyncGenerator<RecordEvent, void, undefined> {
    return allPages((since) => this.record(sessionId, { ...query, since, limit: 1000 }, options), query?.since);
  }

  /** What is there, then what comes, until the session is over; a connection that breaks goes on where it was. */
  followRecord(
    sessionId: string,
    query?: Omit<QueryOf<"getSessionRecord">, "limit">,
    options?: CallOptions,
  ): AsyncGenerator<RecordEvent, void, undefined> {
    return follow(this.http, `/api/sessions/${part(sessionId)}/record`, { ...query, follow: "true" }, "record", options);
  }

  /** The key of the session's box, certified by the installation's, and the last head that the database has. */
  recordProof(sessionId: string, options?: CallOptions): Promise<SessionRecordProof> {
    return this.http.get(`/api/sessions/${part(sessionId)}/record/proof`, undefined, options);
  }

  /** The JPEG that an event of kind `screen` names. */
  recordPicture(sessionId: string, sha256: string, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/api/sessions/${part(sessionId)}/record/pictures/${part(sha256)}`, undefined, options);
  }

  /** The whole record, as other programs read it, piece by piece. */
  exportRecord(
    sessionId: string,
    query?: QueryOf<"exportSessionRecord">,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.http.stream(`/api/sessions/${part(sessionId)}/record/export`, query, options);
  }

  /** A small picture of what the session shows now. */
  thumbnail(sessionId: string, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/api/sessions/${part(sessionId)}/thumbnail`, undefined, options);
  }

  /** A token for somebody else: to watch only, or for a short time. */
  createToken(sessionId: string, request: SessionTokenCreateRequest = {}, options?: CallOptions): Promise<SessionToken> {
    return this.http.post(`/api/sessions/${part(sessionId)}/tokens`, request, options);
  }

  /** The session's tokens, without their secrets. */
  tokens(sessionId: string, options?: CallOptions): Promise<SessionTokenListResponse> {
    return this.http.get(`/api/sessions/${part(sessionId)}/tokens`, undefined, options);
  }

  /** Make one token worthless, with what it was exchanged for, and close the connections they opened. */
  revokeToken(sessionId: string, tokenId: string, options?: CallOptions): Promise<Ok> {
    return this.http.json("DELETE", `/api/sessions/${part(sessionId)}/tokens/${part(tokenId)}`, { ...options });
  }

  /** Addresses that open once each, and only what they say, so that no secret of lasting use stands in one. */
  tickets(sessionId: string, request: SessionTicketCreateRequest = {}, options?: CallOptions): Promise<SessionConnectResponse> {
    return this.http.post(`/api/sessions/${part(sessionId)}/tickets`, request, options);
  }

  /** Let a session that runs reach further hosts, or have its policy learn; an admin may, as far as `--admin-egress` goes. */
  loosenEgress(sessionId: string, request: EgressLoosenRequest, options?: CallOptions): Promise<EgressPolicy> {
    return this.http.post(`/api/sessions/${part(sessionId)}/egress`, request, options);
  }

  async #session(info: SessionInfo, token: string | undefined, options?: CallOptions): Promise<Session> {
    const given = token ?? (await this.createToken(info.id, { role: "drive", ttl: TOKEN_SECONDS }, options)).token;
    const baseUrl = `${this.http.baseUrl}/s/${part(info.id)}`;
    return new Session(this.http.with({ baseUrl, token: given ?? undefined }), this, info);
  }
}

/** `randomUUID` is for secure contexts only. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

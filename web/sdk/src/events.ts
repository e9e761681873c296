/** The record of a box: what agent, person, page and policy did, in one order.  Times are microseconds since 1970, as `t`. */
import { type QueryOf, follow, part } from "./calls.ts";
import type { CallOptions, Http } from "./http.ts";
import type { RecordEvent, RecordMarkRequest, RecordMarkResponse, RecordPageResponse, RecordProof } from "./schemas.gen.ts";

const PAGE = 1000;

export class Events {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** One page, oldest first; `cursor` of the answer goes on as `since`, while there is `more`. */
  list(query?: QueryOf<"getEvents">, options?: CallOptions): Promise<RecordPageResponse> {
    return this.http.get("/v1/events", query, options);
  }

  /** Every event there is, page by page. */
  all(query?: Omit<QueryOf<"getEvents">, "limit">, options?: CallOptions): AsyncGenerator<RecordEvent, void, undefined> {
    return allPages((since) => this.list({ ...query, since, limit: PAGE }, options), query?.since);
  }

  /** As `all`, and then whatever happens, until the box ends; a connection that breaks goes on where it was. */
  follow(query?: Omit<QueryOf<"getEvents">, "limit">, options?: CallOptions): AsyncGenerator<RecordEvent, void, undefined> {
    return follow(this.http, "/v1/events", { ...query, follow: "true" }, "record", options);
  }

  /** Mark this moment, to find it again in the record and in films; with `film` also keep the minutes before it. */
  mark(request: RecordMarkRequest | string, options?: CallOptions): Promise<RecordMarkResponse> {
    return this.http.post("/v1/events/marks", typeof request === "string" ? { text: request } : request, options);
  }

  /** The whole record, as other programs read it, piece by piece; `playwright` is for its trace viewer. */
  export(query?: QueryOf<"exportEvents">, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.http.stream("/v1/events/export", query, options);
  }

  /** The JPEG that an event of kind `screen` names. */
  picture(sha256: string, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/v1/events/pictures/${part(sha256)}`, undefined, options);
  }

  /** The public key that signs the record, and the last head that was signed. */
  proof(options?: CallOptions): Promise<RecordProof> {
    return this.http.get("/v1/events/proof", undefined, options);
  }
}

/** Pages, one after another, as one. */
export async function* allPages(
  page: (since: number) => Promise<RecordPageResponse>,
  since = 0,
): AsyncGenerator<RecordEvent, void, undefined> {
  for (;;) {
    const { events, cursor, more } = await page(since);
    yield* events;
    if (!more) return;
    since = cursor;
  }
}

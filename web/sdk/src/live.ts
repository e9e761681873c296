/** People who watch: links for them, tokens, and the live WebSocket, which `belljar/live` speaks. */
import type { CallOptions, Http } from "./http.ts";
import type {
  LiveGlance,
  LiveHealthResponse,
  LiveLinkCreateRequest,
  LiveLinkResponse,
  TokenCreateRequest,
  TokenCreateResponse,
} from "./schemas.gen.ts";
import { type SocketOptions, openSocket } from "./sockets.ts";

export class Live {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Whether the browser runs, when it was last seen and used, who watches, and how smoothly. */
  health(options?: CallOptions): Promise<LiveHealthResponse> {
    return this.http.get("/health", undefined, options);
  }

  /** What is shown and who drives it, without a picture; asking for it is no use of a box. */
  glance(options?: CallOptions): Promise<LiveGlance> {
    return this.http.get("/v1/live/glance", undefined, options);
  }

  /** A one-time link to the viewer page, for a person, with no more rights than the caller's. */
  async link(request: LiveLinkCreateRequest = {}, options?: CallOptions): Promise<LiveLinkResponse> {
    return this.#reachable(await this.http.post<LiveLinkResponse>("/v1/live/links", request, options));
  }

  /** A token for somebody else, to watch or to drive; only the operator's token can make one. */
  async createToken(request: TokenCreateRequest, options?: CallOptions): Promise<TokenCreateResponse> {
    return this.#reachable(await this.http.post<TokenCreateResponse>("/v1/tokens", request, options));
  }

  /** The WebSocket with frames, input, commands and events.  `viewer` is the key of one that was there before. */
  open(options?: SocketOptions & { viewer?: string | undefined }): WebSocket {
    const protocols = options?.protocols ?? "belljar.binary";
    return openSocket(this.http, "/v1/live", { ...options, protocols }, { viewer: options?.viewer });
  }

  /** A server behind TLS or at a sub-path may not know of that; where it names the host that we asked, we do. */
  #reachable<T extends { link: string }>(answer: T): T {
    if (!URL.canParse(answer?.link)) return answer;
    const { host, hash } = new URL(answer.link);
    return host === new URL(this.http.baseUrl).host ? { ...answer, link: `${this.http.baseUrl}/view${hash}` } : answer;
  }
}

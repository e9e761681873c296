/** Browsers in which people are signed in, and apps that they let in over MCP. */
import type { CallOptions, Http } from "./http.ts";
import type { AppAnswer, AppConsent, AppQuestion, AppRequest, Ok, SignInList } from "./schemas.gen.ts";
import { type QueryOf, part } from "./calls.ts";

export class SignIns {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Your own; an admin sees everyone's, or those of one user. */
  list(query?: QueryOf<"listSignIns">, options?: CallOptions): Promise<SignInList> {
    return this.http.get("/api/sign-ins", query, options);
  }

  /** Sign a browser out, or shut an app out, and close what they opened. */
  end(id: string, options?: CallOptions): Promise<Ok> {
    return this.http.json("DELETE", `/api/sign-ins/${part(id)}`, { ...options });
  }

  /** What an app that asks over OAuth wants, to be shown to the person who may let it in. */
  describeApp(request: AppRequest, options?: CallOptions): Promise<AppQuestion> {
    return this.http.post("/api/apps/question", request, options);
  }

  /** Let such an app in, to act for you over MCP, or do not; `redirectTo` goes back to it. */
  answerApp(request: AppConsent, options?: CallOptions): Promise<AppAnswer> {
    return this.http.post("/api/apps/consent", request, options);
  }
}

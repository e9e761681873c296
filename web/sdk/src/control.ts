/** Who holds control: the agent, a person, nobody. */
import type { CallOptions, Http } from "./http.ts";
import type {
  ControlRequest,
  ControlResponse,
} from "./schemas.gen.ts";
import { type QueryOf } from "./calls.ts";

export interface HeldControl extends AsyncDisposable {
  control: ControlResponse;
}

export class Control {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Who holds control now, until when, and who asked for it; with `until` once that has changed. */
  show(query?: QueryOf<"getControl">, options?: CallOptions): Promise<ControlResponse> {
    return this.http.get("/v1/control", query, options);
  }

  /** Take, request, renew, release or give control as the agent, or ask for a person's help. */
  move(request: ControlRequest, options?: CallOptions): Promise<ControlResponse> {
    return this.http.post("/v1/control", request, options);
  }

  /** Have it now; from a person it can only be asked for, and waited for with `timeout`. */
  take(request: Omit<ControlRequest, "action"> = {}, options?: CallOptions): Promise<ControlResponse> {
    return this.move({ ...request, action: "take" }, options);
  }

  /** Give it back: nobody holds it. */
  release(request: Omit<ControlRequest, "action"> = {}, options?: CallOptions): Promise<ControlResponse> {
    return this.move({ ...request, action: "release" }, options);
  }

  /** Show a question to whoever watches, until a person took control and gave it back. */
  ask(question: string, options?: CallOptions): Promise<ControlResponse> {
    return this.move({ action: "ask", question }, options);
  }

  /** Control for the length of a block: `await using held = await jar.control.hold()`. */
  async hold(request: Omit<ControlRequest, "action"> = {}, options?: CallOptions): Promise<HeldControl> {
    const control = await this.take(request, options);
    return { control, [Symbol.asyncDispose]: async () => void (await this.release()) };
  }
}

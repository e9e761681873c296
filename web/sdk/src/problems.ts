/** What a server refuses, and what goes wrong on the way to it. */
import type { ProblemCode } from "./codes.gen.ts";

export type { ProblemCode } from "./codes.gen.ts";

/** RFC 9457, as every error of a box or control plane is; further members depend on `code`. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  code?: ProblemCode | (string & {});
  [member: string]: unknown;
}

/** Any failure of a call: told apart by `code`, also where no server was reached. */
export class BelljarError extends Error {
  override name = "BelljarError";
  /** A problem's code, or `unreachable`, `timeout`, `not_belljar`. */
  readonly code: ProblemCode | "unreachable" | "timeout" | "not_belljar" | (string & {});

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The server answered with a problem. */
export class Problem extends BelljarError {
  override name = "Problem";
  readonly status: number;
  readonly problem: ProblemDetails | undefined;
  readonly response: Response;

  constructor(status: number, problem: ProblemDetails | undefined, response: Response) {
    // General problems of the reference have no code but end their type with it.
    const code = problem?.code ?? problem?.type?.split(":").pop() ?? "not_belljar";
    super(code, problem?.detail ?? problem?.title ?? `${response.url} answered ${status}, but not as Belljar does`);
    this.status = status;
    this.problem = problem;
    this.response = response;
  }

  /** What a caller can do, in a sentence. */
  get detail(): string {
    return this.message;
  }

  /** Milliseconds after which the server says to come back. */
  get retryAfterMs(): number | undefined {
    const told = this.problem?.["retryAfterMs"];
    return typeof told === "number" ? told : secondsOf(this.response.headers.get("retry-after"));
  }
}

/** As the reference client calls it. */
export { Problem as SandboxAgentError };

/** Whether `error` is a problem, with this code where one is given. */
export function isProblem(error: unknown, code?: ProblemCode | (string & {})): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code);
}

/** Milliseconds of a `Retry-After` in seconds. */
export function secondsOf(header: string | null): number | undefined {
  const seconds = header === null || header.trim() === "" ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** The problem that a response tells; its body is read. */
export async function problemOf(response: Response): Promise<Problem> {
  let told: unknown;
  try {
    told = JSON.parse(await response.text());
  } catch {
    told = undefined;
  }
  const isTold = typeof told === "object" && told !== null && "type" in told;
  return new Problem(response.status, isTold ? (told as ProblemDetails) : undefined, response);
}

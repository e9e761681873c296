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
    const told = [problem?.detail, problem?.title].find((text) => typeof text === "string" && text !== "");
    super(codeOf(problem), told ?? `${response.url} answered ${status}, but not as Belljar does`);
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
    return typeof told === "number" && told >= 0 ? told : pauseOf(this.response.headers.get("retry-after"));
  }
}

/** As the reference client calls it. */
export { Problem as SandboxAgentError };

/** Whether `error` is a problem, with this code where one is given. */
export function isProblem(error: unknown, code?: ProblemCode | (string & {})): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code);
}

/** Milliseconds that a `Retry-After` says, in seconds or as a date. */
export function pauseOf(header: string | null): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The problem that a response with this body tells; another's is `not_belljar`. */
export function problemFrom(response: Response, body: string): Problem {
  let told: unknown;
  try {
    told = JSON.parse(body);
  } catch {
    told = undefined;
  }
  const isTold = typeof told === "object" && told !== null && typeof (told as ProblemDetails).type === "string";
  return new Problem(response.status, isTold ? (told as ProblemDetails) : undefined, response);
}

/** General problems of the reference have no code but end their type with it. */
function codeOf(problem: ProblemDetails | undefined): string {
  if (typeof problem?.code === "string") return problem.code;
  return /^urn:[^:]+:error:([^:]+)$/.exec(problem?.type ?? "")?.[1] ?? "not_belljar";
}

/** What may be sent again, and when: pure decisions. */
import { BelljarError, Problem, pauseOf } from "./problems.ts";

/** Milliseconds after which what was refused may be sent again: of 429 nothing was done, of 503 something may have been. */
export function comeBackAfter(response: Response, repeats: boolean): number | undefined {
  const isSafe = response.status === 429 || (response.status === 503 && repeats);
  return isSafe ? pauseOf(response.headers.get("retry-after")) : undefined;
}

/** Whether a server that was followed may come back: it cannot be reached, or a proxy before it says so. */
export function isLoss(failure: unknown): boolean {
  if (failure instanceof Problem) return [502, 503, 504].includes(failure.status);
  return failure instanceof BelljarError && failure.code === "unreachable";
}

/** No connection was made, so nothing was done: Node and Deno say so, browsers do not. */
export function neverArrived(error: unknown): boolean {
  return /ECONNREFUSED|ENOTFOUND|ConnectionRefused|Connection refused/.test(reasonOf(error));
}

export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 5; one = one.cause)
    parts.push(`${one.message} ${(one as { code?: string }).code ?? ""}`.trim());
  return parts.filter((part) => part !== "").join(": ");
}

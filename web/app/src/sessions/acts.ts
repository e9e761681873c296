/** What can be done to sessions from a list: shown at once, and taken back when refused. */
import { Problem, type SessionInfo } from "belljar";
import { say, sayProblem, withUndo, wordsOf } from "../design/Toasts.tsx";
import { span } from "../shell/time.ts";
import { client } from "../shell/server.ts";
import { nameOf, stream } from "./list.ts";

const EXTEND_SECONDS = 3600;
// Ended on the screen, and in a moment on the server.
const ending = new Set<string>();
const listeners = new Set<() => void>();

export const endings = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  has: (id: string): boolean => ending.has(id),
  size: (): number => ending.size,
};

function mark(ids: readonly string[], isEnding: boolean): void {
  for (const id of ids) isEnding ? ending.add(id) : ending.delete(id);
  for (const listener of [...listeners]) listener();
}

/** End them after a moment in which it can be undone. */
export function end(sessions: readonly SessionInfo[], onUndone?: () => void): void {
  const ids = sessions.map(({ id }) => id).filter((id) => !ending.has(id));
  if (ids.length === 0) return;
  mark(ids, true);
  const what = ids.length === 1 && sessions[0] !== undefined ? nameOf(sessions[0]) : `${ids.length} sessions`;
  const act = async (): Promise<void> => {
    const answers = await Promise.allSettled(ids.map((id) => client.sessions.end(id)));
    for (const answer of answers) if (answer.status === "fulfilled") stream.put(answer.value);
    const refusal = answers.find((answer) => answer.status === "rejected");
    if (refusal !== undefined) sayProblem(refusal.reason);
    mark(ids, false);
  };
  const takeBack = (): void => {
    mark(ids, false);
    onUndone?.();
  };
  withUndo(`${what} ${ids.length === 1 ? "is" : "are"} being ended.`, () => void act(), takeBack);
}

/** An hour more from now, or what is left of the longest that is allowed. */
export async function extend(session: SessionInfo, seconds = EXTEND_SECONDS): Promise<void> {
  try {
    const left = (Date.parse(session.expiresAt) - Date.now()) / 1000;
    const ttl = Math.round(Math.max(0, left) + seconds);
    stream.put(await client.sessions.update(session.id, { ttl }));
    say(`${nameOf(session)} has ${span(ttl * 1000)} left.`);
  } catch (error) {
    const limit = error instanceof Problem ? error.problem?.["ceiling"] ?? error.problem?.["max"] : undefined;
    if (typeof limit === "number") say(`${wordsOf(error)}`, { kind: "bad" });
    else sayProblem(error);
  }
}

/** Answers: read whole up to a size, or piece by piece. */
import { BelljarError, type Problem, problemFrom } from "./problems.ts";

/** Nothing that a server of ours says in JSON or text is as long. */
export const MOST_TEXT: number = 256 * 2 ** 20;
/** What is longer is had as a stream. */
export const MOST_BYTES: number = 2 ** 30;
const MOST_PROBLEM = 2 ** 20;

export async function readBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(response)) {
    size += piece.length;
    if (size > most) throw new BelljarError("not_belljar", `${response.url} answered with more than ${most} bytes`);
    pieces.push(piece);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export async function readText(response: Response, most: number = MOST_TEXT): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, most));
}

/** The problem that a response tells, as far as it can be read. */
export async function readProblem(response: Response): Promise<Problem> {
  let text = "";
  try {
    text = await readText(response, MOST_PROBLEM);
  } catch (error) {
    // Longer than any of ours; what broke off is for the caller to tell.
    if (!(error instanceof BelljarError)) throw error;
  }
  return problemFrom(response, text);
}

/** The pieces of a body; leaving the loop ends the download. */
export async function* piecesOf(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isOver) await reader.cancel().catch(() => undefined);
  }
}

/** A body as a stream: `fail` says what an error of it means, `over` is called once, however it ends. */
export function streamOf(response: Response, fail: (error: unknown) => unknown, over: () => void): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await reader?.read();
          if (piece === undefined || piece.done) {
            over();
            controller.close();
          } else controller.enqueue(piece.value);
        } catch (error) {
          over();
          controller.error(fail(error));
        }
      },
      async cancel(reason) {
        over();
        await reader?.cancel(reason);
      },
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
}

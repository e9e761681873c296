/** Server-sent events, read from a response. */
import { BelljarError } from "./problems.ts";

export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

/** Characters of one event; none of ours is as long. */
const MOST = 64 * 2 ** 20;

/** Each event of a response; throws when nothing comes for `silence` milliseconds.  Leaving the loop ends the stream. */
export async function* eventsOf(response: Response, silence: number): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silence);
      if (done) return;
      yield* parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Text in, whole events out. */
export class EventParser {
  // The beginning of a line, as it came: put together once its end is here.
  #pieces: string[] = [];
  #size = 0;
  #event = "message";
  #id = "";
  #data: string[] = [];

  *feed(text: string): Generator<ServerEvent, void, undefined> {
    this.#size += text.length;
    if (this.#size > MOST) throw new BelljarError("not_belljar", `An event of more than ${MOST} characters came`);
    this.#pieces.push(text);
    const hasHalfEnd = this.#pieces.at(-2)?.endsWith("\r") ?? false;
    if (!hasHalfEnd && !/[\r\n]/.test(text)) return;
    // A line may end with CR LF, and these may come apart.
    const lines = this.#pieces.join("").split(/\r\n|\n|\r(?!$)/);
    const rest = lines.pop() ?? "";
    this.#pieces = [rest];
    for (const line of lines) {
      if (line === "") yield* this.#end(rest);
      else this.#take(line);
    }
  }

  *#end(rest: string): Generator<ServerEvent, void, undefined> {
    const told = { event: this.#event, id: this.#id, data: this.#data.join("\n") };
    const hasData = this.#data.length > 0;
    this.#event = "message";
    this.#data = [];
    this.#size = rest.length;
    if (hasData) yield told;
  }

  #take(line: string): void {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (field === "event") this.#event = value;
    // It goes back in a header.
    else if (field === "id" && /^[\x20-\x7e]*$/.test(value)) this.#id = value;
    else if (field === "data") this.#data.push(value);
  }
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, silent]);
  } finally {
    clearTimeout(timer);
  }
}

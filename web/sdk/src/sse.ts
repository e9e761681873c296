/** Server-sent events, read from a response. */

export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

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
  #rest = "";
  #event = "message";
  #id = "";
  #data: string[] = [];

  *feed(text: string): Generator<ServerEvent, void, undefined> {
    // A line may end with CR LF, and these may come apart.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (this.#data.length > 0) yield { event: this.#event, id: this.#id, data: this.#data.join("\n") };
        this.#event = "message";
        this.#data = [];
        continue;
      }
      const [, field = "", value = ""] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
      if (field === "event") this.#event = value;
      else if (field === "id") this.#id = value;
      else if (field === "data") this.#data.push(value);
    }
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

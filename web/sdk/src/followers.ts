/** What goes on: a loop over server-sent events that can be left at any time. */

/** An async generator whose `return` does not wait for the event that `next` waits for. */
export class Follower<T> implements AsyncGenerator<T, void, undefined> {
  readonly #leaving = new AbortController();
  readonly #events: AsyncGenerator<T, void, undefined>;

  constructor(events: (leaving: AbortSignal) => AsyncGenerator<T, void, undefined>) {
    this.#events = events(this.#leaving.signal);
  }

  next(): Promise<IteratorResult<T, void>> {
    return this.#unlessLeft(this.#events.next());
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#leaving.abort();
    return this.#unlessLeft(this.#events.return());
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #unlessLeft(step: Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> {
    try {
      return await step;
    } catch (error) {
      if (this.#leaving.signal.aborted) return { done: true, value: undefined };
      throw error;
    }
  }
}

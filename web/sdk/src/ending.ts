/** What ends a call: the caller's signal, the client's, its time.  All are let go of when it is over. */

export class Ending {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isLate = false;

  /** `timeout` in milliseconds, without end where it is 0. */
  constructor(signals: readonly (AbortSignal | undefined)[], timeout: number) {
    // `AbortSignal.any` would hold on to a signal that outlives the call; this listens only for as long.
    this.#signals = signals.filter((signal) => signal !== undefined);
    for (const signal of this.#signals) signal.addEventListener("abort", this.#pass);
    if (this.#signals.some((signal) => signal.aborted)) this.#pass();
    if (timeout > 0)
      // Longer than this a timer would end at once.
      this.#timer = setTimeout(() => {
        this.#isLate = true;
        this.#controller.abort();
      }, Math.min(timeout, 2 ** 31 - 1));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was the time that ended it. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Throws the reason of whoever ended it. */
  throwIfAborted(): void {
    for (const signal of this.#signals) signal.throwIfAborted();
  }

  /** The promise's outcome, or the end, whichever comes first. */
  async race<T>(promise: Promise<T>): Promise<T> {
    let stop = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason);
      if (this.signal.aborted) stop();
      else this.signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      this.signal.removeEventListener("abort", stop);
    }
  }

  /** The call is over. */
  release(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#pass);
  }

  readonly #pass = (): void => this.#controller.abort(this.#signals.find((signal) => signal.aborted)?.reason);
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Those who want to be told of something. */

export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();
  /** Told while nobody listened: for whoever comes first. */
  #kept: T[] = [];

  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    const kept = this.#kept;
    this.#kept = [];
    for (const value of kept) listener(value);
    return () => void this.#all.delete(listener);
  }

  tell(value: T): void {
    if (this.#all.size === 0 && this.#kept.length < 1000) this.#kept.push(value);
    for (const listener of [...this.#all]) listener(value);
  }
}

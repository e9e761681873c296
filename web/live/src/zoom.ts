/** The picture larger than it fits: by two fingers, here alone.  What is under them goes with them. */
interface Finger {
  clientX: number;
  clientY: number;
}

const LARGEST = 6;

export class Zoom {
  scale = 1;
  #x = 0;
  #y = 0;
  readonly #elements: readonly HTMLElement[];

  /** `elements` lie in the same place: the picture, and what takes the input on it. */
  constructor(...elements: HTMLElement[]) {
    this.#elements = elements;
    for (const element of elements) element.style.transformOrigin = "0 0";
  }

  /** Two fingers that were in one place and are in another. */
  pinch(before: readonly Finger[], now: readonly Finger[]): void {
    const [from, to] = [middle(before), middle(now)];
    const around = this.#elements[0]?.parentElement?.getBoundingClientRect();
    if (from === undefined || to === undefined || around === undefined || from.apart === 0) return;
    const scale = Math.min(LARGEST, Math.max(1, (this.scale * to.apart) / from.apart));
    const grown = scale / this.scale;
    // The point of the picture that was between the fingers stays between them.
    const place = (was: number, first: number, second: number, start: number, size: number): number =>
      Math.min(0, Math.max(size * (1 - scale), second - start - (first - start - was) * grown));
    this.#x = place(this.#x, from.x, to.x, around.left, around.width);
    this.#y = place(this.#y, from.y, to.y, around.top, around.height);
    this.scale = scale;
    this.#show();
  }

  reset(): void {
    [this.scale, this.#x, this.#y] = [1, 0, 0];
    this.#show();
  }

  #show(): void {
    for (const { style } of this.#elements) style.transform = this.scale === 1 ? "" : `translate(${this.#x}px, ${this.#y}px) scale(${this.scale})`;
  }
}

function middle([one, other]: readonly Finger[]): { x: number; y: number; apart: number } | undefined {
  if (one === undefined || other === undefined) return undefined;
  const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  return { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2, apart };
}

/** A list of any length: only the rows that can be seen, and some around them, are in the page. */
import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface RowsProps<T> {
  items: readonly T[];
  /** What an item is known by, over changes of the list. */
  keyOf: (item: T) => string | number;
  /** Pixels of an item: one number for all, where they are alike. */
  height: number | ((item: T) => number);
  /** The one that is opened, and as high as what it shows. */
  opened?: string | number | undefined;
  render: (item: T, index: number) => ReactNode;
  label: string;
  className?: string | undefined;
  /** This one is brought into view when it changes. */
  current?: number | undefined;
  /** New ones come at the end, which stays in view while it is. */
  followsEnd?: boolean | undefined;
  onKeyDown?: ((event: React.KeyboardEvent) => void) | undefined;
}

// Closer to the end than this counts as being there.
const AT_END = 24;
// Rows before and after those that are seen; the window moves by so many at a time, so that most steps of scrolling draw nothing.
const AROUND = 12;
const STEP = 6;

interface Window {
  first: number;
  /** Behind the last. */
  end: number;
}

/** Where rows begin, of one height or of several, with one that is higher. */
class Places {
  readonly #height: number;
  readonly #starts: readonly number[] | undefined;
  readonly #count: number;
  readonly #openAt: number;
  readonly #more: number;

  constructor(count: number, height: number | ((index: number) => number), openAt: number, openHeight: number) {
    this.#count = count;
    this.#openAt = openAt;
    this.#height = typeof height === "number" ? height : 0;
    if (typeof height !== "number") {
      const starts = [0];
      for (let index = 0; index < count; index++) starts.push((starts[index] ?? 0) + height(index));
      this.#starts = starts;
    }
    this.#more = openAt < 0 ? 0 : Math.max(0, openHeight - this.#plain(openAt + 1) + this.#plain(openAt));
  }

  #plain(index: number): number {
    return this.#starts === undefined ? index * this.#height : (this.#starts[index] ?? 0);
  }

  start(index: number): number {
    return this.#plain(index) + (this.#openAt >= 0 && index > this.#openAt ? this.#more : 0);
  }

  /** The row at so many pixels. */
  at(top: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start(middle + 1) <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  window(top: number, height: number): Window {
    const first = Math.max(0, Math.floor((this.at(top) - AROUND) / STEP) * STEP);
    const end = Math.min(this.#count, Math.ceil((this.at(top + height) + 1 + AROUND) / STEP) * STEP);
    return { first, end };
  }
}

export function Rows<T>(props: RowsProps<T>): ReactElement {
  const { items, keyOf, height, opened, render, label, className, current, followsEnd = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const [openHeight, setOpenHeight] = useState(0);
  const openAt = useMemo(() => (opened === undefined ? -1 : items.findIndex((item) => keyOf(item) === opened)), [items, opened, keyOf]);
  const places = useMemo(
    () => new Places(items.length, typeof height === "number" ? height : (index) => height(items[index] as T), openAt, openHeight),
    [items, items.length, height, openAt, openHeight],
  );
  const [shown, setShown] = useState<Window>(() => places.window(0, innerHeight));
  const latest = useRef({ places, shown });
  latest.current = { places, shown };

  const look = (): void => {
    const list = place.current;
    if (list === null) return;
    const next = latest.current.places.window(list.scrollTop, list.clientHeight);
    const { first, end } = latest.current.shown;
    if (next.first !== first || next.end !== end) setShown(next);
  };
  useLayoutEffect(look, [places]);
  useEffect(() => {
    const list = place.current;
    if (list === null) return undefined;
    const sized = new ResizeObserver(look);
    sized.observe(list);
    return () => sized.disconnect();
  }, []);
  useLayoutEffect(() => {
    const list = place.current;
    if (followsEnd && isAtEnd.current && list !== null) list.scrollTop = list.scrollHeight;
  }, [followsEnd, items.length]);
  useEffect(() => {
    const list = place.current;
    if (list === null || current === undefined || current < 0) return;
    const [top, bottom] = [latest.current.places.start(current), latest.current.places.start(current + 1)];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }, [current]);
  const scrolled = (): void => {
    const list = place.current;
    if (list === null) return;
    const { scrollTop, scrollHeight, clientHeight } = list;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    // Only who scrolls up leaves the end: when much comes at once, it may be longer already than when it was scrolled.
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END || (isAtEnd.current && !isUp);
    // In the same frame: later, what comes into view would be empty for one.
    flushSync(look);
  };
  const end = Math.min(shown.end, items.length);
  const rows: ReactNode[] = [];
  for (let index = Math.min(shown.first, end); index < end; index++) {
    const item = items[index] as T;
    const key = keyOf(item);
    const isOpen = index === openAt;
    rows.push(
      <div key={key} className="row-place" role="listitem" aria-setsize={items.length} aria-posinset={index + 1} data-index={index} style={typeof height === "number" ? undefined : { height: height(item) }}>
        {isOpen ? <Measured onHeight={setOpenHeight}>{render(item, index)}</Measured> : render(item, index)}
      </div>,
    );
  }
  return (
    <div ref={place} className={className === undefined ? "rows" : `rows ${className}`} tabIndex={0} role="group" aria-label={label} onScroll={scrolled} onKeyDown={props.onKeyDown}>
      <div className="sizer" role="list" style={{ height: places.start(items.length) }}>
        <div className="rows-seen" role="presentation" style={{ transform: `translateY(${places.start(Math.min(shown.first, items.length))}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

/** Tells how high it is, as often as that changes. */
function Measured({ onHeight, children }: { onHeight: (height: number) => void; children: ReactNode }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const measured = place.current;
    if (measured === null) return undefined;
    const tell = (): void => onHeight(measured.offsetHeight);
    tell();
    const sized = new ResizeObserver(tell);
    sized.observe(measured);
    return () => {
      sized.disconnect();
      onHeight(0);
    };
  }, [onHeight]);
  return <div ref={place}>{children}</div>;
}

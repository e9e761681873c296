/** A list of any length: only the rows that can be seen are in the page. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, type ReactNode, type UIEvent, useEffect, useRef } from "react";

interface RowsProps<T> {
  items: readonly T[];
  /** What an item is known by, over changes of the list. */
  keyOf: (item: T) => string | number;
  /** Pixels of an item; rows that are higher than this are measured where `isMeasured`. */
  height: (item: T) => number;
  isMeasured?: boolean | undefined;
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

export function Rows<T>(props: RowsProps<T>): ReactElement {
  const { items, keyOf, height, isMeasured = false, render, label, className, current, followsEnd = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => place.current,
    estimateSize: (index) => height(items[index] as T),
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: 12,
  });
  useEffect(() => {
    if (current !== undefined && current >= 0) rows.scrollToIndex(current, { align: "auto" });
  }, [current, rows]);
  useEffect(() => {
    if (followsEnd && isAtEnd.current && items.length > 0) rows.scrollToIndex(items.length - 1, { align: "end" });
  }, [followsEnd, items.length, rows]);
  const scrolled = (event: UIEvent): void => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    // Only who scrolls up leaves the end: when much comes at once, it may be longer already than when it was scrolled.
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END || (isAtEnd.current && !isUp);
  };
  return (
    <div
      ref={place}
      className={className === undefined ? "rows" : `rows ${className}`}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={followsEnd ? scrolled : undefined}
      onKeyDown={props.onKeyDown}
    >
      <div className="sizer" role="list" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            ref={isMeasured ? rows.measureElement : undefined}
            data-index={row.index}
            className="row-place"
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={row.index + 1}
            style={{ transform: `translateY(${row.start}px)`, ...(isMeasured ? {} : { height: row.size }) }}
          >
            {render(items[row.index] as T, row.index)}
          </div>
        ))}
      </div>
    </div>
  );
}

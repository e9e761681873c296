/** What the timeline has marked: at once on the screen, and a moment later in the address. */
import { useCallback, useEffect, useRef, useState } from "react";
import { setHash, useAddress } from "../../shell/address.ts";

export type Range = readonly [from: number, to: number];
// While it is dragged, the address need not follow each step.
const SETTLED_MS = 200;

export function useRange(): [range: Range | undefined, setRange: (range: Range | undefined) => void] {
  const { hash } = useAddress();
  const asked = hash.get("range");
  const [range, setOwn] = useState<Range | undefined>(() => rangeOf(asked));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setOwn(rangeOf(asked)), [asked]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const setRange = useCallback((next: Range | undefined) => {
    setOwn(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHash({ range: next === undefined ? undefined : next.map(Math.round).join("-") }), SETTLED_MS);
  }, []);
  return [range, setRange];
}

function rangeOf(text: string | null): Range | undefined {
  const [from, to] = (text ?? "").split("-").map(Number);
  return from !== undefined && to !== undefined && from > 0 && to > from ? [from, to] : undefined;
}

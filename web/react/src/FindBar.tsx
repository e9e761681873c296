/** Words on the page that is shown, found and counted. */
import { type Tools, findForm } from "belljar/live";
import { type ReactElement, useEffect, useRef } from "react";
import { useLatest } from "./useLatest.ts";

export interface FindBarProps {
  tools: Tools;
  onClose: () => void;
}

export function FindBar({ tools, onClose }: FindBarProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const close = useLatest(onClose);
  useEffect(() => {
    const form = findForm({ find: (text, index) => tools.search(text, index), onClose: () => close.current() });
    place.current?.replaceChildren(form);
    form.querySelector("input")?.focus({ preventScroll: true });
    return () => form.remove();
  }, [tools, close]);
  return <div ref={place} className="find-form" />;
}

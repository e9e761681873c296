/** What this browser remembers of how somebody works: widths, presets, the last panel.  Never a secret. */
import { useCallback, useState } from "react";

const PREFIX = "belljar.";

export function remembered<T>(name: string, usual: T): T {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? usual : (JSON.parse(kept) as T);
  } catch {
    return usual;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // It is forgotten with the page, then.
  }
}

export function useRemembered<T>(name: string, usual: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => remembered(name, usual));
  const set = useCallback(
    (next: T) => {
      setValue(next);
      remember(name, next);
    },
    [name],
  );
  return [value, set];
}

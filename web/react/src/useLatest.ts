/** The newest of a value for those who were given the first. */
import { useEffect, useRef } from "react";

export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

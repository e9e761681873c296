/** What panels follow: rows that change under one key, and the record as the sign that something is to be read again. */
import type { RecordEvent } from "belljar";
import { type DependencyList, useEffect, useRef, useState } from "react";
import { useRecord } from "../context.ts";

export interface KeyedRows<T> {
  /** In the order in which they first came; each as it was last told. */
  rows: readonly T[];
  error: unknown;
}

/**
 * As `useEvents`, of things that are told of more than once: a request when it begins and when it ends is one row.
 * `before` is read first, where a stream tells only what is new.
 */
export function useKeyedRows<T>(
  follow: (signal: AbortSignal) => AsyncIterable<T>,
  keyOf: (row: T) => string | number,
  dependencies: DependencyList,
  { limit = 2000, before }: { limit?: number; before?: () => Promise<readonly T[]> } = {},
): KeyedRows<T> {
  const [state, setState] = useState<KeyedRows<T>>({ rows: [], error: undefined });
  useEffect(() => {
    const ending = new AbortController();
    const known = new Map<string | number, T>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState({ rows: [], error: undefined });
    const show = (): void => {
      timer = undefined;
      if (!ending.signal.aborted) setState((old) => ({ ...old, rows: [...known.values()] }));
    };
    const take = (row: T): void => {
      known.set(keyOf(row), row);
      if (known.size > limit) known.delete(known.keys().next().value as string | number);
      // Many at once are one change of the list.
      timer ??= setTimeout(show, 16);
    };
    const read = async (): Promise<void> => {
      for (const row of (await before?.()) ?? []) take(row);
      if (ending.signal.aborted) return;
      for await (const row of follow(ending.signal)) take(row);
    };
    read().catch((error: unknown) => ending.signal.aborted || setState((old) => ({ ...old, error })));
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
    // What is followed changes with what the caller names.
  }, [...dependencies, limit]);
  return state;
}

/** How many events of these kinds the record has: what is read again when that changes needs no polling. */
export function useTold(isMeant: (event: RecordEvent) => boolean): number {
  const { events } = useRecord();
  const seen = useRef({ events, index: 0, count: 0 });
  if (seen.current.events !== events) seen.current = { events, index: 0, count: 0 };
  const known = seen.current;
  for (; known.index < events.length; known.index++) if (isMeant(events[known.index] as RecordEvent)) known.count++;
  return known.count;
}

/** What the record keeps is described where its level forbids the words: so much is said of it. */
export function recorded(value: unknown): string {
  if (typeof value === "string") return value;
  const length = typeof value === "object" && value !== null && "length" in value ? Number(value.length) : undefined;
  return length === undefined ? "" : `(${length} characters, not written down)`;
}

export async function* nothing<T>(): AsyncGenerator<T, void, undefined> {
  // There is nothing to follow.
}

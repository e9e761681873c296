/** What is worked out of the record event by event: each is looked at once, however often it is drawn and by whom. */
import type { RecordEvent } from "belljar";
import { useRecord } from "../context.ts";

interface Grower {
  add(event: RecordEvent): void;
}

interface Grown {
  value: Grower;
  index: number;
}

const known = new WeakMap<readonly RecordEvent[], Map<unknown, Grown>>();

/** The same object for the same record, grown; `Kind` is a class of which one is made for each record. */
export function useGrown<T extends Grower>(Kind: new () => T): T {
  const { events } = useRecord();
  let kinds = known.get(events);
  if (kinds === undefined) known.set(events, (kinds = new Map()));
  let grown = kinds.get(Kind);
  if (grown === undefined) kinds.set(Kind, (grown = { value: new Kind(), index: 0 }));
  for (; grown.index < events.length; grown.index++) grown.value.add(events[grown.index] as RecordEvent);
  return grown.value as T;
}

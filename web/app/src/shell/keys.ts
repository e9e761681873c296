/** The keyboard: what each key does is registered where it is done, and listed from there. */
import { useEffect, useRef, useSyncExternalStore } from "react";

export interface Command {
  /** `Ctrl+K`, `g s` (one after the other), `?`; none where it is in the palette alone. */
  keys?: string | undefined;
  /** Others that do the same, not shown. */
  also?: readonly string[] | undefined;
  label: string;
  /** Under which heading it is listed. */
  group: string;
  run: () => void;
  /** Only in the list of keys: it would do nothing from the palette. */
  isKeyOnly?: boolean | undefined;
}

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();
// Those that close what lies on top, the newest last.
const escapes: (() => void)[] = [];
const AFTER_MS = 900;
let first = "";
let firstAt = 0;

function change(next: readonly Command[]): void {
  commands = next;
  for (const listener of [...listeners]) listener();
}

/** These can be done while the component is there.  What they do may change with each drawing. */
export function useCommands(all: readonly Command[]): void {
  const latest = useRef(all);
  useEffect(() => {
    latest.current = all;
  });
  const shape = JSON.stringify(all.map(({ keys, also, label, group, isKeyOnly }) => [keys, also, label, group, isKeyOnly]));
  useEffect(() => {
    const own = latest.current.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() }));
    change([...commands, ...own]);
    return () => change(commands.filter((command) => !own.includes(command)));
  }, [shape]);
}

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => commands,
  );
}

/** Escape closes this, if nothing lies on top of it. */
export function useEscape(close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const run = (): void => latest.current();
    escapes.push(run);
    return () => void escapes.splice(escapes.indexOf(run), 1);
  }, []);
}

/** Whether something lies on top that has the keyboard. */
function isCovered(): boolean {
  return document.querySelector("[aria-modal='true']") !== null;
}

function nameOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  const named = event.key === " " ? "Space" : event.key.length === 1 ? event.key : event.key;
  // What the keys of comma and full stop make with Shift, on American and on European keyboards.
  const key = { Comma: ",", Period: "." }[event.code];
  const shifted = event.shiftKey ? ({ "<": ",", ">": ".", ";": ",", ":": "." }[named] ?? (named === key ? key : undefined)) : undefined;
  const shift = event.shiftKey && (event.key.length > 1 || shifted !== undefined) ? "Shift+" : "";
  const plain = shifted ?? named;
  return `${control}${event.altKey ? "Alt+" : ""}${shift}${control ? plain.toUpperCase() : plain}`;
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  if (event.key === "Escape" && !event.shiftKey) {
    const close = escapes.at(-1);
    if (close !== undefined) {
      event.preventDefault();
      close();
    } else (document.activeElement as HTMLElement | null)?.blur?.();
    return;
  }
  const target = event.target as Element | null;
  const isTyping = target?.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]") != null;
  const name = nameOf(event);
  // Only what has Ctrl holds inside a field and under a sheet.
  if ((isTyping || isCovered()) && !name.startsWith("Ctrl+")) return;
  // A button that has the focus is pressed by these.
  if ((name === "Space" || name === "Enter") && target?.closest?.("button, a, summary, [role=tab]") != null) return;
  const both = performance.now() - firstAt < AFTER_MS ? `${first} ${name}` : name;
  const find = (wanted: string): Command | undefined => commands.findLast((one) => one.keys === wanted || one.also?.includes(wanted));
  const found = find(both) ?? find(name);
  [first, firstAt] = [name, performance.now()];
  if (found === undefined) return;
  first = "";
  event.preventDefault();
  found.run();
});

/** What was done, at the foot of the screen, over the timeline where there is one, for a moment: with an undo where there is one. */
import { X } from "lucide-react";
import { type ReactElement, useSyncExternalStore } from "react";
import { Button } from "./Button.tsx";

interface Toast {
  id: number;
  text: string;
  kind: "said" | "bad";
  action?: { label: string; run: () => void } | undefined;
}

const SECONDS = 5;
let toasts: readonly Toast[] = [];
let number = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

interface ToastOptions {
  kind?: "said" | "bad";
  action?: Toast["action"];
  seconds?: number;
  onGone?: () => void;
}

/** Say it; gives what takes it away again. */
export function say(text: string, { kind = "said", action, seconds = SECONDS, onGone }: ToastOptions = {}): () => void {
  const id = ++number;
  change([...toasts.slice(-3), { id, text, kind, action }]);
  const gone = (): void => {
    if (toasts.some((toast) => toast.id === id)) dismiss(id);
    onGone?.();
  };
  const timer = setTimeout(gone, seconds * 1000);
  return () => {
    clearTimeout(timer);
    dismiss(id);
  };
}

/** What went wrong, where there is no place of its own for it. */
export function sayProblem(error: unknown): void {
  say(wordsOf(error), { kind: "bad", seconds: 10 });
}

export function wordsOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
  return message === "" ? "It did not work." : message.charAt(0).toUpperCase() + message.slice(1);
}

/** `act` after a while in which it can be taken back. */
export function withUndo(text: string, act: () => void, takeBack: () => void): void {
  let isUndone = false;
  const end = say(text, {
    seconds: SECONDS,
    action: {
      label: "Undo",
      run: () => {
        isUndone = true;
        removeEventListener("pagehide", leave);
        takeBack();
      },
    },
    onGone: () => {
      removeEventListener("pagehide", leave);
      if (!isUndone) act();
    },
  });
  // Whoever leaves the page has not taken it back.
  const leave = (): void => {
    end();
    if (!isUndone) act();
  };
  addEventListener("pagehide", leave);
}

export function Toasts(): ReactElement {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map(({ id, text, kind, action }) => (
        <div key={id} className="toast" data-kind={kind}>
          <p>{text}</p>
          {action === undefined ? null : (
            <Button
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="plain" icon={X} label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

/** A button that opens a small list of things to do. */
import type { LucideIcon } from "lucide-react";
import { type ReactElement, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "./Button.tsx";
import { useEscape } from "../shell/keys.ts";

interface MenuProps {
  label: string;
  icon?: LucideIcon;
  words?: ReactNode;
  kind?: "plain";
  /** Of the key that opens it, to be told. */
  shortcut?: string;
  /** Over its button, where that is at the foot of the screen. */
  isAbove?: boolean;
  /** Gets what opens it, for a key. */
  opener?: RefObject<(() => void) | undefined>;
  children: (close: () => void) => ReactNode;
}

export function Menu({ label, icon, words, kind = "plain", shortcut, isAbove = false, opener, children }: MenuProps): ReactElement {
  const button = useRef<HTMLSpanElement>(null);
  const [at, setAt] = useState<Place>();
  const close = (): void => setAt(undefined);
  const toggle = (): void => {
    const box = button.current?.getBoundingClientRect();
    if (at !== undefined || box === undefined) return close();
    const right = Math.max(8, innerWidth - box.right);
    setAt(isAbove ? { bottom: innerHeight - box.top + 4, right } : { top: box.bottom + 4, right });
  };
  useEffect(() => {
    if (opener !== undefined) opener.current = toggle;
  });
  return (
    <span ref={button} style={{ display: "inline-flex" }}>
      <Button kind={kind} icon={icon} label={label} shortcut={shortcut} aria-label={label} aria-haspopup="menu" aria-expanded={at !== undefined} onClick={toggle}>
        {words}
      </Button>
      {at === undefined ? null : (
        <MenuBody at={at} onClose={close}>
          {children(close)}
        </MenuBody>
      )}
    </span>
  );
}

type Place = { top: number; right: number } | { bottom: number; right: number };

function MenuBody({ at, onClose, children }: { at: Place; onClose: () => void; children: ReactNode }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEscape(onClose);
  useEffect(() => {
    const items = (): HTMLElement[] => [...(place.current?.querySelectorAll<HTMLElement>("button, a") ?? [])];
    items()[0]?.focus();
    const away = (event: PointerEvent): void => {
      if (!place.current?.contains(event.target as Node)) onClose();
    };
    const move = (event: KeyboardEvent): void => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const all = items();
      all[(all.indexOf(document.activeElement as HTMLElement) + step + all.length) % all.length]?.focus();
    };
    // After the click that opened it.
    const timer = setTimeout(() => addEventListener("pointerdown", away), 0);
    addEventListener("keydown", move);
    return () => {
      clearTimeout(timer);
      removeEventListener("pointerdown", away);
      removeEventListener("keydown", move);
    };
  }, [onClose]);
  return createPortal(
    <div ref={place} className="menu" style={at} onClick={onClose}>
      {children}
    </div>,
    document.body,
  );
}

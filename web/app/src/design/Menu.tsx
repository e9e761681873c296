/** A button that opens a small list of things to do. */
import type { LucideIcon } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "./Button.tsx";
import { useEscape } from "../shell/keys.ts";

interface MenuProps {
  label: string;
  icon?: LucideIcon;
  words?: ReactNode;
  kind?: "plain";
  children: (close: () => void) => ReactNode;
}

export function Menu({ label, icon, words, kind = "plain", children }: MenuProps): ReactElement {
  const button = useRef<HTMLSpanElement>(null);
  const [at, setAt] = useState<{ top: number; right: number }>();
  const close = (): void => setAt(undefined);
  const toggle = (): void => {
    const box = button.current?.getBoundingClientRect();
    setAt(at !== undefined || box === undefined ? undefined : { top: box.bottom + 4, right: Math.max(8, innerWidth - box.right) });
  };
  return (
    <span ref={button} style={{ display: "inline-flex" }}>
      <Button kind={kind} icon={icon} label={label} aria-label={label} aria-haspopup="menu" aria-expanded={at !== undefined} onClick={toggle}>
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

function MenuBody({ at, onClose, children }: { at: { top: number; right: number }; onClose: () => void; children: ReactNode }): ReactElement {
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

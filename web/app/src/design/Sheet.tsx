/** A sheet that slides in at the right over the screen, and takes the keyboard while it is there. */
import { X } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { Button } from "./Button.tsx";
import { useEscape } from "../shell/keys.ts";

interface SheetProps {
  title: string;
  width?: number;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
}

export function Sheet({ title, width = 480, onClose, footer, children }: SheetProps): ReactElement {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  useEscape(onClose);
  useFocusWithin(place);
  return createPortal(
    <>
      <div className="sheet-ground" onClick={onClose} />
      <div ref={place} className="sheet" role="dialog" aria-modal="true" aria-labelledby={id} style={{ "--sheet-width": `${width}px` } as object}>
        <div className="sheet-head">
          <h2 id={id}>{title}</h2>
          <Button kind="plain" icon={X} label="Close" shortcut="Esc" onClick={onClose} />
        </div>
        <div className="body">{children}</div>
        {footer === undefined ? null : <div className="sheet-foot">{footer}</div>}
      </div>
    </>,
    document.body,
  );
}

const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex='0']";

/** The focus goes in, stays in, and returns to where it was. */
export function useFocusWithin(place: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const inside = place.current;
    if (inside === null) return undefined;
    const all = (): HTMLElement[] => [...inside.querySelectorAll<HTMLElement>(FOCUSABLE)];
    if (!inside.contains(document.activeElement))
      (inside.querySelector<HTMLElement>("[data-autofocus]") ?? all().find((one) => one.tagName !== "BUTTON") ?? all()[0])?.focus();
    const keep = (event: KeyboardEvent): void => {
      if (event.key !== "Tab") return;
      const there = all();
      const edge = event.shiftKey ? there[0] : there.at(-1);
      if (document.activeElement !== edge) return;
      event.preventDefault();
      (event.shiftKey ? there.at(-1) : there[0])?.focus();
    };
    inside.addEventListener("keydown", keep);
    return () => {
      inside.removeEventListener("keydown", keep);
      before?.focus({ preventScroll: true });
    };
  }, [place]);
}

/** What would be here, and the one thing that brings it. */
import type { LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Button } from "./Button.tsx";
import { wordsOf } from "./Toasts.tsx";

export function Empty({ icon: Icon, title, children }: { icon?: LucideIcon; title: string; children?: ReactNode }): ReactElement {
  return (
    <div className="empty">
      {Icon === undefined ? null : <Icon size={28} strokeWidth={1.5} aria-hidden="true" />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What went wrong, beside what caused it, and a way to try again. */
export function ProblemNote({ error, onAgain }: { error: unknown; onAgain?: () => void }): ReactElement {
  return (
    <div className="problem" role="alert">
      <span className="grow">{wordsOf(error)}</span>
      {onAgain === undefined ? null : <Button onClick={onAgain}>Try again</Button>}
    </div>
  );
}


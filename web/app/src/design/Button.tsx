/** Buttons: with words, or with an icon alone, which then has its name as a title. */
import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactElement, ReactNode } from "react";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `strong`: the one thing to do here; `person`: it makes a person drive; `plain`: among others in a bar. */
  kind?: "strong" | "person" | "plain" | "bad" | undefined;
  icon?: LucideIcon | undefined;
  /** Of a button without words. */
  label?: string | undefined;
  /** The key that does the same, shown with the name. */
  shortcut?: string | undefined;
  children?: ReactNode;
}

export function Button({ kind, icon: Icon, label, shortcut, children, ...rest }: ButtonProps): ReactElement {
  const isIcon = children === undefined;
  const title = label === undefined ? undefined : shortcut === undefined ? label : `${label} (${shortcut})`;
  return (
    <button
      type="button"
      {...rest}
      className={rest.className === undefined ? "button" : `button ${rest.className}`}
      data-kind={kind}
      data-icon={isIcon ? "" : undefined}
      title={rest.title ?? title}
      aria-label={rest["aria-label"] ?? (isIcon ? label : undefined)}
    >
      {Icon === undefined ? null : <Icon size={15} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A key, or several after each other. */
export function Key({ keys }: { keys: string }): ReactElement {
  return (
    <span className="line keys" style={{ gap: 3 }}>
      {keys.split(" ").map((key) => (
        <kbd className="key" key={key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}

/** One of several, in a row: arrows move, the choice is the caller's. */
import type { KeyboardEvent, ReactElement, ReactNode } from "react";

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly (readonly [name: Name, words: ReactNode, title?: string])[];
  current: Name;
  onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>({ label, tabs, current, onChoose }: TabsProps<Name>): ReactElement {
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (tabs.findIndex(([name]) => name === current) + step + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next === undefined) return;
    onChoose(next[0]);
    (event.currentTarget.children[index] as HTMLElement).focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([name, words, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          title={title}
          aria-selected={name === current}
          tabIndex={name === current ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

/** Everything that can be done here, by its name; and the list of keys. */
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Key } from "../design/Button.tsx";
import { Sheet, useFocusWithin } from "../design/Sheet.tsx";
import { type Command, useAllCommands, useEscape } from "./keys.ts";

/** What a screen lets one jump to by name, such as its sessions. */
export interface Destination {
  label: string;
  group: string;
  run: () => void;
}

let destinations: () => readonly Destination[] = () => [];

/** Offer these in the palette for as long as the component is there. */
export function useDestinations(find: () => readonly Destination[]): void {
  useEffect(() => {
    destinations = find;
    return () => {
      if (destinations === find) destinations = () => [];
    };
  }, [find]);
}

const MOST = 50;

export function Palette({ onClose }: { onClose: () => void }): ReactElement {
  const commands = useAllCommands();
  const place = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  useEscape(onClose);
  useFocusWithin(place);
  const found = useMemo(() => {
    const all: readonly (Command | Destination)[] = [...commands.filter((one) => !one.isKeyOnly), ...destinations()];
    return all.filter((one) => matches(`${one.group} ${one.label}`, text)).slice(0, MOST);
  }, [commands, text]);
  const run = (index: number): void => {
    onClose();
    // After the palette has given the focus back.
    const chosen = found[index];
    if (chosen !== undefined) queueMicrotask(() => chosen.run());
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(at);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return createPortal(
    <>
      <div className="sheet-ground" onClick={onClose} />
      <div ref={place} className="palette" role="dialog" aria-modal="true" aria-label="Commands">
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={`palette-${at}`}
          aria-label="What do you want to do?"
          placeholder="What do you want to do?"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={move}
        />
        {found.length === 0 ? <p className="nothing">Nothing is called that.</p> : null}
        <ul ref={list} id="palette-list" role="listbox" aria-label="Commands">
          {found.map((one, index) => (
            <li key={`${one.group} ${one.label}`} id={`palette-${index}`} role="option" aria-selected={index === at} onMouseMove={() => setAt(index)} onClick={() => run(index)}>
              <span className="group">{one.group}</span>
              <span className="grow cut">{one.label}</span>
              {"keys" in one && one.keys !== undefined ? <Key keys={one.keys} /> : null}
            </li>
          ))}
        </ul>
      </div>
    </>,
    document.body,
  );
}

/** Every word of `text` somewhere in `name`. */
function matches(name: string, text: string): boolean {
  const lower = name.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

export function KeyList({ onClose }: { onClose: () => void }): ReactElement {
  const commands = useAllCommands().filter(({ keys }) => keys !== undefined);
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Sheet title="Keys" onClose={onClose}>
      <div className="key-list">
        <p className="faint">They hold while the app has the keyboard. A blue ring around the picture says that the page has it: Shift+Esc gives it back.</p>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {commands
                .filter((command) => command.group === group)
                .map(({ keys, label }) => (
                  <div key={`${keys} ${label}`}>
                    <dt>{label}</dt>
                    <dd>
                      <Key keys={keys ?? ""} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

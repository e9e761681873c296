/** What the sections of the administration are made of: their tools, figures that link to what they count, meters, bars. */
import { RotateCw, Search } from "lucide-react";
import { type MouseEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { ProblemNote } from "../design/Empty.tsx";
import { follow, go, setQuery } from "../shell/address.ts";
import { useCommands } from "../shell/keys.ts";
import type { Reading } from "./reading.ts";

interface SectionProps {
  title: string;
  reading?: Reading<unknown> | undefined;
  tools?: ReactNode;
  children: ReactNode;
}

/** A section: its name and tools above, a problem where there is one, and what was read. */
export function Section({ title, reading, tools, children }: SectionProps): ReactElement {
  useEffect(() => {
    document.title = `${title} – Administration – Belljar`;
  }, [title]);
  useCommands(reading === undefined ? [] : [{ keys: "r", label: "Read again", group: "Admin", run: reading.again }]);
  const isComing = reading?.isBusy === true && reading.value === undefined;
  return (
    <main className="admin-section" aria-busy={isComing}>
      <div className="admin-tools">
        <h1>{title}</h1>
        <span className="grow" />
        {tools}
        {reading === undefined ? null : <Button kind="plain" icon={RotateCw} label="Read again" shortcut="r" onClick={reading.again} />}
      </div>
      {reading?.error === undefined ? null : <ProblemNote error={reading.error} onAgain={reading.again} />}
      {children}
      {isComing && reading.error === undefined ? <div className="panel-wait"><span className="busy" role="status" aria-label="Loading" /></div> : null}
    </main>
  );
}

/** A filter line that stands in the address. */
export function Filter({ name = "q", value, label }: { name?: string; value: string; label: string }): ReactElement {
  const place = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useCommands([{ keys: "/", label, group: "Admin", run: () => place.current?.focus() }]);
  return (
    <label className="filter">
      <Search size={14} aria-hidden="true" />
      <input
        ref={place}
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setQuery({ [name]: event.target.value });
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </label>
  );
}

/** A link within the app. */
export function To({ at, children, label, className }: { at: string; children: ReactNode; label?: string | undefined; className?: string }): ReactElement {
  return (
    <a className={className === undefined ? "to" : `to ${className}`} href={at} onClick={follow} aria-label={label} title={label}>
      {children}
    </a>
  );
}

/** One figure with its name, which leads to the list that it counts. */
export function Figure({ name, value, note, at, kind }: { name: string; value: ReactNode; note?: ReactNode; at: string; kind?: "bad" | "ask" | undefined }): ReactElement {
  return (
    <a className="figure" href={at} onClick={follow} data-kind={kind}>
      <span className="figure-name">{name}</span>
      <span className="figure-value">{value}</span>
      <span className="figure-note cut">{note}</span>
    </a>
  );
}

/** How much of a limit is used, in colour where little is left unless it `isPlain`ly a share; in words beside it. */
export function Meter({ used, limit, label, isPlain = false }: { used: number; limit: number | null | undefined; label: string; isPlain?: boolean }): ReactElement {
  const share = limit == null ? 0 : limit === 0 ? Number(used > 0) : Math.min(used / limit, 1);
  return (
    <svg className="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label} data-kind={isPlain ? undefined : share >= 1 ? "bad" : share >= 0.8 ? "ask" : undefined}>
      <rect className="ground" width="100" height="6" rx="3" />
      <rect className="used" width={share * 100} height="6" rx="3" />
    </svg>
  );
}

export interface Bar {
  key: string;
  /** What stands below it. */
  label: string;
  value: number;
  words: string;
  at: string;
}

const HEIGHT = 140;
const FEWEST = 12;

/** Bars beside each other, each of which leads to what it counts. */
export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }): ReactElement {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  // A few bars are no wider than many: one alone would fill the screen.
  const places = Math.max(bars.length, FEWEST);
  const [step, gap] = [100 / places, Math.min(20 / places, 1)];
  // Names below only as many as there is room for.
  const every = Math.ceil(bars.length / 8);
  return (
    <figure className="bars" aria-label={label}>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="group" aria-label={label}>
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line key={part} className="rule" x1="0" x2="100" y1={HEIGHT - part * (HEIGHT - 8)} y2={HEIGHT - part * (HEIGHT - 8)} vectorEffect="non-scaling-stroke" />
        ))}
        {bars.map(({ key, label: name, value, words, at }, index) => (
          <a key={key} href={at} onClick={(event) => followTo(event, at)} aria-label={`${name}: ${words}`}>
            <title>{`${name}: ${words}`}</title>
            <rect className="reach" x={index * step} y="0" width={step} height={HEIGHT} />
            <rect className="bar" x={index * step + gap} width={Math.max(step - 2 * gap, 0.2)} y={HEIGHT - bar(value, most)} height={bar(value, most)} />
          </a>
        ))}
      </svg>
      <div className="bar-names" aria-hidden="true">
        {bars.flatMap(({ key, label: name }, index) =>
          index % every === 0 ? [<span key={key} style={{ flex: `${Math.min(every, bars.length - index)} 1 0` }}>{name}</span>] : [],
        )}
        {bars.length < places ? <span style={{ flex: `${places - bars.length} 1 0` }} /> : null}
      </div>
    </figure>
  );
}

/** As `follow`, for a link in a drawing, whose address is no text. */
function followTo(event: MouseEvent, at: string): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(at);
}

function bar(value: number, most: number): number {
  return value <= 0 || most <= 0 ? 0 : Math.max((value / most) * (HEIGHT - 8), 2);
}

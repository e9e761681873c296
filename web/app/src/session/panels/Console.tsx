/** What the page's scripts wrote: of the tab that is shown as it comes; of a session that is over, what the record kept. */
import type { BrowserConsoleMessage } from "belljar";
import { useEvents } from "@belljar/react";
import { Ban, SquareTerminal } from "lucide-react";
import { type ReactElement, memo, useCallback, useMemo, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { Empty, ProblemNote } from "../../design/Empty.tsx";
import { Rows } from "../../design/Rows.tsx";
import { Tabs } from "../../design/Tabs.tsx";
import { setQuery, useAddress } from "../../shell/address.ts";
import { useIsShown } from "../../shell/shown.ts";
import { clock } from "../../shell/time.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { nothing, recorded } from "./following.ts";
import "./console.css";

interface Line {
  key: number;
  level: string;
  text: string;
  where: string;
  /** Microseconds since 1970. */
  t: number;
}

const ROW = 28;
const keyOf = ({ key }: Line): number => key;
// Of longer lines this much stands in their row; all of it when they are opened.
const MOST_IN_ROW = 500;
const MOST = 10_000;
const LEVELS = [
  ["all", "All"],
  ["log", "Log"],
  ["warn", "Warn"],
  ["error", "Error"],
  ["info", "Info"],
] as const;

export default function Console(): ReactElement {
  const { isRunning } = useSessionContext();
  return isRunning ? <LiveConsole /> : <RecordedConsole />;
}

function LiveConsole(): ReactElement {
  const { box, live } = useSessionContext();
  const tabId = live.tabs.find(({ active }) => active)?.id;
  const [again, setAgain] = useState(0);
  const isShown = useIsShown();
  const { events, dropped, error } = useEvents<BrowserConsoleMessage>(
    (signal) => (tabId === undefined || !isShown ? nothing() : box.browser.followConsole({ tabId }, { signal })),
    [box, tabId, again, isShown],
    { limit: MOST },
  );
  const lines = useMemo(() => events.map((message, index) => lineOf(message, dropped + index)), [events, dropped]);
  return (
    <>
      {error === undefined ? null : <ProblemNote error={error} onAgain={() => setAgain(again + 1)} />}
      <Lines lines={lines} left={dropped} whyEmpty={tabId === undefined ? "There is no page yet." : "What the page’s scripts write stands here as it comes."} />
    </>
  );
}

function RecordedConsole(): ReactElement {
  const { events, version } = useRecord();
  const lines = useMemo(
    () =>
      events
        .filter(({ kind }) => kind === "console")
        .map(({ seq, t, name, data }) => {
          const { text, url, line } = (data ?? {}) as Record<string, unknown>;
          return { key: seq, t, level: name, text: recorded(text), where: whereOf(recorded(url), line as number | undefined) };
        }),
    [events, version],
  );
  return <Lines lines={lines} left={0} whyEmpty="Its scripts wrote nothing, or it was not recorded." />;
}

function lineOf({ level, text, url, line, timestamp }: BrowserConsoleMessage, key: number): Line {
  return { key, level, text, where: whereOf(url ?? "", line), t: Date.parse(timestamp) * 1000 };
}

function whereOf(url: string, line: number | null | undefined): string {
  const [scheme, host, ...path] = (url.split(/[?#]/)[0] ?? "").split(/\/+/);
  const name = path.findLast((part) => part !== "") ?? host ?? scheme ?? "";
  return name === "" ? "" : line == null ? name : `${name}:${line}`;
}

function Lines({ lines, left, whyEmpty }: { lines: readonly Line[]; left: number; whyEmpty: string }): ReactElement {
  const { query } = useAddress();
  const { moment, range } = useSessionContext();
  const level = LEVELS.find(([name]) => name === query.get("level"))?.[0] ?? "all";
  const typed = query.get("console") ?? "";
  const [clearedAt, setClearedAt] = useState(0);
  const [opened, setOpened] = useState<number>();
  const toggle = useCallback((key: number) => setOpened((old) => (old === key ? undefined : key)), []);
  const shown = useMemo(() => {
    const words = typed.toLowerCase();
    return lines.filter(
      (line) =>
        line.t > clearedAt &&
        (level === "all" || line.level === level) &&
        (words === "" || line.text.toLowerCase().includes(words) || line.where.toLowerCase().includes(words)) &&
        (range === undefined || (line.t >= range[0] && line.t <= range[1])),
    );
  }, [lines, clearedAt, level, typed, range]);
  const current = moment === undefined ? undefined : shown.findLastIndex(({ t }) => t <= moment + 1);
  return (
    <div className="panel">
      <div className="panel-tools console-tools">
        <Tabs label="Level" tabs={LEVELS} current={level} onChoose={(name) => setQuery({ level: name === "all" ? undefined : name })} />
        <input className="input" type="search" aria-label="Filter the console" placeholder="Filter" value={typed} onChange={(event) => setQuery({ console: event.target.value })} />
        <Button kind="plain" icon={Ban} label="Clear the console" onClick={() => setClearedAt(lines.at(-1)?.t ?? 0)} />
      </div>
      {left === 0 ? null : <p className="panel-note faint">The oldest {left} lines are not shown.</p>}
      {shown.length === 0 ? (
        <Empty icon={SquareTerminal} title={lines.length === 0 ? "The console is empty" : "No line is like that"}>
          {lines.length === 0 ? <p>{whyEmpty}</p> : null}
        </Empty>
      ) : (
        <Rows
          label="Console"
          className="console-rows"
          items={shown}
          keyOf={keyOf}
          height={ROW}
          opened={opened}
          current={current}
          followsEnd={moment === undefined}
          render={(line, index) => (
            <LineRow line={line} isCurrent={index === current} isOpen={line.key === opened} onOpen={toggle} />
          )}
        />
      )}
    </div>
  );
}

interface LineRowProps {
  line: Line;
  isCurrent: boolean;
  isOpen: boolean;
  onOpen: (key: number) => void;
}

// While a list is scrolled, most of its rows are the same as before.
const LineRow = memo(function LineRow({ line, isCurrent, isOpen, onOpen }: LineRowProps): ReactElement {
  return (
    <div className="console-line" data-level={line.level} data-current={isCurrent || undefined}>
      <div className="data-row">
        <button type="button" className="data-main" aria-expanded={isOpen} onClick={() => onOpen(line.key)}>
          <span className="level small">{line.level}</span>
          <span className="mono cut grow">{line.text.slice(0, MOST_IN_ROW)}</span>
        </button>
        <span className="mono faint cut where" title={line.where}>
          {line.where}
        </span>
      </div>
      {isOpen ? (
        <LineDetail line={line} />
      ) : null}
    </div>
  );
});

function LineDetail({ line }: { line: Line }): ReactElement {
  const { setMoment } = useSessionContext();
  return (
    <div className="data-detail">
      <pre className="mono">{line.text}</pre>
      <div className="line small faint">
        <span className="grow cut">{line.where}</span>
        <button type="button" className="text-button mono" title="Look at this moment" onClick={() => setMoment(line.t)}>
          {clock(line.t)}
        </button>
      </div>
    </div>
  );
}

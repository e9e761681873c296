/** All sessions: those that need a person, those that run, those that are over. */
import type { SessionInfo } from "belljar";
import { Boxes, ChevronDown, ChevronRight, Clock, CloudOff, Columns2, LayoutGrid, List, Plus, Search, Square, X } from "lucide-react";
import { type ReactElement, Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "../design/Button.tsx";
import { Empty, ProblemNote } from "../design/Empty.tsx";
import { Rows } from "../design/Rows.tsx";
import { go, href, setQuery, useAddress } from "../shell/address.ts";
import { useCommands, useEscape } from "../shell/keys.ts";
import { useDestinations } from "../shell/Palette.tsx";
import { useRemembered } from "../shell/preferences.ts";
import { TopBar } from "../shell/Shell.tsx";
import { ago, useNow } from "../shell/time.ts";
import { end, endings, extend } from "./acts.ts";
import { FirstRun } from "./FirstRun.tsx";
import { GROUPS, type Group, type ListSnapshot, groupOf, isLive, matches, nameOf, stream } from "./list.ts";
import { NewSession } from "./NewSession.tsx";
import { Peek } from "./Peek.tsx";
import { SessionRow } from "./SessionRow.tsx";
import { Wall } from "./Wall.tsx";
import "./sessions.css";

const Compare = lazy(() => import("./Compare.tsx"));

type Item = { kind: "heading"; group: Group; words: string; count: number } | { kind: "session"; session: SessionInfo };

const HEADING = 32;
const ROW = 44;
const NARROW_ROW = 60;
const NARROW = matchMedia("(max-width: 767px)");

export function SessionsScreen(): ReactElement {
  const { query } = useAddress();
  const filter = query.get("q") ?? "";
  const peeked = query.get("peek") ?? undefined;
  const isNew = query.has("new");
  const isWall = query.get("view") === "wall";
  const list = useSyncExternalStore(stream.subscribe, stream.getSnapshot);
  useSyncExternalStore(endings.subscribe, endings.size);
  const now = useNow();
  const isNarrow = useSyncExternalStore(watchNarrow, () => NARROW.matches);
  const [current, setCurrent] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useRemembered<readonly Group[]>("groups.closed", []);
  const search = useRef<HTMLInputElement>(null);

  // A minute is fine enough to sort by: the list must not move with every second.
  const minute = Math.floor(now / 60_000) * 60_000;
  const items = useMemo(() => itemsOf(list.sessions, filter, minute, closed), [list.sessions, filter, minute, closed]);
  const shown = useMemo(() => items.flatMap((item) => (item.kind === "session" ? [item.session] : [])), [items]);
  const index = items.findIndex((item) => item.kind === "session" && item.session.id === current);
  const peek = shown.find(({ id }) => id === peeked) ?? list.sessions.find(({ id }) => id === peeked);
  const marked = shown.filter(({ id }) => chosen.has(id));
  const subjects = marked.length > 0 ? marked : shown.filter(({ id }) => id === current);

  const compared = (query.get("compare") ?? "").split(",").flatMap((id) => list.sessions.filter((one) => one.id === id));
  const [first, second] = compared;
  const compare = (): void => {
    const [a, b] = marked;
    if (a !== undefined && b !== undefined) setQuery({ compare: `${a.id},${b.id}`, peek: undefined }, { isReplacing: false });
  };
  const toggleWall = (): void => setQuery({ view: isWall ? undefined : "wall", peek: undefined });
  const move = (step: number): void => {
    const at = shown.findIndex(({ id }) => id === current);
    const next = shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? (step > 0 ? 0 : shown.length - 1) : at + step))];
    if (next === undefined) return;
    setCurrent(next.id);
    if (peeked !== undefined) setQuery({ peek: next.id });
  };
  const choose = useCallback((id: string) => {
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const showPeek = useCallback((id: string) => {
    setCurrent(id);
    setQuery({ peek: new URLSearchParams(location.search).get("peek") === id ? undefined : id });
  }, []);
  const open = (): void => {
    if (current !== undefined) go(href("sessions", current));
  };
  useCommands([
    { keys: "/", label: "Filter", group: "Anywhere", run: () => search.current?.focus() },
    { keys: "n", label: "New session", group: "Sessions", run: () => setQuery({ new: "1" }, { isReplacing: false }) },
    { keys: "j", also: ["ArrowDown"], label: "Next", group: "Sessions", run: () => move(1), isKeyOnly: true },
    { keys: "k", also: ["ArrowUp"], label: "Previous", group: "Sessions", run: () => move(-1), isKeyOnly: true },
    { keys: "Enter", label: "Open", group: "Sessions", run: open, isKeyOnly: true },
    { keys: "Space", label: "Peek", group: "Sessions", run: () => current !== undefined && showPeek(current), isKeyOnly: true },
    { keys: "x", label: "Choose", group: "Sessions", run: () => current !== undefined && choose(current), isKeyOnly: true },
    { keys: "v", label: isWall ? "As a list" : "As a wall of pictures", group: "Sessions", run: toggleWall },
    { keys: "c", label: "Compare two that are chosen", group: "Sessions", run: compare },
    { keys: "e", label: "Extend", group: "Sessions", run: () => subjects.filter(isLive).forEach((one) => void extend(one)) },
    { keys: "Delete", also: ["Backspace"], label: "End (undo for 5 s)", group: "Sessions", run: () => endThem(subjects) },
  ]);
  const endThem = (sessions: readonly SessionInfo[]): void => {
    end(sessions.filter(isLive));
    setChosen(new Set());
  };
  useEffect(() => {
    document.title = "Sessions – Belljar";
  }, []);
  useDestinations(useCallback(() => list.sessions.slice(0, 200).map((session) => ({ label: nameOf(session), group: "Session", run: () => go(href("sessions", session.id)) })), [list.sessions]));

  const isEmpty = list.isListed && list.sessions.length === 0;
  return (
    <div className="screen">
      <TopBar />
      <div className="sessions-tools" role="search" aria-label="Sessions">
        <label className="filter">
          <Search size={14} aria-hidden="true" />
          <span className="unseen">Filter</span>
          <input
            ref={search}
            type="search"
            placeholder="Filter: words, state:failed, tag:shop, user:ann, -mode:none"
            value={filter}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setQuery({ q: event.target.value })}
            onKeyDown={(event) => event.key === "Enter" && (event.currentTarget.blur(), move(1))}
          />
        </label>
        <StreamNote list={list} now={now} />
        <span className="grow" />
        <Button kind="plain" icon={isWall ? List : LayoutGrid} label={isWall ? "As a list" : "As a wall of pictures"} shortcut="v" onClick={toggleWall} />
        <Button kind="strong" icon={Plus} aria-label="New session" title="New session (n)" onClick={() => setQuery({ new: "1" }, { isReplacing: false })}>
          <span className="wide">New session</span>
        </Button>
      </div>
      <div className="sessions-body" data-stale={list.state === "waiting" || undefined}>
        <main className="sessions-main">
          <h1 className="unseen">Sessions</h1>
          {isEmpty ? (
            <FirstRun />
          ) : !list.isListed ? (
            list.error === undefined ? <Loading /> : <NotListed error={list.error} />
          ) : shown.length === 0 && filter !== "" ? (
            <Empty icon={Search} title="No session is like that">
              <Button onClick={() => setQuery({ q: undefined })}>Clear the filter</Button>
            </Empty>
          ) : first !== undefined && second !== undefined ? (
            <Suspense fallback={null}>
              <Compare key={`${first.id} ${second.id}`} left={first} right={second} />
            </Suspense>
          ) : isWall ? (
            <Wall sessions={filter === "" ? shown.filter(isLive) : shown} now={minute} current={current} />
          ) : (
            <Rows
              label="Sessions"
              className="session-rows"
              items={items}
              current={index}
              keyOf={(item) => (item.kind === "heading" ? item.group : item.session.id)}
              height={(item) => (item.kind === "heading" ? HEADING : isNarrow ? NARROW_ROW : ROW)}
              render={(item) =>
                item.kind === "heading" ? (
                  <GroupHeading item={item} isClosed={closed.includes(item.group)} onToggle={() => setClosed(closed.includes(item.group) ? closed.filter((one) => one !== item.group) : [...closed, item.group])} />
                ) : (
                  <SessionRow
                    session={item.session}
                    now={now}
                    isCurrent={item.session.id === current}
                    isChosen={chosen.has(item.session.id)}
                    isEnding={endings.has(item.session.id)}
                    showsUser={hasSeveralUsers(list.sessions)}
                    onPoint={setCurrent}
                    onChoose={choose}
                    onPeek={showPeek}
                  />
                )
              }
            />
          )}
        </main>
        {peek === undefined ? null : <PeekPlace session={peek} />}
      </div>
      {marked.length === 0 || first !== undefined ? null : <BulkBar sessions={marked} onCompare={compare} onEnd={() => endThem(marked)} onClear={() => setChosen(new Set())} />}
      {isNew ? (
        <NewSession
          onClose={() => setQuery({ new: undefined })}
          onMade={(session) => go(href("sessions", session.id))}
        />
      ) : null}
    </div>
  );
}

function PeekPlace({ session }: { session: SessionInfo }): ReactElement {
  const close = (): void => setQuery({ peek: undefined });
  useEscape(close);
  return <Peek session={session} onClose={close} />;
}

function itemsOf(sessions: readonly SessionInfo[], filter: string, now: number, closed: readonly Group[]): Item[] {
  const groups: Record<Group, SessionInfo[]> = { needs: [], running: [], ended: [] };
  for (const session of sessions) if (matches(session, filter)) groups[groupOf(session, now)].push(session);
  return GROUPS.flatMap(([group, words]): Item[] => {
    const own = groups[group];
    if (own.length === 0) return [];
    const heading: Item = { kind: "heading", group, words, count: own.length };
    return closed.includes(group) ? [heading] : [heading, ...own.map((session): Item => ({ kind: "session", session }))];
  });
}

let severalOf: readonly SessionInfo[] = [];
let hasSeveral = false;
function hasSeveralUsers(sessions: readonly SessionInfo[]): boolean {
  if (severalOf !== sessions) {
    severalOf = sessions;
    hasSeveral = new Set(sessions.map(({ userId }) => userId)).size > 1;
  }
  return hasSeveral;
}

function GroupHeading({ item, isClosed, onToggle }: { item: Item & { kind: "heading" }; isClosed: boolean; onToggle: () => void }): ReactElement {
  const Icon = isClosed ? ChevronRight : ChevronDown;
  return (
    <h2 className="group-heading" data-group={item.group}>
      <button type="button" aria-expanded={!isClosed} onClick={onToggle}>
        <Icon size={14} aria-hidden="true" /> {item.words} <span className="faint data">{item.count}</span>
      </button>
    </h2>
  );
}

/** Nothing came yet, and why; it is tried again without being told to. */
function NotListed({ error }: { error: unknown }): ReactElement {
  return (
    <Empty icon={CloudOff} title="The sessions could not be read">
      <ProblemNote error={error} />
      <p>It is tried again every few seconds.</p>
    </Empty>
  );
}

/** Says when what is shown may be old. */
function StreamNote({ list, now }: { list: ListSnapshot; now: number }): ReactElement | null {
  if (list.state !== "waiting") return null;
  return (
    <span className="offline" role="status">
      {list.isListed ? `Reconnecting… as of ${ago(now - list.asOf)}` : "Connecting again…"}
    </span>
  );
}

function Loading(): ReactElement {
  return (
    <div className="loading" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="session-row ghost" />
      ))}
    </div>
  );
}

interface BulkBarProps {
  sessions: readonly SessionInfo[];
  onCompare: () => void;
  onEnd: () => void;
  onClear: () => void;
}

function BulkBar({ sessions, onCompare, onEnd, onClear }: BulkBarProps): ReactElement {
  const alive = sessions.filter(isLive);
  useEscape(onClear);
  return (
    <div className="bulk" role="toolbar" aria-label="Chosen sessions">
      <span>
        <Boxes size={14} aria-hidden="true" /> {sessions.length} chosen
      </span>
      {sessions.length === 2 ? (
        <Button icon={Columns2} title="Compare (c)" onClick={onCompare}>
          Compare
        </Button>
      ) : null}
      {alive.length === 0 ? null : (
        <>
          <Button icon={Clock} onClick={() => alive.forEach((session) => void extend(session))}>
            Extend
          </Button>
          <Button icon={Square} kind="bad" onClick={onEnd}>
            End {alive.length}
          </Button>
        </>
      )}
      <Button kind="plain" icon={X} label="Choose none" onClick={onClear} />
    </div>
  );
}

function watchNarrow(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

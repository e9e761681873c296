/** Time, below the stage: who did something when, and which moment is looked at.  The right edge is now. */
import { ChevronDown, ChevronUp, Flag as FlagIcon, Pause, Play } from "lucide-react";
import { type PointerEvent, type ReactElement, type RefObject, Suspense, lazy, useEffect, useRef, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { useCommands } from "../../shell/keys.ts";
import { useRemembered } from "../../shell/preferences.ts";
import { clock, span, useNow } from "../../shell/time.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { type Act, isRead } from "../record/acts.ts";
import { useGrown } from "../record/grown.ts";
import { CopyAs } from "./CopyAs.tsx";
import { colours, fit } from "./drawing.ts";
import { Export } from "./Export.tsx";
import { filmAt, useFilms } from "./films.ts";
import { Lanes } from "./lanes.ts";
import { MarkForm } from "./MarkForm.tsx";
import { type Shot, countUntil, usePictureUrl, useShots } from "./pictures.ts";
import { RecordPicture } from "./RecordPicture.tsx";
import "./timeline.css";

const LaneRows = lazy(() => import("./LaneRows.tsx"));
const LEAST_US = 30_000_000;
// Further than this a press is a range.
const DRAGGED = 6;

/** Tells the style sheet how much of the window's foot is not to be covered: from the top of the timeline. */
function useFoot(own: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const timeline = own.current;
    const side = timeline?.parentElement;
    if (timeline == null || side == null) return undefined;
    const { style } = document.documentElement;
    const tell = (): void => style.setProperty("--foot", `${Math.round(innerHeight - timeline.getBoundingClientRect().top)}px`);
    const sized = new ResizeObserver(tell);
    sized.observe(timeline);
    sized.observe(side);
    return () => {
      sized.disconnect();
      style.removeProperty("--foot");
    };
  }, [own]);
}

export function Timeline(): ReactElement {
  const { moment, setMoment, isRunning, mayDrive, range, setRange, isPlaying, togglePlay, live } = useSessionContext();
  const { events } = useRecord();
  const now = useNow() * 1000;
  const [isOpen, setOpen] = useRemembered("lanes", false);
  const [isMarking, setMarking] = useState(false);
  const newest = events.at(-1)?.t;
  const last = isRunning ? Math.max(now, newest ?? 0) : (newest ?? now);
  const begin = Math.min(events[0]?.t ?? last - LEAST_US, last - (isRunning ? LEAST_US : LEAST_US / 10));
  const length = last - begin;
  const place = (t: number): string => `${((t - begin) / length) * 100}%`;
  const steps = useSteps(last);
  const canMark = isRunning && mayDrive;
  const own = useRef<HTMLElement>(null);
  useFoot(own);
  useCommands([
    { keys: ",", label: "The act before", group: "Session", run: () => steps.act(-1) },
    { keys: ".", label: "The act after", group: "Session", run: () => steps.act(1) },
    { keys: "Shift+,", label: "The frame before", group: "Session", run: () => steps.frame(-1) },
    { keys: "Shift+.", label: "The frame after", group: "Session", run: () => steps.frame(1) },
    { label: isOpen ? "Close the lanes" : "Open the lanes", group: "Session", run: () => setOpen(!isOpen) },
    ...(canMark ? [{ keys: "m", label: "Mark this moment", group: "Session", run: () => setMarking(true) }] : []),
  ]);
  return (
    <section ref={own} className="timeline" aria-label="Timeline" data-open={isOpen || undefined}>
      <div className="timeline-left">
        <Button kind="plain" icon={isPlaying ? Pause : Play} label={isPlaying ? "Pause" : "Play"} shortcut="Space" disabled={events.length === 0} onClick={togglePlay} />
        <span className="timeline-time mono faint">{moment === undefined ? span(length / 1000) : clock(moment)}</span>
        <Button kind="plain" icon={isOpen ? ChevronDown : ChevronUp} label={isOpen ? "Close the lanes" : "Open the lanes"} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      </div>
      <Track begin={begin} length={length} last={last} place={place} />
      <div className="timeline-right">
        {range === undefined ? null : (
          <Button kind="plain" onClick={() => setRange(undefined)}>
            {span((range[1] - range[0]) / 1000)} chosen: clear
          </Button>
        )}
        {canMark ? <Button kind="plain" icon={FlagIcon} label="Mark this moment" shortcut="m" aria-expanded={isMarking} onClick={() => setMarking(!isMarking)} /> : null}
        {mayDrive ? <CopyAs /> : null}
        {mayDrive ? <Export /> : null}
        <Button kind="plain" className="live-button" aria-pressed={moment === undefined} title="Now (l)" onClick={() => setMoment(undefined)}>
          <span className="dot" data-state={isRunning && live.state === "open" && moment === undefined ? "running" : "stopped"} /> {isRunning ? "Live" : "End"}
        </Button>
      </div>
      {isOpen ? (
        <Suspense fallback={null}>
          <LaneRows begin={begin} length={length} place={place} />
        </Suspense>
      ) : null}
      {isMarking ? <MarkForm onClose={() => setMarking(false)} /> : null}
    </section>
  );
}

/** From act to act, and from frame to frame: of the film, or of the pictures where there is none. */
function useSteps(last: number): { act: (by: number) => void; frame: (by: number) => void } {
  const { moment, setMoment } = useSessionContext();
  const { acts } = useRecord();
  const shots = useShots();
  const films = useFilms();
  const at = moment ?? last;
  return {
    act: (by) => {
      const all: readonly Act[] = acts.all;
      const next = by < 0 ? all.findLast((act) => act.t < at - 1 && !isRead(act)) : all.find((act) => act.t > at + 1 && !isRead(act));
      setMoment(next?.t ?? (by > 0 ? undefined : moment));
    },
    frame: (by) => {
      const film = filmAt(films, at);
      if (film !== undefined) return setMoment(Math.round(at + by * film.frame));
      const next = by < 0 ? shots[countUntil(shots, at - 1) - 1] : shots[countUntil(shots, at)];
      setMoment(next?.t ?? (by > 0 ? undefined : moment));
    },
  };
}

interface TrackProps {
  begin: number;
  length: number;
  last: number;
  place: (t: number) => string;
}

function Track({ begin, length, last, place }: TrackProps): ReactElement {
  const { moment, setMoment, isRunning, range, setRange } = useSessionContext();
  const { acts, version } = useRecord();
  const shots = useShots();
  const films = useFilms();
  const { flags, gaps } = useGrown(Lanes);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => draw(canvas.current, acts.all, begin, length), [acts, version, begin, length]);
  const timeAt = (event: { clientX: number }): number => {
    const box = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    return begin + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length;
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    const surface = event.currentTarget;
    surface.setPointerCapture(event.pointerId);
    const [from, x] = [timeAt(event), event.clientX];
    if (range !== undefined) setRange(undefined);
    let isRange = false;
    const move = (moved: globalThis.PointerEvent): void => {
      isRange ||= Math.abs(moved.clientX - x) > DRAGGED;
      const to = timeAt(moved);
      if (isRange) setRange(from < to ? [from, to] : [to, from]);
    };
    const stop = (lifted: globalThis.PointerEvent): void => {
      surface.removeEventListener("pointermove", move);
      surface.removeEventListener("pointerup", stop);
      if (isRange) return;
      const at = timeAt(lifted);
      setMoment(isRunning && at > last - length * 0.01 ? undefined : at);
    };
    surface.addEventListener("pointermove", move);
    surface.addEventListener("pointerup", stop);
  };
  const between = (span: { from: number; to: number }): { left: string; width: string } => ({ left: place(span.from), width: `${Math.max(0, (span.to - span.from) / length) * 100}%` });
  return (
    <>
      <div className="timeline-track" onPointerDown={press}>
        <Strip shots={shots} begin={begin} length={length} />
        {films.map((film) => (
          <span key={film.id} className="film-span" data-film={film.id} title={film.isOver ? `Film ${film.id}` : `Film ${film.id}, still made`} style={between(film.isOver ? film : { from: film.from, to: last })} />
        ))}
        <canvas ref={canvas} />
        {[...gaps, ...films.flatMap((film) => film.gaps)].map((gap) => (
          <span key={gap.from} className="timeline-gap" title="Nothing was kept of this" style={between(gap)} />
        ))}
        {flags.map(({ t, text }) => (
          <button key={t} type="button" className="flag" aria-label={`Mark: ${text.slice(0, 80)}`} title={text} style={{ left: place(t) }} onPointerDown={(event) => event.stopPropagation()} onMouseDown={(event) => event.preventDefault()} onClick={() => setMoment(t)} />
        ))}
        {range === undefined ? null : <span className="timeline-range" style={between({ from: range[0], to: range[1] })} />}
        {moment === undefined ? null : <span className="playhead" style={{ left: place(moment) }} />}
      </div>
      <input
        className="unseen"
        type="range"
        aria-label="Moment"
        min={0}
        max={1000}
        value={moment === undefined ? 1000 : Math.round(((moment - begin) / length) * 1000)}
        aria-valuetext={moment === undefined ? "now" : clock(moment)}
        onChange={(event) => setMoment(Number(event.target.value) >= 1000 ? undefined : begin + (Number(event.target.value) / 1000) * length)}
      />
    </>
  );
}

const STRIP = 14;

/** A few pictures behind the marks, where they were. */
function Strip({ shots, begin, length }: { shots: readonly Shot[]; begin: number; length: number }): ReactElement | null {
  const urlOf = usePictureUrl();
  if (shots.length === 0) return null;
  const shown: Shot[] = [];
  for (let index = 0; index < STRIP; index++) {
    const shot = shots[countUntil(shots, begin + ((index + 1) / STRIP) * length) - 1];
    if (shot !== undefined && shown.at(-1)?.sha256 !== shot.sha256 && shot.t >= begin + (index / STRIP) * length) shown.push(shot);
  }
  return (
    <>
      {shown.map((shot) => (
        <RecordPicture key={shot.t} className="strip" url={urlOf(shot)} alt="" isLazy style={{ left: `${((shot.t - begin) / length) * 100}%` }} />
      ))}
    </>
  );
}

const TINTS: Record<string, string> = { agent: "--agent", operator: "--agent", viewer: "--person", page: "--page", system: "--ink-3" };

function draw(canvas: HTMLCanvasElement | null, acts: readonly Act[], begin: number, length: number): void {
  const context = fit(canvas);
  if (canvas === null || context === undefined) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const colour = colours(canvas);
  for (const act of acts) {
    if (isRead(act)) continue;
    const { t, actor, state } = act;
    const x = ((t - begin) / length) * width;
    const isBad = state === "failed";
    context.fillStyle = colour(isBad ? "--bad" : (TINTS[actor.kind] ?? "--ink-3"));
    const tall = isBad ? height : actor.kind === "page" || actor.kind === "system" ? height * 0.4 : height * 0.75;
    context.fillRect(Math.round(x), height - tall, 2, tall);
  }
}

/** Time, below the stage: who did something when, and which moment is looked at.  The right edge is now. */
import { Pause, Play } from "lucide-react";
import { type PointerEvent, type ReactElement, useEffect, useMemo, useRef } from "react";
import { Button } from "../../design/Button.tsx";
import { clock, span, useNow } from "../../shell/time.ts";
import type { Act } from "../record/acts.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { type Shot, useShots } from "./pictures.ts";
import { RecordPicture } from "./RecordPicture.tsx";
import { useCommands } from "../../shell/keys.ts";

const LEAST_US = 30_000_000;

export function Timeline(): ReactElement {
  const { moment, setMoment, isRunning, range, setRange, isPlaying, togglePlay, live } = useSessionContext();
  const shots = useShots();
  const { acts, version, events } = useRecord();
  const now = useNow() * 1000;
  const canvas = useRef<HTMLCanvasElement>(null);
  const first = events[0]?.t;
  const last = isRunning ? Math.max(now, events.at(-1)?.t ?? 0) : (events.at(-1)?.t ?? now);
  const begin = Math.min(first ?? last - LEAST_US, last - (isRunning ? LEAST_US : LEAST_US / 10));
  const length = last - begin;
  const ticks = useMemo(() => acts.all.map(({ t, actor, state }) => ({ t, actor: actor.kind, state })), [acts, version]);
  useEffect(() => draw(canvas.current, ticks, begin, length), [ticks, begin, length]);

  const step = (by: number): void => {
    const at = moment ?? last;
    const all: readonly Act[] = acts.all;
    const next = by < 0 ? all.findLast(({ t }) => t < at - 1) : all.find(({ t }) => t > at + 1);
    setMoment(next?.t ?? (by > 0 ? undefined : moment));
  };
  useCommands([
    { keys: ",", label: "The act before", group: "Session", run: () => step(-1), isKeyOnly: true },
    { keys: ".", label: "The act after", group: "Session", run: () => step(1), isKeyOnly: true },
  ]);
  const timeAt = (event: PointerEvent): number => {
    const box = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    return begin + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length;
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    const surface = event.currentTarget;
    surface.setPointerCapture(event.pointerId);
    const [from, x] = [timeAt(event), event.clientX];
    setRange(undefined);
    let isRange = false;
    const move = (moved: globalThis.PointerEvent): void => {
      isRange ||= Math.abs(moved.clientX - x) > 6;
      const to = timeAt(moved as unknown as PointerEvent);
      if (isRange) setRange(from < to ? [from, to] : [to, from]);
    };
    const stop = (lifted: globalThis.PointerEvent): void => {
      surface.removeEventListener("pointermove", move);
      surface.removeEventListener("pointerup", stop);
      if (isRange) return;
      const at = timeAt(lifted as unknown as PointerEvent);
      setMoment(isRunning && at > last - length * 0.01 ? undefined : at);
    };
    surface.addEventListener("pointermove", move);
    surface.addEventListener("pointerup", stop);
  };
  const place = (t: number): string => `${((t - begin) / length) * 100}%`;
  return (
    <section className="timeline" aria-label="Timeline">
      <Button kind="plain" icon={isPlaying ? Pause : Play} label={isPlaying ? "Pause" : "Play"} shortcut="Space" disabled={events.length === 0} onClick={togglePlay} />
      <span className="timeline-time mono faint">{moment === undefined ? span(length / 1000) : clock(moment)}</span>
      <div className="timeline-track" onPointerDown={press}>
        <Strip shots={shots} begin={begin} length={length} />
        <canvas ref={canvas} />
        {range === undefined ? null : <span className="timeline-range" style={{ left: place(range[0]), width: `${((range[1] - range[0]) / length) * 100}%` }} />}
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
      {range === undefined ? null : (
        <Button kind="plain" onClick={() => setRange(undefined)}>
          {span((range[1] - range[0]) / 1000)} chosen: clear
        </Button>
      )}
      <Button kind="plain" className="live-button" aria-pressed={moment === undefined} title="Now (l)" onClick={() => setMoment(undefined)}>
        <span className="dot" data-state={isRunning && live.state === "open" && moment === undefined ? "running" : "stopped"} /> {isRunning ? "Live" : "End"}
      </Button>
    </section>
  );
}

const STRIP = 14;

/** A few pictures behind the marks, where they were. */
function Strip({ shots, begin, length }: { shots: readonly Shot[]; begin: number; length: number }): ReactElement | null {
  if (shots.length === 0) return null;
  const shown: Shot[] = [];
  for (let index = 0; index < STRIP; index++) {
    const shot = shots.findLast(({ t }) => t <= begin + ((index + 1) / STRIP) * length);
    if (shot !== undefined && shown.at(-1)?.url !== shot.url && shot.t >= begin + (index / STRIP) * length) shown.push(shot);
  }
  return (
    <>
      {shown.map((shot) => (
        <RecordPicture key={shot.t} className="strip" url={shot.url} alt="" isLazy style={{ left: `${((shot.t - begin) / length) * 100}%` }} />
      ))}
    </>
  );
}

const TINTS: Record<string, string> = { agent: "--agent", operator: "--agent", viewer: "--person", page: "--page", system: "--ink-3" };

function draw(canvas: HTMLCanvasElement | null, ticks: readonly { t: number; actor: string; state: string }[], begin: number, length: number): void {
  const context = canvas?.getContext("2d");
  if (canvas == null || context == null) return;
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== width * scale) canvas.width = width * scale;
  if (canvas.height !== height * scale) canvas.height = height * scale;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const colours = new Map<string, string>();
  const colour = (name: string): string => {
    let found = colours.get(name);
    if (found === undefined) {
      canvas.style.color = `var(${name})`;
      colours.set(name, (found = style.color));
    }
    return found;
  };
  for (const { t, actor, state } of ticks) {
    const x = ((t - begin) / length) * width;
    const isBad = state === "failed";
    context.fillStyle = colour(isBad ? "--bad" : (TINTS[actor] ?? "--ink-3"));
    const tall = isBad ? height : actor === "page" || actor === "system" ? height * 0.4 : height * 0.75;
    context.fillRect(Math.round(x), height - tall, 2, tall);
  }
}

/** The timeline opened: a lane for each who did something, one canvas for all of them. */
import { type MouseEvent, type ReactElement, useEffect, useRef } from "react";
import { useRecord, useSessionContext } from "../context.ts";
import { useGrown } from "../record/grown.ts";
import { colours, fit } from "./drawing.ts";
import { LANES, type LaneItem, Lanes, nearest } from "./lanes.ts";

const HEIGHT = 20;
const TINTS = { agent: "--agent", person: "--person", page: "--page", network: "--ink-3", policy: "--ink-2" } as const;
// As near as a pointer gets.
const REACH = 6;

interface LaneRowsProps {
  begin: number;
  length: number;
  place: (t: number) => string;
}

export default function LaneRows({ begin, length, place }: LaneRowsProps): ReactElement {
  const { moment, setMoment, range } = useSessionContext();
  const { version } = useRecord();
  const lanes = useGrown(Lanes);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => draw(canvas.current, lanes, begin, length), [lanes, version, begin, length]);
  const press = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const lane = LANES[Math.min(LANES.length - 1, Math.max(0, Math.floor((event.clientY - box.top) / HEIGHT)))]?.[0] ?? "agent";
    const at = begin + ((event.clientX - box.left) / box.width) * length;
    setMoment(nearest(lanes.items[lane], at, (REACH / box.width) * length)?.from ?? at);
  };
  return (
    <>
      <ul className="lane-names" aria-label="Lanes">
        {LANES.map(([name, words]) => (
          <li key={name} data-lane={name}>
            {words} <span className="faint data">{lanes.items[name].length}</span>
          </li>
        ))}
      </ul>
      <div className="lanes" data-lanes={LANES.map(([name]) => `${name}:${lanes.items[name].length}`).join(" ")} onClick={press}>
        <canvas ref={canvas} aria-hidden="true" />
        {range === undefined ? null : <span className="timeline-range" style={{ left: place(range[0]), width: `${((range[1] - range[0]) / length) * 100}%` }} />}
        {moment === undefined ? null : <span className="playhead" style={{ left: place(moment) }} />}
      </div>
    </>
  );
}

function draw(canvas: HTMLCanvasElement | null, lanes: Lanes, begin: number, length: number): void {
  const context = fit(canvas);
  if (canvas === null || context === undefined) return;
  const width = canvas.clientWidth;
  const colour = colours(canvas);
  const bad = colour("--bad");
  LANES.forEach(([name], index) => {
    const tint = colour(TINTS[name]);
    const [top, tall] = [index * HEIGHT + 4, HEIGHT - 8];
    context.fillStyle = colour("--line");
    context.fillRect(0, (index + 1) * HEIGHT - 1, width, 1);
    // What would lie on the same pixels is drawn once; what failed lies on top.
    let drawn = -1;
    const bars = (items: readonly LaneItem[], isBad: boolean): void => {
      context.fillStyle = isBad ? bad : tint;
      for (const item of items) {
        if (item.isBad !== isBad) continue;
        const x = Math.round(((item.from - begin) / length) * width);
        const right = Math.max(x + 2, Math.round(((item.to - begin) / length) * width));
        if (!isBad && right <= drawn) continue;
        drawn = right;
        context.fillRect(x, top, right - x, tall);
      }
    };
    bars(lanes.items[name], false);
    bars(lanes.items[name], true);
  });
}

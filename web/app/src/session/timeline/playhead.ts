/** The cursor in time: the moment in the address, and a play button that moves it without writing every step there. */
import { useCallback, useEffect, useRef, useState } from "react";
import { setHash, useAddress } from "../../shell/address.ts";
import type { RecordStore } from "../record/record.ts";

const STEP_MS = 100;
// Longer pauses in which nothing happened are passed over.
const LONGEST_GAP_US = 2_000_000;

export interface Playhead {
  moment: number | undefined;
  setMoment: (moment: number | undefined) => void;
  isPlaying: boolean;
  toggle: () => void;
}

export function usePlayhead(record: RecordStore): Playhead {
  const { hash } = useAddress();
  const asked = Number(hash.get("t")) || undefined;
  const [position, setPosition] = useState<number>();
  const [isPlaying, setPlaying] = useState(false);
  const at = useRef<number | undefined>(undefined);

  const setMoment = useCallback((moment: number | undefined) => {
    setPlaying(false);
    setPosition(undefined);
    setHash({ t: moment === undefined ? undefined : String(Math.round(moment)) });
  }, []);
  const toggle = useCallback(() => {
    const { events } = record.getSnapshot();
    if (isPlaying) return setMoment(at.current);
    // From the beginning where it stands at the end.
    at.current = asked ?? events[0]?.t;
    if (at.current !== undefined) setPlaying(true);
  }, [asked, isPlaying, record, setMoment]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      const { acts, events } = record.getSnapshot();
      const here = (at.current ?? 0) + STEP_MS * 1000;
      const next = acts.all.find(({ t }) => t > here)?.t;
      const last = events.at(-1)?.t ?? here;
      if (here >= last) return setMoment(undefined);
      at.current = next !== undefined && next - here > LONGEST_GAP_US ? next - LONGEST_GAP_US / 2 : here;
      setPosition(at.current);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying, record, setMoment]);
  return { moment: isPlaying ? (position ?? asked) : asked, setMoment, isPlaying, toggle };
}

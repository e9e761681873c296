/** What the session showed at the moment that is looked at, over the live picture. */
import { type ReactElement, useEffect } from "react";
import { Button } from "../../design/Button.tsx";
import { isInFrame } from "../../shell/embedding.ts";
import { clock } from "../../shell/time.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { shotAt, useShots } from "./pictures.ts";
import { RecordPicture } from "./RecordPicture.tsx";

export function Then(): ReactElement | null {
  const { moment, setMoment, isRunning } = useSessionContext();
  const { acts } = useRecord();
  const shots = useShots();
  const shot = moment === undefined ? undefined : shotAt(shots, moment);
  // The next ones are there when they are wanted; by an address alone only where the cookie goes along.
  useEffect(() => {
    if (shot === undefined || isInFrame) return;
    const at = shots.indexOf(shot);
    for (const next of shots.slice(at + 1, at + 3)) new Image().src = next.url;
  }, [shot, shots]);
  if (moment === undefined) return null;
  const act = acts.all.findLast(({ t }) => t <= moment + 1);
  const point = act?.data as { x?: number; y?: number } | undefined;
  return (
    <div className="then">
      {shot === undefined ? (
        <p className="stage-note">No picture was kept of that moment. Sessions that are filmed, or recorded with content, have one of each act.</p>
      ) : (
        <RecordPicture url={shot.url} alt={`What was shown at ${clock(moment)}`} />
      )}
      <div className="then-bar line">
        <span className="mono">{clock(moment)}</span>
        {act === undefined ? null : (
          <span className="cut grow">
            {act.verb} <span className="mono faint">{act.target || (point?.x === undefined ? "" : `${point.x}, ${point.y}`)}</span>
          </span>
        )}
        <Button onClick={() => setMoment(undefined)}>{isRunning ? "Back to live" : "To the end"}</Button>
      </div>
    </div>
  );
}

/** What the session showed at the moment that is looked at, over the live picture: its film where there is one, else pictures. */
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "../../design/Button.tsx";
import { isInFrame } from "../../shell/embedding.ts";
import { clock } from "../../shell/time.ts";
import { type Act, isRead } from "../record/acts.ts";
import { useRecord, useSessionContext } from "../context.ts";
import { FilmView } from "./FilmView.tsx";
import { filmAt, useFilms } from "./films.ts";
import { countUntil, picturesOf, usePictureUrl, useShots } from "./pictures.ts";
import { RecordPicture } from "./RecordPicture.tsx";

export default function Replay({ moment }: { moment: number }): ReactElement {
  const { setMoment, isRunning, isPlaying } = useSessionContext();
  const { acts } = useRecord();
  const shots = useShots();
  const films = useFilms();
  const urlOf = usePictureUrl();
  const [failed, setFailed] = useState<readonly string[]>([]);
  const film = filmAt(
    films.filter(({ id }) => !failed.includes(id)),
    moment,
  );
  const at = Math.max(0, countUntil(shots, moment) - 1);
  const shot = shots[at];
  // The next ones are there when they are wanted; by an address alone only where the cookie goes along.
  useEffect(() => {
    if (isInFrame) return;
    for (const next of shots.slice(at + 1, at + 3)) new Image().src = urlOf(next);
  }, [at, shots, urlOf]);
  // What was left by one act may have been seen after the next began.
  const [chosen, setChosen] = useState<{ act: Act; t: number }>();
  const act = chosen?.t === moment ? chosen.act : acts.all.findLast((one) => one.t <= moment + 1 && !isRead(one));
  const look = (of: Act, t: number): void => {
    setChosen({ act: of, t });
    setMoment(t);
  };
  return (
    <div className="then">
      {shot === undefined && film === undefined ? (
        <p className="stage-note">No picture was kept of that moment. Sessions that are filmed, or recorded with content, have one of each act.</p>
      ) : null}
      {shot === undefined ? null : <RecordPicture url={urlOf(shot)} alt={`What was shown at ${clock(moment)}`} />}
      {film === undefined ? null : <FilmView key={film.id} film={film} moment={moment} isPlaying={isPlaying} onFailed={() => setFailed((old) => [...old, film.id])} />}
      <div className="then-bar line">
        <span className="mono">{clock(moment)}</span>
        {act === undefined ? null : (
          <span className="cut grow">
            {act.verb} <span className="mono faint">{act.target}</span>
          </span>
        )}
        {act === undefined ? null : <BeforeAfter act={act} moment={moment} onLook={(t) => look(act, t)} />}
        <Button onClick={() => setMoment(undefined)}>{isRunning ? "Back to live" : "To the end"}</Button>
      </div>
    </div>
  );
}

/** What the act found and what it left, one key press apart. */
function BeforeAfter({ act, moment, onLook }: { act: Act; moment: number; onLook: (t: number) => void }): ReactElement | null {
  const [before, after] = picturesOf(act);
  if (before === undefined || after === undefined) return null;
  // The one from before is as old as the act, or older; it is shown from the act on until the other.
  const isAfter = moment >= after.t;
  return (
    <span className="line" role="group" aria-label="Of this act">
      <Button kind="plain" aria-pressed={!isAfter} onClick={() => onLook(Math.max(act.t, before.t))}>
        Before
      </Button>
      <Button kind="plain" aria-pressed={isAfter} onClick={() => onLook(after.t)}>
        After
      </Button>
    </span>
  );
}

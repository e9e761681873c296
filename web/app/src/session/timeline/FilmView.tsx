/** A film in step with the playhead: it stands where that stands, and plays while that plays. */
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useSource } from "../../shell/embedding.ts";
import { type FilmSpan, useFilmUrl } from "./films.ts";

// Further apart than this they are brought together again.
const MOST_APART = 0.4;

interface FilmViewProps {
  film: FilmSpan;
  moment: number;
  isPlaying: boolean;
  onFailed: () => void;
}

export function FilmView({ film, moment, isPlaying, onFailed }: FilmViewProps): ReactElement {
  const urlOf = useFilmUrl();
  const video = useRef<HTMLVideoElement>(null);
  const [isReady, setReady] = useState(false);
  const at = (moment - film.from) / 1_000_000;
  useEffect(() => {
    const shown = video.current;
    if (shown === null) return;
    if (!isPlaying) shown.pause();
    if (!isPlaying || Math.abs(shown.currentTime - at) > MOST_APART) shown.currentTime = at;
    // Whoever forbids it sees the film step by step.
    if (isPlaying && shown.paused) shown.play().catch(() => undefined);
  }, [at, isPlaying]);
  return (
    <video
      ref={video}
      className="film"
      src={useSource(urlOf(film))}
      muted
      playsInline
      preload="auto"
      tabIndex={-1}
      aria-label="The film at this moment"
      data-film={film.id}
      data-ready={isReady || undefined}
      onLoadedMetadata={(event) => (event.currentTarget.currentTime = at)}
      onSeeked={() => setReady(true)}
      onLoadedData={() => setReady(true)}
      onError={onFailed}
    />
  );
}

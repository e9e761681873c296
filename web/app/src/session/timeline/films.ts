/** Films of the session as the record tells of them: from when to when each is, and where it has gaps. */
import type { RecordEvent } from "belljar";
import { useCallback } from "react";
import { client } from "../../shell/server.ts";
import { useSessionContext } from "../context.ts";
import { useGrown } from "../record/grown.ts";

export interface FilmSpan {
  id: string;
  /** Of its first and behind its last frame, in microseconds since 1970. */
  from: number;
  to: number;
  /** While nothing could be filmed: the picture before stands still. */
  gaps: { from: number; to: number }[];
  /** Microseconds from one frame to the next, at least. */
  frame: number;
  /** Only then it can be looked at. */
  isOver: boolean;
}

const USUAL_FPS = 25;

class Films {
  readonly #known = new Map<string, FilmSpan>();

  get all(): readonly FilmSpan[] {
    return [...this.#known.values()].filter(({ from }) => from > 0);
  }

  add({ kind, name, t, data }: RecordEvent): void {
    if (kind !== "film") return;
    const { recordingId: id, fps, durationMs } = (data ?? {}) as { recordingId?: string; fps?: number; durationMs?: number };
    if (typeof id !== "string") return;
    let film = this.#known.get(id);
    if (film === undefined) this.#known.set(id, (film = { id, from: 0, to: 0, gaps: [], frame: 1_000_000 / (fps || USUAL_FPS), isOver: false }));
    if (name === "first_frame") film.from = film.to = t;
    else if (name === "gap.begin") film.gaps.push({ from: t, to: t });
    else if (name === "gap.end") Object.assign(film.gaps.at(-1) ?? {}, { to: t });
    else if (name === "ended") Object.assign(film, { isOver: (durationMs ?? 0) > 0, to: film.from + (durationMs ?? 0) * 1000 });
  }
}

export function useFilms(): readonly FilmSpan[] {
  return useGrown(Films).all;
}

export function useFilmUrl(): (film: Pick<FilmSpan, "id">) => string {
  const { id, box, isRunning } = useSessionContext();
  return useCallback(
    (film) => {
      const name = encodeURIComponent(film.id);
      return isRunning || id === undefined ? box.http.url(`/v1/desktop/recordings/${name}/download`) : client.http.url(`/api/sessions/${encodeURIComponent(id)}/recordings/${name}`);
    },
    [id, box, isRunning],
  );
}

/** The one that shows this moment. */
export function filmAt(films: readonly FilmSpan[], moment: number): FilmSpan | undefined {
  return films.find(({ from, to, isOver }) => isOver && from <= moment && moment < to);
}

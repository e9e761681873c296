/** The record to take along: as other programs read it, and its films. */
import { Download } from "lucide-react";
import type { ReactElement } from "react";
import { Menu } from "../../design/Menu.tsx";
import { client } from "../../shell/server.ts";
import { span } from "../../shell/time.ts";
import { useSessionContext } from "../context.ts";
import { useFilmUrl, useFilms } from "./films.ts";

const FORMATS = [
  ["markdown", "Markdown: the run, told", "md"],
  ["jsonl", "JSON Lines: every event", "jsonl"],
  ["har", "HAR: requests", "har"],
  ["playwright", "Playwright trace", "trace.zip"],
  ["zip", "ZIP: all, to be verified", "zip"],
] as const;

export function Export(): ReactElement {
  const { id, box, isRunning } = useSessionContext();
  const films = useFilms().filter(({ isOver }) => isOver);
  const filmUrl = useFilmUrl();
  const name = id ?? "box";
  const hrefOf = (format: string): string => (isRunning || id === undefined ? box.http.url("/v1/events/export", { format }) : client.http.url(`/api/sessions/${encodeURIComponent(id)}/record/export`, { format }));
  return (
    <Menu label="Export" icon={Download} isAbove>
      {() => (
        <>
          <p>The record of this session</p>
          {FORMATS.map(([format, words, ending]) => (
            <a key={format} href={hrefOf(format)} download={`${name}.${ending}`}>
              {words}
            </a>
          ))}
          {films.length === 0 ? null : <hr />}
          {films.map((film) => (
            <a key={film.id} href={filmUrl(film)} download={`${name}-${film.id}.mp4`}>
              Film {film.id} <span className="faint">{span((film.to - film.from) / 1000)}</span>
            </a>
          ))}
        </>
      )}
    </Menu>
  );
}

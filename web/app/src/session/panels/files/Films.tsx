/** Films of the session: made, downloaded, deleted; after its end those that were kept. */
import { CircleDot, Download, Film, Square, Trash2 } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Empty, ProblemNote } from "../../../design/Empty.tsx";
import { withUndo } from "../../../design/Toasts.tsx";
import { client } from "../../../shell/server.ts";
import { absolute, bytes, span } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { useTold } from "../following.ts";

interface FilmInfo {
  id: string;
  name: string;
  size: number;
  isRunning: boolean;
  /** In words: when, how long, what went wrong. */
  about: string;
  href: string;
}

export function Films(): ReactElement {
  const { box, id, isRunning } = useSessionContext();
  const [all, setAll] = useState<readonly FilmInfo[]>();
  const [error, setError] = useState<unknown>();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [fps, setFps] = useState("");
  const told = useTold(({ kind }) => kind === "film");
  const read = useCallback(() => {
    const found = isRunning
      ? box.desktop.recordings().then(({ recordings }) =>
          recordings.map((one) => ({
            id: one.id,
            name: one.fileName,
            size: one.bytes,
            isRunning: one.status === "recording",
            about: [absolute(one.startedAt), one.durationMs == null ? undefined : span(one.durationMs), one.error].filter(Boolean).join(" · "),
            href: box.http.url(`/v1/desktop/recordings/${encodeURIComponent(one.id)}/download`),
          })),
        )
      : id === undefined
        ? Promise.resolve([])
        : client.sessions.recordings(id).then(({ recordings }) =>
            recordings.map((one) => ({
              id: one.id,
              name: `${one.id}.mp4`,
              size: one.bytes,
              isRunning: false,
              about: absolute(one.writtenAt),
              href: client.http.url(`/api/sessions/${encodeURIComponent(id)}/recordings/${encodeURIComponent(one.id)}`),
            })),
          );
    found.then(setAll, setError);
  }, [box, id, isRunning]);
  useEffect(read, [read, told]);
  const act = (done: Promise<unknown>): void => {
    setError(undefined);
    done.then(read, setError);
  };
  const remove = (film: FilmInfo): void => {
    setHidden((old) => [...old, film.id]);
    const show = (): void => setHidden((old) => old.filter((one) => one !== film.id));
    withUndo(`${film.name} is deleted.`, () => void box.desktop.deleteRecording(film.id).then(read, (failed: unknown) => { setError(failed); show(); }), show);
  };
  const shown = (all ?? []).filter((film) => !hidden.includes(film.id)).toReversed();
  const isFilming = shown.some((film) => film.isRunning);
  return (
    <div className="folder panel-scroll">
      {isRunning ? (
        <div className="panel-tools">
          {isFilming ? (
            <Button icon={Square} onClick={() => act(box.desktop.stopRecording())}>
              Stop filming
            </Button>
          ) : (
            <>
              <Button icon={CircleDot} onClick={() => act(box.desktop.startRecording(fps.trim() === "" ? {} : { fps: Number(fps) }))}>
                Film
              </Button>
              <label className="line small faint">
                <input className="input fps" type="number" min={1} max={60} aria-label="Frames a second" placeholder="usual" value={fps} onChange={(event) => setFps(event.target.value)} />
                frames a second
              </label>
            </>
          )}
        </div>
      ) : null}
      {error === undefined ? null : <ProblemNote error={error} />}
      {all === undefined ? null : shown.length === 0 ? (
        <Empty icon={Film} title="No films">
          <p>{isRunning ? "Film what is shown; it stands here, and is kept after the session’s end." : "None was made, or they are no longer kept."}</p>
        </Empty>
      ) : (
        <ul aria-label="Films">
          {shown.map((film) => (
            <li key={film.id} className="file-row kept-row">
              <div className="grow">
                <p className="cut">{film.name}</p>
                <p className="small faint cut">
                  {film.isRunning ? "filming…" : bytes(film.size)} · {film.about}
                </p>
              </div>
              {film.isRunning ? null : (
                <a className="button" data-kind="plain" data-icon="" href={film.href} download={film.name} aria-label={`Download ${film.name}`} title="Download">
                  <Download size={15} aria-hidden="true" />
                </a>
              )}
              {isRunning && !film.isRunning ? <Button kind="plain" icon={Trash2} label={`Delete ${film.name}`} onClick={() => remove(film)} /> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

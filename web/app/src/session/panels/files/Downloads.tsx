/** What the browser saved. */
import type { BrowserDownloadInfo } from "belljar";
import { Download, Trash2 } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Empty, ProblemNote } from "../../../design/Empty.tsx";
import { withUndo } from "../../../design/Toasts.tsx";
import { absolute, bytes } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { useTold } from "../following.ts";

const STATES = { in_progress: "comes…", completed: "", canceled: "cancelled" } as const;

export function Downloads(): ReactElement {
  const { box, live } = useSessionContext();
  const { connection } = live;
  const [all, setAll] = useState<readonly BrowserDownloadInfo[]>();
  const [error, setError] = useState<unknown>();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const told = useTold(({ kind }) => kind === "download");
  const read = useCallback(() => void box.browser.downloads().then(({ downloads }) => setAll(downloads), setError), [box]);
  useEffect(read, [read, told]);
  useEffect(() => connection.on("download", read), [connection, read]);
  const remove = ({ id, name }: BrowserDownloadInfo): void => {
    setHidden((old) => [...old, id]);
    const show = (): void => setHidden((old) => old.filter((one) => one !== id));
    withUndo(`${name} is deleted.`, () => void box.browser.deleteDownload(id).then(read, (failed: unknown) => { setError(failed); show(); }), show);
  };
  const shown = (all ?? []).filter(({ id }) => !hidden.includes(id)).toReversed();
  return (
    <div className="folder panel-scroll">
      {error === undefined ? null : <ProblemNote error={error} onAgain={read} />}
      {all === undefined ? null : shown.length === 0 ? (
        <Empty icon={Download} title="No downloads">
          <p>What the browser saves stands here.</p>
        </Empty>
      ) : (
        <ul aria-label="Downloads">
          {shown.map((one) => (
            <li key={one.id} className="file-row kept-row">
              <div className="grow">
                <p className="cut" title={one.url}>
                  {one.name}
                </p>
                <p className="small faint cut">
                  {bytes(one.receivedBytes)}
                  {one.state === "completed" ? "" : ` · ${one.reason ?? STATES[one.state]}`} · {absolute(one.startedAt)}
                </p>
              </div>
              {one.state === "completed" ? (
                <a className="button" data-kind="plain" data-icon="" href={box.http.url(`/v1/browser/downloads/${encodeURIComponent(one.id)}`)} download={one.name} aria-label={`Download ${one.name}`} title="Download">
                  <Download size={15} aria-hidden="true" />
                </a>
              ) : null}
              <Button kind="plain" icon={Trash2} label={`Delete ${one.name}`} onClick={() => remove(one)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

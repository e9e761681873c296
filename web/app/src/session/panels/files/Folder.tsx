/** One folder of the box: looked through, files put in and taken out, text edited. */
import type { FsEntry } from "belljar";
import { Download, File, Folder as FolderIcon, FolderPlus, FolderUp, RefreshCw, Trash2, Upload } from "lucide-react";
import { type DragEvent, type FormEvent, type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../../../design/Button.tsx";
import { Empty, ProblemNote } from "../../../design/Empty.tsx";
import { Rows } from "../../../design/Rows.tsx";
import { say, withUndo } from "../../../design/Toasts.tsx";
import { setQuery, useAddress } from "../../../shell/address.ts";
import { absolute, bytes } from "../../../shell/time.ts";
import { useSessionContext } from "../../context.ts";
import { FileEditor } from "./FileEditor.tsx";
import { useTold } from "../following.ts";

const ROW = 28;

export function Folder(): ReactElement {
  const { box } = useSessionContext();
  const { query } = useAddress();
  const path = query.get("path") ?? "~/";
  const edited = query.get("edit");
  const [entries, setEntries] = useState<readonly FsEntry[]>();
  const [error, setError] = useState<unknown>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const picker = useRef<HTMLInputElement>(null);
  const told = useTold(({ kind, name }) => kind === "download" || kind === "upload" || (kind === "call" && /Fs\w*\.end$/.test(name) && !/^(list|stat|read)/.test(name)));
  const read = useCallback(() => {
    box.files.list({ path }).then(
      (found) => {
        setEntries(found.toSorted((one, other) => Number(other.entryType === "directory") - Number(one.entryType === "directory") || one.name.localeCompare(other.name)));
        setError(undefined);
      },
      setError,
    );
  }, [box, path]);
  useEffect(() => setEntries(undefined), [path]);
  useEffect(read, [read, told]);
  const inside = (name: string): string => `${path.replace(/\/+$/, "")}/${name}`;
  const put = async (files: readonly globalThis.File[]): Promise<void> => {
    setError(undefined);
    try {
      for (const file of files) await box.files.write({ path: inside(file.name) }, file);
      if (files.length > 0) say(files.length === 1 ? `${files[0]?.name} is there.` : `${files.length} files are there.`);
    } catch (failed) {
      setError(failed);
    }
    read();
  };
  const remove = (entry: FsEntry): void => {
    const without = (): void => setHidden((old) => new Set([...old].filter((one) => one !== entry.path)));
    setHidden((old) => new Set([...old, entry.path]));
    withUndo(`${entry.name} is deleted.`, () => void box.files.delete({ path: entry.path, recursive: true }).catch(setError).finally(() => { without(); read(); }), without);
  };
  if (edited !== null) return <FileEditor path={edited} onClose={() => setQuery({ edit: undefined })} />;
  const shown = (entries ?? []).filter((entry) => !hidden.has(entry.path));
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void put([...event.dataTransfer.files]);
  };
  return (
    <div className="folder" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <FolderBar path={path} onUpload={() => picker.current?.click()} onMade={read} onError={setError} onAgain={read} />
      <input ref={picker} className="unseen" type="file" multiple tabIndex={-1} aria-label="Files to put here" onChange={(event) => void put([...(event.target.files ?? [])]).then(() => picker.current && (picker.current.value = ""))} />
      {error === undefined ? null : <ProblemNote error={error} onAgain={read} />}
      {entries !== undefined && shown.length === 0 ? (
        <Empty icon={FolderIcon} title="Nothing is here">
          <p>Drop files here, or use Upload.</p>
        </Empty>
      ) : (
        <Rows label="Files" className="file-rows" items={shown} keyOf={({ path: key }) => key} height={ROW} render={(entry) => <EntryRow entry={entry} onRemove={() => remove(entry)} />} />
      )}
    </div>
  );
}

interface FolderBarProps {
  path: string;
  onUpload: () => void;
  onMade: () => void;
  onError: (error: unknown) => void;
  onAgain: () => void;
}

function FolderBar({ path, onUpload, onMade, onError, onAgain }: FolderBarProps): ReactElement {
  const { box } = useSessionContext();
  const [typed, setTyped] = useState(path);
  useEffect(() => setTyped(path), [path]);
  const above = path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
  const isHome = /^~\/*$/.test(path);
  const go = (event: FormEvent): void => {
    event.preventDefault();
    setQuery({ path: typed.trim() });
  };
  const make = (): void => void box.files.mkdir({ path: typed.trim() }).then(() => { setQuery({ path: typed.trim() }); onMade(); }, onError);
  const isElsewhere = typed.trim() !== "" && typed.trim() !== path;
  return (
    <form className="panel-tools" onSubmit={go}>
      <Button kind="plain" icon={FolderUp} label="The folder above" disabled={isHome || path === "/"} onClick={() => setQuery({ path: above })} />
      <input className="input mono" aria-label="Folder" autoComplete="off" spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} />
      {isElsewhere ? <Button kind="plain" icon={FolderPlus} label="Make this folder" onClick={make} /> : <Button kind="plain" icon={RefreshCw} label="Look again" onClick={onAgain} />}
      <Button icon={Upload} onClick={onUpload}>
        Upload
      </Button>
    </form>
  );
}

function EntryRow({ entry, onRemove }: { entry: FsEntry; onRemove: () => void }): ReactElement {
  const { box } = useSessionContext();
  const isFolder = entry.entryType === "directory";
  return (
    <div className="file-row data-row">
      <button type="button" className="data-main" title={entry.path} onClick={() => setQuery(isFolder ? { path: entry.path } : { edit: entry.path }, { isReplacing: false })}>
        {isFolder ? <FolderIcon size={13} role="img" aria-label="Folder" /> : <File size={13} role="img" aria-label="File" />}
        <span className="mono cut grow">{entry.name}</span>
        <span className="mono faint size">{isFolder ? "" : bytes(entry.size)}</span>
        <span className="small faint when">{entry.modified == null ? "" : absolute(entry.modified).replace(/:\d\d( [AP]M)?$/, "$1")}</span>
      </button>
      {isFolder ? (
        <span className="button-place" />
      ) : (
        <a className="button" data-kind="plain" data-icon="" href={box.http.url("/v1/fs/file", { path: entry.path })} download={entry.name} aria-label={`Download ${entry.name}`} title="Download">
          <Download size={15} aria-hidden="true" />
        </a>
      )}
      <Button kind="plain" icon={Trash2} label={`Delete ${entry.name}`} onClick={onRemove} />
    </div>
  );
}

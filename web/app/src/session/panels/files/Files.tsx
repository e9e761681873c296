/** Files of the box, what the browser saved, and films. */
import { type ReactElement } from "react";
import { Tabs } from "../../../design/Tabs.tsx";
import { setQuery, useAddress } from "../../../shell/address.ts";
import { useSessionContext } from "../../context.ts";
import { Downloads } from "./Downloads.tsx";
import { Films } from "./Films.tsx";
import { Folder } from "./Folder.tsx";
import "./files.css";

const PARTS = [
  ["files", "Files"],
  ["downloads", "Downloads"],
  ["films", "Films"],
] as const;

export default function Files(): ReactElement {
  const { isRunning } = useSessionContext();
  const { query } = useAddress();
  // Of a session that is over its films are kept, and nothing else.
  const parts = isRunning ? PARTS : PARTS.slice(2);
  const part = parts.find(([name]) => name === query.get("files"))?.[0] ?? parts[0]?.[0] ?? "films";
  return (
    <div className="panel">
      <div className="panel-tools">
        <Tabs label="Which files" tabs={parts} current={part} onChoose={(name) => setQuery({ files: name })} />
      </div>
      {part === "files" ? <Folder /> : part === "downloads" ? <Downloads /> : <Films />}
    </div>
  );
}

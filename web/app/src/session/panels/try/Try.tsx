/** An MCP tool or a call of the API, with the answer as the agent sees it. */
import { type ReactElement } from "react";
import { Tabs } from "../../../design/Tabs.tsx";
import { setQuery, useAddress } from "../../../shell/address.ts";
import { TryCall } from "./TryCall.tsx";
import { TryTool } from "./TryTool.tsx";
import "./try.css";

const WAYS = [
  ["tool", "MCP tool"],
  ["call", "API call"],
] as const;

export default function Try(): ReactElement {
  const { query } = useAddress();
  const way = query.get("try") === "call" ? "call" : "tool";
  return (
    <div className="panel">
      <div className="panel-tools">
        <Tabs label="What to try" tabs={WAYS} current={way} onChoose={(name) => setQuery({ try: name })} />
      </div>
      {way === "tool" ? <TryTool /> : <TryCall />}
    </div>
  );
}

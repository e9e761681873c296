/** The terminal of a program; with xterm.js a chunk of its own, loaded when one is opened. */
import { ProcessTerminal } from "@belljar/react";
import "@xterm/xterm/css/xterm.css";
import "./constructed_styles.ts";
import type { ReactElement } from "react";
import { useSessionContext } from "../../context.ts";

export default function Terminal({ processId, onError }: { processId: string; onError: (error: unknown) => void }): ReactElement {
  const { box } = useSessionContext();
  return <ProcessTerminal client={box} processId={processId} className="process-terminal" height={360} onError={onError} />;
}

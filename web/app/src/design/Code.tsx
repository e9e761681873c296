/** Lines to copy. */
import { Copy } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "./Button.tsx";
import { say, sayProblem } from "./Toasts.tsx";
import { copyText } from "../shell/copy.ts";

interface CodeProps {
  text: string;
  label: string;
  /** What is copied where it is not what is shown, and what is said then. */
  full?: (() => Promise<{ line: string; said: string }>) | undefined;
}

export function Code({ text, label, full }: CodeProps): ReactElement {
  const copy = async (): Promise<void> => {
    try {
      const { line, said } = full === undefined ? { line: text, said: "Copied." } : await full();
      if (await copyText(line)) say(said);
      else say("This browser lets nothing be copied here: mark the text, and copy it by hand.", { kind: "bad" });
    } catch (error) {
      sayProblem(error);
    }
  };
  return (
    <div className="code-block">
      <pre className="mono" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Button kind="plain" icon={Copy} label="Copy" onClick={() => void copy()} />
    </div>
  );
}

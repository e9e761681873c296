/** Before there is any session: one that shows what this is, and how programs make them. */
import { Play } from "lucide-react";
import { Problem } from "belljar";
import { type ReactElement, Suspense, lazy, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Code } from "../design/Code.tsx";
import { ProblemNote } from "../design/Empty.tsx";
import { Mark } from "../shell/Mark.tsx";
import { go, href, root } from "../shell/address.ts";
import { useIsAdmin } from "../shell/server.ts";
import { sayProblem } from "../design/Toasts.tsx";
import { playDemo, startDemo } from "./demo.ts";
import { LANGUAGES, asCode } from "./request.ts";
import { stream } from "./list.ts";

const HostCheck = lazy(() => import("../admin/HostCheck.tsx"));

export function FirstRun(): ReactElement {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isAdmin = useIsAdmin();
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const info = await startDemo();
      stream.put(info);
      go(href("sessions", info.id));
      // It goes on while its screen is looked at.
      playDemo(info).catch((failed: unknown) => {
        if (!(failed instanceof Problem)) sayProblem(failed);
      });
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <div className="first-run">
      <Mark size={40} />
      <h2>No sessions yet</h2>
      <p className="faint">A session is a real browser, or a whole desktop, under glass: an agent drives it, you watch and take over here.</p>
      <Button kind="strong" icon={Play} disabled={isBusy} onClick={() => void start()}>
        {isBusy ? "Starting…" : "Start a demo"}
      </Button>
      <p className="faint small">A program fills in a form, on a page that needs no network; you watch each step, and may take over.</p>
      {error === undefined ? null : <ProblemNote error={error} />}
      {isAdmin ? (
        <Suspense fallback={null}>
          <HostCheck />
        </Suspense>
      ) : null}
      <div className="first-lines">
        <h3>Or from a program</h3>
        {LANGUAGES.map((language) => (
          <Code key={language} label={`A session by ${language}`} text={asCode({ url: new URL("https://example.com/").href }, language)} />
        ))}
        <p className="faint small">
          Each takes a key: <code className="code">export BELLJAR_TOKEN=bj_…</code> for {root.host}. Press <kbd className="key">n</kbd> for every option.
        </p>
      </div>
    </div>
  );
}

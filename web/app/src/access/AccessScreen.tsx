/** Where somebody is signed in, and which apps they let in; an admin sees everyone's. */
import type { PersonSignIn } from "belljar";
import { AppWindow, MonitorSmartphone, Unplug } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Empty, ProblemNote } from "../design/Empty.tsx";
import { Rows } from "../design/Rows.tsx";
import { sayProblem } from "../design/Toasts.tsx";
import { client, refused, signOut, useIsAdmin } from "../shell/server.ts";
import { TopBar } from "../shell/Shell.tsx";
import { absolute, ago, useNow } from "../shell/time.ts";
import "./access.css";

const VIA: Record<string, string> = { link: "by a link", key: "by a key", oidc: "by the provider", consent: "let in" };

export default function AccessScreen(): ReactElement {
  const [all, setAll] = useState<readonly PersonSignIn[]>();
  const [error, setError] = useState<unknown>();
  const read = useCallback(() => {
    client.signIns.list({ limit: 1000 }).then(
      ({ signIns }) => {
        setAll(signIns);
        setError(undefined);
      },
      (failed: unknown) => {
        setError(failed);
        refused(failed);
      },
    );
  }, []);
  useEffect(() => {
    document.title = "Browsers and apps – Belljar";
    read();
  }, [read]);
  const end = (one: PersonSignIn): void => {
    if (one.isCurrent) void signOut();
    else void client.signIns.end(one.id).catch(sayProblem).finally(read);
  };
  return (
    <div className="screen">
      <TopBar />
      <main className="access">
        {error === undefined ? null : <ProblemNote error={error} onAgain={read} />}
        {all === undefined ? error === undefined ? <div className="panel-wait"><span className="busy" role="status" aria-label="Loading" /></div> : null : <SignIns all={all} onEnd={end} />}
      </main>
    </div>
  );
}

function SignIns({ all, onEnd }: { all: readonly PersonSignIn[]; onEnd: (one: PersonSignIn) => void }): ReactElement {
  const isAdmin = useIsAdmin();
  const rows = (label: string, kind: PersonSignIn["kind"]): ReactElement => (
    <Rows label={label} items={all.filter((one) => one.kind === kind)} keyOf={({ id }) => id} height={() => 48} render={(one) => <Row one={one} onEnd={onEnd} isAdmin={isAdmin} />} />
  );
  return (
    <>
      <h1>Signed in</h1>
      <p className="faint">Browsers in which {isAdmin ? "somebody is" : "you are"} signed in. Signing one out closes what it has open.</p>
      {rows("Signed in", "browser")}
      <h1>Connected apps</h1>
      <p className="faint">Apps that {isAdmin ? "somebody" : "you"} let in over MCP. One that is shut out has nothing from then on.</p>
      {all.some(({ kind }) => kind === "app") ? (
        rows("Connected apps", "app")
      ) : (
        <Empty icon={AppWindow} title="No apps yet">
          <p>
            Give an MCP client the address <span className="mono">{new URL("mcp", document.baseURI).href}</span>: it asks you here whether it may come in.
          </p>
        </Empty>
      )}
    </>
  );
}

function Row({ one, onEnd, isAdmin }: { one: PersonSignIn; onEnd: (one: PersonSignIn) => void; isAdmin: boolean }): ReactElement {
  const now = useNow();
  const isApp = one.kind === "app";
  const Icon = isApp ? AppWindow : MonitorSmartphone;
  const words = isApp ? `Shut ${one.name} out` : one.isCurrent ? "Sign this browser out" : `Sign ${one.name} out`;
  return (
    <div className="access-row">
      <Icon size={16} aria-hidden="true" />
      <span className="grow cut">
        <bdi>{one.name}</bdi> {one.isCurrent ? <b className="here">this one</b> : null} {isAdmin ? <span className="faint">{one.user}</span> : null}
        <br />
        <span className="faint">
          {isApp ? `may ${one.role ?? "view"} · sent back to ${one.redirectHost ?? ""}` : `${VIA[one.via]}${one.address ? ` · from ${one.address}` : ""}`} · since {absolute(one.createdAt)}
        </span>
      </span>
      <time className="faint data" title={absolute(one.seenAt)}>
        {ago(now - Date.parse(one.seenAt))}
      </time>
      <Button kind="plain" icon={Unplug} label={words} onClick={() => onEnd(one)} />
    </div>
  );
}

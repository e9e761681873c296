/** Asks a person whether an app may act for them.  What the app says of itself is shown as that, and goes nowhere else. */
import type { AppQuestion } from "belljar";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { ProblemNote } from "../design/Empty.tsx";
import { useAddress } from "../shell/address.ts";
import { Mark } from "../shell/Mark.tsx";
import { client, refused, useAccess } from "../shell/server.ts";
import "./access.css";

const ROLES = {
  view: ["Watch", "See the pages and pictures of your sessions. It can change nothing, and start none."],
  drive: ["Watch and drive", "Start sessions as you, and use their browsers, files and programs: click, type, read what is on the page."],
} as const;

type Role = keyof typeof ROLES;

export default function Consent(): ReactElement {
  const { query } = useAddress();
  const access = useAccess();
  const [question, setQuestion] = useState<AppQuestion>();
  const [role, setRole] = useState<Role>("view");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const asked = requestIn(query);
  const text = JSON.stringify(asked);
  useEffect(() => {
    document.title = "Let an app in? – Belljar";
    client.signIns.describeApp(JSON.parse(text) as ReturnType<typeof requestIn>).then((found) => {
      setQuestion(found);
      setRole(found.asked);
      setError(undefined);
    }, fail);
  }, [text]);
  const fail = (failed: unknown): void => {
    setBusy(false);
    setError(failed);
    refused(failed);
  };
  const answer = (allow: boolean): void => {
    setBusy(true);
    client.signIns.answerApp({ ...asked, allow, role }).then(({ redirectTo }) => location.assign(redirectTo), fail);
  };
  return (
    <main className="sign-in consent">
      <form onSubmit={(event) => (event.preventDefault(), answer(true))} aria-busy={question === undefined && error === undefined}>
        <div className="line">
          <Mark size={28} />
          <h1>Let an app in?</h1>
        </div>
        {error === undefined ? null : (
          <>
            <ProblemNote error={error} />
            <p className="faint">Nothing was given to the app. Close this page, or go back to the app and connect it again.</p>
          </>
        )}
        {question === undefined || error !== undefined ? null : (
          <>
            <p>
              An app that calls itself <bdi className="app-name">{question.name}</bdi> wants to act as <b>{question.user}</b> over MCP at <span className="mono">{question.resource}</span>.
            </p>
            <p className="faint">
              Nobody has checked that name. Afterwards your browser goes to <b className="mono">{question.redirectHost}</b>: let it in only if that is where you came from.
            </p>
            <fieldset>
              <legend>It may</legend>
              {question.roles.map((one) => (
                <label className="role" key={one}>
                  <input type="radio" name="role" checked={role === one} onChange={() => setRole(one)} />
                  <span>
                    <b>{ROLES[one][0]}</b>
                    <span className="faint">{ROLES[one][1]}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <p className="faint">It reaches your own sessions and nobody else's{access.kind === "in" && access.me.role === "admin" ? ", though you are an admin" : ""}. You can shut it out at any time, under Browsers and apps.</p>
            <div className="line">
              <Button type="submit" kind="strong" disabled={isBusy}>
                Let it in
              </Button>
              <Button disabled={isBusy} onClick={() => answer(false)}>
                Refuse
              </Button>
            </div>
          </>
        )}
      </form>
    </main>
  );
}

/** What stands in the address, in the API's words. */
function requestIn(query: URLSearchParams) {
  const said = (name: string): string => query.get(name) ?? "";
  return {
    clientId: said("client_id"),
    redirectUri: said("redirect_uri"),
    responseType: said("response_type"),
    codeChallenge: said("code_challenge"),
    codeChallengeMethod: said("code_challenge_method"),
    state: said("state"),
    scope: query.get("scope"),
    resource: query.get("resource"),
  };
}

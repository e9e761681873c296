/** Sheets of the keys: a new one, shown once; and what ends with one that is revoked. */
import type { ApiKey } from "belljar";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Code } from "../design/Code.tsx";
import { ProblemNote } from "../design/Empty.tsx";
import { Check, Choice, TextField } from "../design/Field.tsx";
import { Sheet } from "../design/Sheet.tsx";
import { say } from "../design/Toasts.tsx";
import { follow, href } from "../shell/address.ts";
import { client } from "../shell/server.ts";
import { useReading } from "./reading.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: () => void }): ReactElement {
  const [user, setUser] = useState("");
  const [role, setRole] = useState<"user" | "admin">("user");
  const [name, setName] = useState("");
  const [sessions, setSessions] = useState("");
  const [ttl, setTtl] = useState("");
  const [made, setMade] = useState<ApiKey>();
  const [error, setError] = useState<unknown>();
  const [isTried, setTried] = useState(false);
  const wrong = NAME.test(user) ? undefined : "Letters, digits and . _ @ -, up to 64 of them.";
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (wrong !== undefined) return;
    try {
      const limits = { ...(sessions === "" ? {} : { maxSessions: Number(sessions) }), ...(ttl === "" ? {} : { maxTtl: Number(ttl) }) };
      setMade(await client.keys.create({ user, role, name, ...limits }));
      setError(undefined);
      onMade();
    } catch (failed) {
      setError(failed);
    }
  };
  if (made !== undefined)
    return (
      <Sheet title={`A key for ${made.user}`} onClose={onClose} footer={<Button kind="strong" onClick={onClose}>I have it</Button>}>
        <div className="sheet-fields">
          <p>It is shown this once: only a digest of it is kept.</p>
          <Code label="The key" text={made.key ?? ""} />
        </div>
      </Sheet>
    );
  return (
    <Sheet
      title="New key"
      onClose={onClose}
      footer={
        <>
          <Button kind="strong" type="submit" form="new-key">
            Make the key
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <form id="new-key" className="sheet-fields" onSubmit={(event) => void add(event)}>
        <TextField label="User" value={user} onChange={setUser} maxLength={64} data-autofocus="" hint="Whom it belongs to: sessions are theirs." error={isTried ? wrong : undefined} />
        <Choice
          label="Role"
          value={role}
          onChange={(value) => setRole(value === "admin" ? "admin" : "user")}
          options={[
            ["user", "user: their own sessions"],
            ["admin", "admin: everybody's, and this administration"],
          ]}
        />
        <TextField label="For" value={name} onChange={setName} maxLength={128} hint="Where it is used, to be told apart later." />
        <TextField label="Most sessions at a time" value={sessions} onChange={setSessions} type="number" min={0} hint="Instead of the setting." />
        <TextField label="Longest life of a session, in seconds" value={ttl} onChange={setTtl} type="number" min={1} hint="Instead of the setting." />
        {error === undefined ? null : <ProblemNote error={error} />}
      </form>
    </Sheet>
  );
}

export function RevokeKey({ apiKey, onClose, onRevoked }: { apiKey: ApiKey; onClose: () => void; onRevoked: () => void }): ReactElement {
  const { id, user, name } = apiKey;
  const reading = useReading(id, () => client.keys.get(id));
  const [endsSessions, setEnds] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const reach = reading.value;
  const revoke = async (): Promise<void> => {
    setBusy(true);
    try {
      const gone = await client.keys.revoke(id, { endSessions: endsSessions });
      say(`The key ${id} of ${user} is worthless: ${plural(gone.sockets, "connection")} closed, ${plural(gone.sessions.length, "session")} ended.`);
      onRevoked();
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Sheet
      title={`Revoke a key of ${user}`}
      onClose={onClose}
      footer={
        <>
          <Button kind="bad" disabled={isBusy || reach === undefined} onClick={() => void revoke()}>
            Revoke it
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </>
      }
    >
      <div className="sheet-fields">
        <p>
          <span className="mono">{id}</span>
          {name ? ` (${name})` : ""} opens nothing any more, at once and for good. With it end:
        </p>
        {reach === undefined ? (
          reading.error === undefined ? <span className="busy" role="status" aria-label="Looking what it opened" /> : null
        ) : (
          <dl className="facts">
            <div>
              <dt>Tokens of sessions that go back to it</dt>
              <dd>{reach.tokens}</dd>
            </div>
            <div>
              <dt>Browsers and apps that are signed in by it</dt>
              <dd>{reach.signIns ?? 0}</dd>
            </div>
            <div>
              <dt>Connections that are open by it</dt>
              <dd>{reach.sockets}</dd>
            </div>
            <div>
              <dt>Sessions that it started, which go on</dt>
              <dd>{reach.sessions.length}</dd>
            </div>
          </dl>
        )}
        {reach === undefined || reach.sessions.length === 0 ? null : (
          <>
            <ul className="ids">
              {reach.sessions.slice(0, 20).map((session) => (
                <li key={session}>
                  <a className="to mono" href={href("sessions", session)} onClick={follow}>
                    {session}
                  </a>
                </li>
              ))}
            </ul>
            <Check label={`End ${reach.sessions.length === 1 ? "this session" : `these ${reach.sessions.length} sessions`} too`} isOn={endsSessions} onChange={setEnds} />
          </>
        )}
        {(error ?? reading.error) === undefined ? null : <ProblemNote error={error ?? reading.error} />}
      </div>
    </Sheet>
  );
}

function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

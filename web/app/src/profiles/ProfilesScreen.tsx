/** Browser profiles: what outlives sessions. */
import type { Profile } from "belljar";
import { Contact, Play, Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Empty, ProblemNote } from "../design/Empty.tsx";
import { Rows } from "../design/Rows.tsx";
import { sayProblem, withUndo } from "../design/Toasts.tsx";
import { NewSession } from "../sessions/NewSession.tsx";
import { follow, go, href } from "../shell/address.ts";
import { client } from "../shell/server.ts";
import { TopBar } from "../shell/Shell.tsx";
import { absolute, ago, useNow } from "../shell/time.ts";
import "./profiles.css";

export default function ProfilesScreen(): ReactElement {
  const [profiles, setProfiles] = useState<readonly Profile[]>();
  const [error, setError] = useState<unknown>();
  const [name, setName] = useState("");
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set());
  const [start, setStart] = useState<string>();
  const now = useNow();
  const read = useCallback(() => {
    client.profiles.list().then(({ profiles: found }) => {
      setProfiles(found);
      setError(undefined);
    }, setError);
  }, []);
  useEffect(() => {
    document.title = "Profiles – Belljar";
    read();
  }, [read]);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await client.profiles.create({ name: name.trim() });
      setName("");
      read();
    } catch (failed) {
      sayProblem(failed);
    }
  };
  const remove = (profile: Profile): void => {
    setGoing((old) => new Set(old).add(profile.id));
    const back = (): void => setGoing((old) => new Set([...old].filter((id) => id !== profile.id)));
    const act = (): void => void client.profiles.delete(profile.id).catch(sayProblem).finally(() => (back(), read()));
    withUndo(`${profile.name || profile.id} is being deleted, with everything in it.`, act, back);
  };
  const shown = profiles?.filter(({ id }) => !going.has(id));
  return (
    <div className="screen">
      <TopBar />
      <main className="profiles">
      <form className="profile-tools" onSubmit={(event) => void add(event)}>
        <h1 className="grow">Profiles</h1>
        <input className="input" aria-label="Name of a new profile" placeholder="Name of a new profile" value={name} maxLength={128} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" kind="strong" icon={Plus}>
          New profile
        </Button>
      </form>
        {error === undefined ? null : <ProblemNote error={error} onAgain={read} />}
        {shown?.length === 0 ? (
          <Empty icon={Contact} title="No profiles yet">
            <p>A profile keeps cookies, storage and history between sessions: sign in once, and start every session signed in.</p>
          </Empty>
        ) : shown === undefined ? error === undefined ? <div className="panel-wait"><span className="busy" role="status" aria-label="Loading" /></div> : null : (
          <Rows
            label="Profiles"
            items={shown}
            keyOf={({ id }) => id}
            height={() => 44}
            render={(profile) => (
              <div className="profile-row">
                <Contact size={16} aria-hidden="true" />
                <span className="grow cut">
                  {profile.name || <span className="mono">{profile.id}</span>} {profile.name ? <span className="faint mono">{profile.id}</span> : null}
                </span>
                {profile.sessionId == null ? (
                  <span className="faint">not in use</span>
                ) : (
                  <a className="who" data-kind="agent" href={href("sessions", profile.sessionId)} onClick={follow}>
                    in use by {profile.sessionId}
                  </a>
                )}
                <span className="faint user cut">{profile.userId}</span>
                <time className="faint data" title={absolute(profile.createdAt)}>
                  {ago(now - Date.parse(profile.createdAt))}
                </time>
                <Button kind="plain" icon={Play} label="Start a session with it" disabled={profile.sessionId != null} onClick={() => setStart(profile.id)} />
                <Button kind="plain" icon={Trash2} label="Delete it" disabled={profile.sessionId != null} onClick={() => remove(profile)} />
              </div>
            )}
          />
        )}
      </main>
      {start === undefined ? null : <NewSession initial={{ profileId: start }} onClose={() => setStart(undefined)} onMade={(made) => go(href("sessions", made.id))} />}
    </div>
  );
}

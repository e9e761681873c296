/** People with their roles and what they use; and keys: made, shown once, revoked with what that ends. */
import type { ApiKey, User } from "belljar";
import { KeyRound, Plus, UserRound } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Empty } from "../design/Empty.tsx";
import { Rows } from "../design/Rows.tsx";
import { Tabs } from "../design/Tabs.tsx";
import { say, sayProblem } from "../design/Toasts.tsx";
import { setQuery, useAddress } from "../shell/address.ts";
import { useCommands } from "../shell/keys.ts";
import { client } from "../shell/server.ts";
import { absolute, ago, bytes, useNow } from "../shell/time.ts";
import { adminAt, count, minutes, sessionsAt, usedAt } from "./figures.ts";
import { NewKey, RevokeKey } from "./KeySheets.tsx";
import { Filter, Section, To } from "./parts.tsx";
import { useReading } from "./reading.ts";

export default function People(): ReactElement {
  const { query } = useAddress();
  const show = query.get("show") === "keys" ? "keys" : "people";
  const filter = query.get("q") ?? "";
  const reading = useReading("people", async () => {
    const [users, { keys }] = await Promise.all([everyUser(), client.keys.list()]);
    return { users, keys };
  });
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  useCommands([{ keys: "n", label: "New key", group: "Admin", run: () => setMaking(true) }]);
  const admit = ({ id, user }: ApiKey): void => {
    void client.keys.admit(id).then(() => say(`${user} may sign in again.`), sayProblem).finally(reading.again);
  };
  const wanted = filter.trim().toLowerCase();
  const users = useMemo(() => reading.value?.users.filter(({ userId }) => userId.toLowerCase().includes(wanted)), [reading.value, wanted]);
  const keys = useMemo(() => reading.value?.keys.filter((key) => isAbout(key, wanted)).toReversed(), [reading.value, wanted]);
  return (
    <Section
      title="People and keys"
      reading={reading}
      tools={
        <>
          <Filter value={filter} label={show === "keys" ? "Find keys: a user, a name, an id" : "Find people"} />
          <Tabs
            label="What to list"
            current={show}
            onChoose={(name) => setQuery({ show: name === "people" ? undefined : name })}
            tabs={[
              ["people", `People ${users === undefined ? "" : count(users.length)}`],
              ["keys", `Keys ${keys === undefined ? "" : count(keys.length)}`],
            ]}
          />
          <Button kind="strong" icon={Plus} onClick={() => setMaking(true)}>
            New key
          </Button>
        </>
      }
    >
      {show === "people" ? <UserRows users={users} /> : <KeyRows keys={keys} onRevoke={setRevoking} onAdmit={admit} />}
      {isMaking ? <NewKey onClose={() => setMaking(false)} onMade={reading.again} /> : null}
      {revoking === undefined ? null : <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={reading.again} />}
    </Section>
  );
}

async function everyUser(): Promise<User[]> {
  const all: User[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof client.administration.users>> = await client.administration.users({ limit: 1000, after });
    all.push(...page.users);
    after = page.next ?? undefined;
  }
  return all;
}

function isAbout({ user, name, id, revokedAt }: ApiKey, wanted: string): boolean {
  // A figure that counts somebody's keys leads to theirs alone.
  if (wanted.startsWith("user:")) return user.toLowerCase() === wanted.slice(5);
  if (wanted.startsWith("valid:")) return user.toLowerCase() === wanted.slice(6) && revokedAt == null;
  return [user, name, id].some((one) => one.toLowerCase().includes(wanted));
}

function UserRows({ users }: { users: readonly User[] | undefined }): ReactElement | null {
  const now = useNow();
  if (users === undefined) return null;
  if (users.length === 0)
    return (
      <Empty icon={UserRound} title="Nobody of that name">
        <p>Whoever has a key, or had sessions that are kept, is listed here.</p>
      </Empty>
    );
  return (
    <>
      <div className="admin-row user-row heading" aria-hidden="true">
        <span>User</span>
        <span>Role</span>
        <span>Keys</span>
        <span>Running</span>
        <span>Sessions</span>
        <span>Minutes</span>
        <span>Out, in</span>
        <span>Peak memory</span>
        <span>Last used</span>
      </div>
      <Rows
        label="People"
        items={users}
        keyOf={({ userId }) => userId}
        height={() => 36}
        render={({ userId, role, keys, live, used, lastUsedAt }) => (
          <div className="admin-row user-row" data-user={userId}>
            <span className="cut" title={userId}>
              {userId}
            </span>
            <span>{role == null ? <span className="faint">no key</span> : <span className="tag" data-role={role}>{role}</span>}</span>
            <To at={adminAt("people", { show: "keys", q: `valid:${userId}` })} label={`${keys} keys of ${userId}`}>
              {count(keys)}
            </To>
            <To at={sessionsAt(`user:=${userId}`, "-state:stopped", "-state:failed")} label={`${live} sessions of ${userId} that are not over`}>
              {count(live)}
            </To>
            <To at={sessionsAt(`user:=${userId}`)} label={`${used.sessions} sessions of ${userId}`}>
              {count(used.sessions)}
            </To>
            <To at={usedAt("minutes", { user: userId })} label={`${minutes(used.seconds)} minutes of ${userId}`}>
              {minutes(used.seconds)}
            </To>
            <span>
              <To at={usedAt("sent", { user: userId })} label={`${bytes(used.egressSent ?? 0)} out of ${userId}`}>
                {bytes(used.egressSent ?? 0)}
              </To>
              ,{" "}
              <To at={usedAt("received", { user: userId })} label={`${bytes(used.egressReceived ?? 0)} in of ${userId}`}>
                {bytes(used.egressReceived ?? 0)}
              </To>
            </span>
            <To at={usedAt("memory", { user: userId })} label={`${bytes(used.peakMemoryMb * 1e6)} at most of ${userId}`}>
              {bytes(used.peakMemoryMb * 1e6)}
            </To>
            <time className="faint" title={lastUsedAt == null ? undefined : absolute(lastUsedAt)}>
              {lastUsedAt == null ? "never" : ago(now - Date.parse(lastUsedAt))}
            </time>
          </div>
        )}
      />
    </>
  );
}

function KeyRows({ keys, onRevoke, onAdmit }: { keys: readonly ApiKey[] | undefined; onRevoke: (key: ApiKey) => void; onAdmit: (key: ApiKey) => void }): ReactElement | null {
  const now = useNow();
  if (keys === undefined) return null;
  if (keys.length === 0)
    return (
      <Empty icon={KeyRound} title="No such key">
        <p>A key lets a program or a person in: make one with <kbd className="key">n</kbd>.</p>
      </Empty>
    );
  return (
    <>
      <div className="admin-row key-row heading" aria-hidden="true">
        <span>User</span>
        <span>Role</span>
        <span>For</span>
        <span>Id</span>
        <span>Made</span>
        <span>Last used</span>
        <span />
      </div>
      <Rows
        label="Keys"
        items={keys}
        keyOf={({ id }) => id}
        height={() => 36}
        render={(key) => (
          <div className="admin-row key-row" data-key={key.id} data-over={key.revokedAt == null ? undefined : ""}>
            <span className="cut" title={key.user}>
              {key.user}
            </span>
            <span>
              <span className="tag" data-role={key.role}>
                {key.role}
              </span>
            </span>
            <span className="cut" title={key.name}>
              {key.name || <span className="faint">nothing was said</span>}
            </span>
            <span className="mono cut">{key.id}</span>
            <time className="faint" title={absolute(key.createdAt)}>
              {ago(now - Date.parse(key.createdAt))}
            </time>
            <time className="faint" title={key.lastUsedAt == null ? undefined : absolute(key.lastUsedAt)}>
              {key.lastUsedAt == null ? "never" : ago(now - Date.parse(key.lastUsedAt))}
            </time>
            {key.revokedAt != null && key.kind === "person" ? (
              <span className="line">
                <span className="faint" title={absolute(key.revokedAt)}>
                  shut out
                </span>
                <Button kind="plain" onClick={() => onAdmit(key)} aria-label={`Let ${key.user} in again`}>
                  Let in
                </Button>
              </span>
            ) : key.revokedAt == null ? (
              <Button kind="plain" onClick={() => onRevoke(key)} aria-label={`Revoke the key ${key.id} of ${key.user}`}>
                Revoke…
              </Button>
            ) : (
              <span className="faint" title={absolute(key.revokedAt)}>
                revoked
              </span>
            )}
          </div>
        )}
      />
    </>
  );
}

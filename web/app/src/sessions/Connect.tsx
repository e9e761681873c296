/** Connect lines of one session, by client. */
import { type ReactElement } from "react";
import { Code } from "../design/Code.tsx";
import { useRemembered } from "../shell/preferences.ts";
import { CLIENTS, masked, withSecret } from "./connect.ts";

export function Connect({ session, label }: { session: string; label?: string }): ReactElement {
  const [name, setName] = useRemembered("client", "Python");
  const client = CLIENTS.find((one) => one.name === name) ?? CLIENTS[0];
  if (client === undefined) throw new TypeError("There is no client.");
  return (
    <section className="connect">
      <div className="line">
        <h3 className="grow">{label ?? "Connect"}</h3>
        <select className="input" aria-label="Client" value={client.name} onChange={(event) => setName(event.target.value)}>
          {CLIENTS.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </div>
      <Code label={`Line for ${client.name}`} text={masked(session, client)} full={() => withSecret(session, client)} />
    </section>
  );
}

/** The host in a sentence, for whoever has just started the server: what is missing, and the line that mends it. */
import type { ReactElement } from "react";
import { client } from "../shell/server.ts";
import { adminAt } from "./figures.ts";
import { OneCheck } from "./Health.tsx";
import { To } from "./parts.tsx";
import { useReading } from "./reading.ts";
import "./admin.css";

export default function HostCheck(): ReactElement {
  const { value, error } = useReading("first checks", () => client.administration.checks());
  const wrong = value?.checks.filter(({ level }) => level !== "ok") ?? [];
  return (
    <section className="first-checks" aria-busy={value === undefined && error === undefined}>
      <h3>This host</h3>
      {error !== undefined ? (
        <p className="faint">It could not be looked at.</p>
      ) : value === undefined ? (
        <p className="faint" role="status">
          Trying what sessions need: some seconds.
        </p>
      ) : (
        <>
          <p className="faint">
            {wrong.length === 0 ? `${value.host} has all that sessions need: ${value.checks.length} things were tried.` : `Of ${value.checks.length} things that were tried on ${value.host}, these are less than they could be:`}{" "}
            <To at={adminAt("health")}>All of them</To>
          </p>
          <ul className="checks">
            {wrong.map((check) => (
              <OneCheck key={check.id} check={check} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

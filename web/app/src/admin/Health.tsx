/** Health in words: what sessions need of the host, tried for real, and the one line that mends what is missing. */
import type { Check } from "belljar";
import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { Button } from "../design/Button.tsx";
import { Code } from "../design/Code.tsx";
import { client } from "../shell/server.ts";
import { absolute, ago, useNow } from "../shell/time.ts";
import { Section } from "./parts.tsx";
import { useReading } from "./reading.ts";

const ICONS = { ok: CircleCheck, warning: CircleAlert, missing: CircleX } as const;
const WORDS = { ok: "fine", warning: "works, with less", missing: "missing, or weaker than asked" } as const;
const ORDER = ["missing", "warning", "ok"] as const;

export default function Health(): ReactElement {
  const isFresh = useRef(false);
  const reading = useReading("health", () => client.administration.checks({ fresh: isFresh.current }).finally(() => (isFresh.current = false)));
  const now = useNow();
  const { value, isBusy } = reading;
  const tryNow = (): void => {
    isFresh.current = true;
    reading.again();
  };
  const wrong = value?.checks.filter(({ level }) => level === "missing").length ?? 0;
  return (
    <Section
      title="Health"
      reading={reading}
      tools={
        <Button disabled={isBusy} onClick={tryNow}>
          Try everything now
        </Button>
      }
    >
      {value === undefined ? (
        reading.error === undefined ? <p className="faint admin-note" role="status">Trying what sessions need on this host: some seconds.</p> : null
      ) : (
        <div className="admin-scroll" tabIndex={0} role="group" aria-label="Checks">
          <p className={wrong > 0 ? "need" : "faint"} data-kind={wrong > 0 ? "bad" : undefined} role="status">
            {wrong === 0 ? `All that sessions need is there on ${value.host}.` : wrong === 1 ? `One thing is missing on ${value.host}, or weaker than asked.` : `${wrong} things are missing on ${value.host}, or weaker than asked.`}{" "}
            Tried <time title={absolute(value.checkedAt)}>{ago(now - Date.parse(value.checkedAt))}</time>; Belljar {value.version}.
          </p>
          {ORDER.map((level) => (
            <ul className="checks" key={level}>
              {value.checks.filter((check) => check.level === level).map((check) => (
                <OneCheck key={check.id} check={check} />
              ))}
            </ul>
          ))}
        </div>
      )}
    </Section>
  );
}

export function OneCheck({ check: { id, title, level, detail, fix } }: { check: Check }): ReactElement {
  const Icon = ICONS[level];
  return (
    <li data-level={level} data-check={id}>
      <Icon size={16} aria-label={WORDS[level]} />
      <span className="check-title">{title}</span>
      <span className="check-words">
        {detail}
        {fix == null || level === "ok" ? null : <Code label={`What mends it: ${title}`} text={fix} />}
      </span>
    </li>
  );
}

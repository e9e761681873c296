/** Settings in force: value, from where, what it may be; and what every box is started with. */
import type { ReactElement } from "react";
import { Rows } from "../design/Rows.tsx";
import { Tabs } from "../design/Tabs.tsx";
import { setQuery, useAddress } from "../shell/address.ts";
import { client } from "../shell/server.ts";
import { count } from "./figures.ts";
import { Filter, Section } from "./parts.tsx";
import { useReading } from "./reading.ts";

const SOURCES: Record<string, string> = { flag: "flag", variable: "variable", default: "default", start: "decided at the start" };

export default function Settings(): ReactElement {
  const { query } = useAddress();
  const reading = useReading("settings", () => client.administration.settings());
  const show = query.get("show") === "boxes" ? "boxes" : query.get("show") === "given" ? "given" : "all";
  const filter = (query.get("q") ?? "").toLowerCase();
  const has = (...texts: (string | null | undefined)[]): boolean => texts.some((text) => text?.toLowerCase().includes(filter));
  const all = reading.value?.settings.filter(({ name, flag, variable, description, value }) => has(name, flag, variable, description, value));
  const given = all?.filter(({ source }) => source !== "default");
  const boxes = reading.value?.boxes.filter(({ flag, value }) => has(flag, flag.replaceAll("-", "_"), value));
  return (
    <Section
      title="Settings"
      reading={reading}
      tools={
        <>
          <Filter value={query.get("q") ?? ""} label="Find settings" />
          <Tabs
            label="Which settings"
            current={show}
            onChoose={(name) => setQuery({ show: name === "all" ? undefined : name })}
            tabs={[
              ["all", `All ${all === undefined ? "" : count(all.length)}`],
              ["given", `Not the default ${given === undefined ? "" : count(given.length)}`],
              ["boxes", `What boxes get ${boxes === undefined ? "" : count(boxes.length)}`],
            ]}
          />
        </>
      }
    >
      {show === "boxes" ? (
        <div className="admin-scroll" tabIndex={0} role="group" aria-label="What boxes get">
          <p className="faint">Every box is started with these; a session may ask for less, and for more up to the ceilings. They follow from the settings of the control plane.</p>
          <dl className="facts">
            {boxes?.map(({ flag, value }, index) => (
              <div key={index}>
                <dt className="mono">{flag}</dt>
                <dd className="mono">{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      ) : (
        <>
          <div className="admin-row setting-row heading" aria-hidden="true">
            <span>Setting</span>
            <span>Value</span>
            <span>From</span>
            <span>May be</span>
          </div>
          <Rows
            label="Settings"
            items={(show === "given" ? given : all) ?? []}
            keyOf={({ name }) => name}
            height={() => 52}
            render={({ name, flag, variable, value, source, default: usual, mayBe, description }) => (
              <div className="admin-row setting-row" data-setting={name}>
                <span className="two">
                  <span className="mono cut" title={variable}>
                    {flag}
                  </span>
                  <span className="faint small cut" title={description}>
                    {description}
                  </span>
                </span>
                <span className="two">
                  <span className="mono cut" title={value ?? undefined}>
                    {value ?? <span className="faint">not set</span>}
                  </span>
                  {source === "default" || usual == null ? null : <span className="faint small cut">default: {usual}</span>}
                </span>
                <span>
                  <span className="tag" data-source={source}>
                    {SOURCES[source] ?? source}
                  </span>
                </span>
                <span className="faint cut" title={mayBe}>
                  {mayBe}
                </span>
              </div>
            )}
          />
        </>
      )}
    </Section>
  );
}

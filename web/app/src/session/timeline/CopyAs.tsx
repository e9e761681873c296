/** What is looked at, copied: the act as code, the acts as text, a link to the moment. */
import { Copy } from "lucide-react";
import { type ReactElement, type RefObject, useRef } from "react";
import { Menu } from "../../design/Menu.tsx";
import { say } from "../../design/Toasts.tsx";
import { copyText } from "../../shell/copy.ts";
import { useCommands } from "../../shell/keys.ts";
import { clock } from "../../shell/time.ts";
import { type Act, isRead } from "../record/acts.ts";
import { CALL_LANGUAGES, asCall } from "../record/call_code.ts";
import { useRecord, useSessionContext } from "../context.ts";

export function CopyAs(): ReactElement {
  const { id, moment, range, copyMoment } = useSessionContext();
  const { acts } = useRecord();
  const opener = useRef<() => void>(undefined);
  useCommands([{ keys: "y", label: "Copy as …", group: "Session", run: () => opener.current?.() }]);
  const copy = async (text: string, words: string): Promise<void> => {
    if (await copyText(text)) say(`Copied ${words}.`);
    else say("The clipboard cannot be written to.", { kind: "bad" });
  };
  return (
    <Menu label="Copy as …" shortcut="y" icon={Copy} isAbove opener={opener as RefObject<(() => void) | undefined>}>
      {() => {
        const act = moment === undefined ? acts.all.findLast((one) => one.kind === "call" && !isRead(one)) : acts.all.findLast((one) => one.t <= moment + 1 && !isRead(one));
        const chosen = acts.all.filter((one) => !isRead(one) && (range === undefined || (one.t >= range[0] && one.t <= range[1])));
        return (
          <>
            <p>{act === undefined ? "Nothing was done yet." : `${act.verb} ${act.target}`.slice(0, 120)}</p>
            {act === undefined
              ? null
              : CALL_LANGUAGES.map((language) => {
                  const code = act.kind === "call" ? asCall(act, id, language) : undefined;
                  return code === undefined ? null : (
                    <button key={language} type="button" onClick={() => void copy(code, `as ${language}`)}>
                      {language}
                    </button>
                  );
                })}
            {act === undefined ? null : (
              <button type="button" onClick={() => void copy(JSON.stringify({ ...act, caused: act.caused.length }, null, 2), "as JSON")}>
                JSON
              </button>
            )}
            <hr />
            <button type="button" onClick={copyMoment}>
              Link to this moment
            </button>
            <button type="button" onClick={() => void copy(asMarkdown(chosen), `${chosen.length} acts as Markdown`)}>
              {range === undefined ? "All acts as Markdown" : "The chosen acts as Markdown"}
            </button>
          </>
        );
      }}
    </Menu>
  );
}

/** A line for each; what pages and callers wrote stays text. */
function asMarkdown(acts: readonly Act[]): string {
  return acts
    .map(({ t, actor, verb, target, state, code, ms }) => {
      const words = target === "" ? "" : ` \`${target.replaceAll("`", "'").replaceAll(/\s+/g, " ")}\``;
      return `- ${clock(t)} ${actor.kind}: ${verb}${words}${state === "failed" ? ` (failed${code === undefined ? "" : `: ${code}`})` : ms === undefined ? "" : ` (${Math.round(ms)} ms)`}`;
    })
    .join("\n");
}

/** What a page asks of a person and no picture shows: options, a date, a colour, files. */
import type { BrowserAsk } from "belljar";
import { type Tools, askForm, focusAsk, uploadFiles } from "belljar/live";
import { type ReactElement, useEffect, useRef } from "react";
import type { LiveSession } from "./useSession.ts";

export interface PageAskProps {
  session: LiveSession;
  /** One of `session.asks`. */
  ask: BrowserAsk;
  /** Of `useTools`. */
  tools: Tools;
  /** What has the keyboard while the page has it: it gets it back, and gives it away only if it has it. */
  stage: { readonly current: HTMLElement | null };
}

export function PageAsk({ session, ask, tools, stage }: PageAskProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const { call, files } = session;
  const mayAnswer = session.ready?.role === "drive" && (session.holdsControl || session.control?.holder.kind === "none");
  // Where the field is moves as the page does; what is being filled in stays.
  const asked = JSON.stringify({ ...ask, box: undefined });

  useEffect(() => {
    const form = askForm(JSON.parse(asked) as BrowserAsk, {
      mayAnswer,
      answer: (given) => call("answer", { ...given, id: ask.id, tabId: ask.tabId }),
      async upload(chosen, onProgress, signal) {
        const box = await files();
        if (box === undefined) throw { message: "This viewer does not know where to send files." };
        await uploadFiles(box, ask, chosen, onProgress, signal);
      },
      tools,
      onDone: () => stage.current?.focus({ preventScroll: true }),
    });
    place.current?.replaceChildren(form);
    // Whoever has just opened it goes on there; whoever does something else is left alone.
    if (document.activeElement === stage.current) focusAsk(form);
    return () => form.remove();
  }, [ask.id, ask.tabId, asked, call, files, mayAnswer, stage, tools]);

  return <div ref={place} className="ask-form" />;
}

/** A link to a moment of this session, on the clipboard: for who may see the session. */
import { say } from "../design/Toasts.tsx";
import { copyText } from "../shell/copy.ts";

/** `t` in microseconds since 1970; undefined leaves the link without one. `panel` is opened with it. */
export async function copyMomentLink(t: number | undefined, panel?: string): Promise<void> {
  const url = new URL(location.href);
  if (t !== undefined) url.hash = `t=${Math.round(t)}`;
  if (panel !== undefined) url.searchParams.set("panel", panel);
  if (await copyText(url.href)) say("Copied: a link to this moment, for who may see this session.");
  else say(url.href);
}

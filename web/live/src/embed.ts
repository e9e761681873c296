/** The viewer page of a box in a frame of another site's page, which hands it a token: cookies do not go into such frames. */

/** What the page in the frame asks for, and what it is answered with. */
export const TOKEN_WANTED = "belljar.token-wanted";
export const TOKEN_GIVEN = "belljar.token";

export type TokenSource = () => string | Promise<string>;

/**
 * Show the viewer page at `viewUrl` (`…/view` of a box, or of a session) in `frame`; gives what ends it.  The server
 * must have been started with `--embed-origin` and this page's origin.  `token` is called at each connection: ask your
 * own server for a short one.  It goes to the frame's own origin only, and into no address.
 */
export function embedView(frame: HTMLIFrameElement, viewUrl: string, token: TokenSource): () => void {
  const view = new URL(viewUrl, globalThis.location.href);
  const answer = async (event: MessageEvent): Promise<void> => {
    const asked = event.data as { type?: unknown } | null;
    if (event.source !== frame.contentWindow || event.origin !== view.origin || asked?.type !== TOKEN_WANTED) return;
    const given = await token();
    // Only while that very page is there: where it has gone on, nothing is told.
    frame.contentWindow?.postMessage({ type: TOKEN_GIVEN, token: given }, view.origin);
  };
  const hear = (event: MessageEvent): void => void answer(event).catch(() => undefined);
  globalThis.addEventListener("message", hear);
  frame.src = view.href;
  return () => globalThis.removeEventListener("message", hear);
}

/** How a person comes in: by a one-time link or a token, against a cookie that scripts cannot read. */

/** The page is at `<box>/view`; everything of the box is beside it, at whatever prefix. */
export const box: URL = new URL(".", location.href);

/** Why it did not work, or nothing. */
export async function signIn(credential: { ticket: string } | { token: string }): Promise<string | null> {
  const body = JSON.stringify({ ...credential, path: box.pathname });
  const headers = { "Content-Type": "application/json" };
  const request: RequestInit = { method: "POST", body, headers, credentials: "same-origin" };
  const answer = await fetch(new URL("view/session", box), request).catch(() => null);
  if (!answer) return "the box cannot be reached";
  if (answer.ok) return null;
  const problem = await answer.json().catch(() => ({}));
  return problem.details?.message ?? problem.detail ?? "That did not work.";
}

export async function signOut(): Promise<void> {
  await fetch(new URL(`view/session?path=${encodeURIComponent(box.pathname)}`, box), { method: "DELETE" });
}

/**
 * What keeps this page out: `token` where a sign-in would help, `over` where nothing will, else nothing.  Asked with the
 * cookie, or with the token that the page around this one gave.
 */
export async function whatIsWrong(given?: string): Promise<{ token?: boolean; over?: string }> {
  const request: RequestInit =
    given === undefined ? { credentials: "same-origin" } : { credentials: "omit", headers: { Authorization: `Bearer ${given}` } };
  const answer = await fetch(new URL("v1/control", box), request).catch(() => null);
  if (!answer) return {};
  if (answer.status === 401) return { token: true };
  const { code, detail } = answer.ok ? {} : await answer.json().catch(() => ({}));
  return code === "session_over" || code === "session_not_found" ? { over: detail } : {};
}

/** The ticket of a link, which is taken out of the address and of the history at once. */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (ticket) history.replaceState(null, "", location.pathname + location.search);
  return ticket;
}

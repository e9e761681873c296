/** The client, and who somebody is: signed in to the control plane, guest of one session, or not at all. */
import { Belljar, type MeResponse, Problem, SandboxAgent } from "belljar";
import { useSyncExternalStore } from "react";
import { root, server } from "./address.ts";
import { currentToken, forgetToken, isInFrame, serverFetch } from "./embedding.ts";

/**
 * Cookies are the credential: no secret is ever in this page's memory or address for longer than it takes to exchange it.
 * Only in a frame of another site, where cookies do not go, it is a token from the page around this one.
 */
const CREDENTIAL = isInFrame ? { token: currentToken, fetch: serverFetch } : {};
export const client: Belljar = new Belljar({ baseUrl: root.href, ...CREDENTIAL });

export type Access =
  | { kind: "unknown" }
  | { kind: "out"; why: string }
  /** Of the control plane: with the key's role. */
  | { kind: "in"; me: MeResponse }
  /** Of this session alone, by a link; or of a box. */
  | { kind: "guest"; session: string | undefined };

let access: Access = { kind: "unknown" };
const listeners = new Set<() => void>();

function change(next: Access): void {
  access = next;
  for (const listener of [...listeners]) listener();
}

export function useAccess(): Access {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => access,
  );
}

/** Whether the key of whoever is signed in is an admin's. */
export function useIsAdmin(): boolean {
  const known = useAccess();
  return known.kind === "in" && known.me.role === "admin";
}

/** The address of a session's box, with a slash at its end; of the only one there is where this is a box. */
export function boxAddress(session: string | undefined): string {
  return session === undefined ? root.href : new URL(`s/${encodeURIComponent(session)}/`, root).href;
}

export function boxClient(session: string | undefined): SandboxAgent {
  return session === undefined ? client : new SandboxAgent({ baseUrl: boxAddress(session), ...CREDENTIAL });
}

/** What a provider's sign-in came to, in words; the server's log has more. */
const REFUSALS: Record<string, string> = {
  not_begun: "This sign-in was not begun in this browser, or too long ago. Try again.",
  not_signed_in: "The provider signed nobody in.",
  not_trusted: "The provider's answer could not be trusted. Try again; if that does not help, ask your operator.",
  provider_away: "The provider cannot be reached. Try again later, or use a key.",
  no_name: "The provider gives no name that a user can have here. Ask your operator.",
  no_role: "You are known to the provider, but not let in here. Ask your operator.",
  bad_quota: "The provider says something of you that makes no sense here. Ask your operator.",
  name_taken: "Another user here has your name. Ask your operator.",
  shut_out: "Your access was ended by an operator.",
};

/** Ways to sign in beside links and keys: the name of a provider, where there is one. */
export async function providerName(): Promise<string | undefined> {
  if (server !== "plane") return undefined;
  const answer = await fetch(new URL("sign-in/ways", root)).catch(() => undefined);
  if (answer?.ok !== true) return undefined;
  return ((await answer.json()) as { provider: { name: string } | null }).provider?.name;
}

/** Where the provider is asked, and comes back to this screen from. */
export function providerAddress(): string {
  const address = new URL("sign-in/oidc", root);
  address.searchParams.set("to", `/${location.pathname.slice(root.pathname.length)}${location.search}`);
  return address.href;
}

/** Find out who is there.  A link's ticket is taken out of the address and of the history at once. */
export async function begin(session: string | undefined): Promise<void> {
  const hash = new URLSearchParams(location.hash.slice(1));
  const ticket = hash.get("ticket");
  const wasUsed = location.hash === "#used";
  const refusal = hash.get("refused");
  if (ticket !== null || wasUsed || refusal !== null) history.replaceState(null, "", location.pathname + location.search);
  if (isInFrame) return beginInFrame(session);
  let why = wasUsed ? "This link was used already, or its time has passed." : "";
  if (refusal !== null) why = REFUSALS[refusal] ?? "The sign-in did not work. Try again.";
  if (ticket !== null) why = (await signInTo(session, { ticket })) ?? "";
  try {
    if (server === "plane") {
      const me = await client.me().catch((error: unknown) => {
        if (isRefusal(error)) return undefined;
        throw error;
      });
      if (me !== undefined) return change({ kind: "in", me });
      if (session === undefined) return change({ kind: "out", why });
    }
    await boxClient(session).control.show();
    change({ kind: "guest", session });
  } catch (error) {
    if (isRefusal(error)) change({ kind: "out", why });
    else change({ kind: "out", why: error instanceof Error ? error.message : String(error) });
  }
}

// Of the page around this one, while what it gives is not good.
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
let turns = 0;

/** In a frame of another site nobody is asked for anything but the page around it, until the token that it gives is good. */
async function beginInFrame(session: string | undefined): Promise<void> {
  const turn = ++turns;
  if (server === "plane" && session === undefined) return change({ kind: "out", why: "Only the screen of one session can be shown in another site's page." });
  change({ kind: "out", why: "Waiting for a token from the page around this one…" });
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const token = await currentToken();
    if (turn !== turns) return;
    const error = await boxClient(session).control.show().then(() => undefined, (failed: unknown) => failed);
    if (turn !== turns) return;
    if (error === undefined) return change({ kind: "guest", session });
    const isBad = error instanceof Problem && error.status === 401;
    change({ kind: "out", why: isBad ? "The token from the page around this one is not, or no longer, good here." : error instanceof Error ? error.message : String(error) });
    // What is over stays so.
    if (error instanceof Problem && !isBad && error.status < 500) return;
    await forgetToken(token);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.status === 401 || error.status === 404);
}

/** By a key of the control plane, or a token of the box or session.  Why it did not work, or nothing. */
export async function signIn(secret: string, session: string | undefined): Promise<string | undefined> {
  if (server === "plane" && session === undefined) {
    const problem = await post("sign-in", { key: secret });
    if (problem === undefined) await begin(undefined);
    return problem;
  }
  const isKey = server === "plane" && secret.startsWith("bj_");
  const problem = isKey ? await post("sign-in", { key: secret }) : await signInTo(session, { token: secret });
  if (problem === undefined) await begin(session);
  return problem;
}

export async function signOut(): Promise<void> {
  const was = access;
  if (was.kind === "in") {
    const answer = await fetch(new URL("sign-in", root), { method: "DELETE" });
    const { endAt } = (await answer.json().catch(() => ({}))) as { endAt?: string | null };
    opened.clear();
    // The provider has a sign-in of its own, which would let anybody at this browser in again.
    if (endAt) location.assign(endAt);
  } else if (was.kind === "guest") {
    const path = new URL(boxAddress(was.session));
    await fetch(new URL(`view/session?path=${encodeURIComponent(path.pathname)}`, path), { method: "DELETE" });
  }
  change({ kind: "out", why: "" });
}

/** What was refused for want of a sign-in: the screen that asks for one comes. */
export function refused(error: unknown): void {
  if (error instanceof Problem && error.status === 401 && access.kind === "in") change({ kind: "out", why: "Your sign-in is over." });
}

// Sessions of which this page has the cookie.
const opened = new Map<string, Promise<void>>();

/** Get the cookie of one session, by a ticket that whoever is signed in to the control plane may make. */
export function openSession(id: string): Promise<void> {
  if (access.kind !== "in") return Promise.resolve();
  let known = opened.get(id);
  if (known === undefined) {
    known = (async () => {
      const { viewUrl } = await client.sessions.tickets(id, { role: "drive" });
      const ticket = new URLSearchParams(new URL(viewUrl).hash.slice(1)).get("ticket") ?? "";
      const problem = await signInTo(id, { ticket });
      if (problem !== undefined) throw new Error(problem);
    })();
    opened.set(id, known);
    known.catch(() => opened.delete(id));
  }
  return known;
}

function signInTo(session: string | undefined, secret: { ticket: string } | { token: string }): Promise<string | undefined> {
  const box = new URL(boxAddress(session));
  return post(new URL("view/session", box), { ...secret, path: box.pathname });
}

async function post(to: string | URL, body: object): Promise<string | undefined> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(new URL(to, root), { method: "POST", headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (answer === undefined) return "The server cannot be reached.";
  if (answer.ok) return undefined;
  if (answer.status === 401) return "This is not, or no longer, good here.";
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string; details?: { message?: string } };
  return problem.details?.message ?? problem.detail ?? "That did not work.";
}

/** The app in a frame of another site: a token from the page around it, in this page's memory alone, in place of the cookie. */
import { useEffect, useState } from "react";
import { isEmbedded, tokenFromEmbedder } from "../../../live/src/embedded.ts";
import { sayProblem } from "../design/Toasts.tsx";
import { root } from "./address.ts";

/** Whether it stands in such a frame; this does not change. */
export const isInFrame: boolean = isEmbedded();

// How long a call whose token was refused waits for another before it is told so.
const PATIENCE_MS = 15_000;

let given: Promise<string> | undefined;

/** The token that was given last; the page around this one is asked where there is none. */
export function currentToken(): Promise<string> {
  return (given ??= tokenFromEmbedder());
}

/** Ask for another at the next call, unless that was done since `refused` was given. */
export async function forgetToken(refused: string): Promise<void> {
  if (given !== undefined && (await given) === refused) given = undefined;
}

/** `fetch` for everything of the server's: with the cookie, or in a frame with the token alone, and another where it has ended. */
export const serverFetch: typeof fetch = isInFrame ? fetchInFrame : (input, init) => fetch(input, init);

async function fetchInFrame(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = await currentToken();
  const answer = await send(input, init, token);
  // A stream can be read once.
  if (answer.status !== 401 || init?.body instanceof ReadableStream) return answer;
  await forgetToken(token);
  const another = await Promise.race([currentToken(), after(PATIENCE_MS)]);
  if (another === undefined || another === token) return answer;
  await answer.body?.cancel();
  return send(input, init, another);
}

function send(input: RequestInfo | URL, init: RequestInit | undefined, token: string): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.set("Authorization", `Bearer ${token}`);
  // A cookie of whoever sits there would go along where both sites have one owner, and must not count.
  return fetch(input, { ...init, headers, credentials: "omit" });
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}

/** What an element can load `url` of the server by: itself, where the cookie goes along, else what was fetched from there. */
export function useSource(url: string | undefined): string | undefined {
  const [loaded, setLoaded] = useState<{ url: string; source: string }>();
  useEffect(() => {
    if (!isInFrame || url === undefined) return undefined;
    const ending = new AbortController();
    let source: string | undefined;
    const load = async (): Promise<void> => {
      const answer = await serverFetch(url, { signal: ending.signal });
      const content = answer.ok ? await answer.blob() : undefined;
      if (ending.signal.aborted || content === undefined) return;
      source = URL.createObjectURL(content);
      setLoaded({ url, source });
    };
    // What cannot be had stays empty, as a picture does.
    load().catch(() => undefined);
    return () => {
      ending.abort();
      if (source !== undefined) URL.revokeObjectURL(source);
    };
  }, [url]);
  if (!isInFrame) return url;
  return loaded?.url === url ? loaded?.source : undefined;
}

/** Links that save something of the server's send no token by themselves: it is fetched, and saved from there. */
if (isInFrame)
  addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[download]") : null;
      if (link === null || !link.href.startsWith(root.href)) return;
      event.preventDefault();
      event.stopPropagation();
      save(link.href, link.download).catch(sayProblem);
    },
    { capture: true },
  );

async function save(url: string, name: string): Promise<void> {
  const answer = await serverFetch(url);
  if (!answer.ok) throw new Error(`${name} cannot be had: the server answered ${answer.status}.`);
  const source = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href: source, download: name }).click();
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(source), 60_000);
}

/** A page of ours (`/view`, the web app) in a frame of another site: its token comes from the page around it, and is kept nowhere. */
import { TOKEN_GIVEN, TOKEN_WANTED } from "./embed.ts";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** Whose pages may have this one in a frame, as the server says in its head. */
function allowedOrigins(): string[] {
  const named = document.querySelector<HTMLMetaElement>('meta[name="belljar-embed-origins"]')?.content ?? "";
  return named.split(" ").filter(Boolean);
}

/** Whether a page of another origin has this one in a frame; browsers show it there only for the origins above. */
export function isEmbedded(): boolean {
  return parent !== window && !isOwn(parent);
}

function isOwn(other: Window): boolean {
  try {
    return other.location.origin === location.origin;
  } catch {
    return false;
  }
}

/**
 * A token from the page around this one, asked for until it comes.  What others say is not heard: it must be that very
 * page, of an origin that the server allows.
 */
export function tokenFromEmbedder(): Promise<string> {
  return new Promise((resolve) => {
    const origins = allowedOrigins();
    let pause = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout>;
    const ask = (): void => {
      const around = location.ancestorOrigins?.[0];
      for (const origin of around === undefined ? origins : origins.filter((one) => one === around))
        parent.postMessage({ type: TOKEN_WANTED }, origin);
      timer = setTimeout(ask, (pause = Math.min(pause * 2, LONGEST_PAUSE_MS)));
    };
    const hear = (event: MessageEvent): void => {
      if (event.source !== parent || !origins.includes(event.origin)) return;
      const given = event.data as { type?: unknown; token?: unknown } | null;
      if (given?.type !== TOKEN_GIVEN || typeof given.token !== "string" || given.token === "") return;
      removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(given.token);
    };
    addEventListener("message", hear);
    ask();
  });
}

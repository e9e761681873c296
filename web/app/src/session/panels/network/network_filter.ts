/** The network's filter line: words of the address, `status:500`, `method:post`, `type:fetch`, `domain:cdn`, `is:failed`; `-` before one turns it round. */

export interface Request {
  id: string;
  method: string;
  url: string;
  type: string;
  /** 0 while there is none. */
  status: number;
  mimeType: string;
  /** Bytes that travelled, and those of the body. */
  size: number;
  bodySize: number;
  ms: number;
  isPending: boolean;
  isCached: boolean;
  error: string;
  /** Microseconds since 1970. */
  t: number;
}

export function isFailed({ status, error }: Pick<Request, "status" | "error">): boolean {
  return status >= 400 || error !== "";
}

export function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]?.split("@").at(-1) ?? "";
}

/** What is shown of an address: its last part, as DevTools does. */
export function nameOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split("#")[0] ?? "";
  const [before = "", query] = path.split("?");
  const last = before.split("/").filter(Boolean).at(-1) ?? "/";
  return (query === undefined ? last : `${last}?${query}`) || url;
}

const TESTS: Record<string, (request: Request, word: string) => boolean> = {
  status: ({ status }, word) => String(status).startsWith(word.replace(/xx$/, "")),
  "status-code": ({ status }, word) => String(status) === word,
  method: ({ method }, word) => method.toLowerCase() === word,
  type: ({ type }, word) => type.toLowerCase().startsWith(word),
  mime: ({ mimeType }, word) => mimeType.toLowerCase().includes(word),
  domain: ({ url }, word) => hostOf(url).toLowerCase().includes(word),
  is: (request, word) => (word === "failed" ? isFailed(request) : word === "pending" ? request.isPending : word === "cached" && request.isCached),
};

/** Whether a request is as the line says; every word has to fit. */
export function isLike(line: string): (request: Request) => boolean {
  const tests = line
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "-")
    .map((word) => {
      const isNot = word.startsWith("-");
      const text = isNot ? word.slice(1) : word;
      const at = text.indexOf(":");
      const test = at > 0 ? TESTS[text.slice(0, at)] : undefined;
      const fits = (request: Request): boolean => (test === undefined ? request.url.toLowerCase().includes(text) : test(request, text.slice(at + 1)));
      return (request: Request) => fits(request) !== isNot;
    });
  return (request) => tests.every((fits) => fits(request));
}

/** What somebody types into an address bar. */

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[^/\s]+:\d+(\/|\?|#|$)/;
const LOCAL = /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|10(\.\d+){3}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|192\.168(\.\d+){2})(:|\/|\?|#|$)/i;

/**
 * The address that is meant: a scheme is kept, what is on this machine or its network gets http, a name with a dot gets
 * https.  Undefined where it is no address: words are made into no host, and told to nobody without being asked.
 */
export function addressOf(typed: string): string | undefined {
  const text = typed.trim();
  if (SCHEME.test(text) && !HOST_AND_PORT.test(text)) return /\s/.test(text) && !/^(data|javascript):/i.test(text) ? undefined : text;
  if (LOCAL.test(text)) return `http://${text}`;
  return isHost(text) ? `https://${text}` : undefined;
}

function isHost(text: string): boolean {
  const host = text.split(/[/?#]/)[0] ?? "";
  if (/\s/.test(text.split(/[?#]/)[0] ?? "") || host === "") return false;
  return /^[^.\s]+(\.[^.\s]+)+\.?(:\d+)?$/.test(host) || /^\[[0-9a-f:]+\](:\d+)?$/i.test(host) || HOST_AND_PORT.test(text);
}

const FAILURES: readonly [word: RegExp, why: string][] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION/, "There is no server of that name. Look at how the address is written."],
  [/CONNECTION_REFUSED/, "The server takes no connections there. Look at the port, and whether it runs."],
  [/TIMED_OUT/, "The server did not answer in time. Try again, or later."],
  [/CERT_|SSL_/, "The server's certificate does not hold, so nothing was sent to it."],
  [/TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED|BLOCKED_BY/, "What may be reached from here does not include it. Its operator can allow the host."],
  [/INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_/, "There is no way to the server from here."],
  [/EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED)/, "The server closed the connection. Try again."],
  [/TOO_MANY_REDIRECTS/, "The site leads round in a circle. Its cookies may be to blame."],
];

/** Why a page did not come, from Chromium's `ERR_…`, and what to do about it. */
export function failureOf(error: string): string {
  const why = FAILURES.find(([word]) => word.test(error))?.[1] ?? "The page did not come.";
  return `${why} (${error.slice(0, 100)})`;
}

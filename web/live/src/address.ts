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

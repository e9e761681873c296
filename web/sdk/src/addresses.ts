/** Where a server is and with which token, as given or as the environment says. */

export type Query = object | undefined;

/** An http address without what does not belong into one; in a page it may be relative. */
export function addressOf(given: string): string {
  let url: URL;
  try {
    url = new URL(given, (globalThis as { location?: { href: string } }).location?.href);
  } catch {
    throw new TypeError("baseUrl is no address: give one such as http://127.0.0.1:2468.");
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl begins with http:// or https://, sockets too.");
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError("baseUrl has a user, a query or a fragment: the secret goes into token, the rest nowhere.");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** None where it is empty.  Told without its value where it cannot be sent: errors are logged. */
export function checkedToken(token: string | undefined): string | undefined {
  const trimmed = token?.trim();
  if (!/^[\x21-\x7e]*$/.test(trimmed ?? "")) throw new TypeError("The token has characters that no header takes.");
  return trimmed || undefined;
}

/** Of the environment, where there is one. */
export function variable(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
}

/** With what is undefined left out, and lists as the same name several times. */
export function search(query: Query): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) pairs.append(name, String(one));
  const text = pairs.toString();
  return text === "" ? "" : `?${text}`;
}

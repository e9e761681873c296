/** What somebody types into an address bar. */

/** The address meant by `typed`: a scheme is kept, `localhost:3000` is a host with a port, and https is assumed. */
export function addressOf(typed: string): string {
  const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/]+:\d+(\/|$)/.test(typed);
  return isAddress ? typed : `https://${typed}`;
}

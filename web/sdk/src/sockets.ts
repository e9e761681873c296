/** WebSockets: opened with the token where the platform lets a header be set, else as a subprotocol. */
import type { Http, Query } from "./http.ts";

/** A WebSocket's constructor: the platform's, or one like it (`ws`). */
export type WebSocketLike = new (url: string, protocols?: string | string[]) => WebSocket;

export interface SocketOptions {
  /** In place of the client's own. */
  accessToken?: string | undefined;
  WebSocket?: WebSocketLike | undefined;
  protocols?: string | string[] | undefined;
}

/** Browsers send no headers of ours: the token goes as the subprotocol `belljar.bearer.…`, never in the address. */
export function openSocket(http: Http, path: string, options: SocketOptions = {}, query?: Query): WebSocket {
  const Socket = options.WebSocket ?? globalThis.WebSocket;
  if (Socket === undefined) throw new TypeError("There is no WebSocket here: give one as the option WebSocket.");
  const { token } = http.options;
  if (typeof token === "function" && options.accessToken === undefined)
    throw new TypeError("Give the token as accessToken: what gives one later cannot be asked while a socket is opened.");
  const secret = offered(options.accessToken ?? (typeof token === "string" ? token : undefined));
  const given = typeof options.protocols === "string" ? [options.protocols] : [...(options.protocols ?? [])];
  // The server answers with the first that it knows; a client that offers some must be answered with one.
  const protocols = secret === undefined ? given : [...(given.length > 0 ? given : ["belljar"]), `belljar.bearer.${secret}`];
  const socket = new Socket(http.socketUrl(path, query), protocols);
  socket.binaryType = "arraybuffer";
  return socket;
}

/** Told without its value where it cannot be offered. */
function offered(secret: string | undefined): string | undefined {
  if (secret !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(secret))
    throw new TypeError("The token has characters that no subprotocol takes (/ = and the like): use one that a server made.");
  return secret;
}

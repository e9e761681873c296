/** A server that misbehaves as it is told, on loopback. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { Belljar, type ConnectionOptions } from "../src/index.ts";

export interface Strange {
  jar: Belljar;
  server: Server;
  asked: IncomingMessage[];
  /** Answers that are still being given. */
  open: Set<ServerResponse>;
}

export async function strange(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
  options: ConnectionOptions = {},
): Promise<Strange> {
  const asked: IncomingMessage[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    asked.push(request);
    open.add(response);
    response.on("close", () => open.delete(response)).on("error", () => undefined);
    request.resume();
    answer(request, response, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const jar = new Belljar({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, token: "t", ...options });
  return { jar, server, asked, open };
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The same bytes for as long as somebody takes them. */
export function endless(response: ServerResponse, piece: string): void {
  const go = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", go);
  };
  go();
}

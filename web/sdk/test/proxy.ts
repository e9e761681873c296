/** TLS before a server, at a sub-path, as a reverse proxy has it; with a certificate of its own. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as ask } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, type Socket, connect } from "node:net";
import { join } from "node:path";

export interface TlsProxy {
  /** Its address with the sub-path. */
  url: string;
  /** The file with the certificate, for whoever shall trust it. */
  certificate: string;
  /** What it was asked for, addresses and all: what an operator's log would have. */
  log: string[];
  end(): Promise<void>;
}

export async function tlsProxy(target: string, folder: string, prefix: string): Promise<TlsProxy> {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  // Not one that may sign others: Deno takes no such for a server's own.
  writeFileSync(join(folder, "request.cnf"), "[req]\ndistinguished_name = d\nx509_extensions = x\n[d]\n[x]\nsubjectAltName = IP:127.0.0.1\nbasicConstraints = CA:FALSE\n");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const asked = ["req", "-x509", ...curve, "-days", "2", "-subj", "/CN=belljar tests", "-config", join(folder, "request.cnf")];
  execFileSync("openssl", [...asked, "-keyout", key, "-out", certificate], { stdio: "pipe" });
  const { hostname, port } = new URL(target);
  const log: string[] = [];
  const sockets = new Set<Socket>();
  const outgoing = (request: IncomingMessage) => {
    log.push(request.url ?? "");
    if (!request.url?.startsWith(`${prefix}/`)) return undefined;
    const headers = { ...request.headers, "x-forwarded-proto": "https", "x-forwarded-prefix": prefix, "x-forwarded-for": "127.0.0.1" };
    return { hostname, port, method: request.method, path: request.url.slice(prefix.length), headers };
  };
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    const to = outgoing(request);
    if (to === undefined) return void response.writeHead(404).end("nothing here");
    const asked = ask(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    asked.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end("Bad Gateway")));
    response.on("close", () => asked.destroy());
    request.pipe(asked);
  });
  server.on("upgrade", (request, socket, head) => {
    const to = outgoing(request);
    if (to === undefined) return void socket.destroy();
    const onward = connect(Number(port), hostname, () => {
      const lines = Object.entries(to.headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}\r\n`));
      onward.write(`GET ${to.path} HTTP/1.1\r\n${lines.join("")}\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [[socket, onward], [onward, socket]] as const) one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  server.on("connection", (socket: Socket) => void sockets.add(socket.on("close", () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    certificate,
    log,
    end: () => {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

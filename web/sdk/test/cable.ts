/** A network that can be cut. */
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";

/** A way to the server at a port of this host; `cut` ends what goes through it, and new connections are made again. */
export async function cuttable(target: string): Promise<{ port: number; cut(): void; end(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((from) => {
    const to = connect(Number(target), "127.0.0.1");
    for (const one of [from, to]) {
      sockets.add(one);
      one.on("error", () => undefined).on("close", () => sockets.delete(one));
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => sockets.forEach((one) => one.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    end: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

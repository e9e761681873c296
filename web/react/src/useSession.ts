/** One live connection for as long as a component is there, and what is known through it. */
import { type Box, Problem } from "belljar";
import { type BoxAddress, Connection, type LiveSnapshot } from "belljar/live";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";

/** What a client must have to be watched: `Belljar`, `SandboxAgent` and `Session` of the package `belljar` do. */
export type LiveClient = Pick<Box, "live"> & Partial<Pick<Box, "accessToken" | "control">> & { readonly baseUrl?: string };

export interface LiveSession extends LiveSnapshot {
  /** For `Picture`, `Input` and events: `connection.on("console", …)`. */
  connection: Connection;
  /** Whether this viewer holds control. */
  holdsControl: boolean;
  /** Why there will be no connection any more: the token is not good, or the session is over. */
  refusal: Problem | undefined;
  /** Run a command of the live protocol, as this viewer: `call("navigate", { url })`. */
  call: <T = unknown>(method: string, params?: object) => Promise<T>;
  /** Where files go to and come from, as this viewer; undefined for a client that does not say where its box is. */
  files: () => Promise<BoxAddress | undefined>;
}

/** Connects after the first mount, reconnects by itself, and closes with the component; nothing happens on a server. */
export function useSession(client: LiveClient): LiveSession {
  const connection = useMemo(() => connectionOf(client), [client]);
  const [refusal, setRefusal] = useState<Problem>();
  const snapshot = useSyncExternalStore(connection.subscribe, connection.getSnapshot, connection.getSnapshot);

  useEffect(() => {
    let isHere = true;
    setRefusal(undefined);
    const end = connection.on("lost", () => {
      void refusalOf(client).then((problem) => {
        if (!isHere || problem === undefined) return;
        connection.close();
        setRefusal(problem);
      });
    });
    // StrictMode mounts twice at once: a connection is opened for the mount that stays.
    queueMicrotask(() => isHere && connection.open());
    return () => {
      isHere = false;
      end();
      // Whoever goes away on purpose keeps nobody waiting; a reload of the page does not come by here, and keeps control.
      if (hasControl(connection.getSnapshot()) || connection.isTakingControl) connection.call("control.release").catch(() => undefined);
      connection.close();
    };
  }, [client, connection]);

  const call = useCallback(
    <T = unknown>(method: string, params?: object) => connection.call<T>(method, params),
    [connection],
  );
  const files = useCallback(async (): Promise<BoxAddress | undefined> => {
    if (client.baseUrl === undefined) return undefined;
    const address = new URL(client.baseUrl.replace(/\/?$/, "/"), document.baseURI).href;
    return { address, token: await client.accessToken?.(), viewer: connection.getSnapshot().ready?.key };
  }, [client, connection]);
  return { ...snapshot, connection, holdsControl: hasControl(snapshot), refusal, call, files };
}

function hasControl({ ready, control }: LiveSnapshot): boolean {
  return ready !== undefined && control?.holder.viewer === ready.viewer;
}

function connectionOf(client: LiveClient): Connection {
  const open = async (viewer: string): Promise<WebSocket> => {
    const accessToken = await client.accessToken?.();
    return client.live.open({ viewer, accessToken });
  };
  return new Connection(open, { storageKey: `belljar-viewer ${client.baseUrl ?? ""}` });
}

// A refused handshake says no more than that; the answer to a plain request does.
async function refusalOf(client: LiveClient): Promise<Problem | undefined> {
  try {
    await client.control?.show();
  } catch (error) {
    const isFinal = error instanceof Problem && [401, 403, 404, 410].includes(error.status);
    return isFinal ? error : undefined;
  }
  return undefined;
}

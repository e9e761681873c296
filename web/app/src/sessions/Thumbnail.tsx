/** A small picture of what a session shows: asked for when the row is seen and something happened since. */
import type { SessionInfo } from "belljar";
import { AppWindow, Monitor, Terminal } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { client } from "../shell/server.ts";

// At most so often for one session, however much happens in it.
const EVERY_MS = 4000;
const MOST_KEPT = 200;

interface Kept {
  url: string;
  seq: number;
  at: number;
}
const kept = new Map<string, Kept>();

// Asked for and not yet there: what happens meanwhile does not ask again, nor take it back.
const pending = new Map<string, Promise<string>>();

function picture(id: string, seq: number): Promise<string> {
  const asked = pending.get(id) ?? load(id, seq).finally(() => pending.delete(id));
  pending.set(id, asked);
  return asked;
}

async function load(id: string, seq: number): Promise<string> {
  const bytes = await client.sessions.thumbnail(id, { timeout: 15_000 });
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/jpeg" }));
  const old = kept.get(id);
  if (old !== undefined) setTimeout(() => URL.revokeObjectURL(old.url), 1000);
  kept.delete(id);
  kept.set(id, { url, seq, at: Date.now() });
  const first = kept.keys().next();
  if (kept.size > MOST_KEPT && !first.done) {
    URL.revokeObjectURL(kept.get(first.value)?.url ?? "");
    kept.delete(first.value);
  }
  return url;
}

export function Thumbnail({ session, alt = "" }: { session: SessionInfo; alt?: string }): ReactElement {
  const { id, state, mode } = session;
  const seq = session.glance?.seq;
  const [url, setUrl] = useState(() => kept.get(id)?.url);
  useEffect(() => {
    if (state !== "running" || mode === "none" || seq === undefined) return undefined;
    const last = kept.get(id);
    if (last?.seq === seq) return setUrl(last.url);
    let isHere = true;
    const due = last === undefined ? 0 : Math.max(0, last.at + EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      picture(id, seq).then(
        (made) => isHere && setUrl(made),
        () => undefined,
      );
    }, due);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [id, state, mode, seq]);
  const Icon = mode === "desktop" ? Monitor : mode === "none" ? Terminal : AppWindow;
  return (
    <span className="thumbnail" data-state={state}>
      {url === undefined ? <Icon size={16} strokeWidth={1.5} aria-hidden="true" /> : <img src={url} alt={alt} onError={() => setUrl(undefined)} />}
    </span>
  );
}

/** The address is the state: which screen, which panel, which filter, which moment. */
import { type MouseEvent, useSyncExternalStore } from "react";

/** Where the API is; everything of ours is below it.  It was told relative to this page, so that any prefix works. */
export const root: URL = new URL(meta("belljar-root") || "./", location.href);
/** Where the app's own screens begin: below the control plane's root, or in a folder of a box's. */
export const server: "box" | "plane" = meta("belljar-server") === "box" ? "box" : "plane";
const home: URL = server === "box" ? new URL("ui/", root) : root;

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

export interface Address {
  /** `["sessions", "abc"]`. */
  path: readonly string[];
  query: URLSearchParams;
  /** What stands after the #, as pairs: `t` is a moment. */
  hash: URLSearchParams;
}

const listeners = new Set<() => void>();
let current: Address = read();

function read(): Address {
  const below = location.pathname.slice(home.pathname.length);
  return {
    path: below.split("/").filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(location.search),
    hash: new URLSearchParams(location.hash.slice(1)),
  };
}

function changed(): void {
  current = read();
  for (const listener of [...listeners]) listener();
}
addEventListener("popstate", changed);
addEventListener("hashchange", changed);

export function useAddress(): Address {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => current,
  );
}

/** The address of a screen: `href("sessions", id)`. */
export function href(...path: string[]): string {
  return new URL(path.map(encodeURIComponent).join("/"), home).href;
}

export function go(to: string, { isReplacing = false } = {}): void {
  if (isReplacing) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  changed();
}

/** Change some of what stands after the ?; what is empty is left out. */
export function setQuery(changes: Record<string, string | undefined>, { isReplacing = true } = {}): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href !== location.href) go(url.href, { isReplacing });
}

export function setHash(changes: Record<string, string | undefined>): void {
  const hash = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) hash.delete(name);
    else hash.set(name, value);
  }
  const text = hash.toString();
  go(location.pathname + location.search + (text === "" ? "" : `#${text}`), { isReplacing: true });
}

/** For a link of ours: a plain click stays in this page, all others are the browser's. */
export function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(event.currentTarget.href);
}

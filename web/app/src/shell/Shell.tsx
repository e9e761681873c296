/** The bar at the top, what lies over every screen, and the keys that hold everywhere. */
import { CircleUser, Command, LogOut, MonitorSmartphone, WifiOff } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Button, Key } from "../design/Button.tsx";
import { Menu } from "../design/Menu.tsx";
import { Toasts } from "../design/Toasts.tsx";
import { follow, go, href, useAddress } from "./address.ts";
import { useCommands } from "./keys.ts";
import { Mark } from "./Mark.tsx";
import { KeyList, Palette } from "./Palette.tsx";
import { signOut, useAccess, useIsAdmin } from "./server.ts";

/** Around everything: palette, list of keys, toasts. */
export function Overlays({ children }: { children: ReactNode }): ReactElement {
  const [open, setOpen] = useState<"palette" | "keys">();
  const close = (): void => setOpen(undefined);
  useCommands([
    { keys: "Ctrl+K", label: "Commands", group: "Anywhere", run: () => setOpen((was) => (was === "palette" ? undefined : "palette")), isKeyOnly: true },
    { keys: "?", label: "Keys", group: "Anywhere", run: () => setOpen("keys") },
    { keys: "Esc", label: "Close the topmost", group: "Anywhere", run: close, isKeyOnly: true },
  ]);
  useEffect(() => {
    const show = (): void => setOpen("palette");
    addEventListener("belljar-palette", show);
    return () => removeEventListener("belljar-palette", show);
  }, []);
  return (
    <>
      {children}
      {open === "palette" ? <Palette onClose={close} /> : null}
      {open === "keys" ? <KeyList onClose={close} /> : null}
      <Toasts />
    </>
  );
}

const SCREENS = [
  ["", "Sessions", "g s"],
  ["profiles", "Profiles", "g p"],
  ["admin", "Admin", "g a"],
] as const;

/** The top bar of the control plane's screens. */
export function TopBar({ children }: { children?: ReactNode }): ReactElement {
  const { path } = useAddress();
  const access = useAccess();
  const current = path[0] ?? "";
  const isAdmin = useIsAdmin();
  const screens = SCREENS.filter(([name]) => name !== "admin" || isAdmin);
  useCommands(screens.map(([name, label, keys]) => ({ keys, label: `Go to ${label}`, group: "Anywhere", run: () => go(href(...(name ? [name] : []))) })));
  return (
    <header className="top-bar">
      <a className="home" href={href()} onClick={follow} aria-label="Belljar, all sessions">
        <Mark />
        <span>Belljar</span>
      </a>
      <nav aria-label="Screens">
        {screens.map(([name, label]) => (
          <a key={name} href={href(...(name ? [name] : []))} onClick={follow} aria-current={current === name ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div className="grow">{children}</div>
      <Offline />
      <Button kind="plain" className="palette-button" onClick={() => dispatchEvent(new Event("belljar-palette"))} icon={Command}>
        <span className="wide">Commands</span>
        <span aria-hidden="true">
          <Key keys="Ctrl K" />
        </span>
      </Button>
      {access.kind === "in" ? (
        <Menu label={`Signed in as ${access.me.user}`} icon={CircleUser} words={<span className="wide cut">{access.me.user}</span>}>
          {() => (
            <>
              <p>
                {access.me.user} · {access.me.role}
              </p>
              <hr />
              <a href={href("access")} onClick={follow}>
                <MonitorSmartphone size={15} aria-hidden="true" /> Browsers and apps
              </a>
              <button type="button" onClick={() => void signOut()}>
                <LogOut size={15} aria-hidden="true" /> Sign out
              </button>
            </>
          )}
        </Menu>
      ) : null}
    </header>
  );
}

/** Said as long as this browser has no network at all. */
export function Offline(): ReactElement | null {
  const isOnline = useSyncExternalStore(
    (listener) => {
      addEventListener("online", listener);
      addEventListener("offline", listener);
      return () => {
        removeEventListener("online", listener);
        removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
  );
  if (isOnline) return null;
  return (
    <span className="offline" role="status">
      <WifiOff size={14} aria-hidden="true" /> Offline
    </span>
  );
}

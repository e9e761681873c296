/** Administration: what an operator looks after, one section at a time. */
import { Compass } from "lucide-react";
import { type ReactElement, Suspense, lazy, useEffect, useRef } from "react";
import { Empty } from "../design/Empty.tsx";
import { follow, go, useAddress } from "../shell/address.ts";
import { useCommands } from "../shell/keys.ts";
import { TopBar } from "../shell/Shell.tsx";
import { adminAt } from "./figures.ts";
import "./admin.css";

const SECTIONS = [
  ["", "Overview", lazy(() => import("./Overview.tsx"))],
  ["people", "People and keys", lazy(() => import("./People.tsx"))],
  ["limits", "Limits", lazy(() => import("./Limits.tsx"))],
  ["usage", "Usage", lazy(() => import("./Usage.tsx"))],
  ["audit", "Audit", lazy(() => import("./Audit.tsx"))],
  ["hosts", "Hosts and pool", lazy(() => import("./Hosts.tsx"))],
  ["settings", "Settings", lazy(() => import("./Settings.tsx"))],
  ["health", "Health", lazy(() => import("./Health.tsx"))],
] as const;

export default function AdminScreen(): ReactElement {
  const { path } = useAddress();
  const current = path[1] ?? "";
  const found = SECTIONS.find(([name]) => name === current);
  useCommands(SECTIONS.map(([name, label], index) => ({ keys: String(index + 1), label: `Admin: ${label}`, group: "Admin", run: () => go(adminAt(name)) })));
  const Content = found?.[2];
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the row is longer than the screen.
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <div className="screen">
      <TopBar />
      <nav ref={bar} className="admin-nav" aria-label="Administration">
        {SECTIONS.map(([name, label]) => (
          <a key={name} href={adminAt(name)} onClick={follow} aria-current={name === current ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Suspense fallback={<main className="admin-section" aria-busy="true" />}>
        {Content === undefined ? (
          <Empty icon={Compass} title="There is nothing here">
            <p>This address names no section of the administration.</p>
          </Empty>
        ) : (
          <Content key={current} />
        )}
      </Suspense>
    </div>
  );
}

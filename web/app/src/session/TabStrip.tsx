/** Chromium's tabs, above the stage. */
import { Plus, X } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../design/Button.tsx";
import { sayProblem } from "../design/Toasts.tsx";
import { useSessionContext } from "./context.ts";

export function TabStrip(): ReactElement | null {
  const { live, mayDrive } = useSessionContext();
  const { tabs, call } = live;
  if (live.ready?.mode === "desktop" || tabs.length === 0) return null;
  const run = (method: string, params: object): void => void call(method, params).catch(sayProblem);
  return (
    <nav className="tab-strip" aria-label="Tabs of the browser">
      {tabs.map((tab) => (
        <span key={tab.id} className="page-tab" data-active={tab.active || undefined}>
          <button type="button" className="cut" title={`${tab.title}\n${tab.url}`} aria-current={tab.active || undefined} disabled={!mayDrive} onClick={() => run("tabs.activate", { id: tab.id })}>
            {tab.title || tab.url || "New tab"}
          </button>
          {mayDrive ? (
            <button type="button" className="close" aria-label={`Close ${tab.title || tab.url}`} onClick={() => run("tabs.close", { id: tab.id })}>
              <X size={12} aria-hidden="true" />
            </button>
          ) : null}
        </span>
      ))}
      {mayDrive ? <Button kind="plain" icon={Plus} label="New tab" onClick={() => run("tabs.create", {})} /> : null}
    </nav>
  );
}

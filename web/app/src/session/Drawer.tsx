/** The drawer: one panel at a time, as wide as it was left. */
import { X } from "lucide-react";
import { type ComponentType, type LazyExoticComponent, type PointerEvent, type ReactElement, Suspense, lazy, useLayoutEffect, useRef } from "react";
import { Button } from "../design/Button.tsx";
import { Fault } from "../design/Fault.tsx";
import { useRemembered } from "../shell/preferences.ts";
import type { Panel } from "./panels/index.ts";

const [USUAL, LEAST, MOST] = [400, 280, 900];
const loaded = new Map<string, LazyExoticComponent<ComponentType>>();

function componentOf(panel: Panel): LazyExoticComponent<ComponentType> {
  let found = loaded.get(panel.name);
  if (found === undefined) loaded.set(panel.name, (found = lazy(panel.load)));
  return found;
}

interface DrawerProps {
  panels: readonly Panel[];
  open: Panel | undefined;
  onChoose: (name: string) => void;
  onClose: () => void;
}

export function Drawer({ panels, open, onChoose, onClose }: DrawerProps): ReactElement {
  const [width, setWidth] = useRemembered("drawer.width", USUAL);
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const [from, was] = [event.clientX, width];
    const handle = event.currentTarget;
    const move = (moved: globalThis.PointerEvent): void => setWidth(Math.min(MOST, Math.max(LEAST, was + from - moved.clientX)));
    const stop = (): void => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", stop);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", stop);
  };
  // Known to all of the screen: where the drawer lies over the stage, what is pressed there keeps clear of it.
  useLayoutEffect(() => document.documentElement.style.setProperty("--drawer-width", `${width}px`), [width]);
  const rail = useRef<HTMLElement>(null);
  // On a phone the panels are one row, wider than the screen: the open one is in view.
  useLayoutEffect(() => {
    const chosen = rail.current?.querySelector('[aria-pressed="true"]');
    if (rail.current === null || chosen == null) return;
    const [row, button] = [rail.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    rail.current.scrollLeft += button.left + button.width / 2 - row.left - row.width / 2;
  }, [open?.name, panels.length]);
  const Content = open === undefined ? undefined : componentOf(open);
  return (
    <>
      {open === undefined || Content === undefined ? null : (
        <section className="drawer" aria-label={open.label}>
          <div
            className="drawer-edge"
            role="separator"
            aria-orientation="vertical"
            aria-label="Width of the drawer"
            aria-valuenow={width}
            aria-valuemin={LEAST}
            aria-valuemax={MOST}
            tabIndex={0}
            onPointerDown={drag}
            onKeyDown={(event) => {
              const step = { ArrowLeft: 20, ArrowRight: -20 }[event.key];
              if (step !== undefined) setWidth(Math.min(MOST, Math.max(LEAST, width + step)));
            }}
          />
          <header>
            <h2 className="grow">{open.label}</h2>
            <Button kind="plain" icon={X} label="Close the drawer" shortcut="\" onClick={onClose} />
          </header>
          <div className="drawer-body">
            <Fault key={open.name} what="This panel">
              <Suspense fallback={<div className="panel-wait"><span className="busy" /></div>}>
                <Content />
              </Suspense>
            </Fault>
          </div>
        </section>
      )}
      <nav ref={rail} className="panel-rail" aria-label="Panels">
        {panels.map(({ key, name, label, icon: Icon }) => (
          <button key={name} type="button" title={`${label} (${key})`} aria-label={label} aria-pressed={open?.name === name} onClick={() => (open?.name === name ? onClose() : onChoose(name))}>
            <Icon size={16} aria-hidden="true" />
            <span>{label}</span>
          </button>
        ))}
      </nav>
    </>
  );
}

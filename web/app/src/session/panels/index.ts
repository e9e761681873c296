/** The drawer's panels, in the order of their keys.  To add one: a file beside this with a default component, and a line here. */
import { Activity, Info, type LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { SessionContext } from "../context.ts";

export interface Panel {
  /** The key that shows it, and its place. */
  key: string;
  /** In the address: `?panel=activity`. */
  name: string;
  label: string;
  icon: LucideIcon;
  /** Loaded when it is first opened. */
  load: () => Promise<{ default: ComponentType }>;
  /** Whether it is there at all, for this session and this person; left out, always. */
  isFor?: (session: SessionContext) => boolean;
}

export const PANELS: readonly Panel[] = [
  { key: "1", name: "activity", label: "Activity", icon: Activity, load: () => import("./Activity.tsx") },
  { key: "0", name: "about", label: "About", icon: Info, load: () => import("./About.tsx") },
];

/** The drawer's panels, in the order of their keys.  To add one: a file beside this with a default component, and a line here. */
import { Activity, AppWindow, ArrowDownUp, Cpu, FlaskConical, Folder, Globe, Info, type LucideIcon, ShieldCheck, SquareTerminal } from "lucide-react";
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

const mayDrive = (session: SessionContext): boolean => session.mayDrive;
const isRunning = (session: SessionContext): boolean => session.isRunning;

export const PANELS: readonly Panel[] = [
  { key: "1", name: "activity", label: "Activity", icon: Activity, load: () => import("./Activity.tsx") },
  { key: "2", name: "page", label: "Page", icon: Globe, load: () => import("./Page.tsx"), isFor: isRunning },
  { key: "3", name: "console", label: "Console", icon: SquareTerminal, load: () => import("./Console.tsx"), isFor: mayDrive },
  { key: "4", name: "network", label: "Network", icon: ArrowDownUp, load: () => import("./network/Network.tsx"), isFor: mayDrive },
  { key: "5", name: "policy", label: "Policy", icon: ShieldCheck, load: () => import("./Policy.tsx"), isFor: mayDrive },
  { key: "6", name: "files", label: "Files", icon: Folder, load: () => import("./files/Files.tsx"), isFor: mayDrive },
  { key: "7", name: "desktop", label: "Desktop", icon: AppWindow, load: () => import("./Desktop.tsx"), isFor: isRunning },
  { key: "8", name: "processes", label: "Processes", icon: Cpu, load: () => import("./processes/Processes.tsx"), isFor: mayDrive },
  { key: "9", name: "try", label: "Try", icon: FlaskConical, load: () => import("./try/Try.tsx"), isFor: (session) => session.isRunning && session.mayDrive },
  { key: "0", name: "about", label: "About", icon: Info, load: () => import("./about/About.tsx") },
];

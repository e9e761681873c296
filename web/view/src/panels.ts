/** The parts around the picture.  What comes from pages is shown as text, never as markup. */
import type { LiveConsoleLine, LiveTab } from "belljar";

const MAX_LINES = 300;
const TOAST_MS = 6_000;

/** An element of index.html, which has all that are asked for. */
export function $<Made extends HTMLElement = HTMLElement>(id: string): Made {
  return document.getElementById(id) as Made;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export interface ToastOptions {
  bad?: boolean;
  action?: { label: string; run: () => void };
}

export function toast(text: string, { bad = false, action }: ToastOptions = {}): void {
  const made = element("div", { className: bad ? "toast bad" : "toast" }, text);
  const remove = (): void => made.remove();
  if (action) {
    const act = (): void => {
      remove();
      action.run();
    };
    made.append(element("button", { textContent: action.label, onclick: act }));
  }
  $("toasts").append(made);
  while ($("toasts").children.length > 4) $("toasts").firstChild?.remove();
  setTimeout(remove, TOAST_MS);
}

export interface TabActions {
  mayDrive: boolean;
  activate: (id: string) => void;
  close: (id: string) => void;
  create: () => void;
}

export function showTabs(tabs: readonly LiveTab[], { mayDrive, activate, close, create }: TabActions): void {
  const rows = tabs.map((tab) => {
    const name = tab.title || tab.url || "New tab";
    const open = element("button", { textContent: name, title: tab.url, disabled: !mayDrive, onclick: () => activate(tab.id) });
    open.setAttribute("role", "tab");
    open.setAttribute("aria-selected", String(tab.active));
    const shut = element("button", { textContent: "×", title: "Close tab", onclick: () => close(tab.id) });
    shut.setAttribute("aria-label", `Close ${name}`);
    return element("div", { className: tab.active ? "tab active" : "tab" }, open, ...(mayDrive ? [shut] : []));
  });
  const add = element("button", { textContent: "+", title: "New tab", className: "icon", onclick: create });
  add.setAttribute("aria-label", "New tab");
  $("tabs").replaceChildren(...rows, ...(mayDrive ? [add] : []));
}

export class ConsoleLines {
  #count = 0;

  /** Lines of before, above what came since; those that came in between are not told twice. */
  putBefore(earlier: readonly Pick<LiveConsoleLine, "level" | "text">[]): void {
    const shown = [...$("console").children].map((line) => line.textContent);
    const since = shown.length ? earlier.findLastIndex((_, start) => shown.every((text, index) => earlier[start + index]?.text.startsWith(text ?? "") ?? true)) : -1;
    const before = since < 0 ? earlier : earlier.slice(0, since);
    $("console").prepend(...before.map(({ level, text }) => element("li", { className: level, textContent: text.slice(0, 2000) })));
    $("console-count").textContent = String((this.#count += before.length));
  }

  add({ level, text }: LiveConsoleLine): void {
    const list = $("console");
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 5;
    list.append(element("li", { className: level, textContent: text }));
    while (list.children.length > MAX_LINES) list.firstChild?.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    $("console-count").textContent = String(++this.#count);
  }
}

const MAIN_PARAMETERS: Record<string, string> = {
  navigate: "url",
  evaluate: "expression",
  press: "key",
  "tabs.create": "url",
  "control.give": "to",
};

/** `name {json}`, or `name text` for the parameter that matters most. */
export function parseCommand(line: string): [method: string, params: object] {
  const [, method, rest] = /^\s*(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  if (!method) throw new Error("Type a command's name.");
  if (!rest) return [method, {}];
  if (rest.trimStart().startsWith("{")) return [method, JSON.parse(rest) as object];
  if (method.startsWith("tabs.") && method !== "tabs.create") return [method, { id: rest }];
  return [method, { [MAIN_PARAMETERS[method] ?? "selector"]: rest }];
}

export const METHODS: readonly string[] = [
  ...["navigate", "back", "forward", "reload", "click", "dblclick", "hover", "type", "press", "select", "scroll"],
  ...["waitForSelector", "setViewport", "evaluate", "screenshot", "dialog"],
  ...["tabs.list", "tabs.create", "tabs.activate", "tabs.close"],
  ...["control.take", "control.request", "control.renew", "control.release", "control.give"],
];

export function toggle(button: HTMLElement, panel: HTMLElement): boolean {
  const isShown = panel.hidden === true;
  panel.hidden = !isShown;
  button.setAttribute("aria-expanded", String(isShown));
  return isShown;
}

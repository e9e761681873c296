/* The parts around the picture.  What comes from pages is shown as text, never as markup. */

const MAX_LINES = 300;
const TOAST_MS = 6_000;

export const $ = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function toast(text, { bad = false, action = null } = {}) {
  const made = element("div", { className: bad ? "toast bad" : "toast" }, text);
  const remove = () => made.remove();
  if (action) {
    made.append(element("button", { textContent: action.label, onclick: () => (remove(), action.run()) }));
  }
  $("toasts").append(made);
  while ($("toasts").children.length > 4) $("toasts").firstChild.remove();
  setTimeout(remove, TOAST_MS);
}

export function showTabs(tabs, { mayDrive, activate, close, create }) {
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

  add({ level, text }) {
    const list = $("console");
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 5;
    list.append(element("li", { className: level, textContent: text }));
    while (list.children.length > MAX_LINES) list.firstChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    $("console-count").textContent = String(++this.#count);
  }
}

/** `name {json}`, or `name text` for the parameter that matters most. */
export function parseCommand(line) {
  const [, method, rest] = /^\s*(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  if (!method) throw new Error("Type a command's name.");
  if (!rest) return [method, {}];
  if (rest.trimStart().startsWith("{")) return [method, JSON.parse(rest)];
  const main = { navigate: "url", evaluate: "expression", press: "key", "tabs.create": "url", "control.give": "to" };
  if (method.startsWith("tabs.") && method !== "tabs.create") return [method, { id: rest }];
  return [method, { [main[method] ?? "selector"]: rest }];
}

export const METHODS = [
  "navigate", "back", "forward", "reload", "click", "dblclick", "hover", "type", "press", "select", "scroll",
  "waitForSelector", "setViewport", "evaluate", "screenshot", "dialog", "tabs.list", "tabs.create", "tabs.activate",
  "tabs.close", "control.take", "control.request", "control.renew", "control.release", "control.give",
];

export function toggle(button, panel) {
  const isShown = panel.hidden;
  panel.hidden = !isShown;
  button.setAttribute("aria-expanded", String(isShown));
  return isShown;
}

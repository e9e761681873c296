/** Words on the page that is shown: a field, how often they are there, the next one and the one before. */
import type { BrowserFindResponse } from "belljar";

export interface FindActions {
  find: (text: string, index: number) => Promise<BrowserFindResponse>;
  onClose: () => void;
}

export function findForm({ find, onClose }: FindActions): HTMLFormElement {
  const form = Object.assign(document.createElement("form"), { className: "belljar-find" });
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", "Find on the page");
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: "Find on the page", autocomplete: "off", maxLength: 1000 });
  field.setAttribute("aria-label", "Words to find");
  const count = Object.assign(document.createElement("output"), { className: "belljar-find-count" });
  let index = 0;
  // Only the newest answer counts: what is typed overtakes what was asked before.
  let newest = 0;
  const look = (): void => {
    const number = ++newest;
    find(field.value, index).then(
      (found) => {
        if (number !== newest) return;
        index = found.index ?? 0;
        count.textContent = !field.value.trim() ? "" : found.count ? `${index + 1} of ${found.count}${found.more ? "+" : ""}` : "Nothing";
      },
      (problem: { message?: string }) => number === newest && (count.textContent = problem.message ?? "It did not work."),
    );
  };
  const go = (step: number): void => {
    index += step;
    look();
  };
  field.oninput = () => {
    index = 0;
    look();
  };
  const button = (textContent: string, name: string, onclick: () => void): HTMLButtonElement => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent, title: name, onclick });
    made.setAttribute("aria-label", name);
    return made;
  };
  const close = (): void => {
    newest++;
    find("", 0).catch(() => undefined);
    onClose();
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    go(1);
  };
  form.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.shiftKey) {
      event.preventDefault();
      go(-1);
    }
  };
  form.append(field, count, button("↑", "The one before", () => go(-1)), button("↓", "The next one", () => go(1)), button("×", "Close", close));
  return form;
}

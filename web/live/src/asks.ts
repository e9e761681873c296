/** What a page asks of a person, as a form: the widgets that Chromium shows in windows of its own, which no picture has. */
import type { BrowserAnswerRequest, BrowserAsk } from "belljar";
import type { Tools } from "./tools.ts";

export type Answer = Omit<BrowserAnswerRequest, "id" | "tabId">;

export interface AskActions {
  /** Whether this viewer may answer; without it the form only tells what is asked. */
  mayAnswer: boolean;
  answer: (given: Answer) => Promise<unknown>;
  /** Give files of this machine to the page; `onProgress` is called with the part that has gone, 0 to 1. */
  upload: (files: readonly File[], onProgress: (part: number) => void, signal: AbortSignal) => Promise<unknown>;
  /** It was answered or closed here: the keyboard is the page's again. */
  onDone: () => void;
  /** What a menu does beside answering. */
  tools: Tools;
}

const QUESTIONS: Record<BrowserAsk["kind"], string> = {
  select: "The page offers a choice",
  date: "The page asks for a date",
  time: "The page asks for a time",
  "datetime-local": "The page asks for a date and a time",
  month: "The page asks for a month",
  week: "The page asks for a week",
  color: "The page asks for a colour",
  datalist: "The page suggests",
  file: "The page asks for a file",
  menu: "Menu",
  auth: "A server asks for a name and a password",
  permission: "The site asks to be allowed something",
  print: "The page wants to be printed",
};
const PERMISSIONS: Record<NonNullable<BrowserAsk["permission"]>, string> = {
  geolocation: "know where it is",
  camera: "use a camera",
  microphone: "use a microphone",
  "clipboard-read": "read the clipboard",
  midi: "use MIDI devices",
  "local-fonts": "list the fonts that are installed",
  "window-management": "place windows on all screens",
};
// What turns the words after it round, so that a page's name for a field could read as part of our sentence.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// From how many options on there is a field to find one by its words.
const FILTERED = 12;
const ROWS = 8;

/** What is asked, in a sentence. */
export function questionOf(ask: BrowserAsk): string {
  const { kind, multiple, directory, origin, permission, waiting } = ask;
  const label = ask.label?.replace(TURNING, "");
  if (kind === "permission") return `${askerOf(ask)} asks to ${permission ? PERMISSIONS[permission] : "be allowed something"}${waiting ? ` (and ${waiting} more)` : ""}`;
  if (kind === "print") return `${askerOf(ask)} wants to be printed`;
  if (kind === "auth") return `${origin ?? "A server"} asks for a name and a password${label ? `, for “${label}”` : ""}`;
  const question = kind === "file" && directory ? "The page asks for a folder" : kind === "file" && multiple ? "The page asks for files" : QUESTIONS[kind];
  const asked = isForeign(ask) ? question.replace("The page", askerOf(ask)) : question;
  return label ? `${asked}: ${label}` : asked;
}

/** Whether a frame of another site asks than the tab shows. */
function isForeign({ origin, site }: BrowserAsk): boolean {
  return Boolean(origin && site && origin !== site);
}

function askerOf(ask: BrowserAsk): string {
  const asker = ask.origin && ask.origin !== "null" ? ask.origin : "A frame of nobody's";
  return isForeign(ask) ? `${asker}, a frame in ${ask.site},` : asker;
}

/** The form of one question.  Words of the page are text in it, never markup. */
export function askForm(ask: BrowserAsk, actions: AskActions): HTMLFormElement {
  const form = make("form", { className: "belljar-ask", noValidate: true });
  form.dataset["kind"] = ask.kind;
  form.setAttribute("role", "group");
  form.setAttribute("aria-label", questionOf(ask));
  form.append(make("p", { className: "belljar-ask-question", textContent: questionOf(ask) }));
  if (!actions.mayAnswer) return form;
  const ending = new AbortController();
  const problem = make("p", { className: "belljar-ask-problem", hidden: true });
  problem.setAttribute("role", "alert");
  const tried = (work: Promise<unknown>): void => {
    problem.hidden = true;
    work.then(actions.onDone, (failed: { message?: string }) => {
      if (ending.signal.aborted) return;
      problem.textContent = failed.message ?? "It did not work.";
      problem.hidden = false;
    });
  };
  const part = (PARTS[ask.kind as keyof typeof PARTS] ?? PARTS.value)(ask, {
    tools: actions.tools,
    close: () => close(),
    answer: (given) => tried(actions.answer(given)),
    upload: (files, onProgress) => tried(actions.upload(files, onProgress, ending.signal)),
  });
  const cancel = make("button", { type: "button", className: "belljar-ask-cancel", textContent: ["datalist", "menu", "print"].includes(ask.kind) ? "Close" : "Cancel", hidden: ask.kind === "permission" });
  const close = (): void => {
    ending.abort();
    actions.answer({ cancel: true }).then(actions.onDone, actions.onDone);
  };
  cancel.onclick = close;
  form.onsubmit = (event) => {
    event.preventDefault();
    part.submit();
  };
  form.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
  };
  form.append(make("div", { className: "belljar-ask-row" }, ...part.fields, ...part.buttons, cancel), problem);
  return form;
}

/** Give the keyboard to what is to be filled in; suggestions leave it to the page, which is being typed into. */
export function focusAsk(form: HTMLFormElement): void {
  if (form.dataset["kind"] === "datalist") return;
  form.querySelector<HTMLElement>("input, select, button")?.focus({ preventScroll: true });
}

interface Sending {
  tools: Tools;
  close: () => void;
  answer: (given: Answer) => void;
  upload: (files: readonly File[], onProgress: (part: number) => void) => void;
}

interface FormPart {
  fields: Node[];
  buttons: Node[];
  submit: () => void;
}

const PARTS: Record<"select" | "file" | "datalist" | "menu" | "auth" | "permission" | "print" | "value", (ask: BrowserAsk, sending: Sending) => FormPart> = {
  select(ask, { answer }) {
    const options = ask.options ?? [];
    const list = make("select", { multiple: ask.multiple === true, size: rowsOf(options), className: "belljar-ask-options" });
    list.setAttribute("aria-label", ask.label || "Options");
    fillOptions(list, ask, "");
    const filter = make("input", { type: "search", placeholder: ask.more ? "Find, or write a whole name" : "Find", className: "belljar-ask-filter" });
    filter.setAttribute("aria-label", "Find an option");
    filter.oninput = () => fillOptions(list, ask, filter.value);
    const submit = (): void => {
      const indexes = [...list.selectedOptions].map((option) => Number(option.value));
      const isNamed = ask.more && filter.value.trim() && (list.options.length === 0 || !indexes.length);
      if (isNamed) answer({ value: filter.value.trim() });
      else if (ask.multiple) answer({ indexes: indexes.concat(chosenElsewhere(list, ask)).sort((one, other) => one - other) });
      else if (indexes.length) answer({ indexes });
    };
    // A click chooses where one is to be chosen; keys move, and Enter chooses.
    if (!ask.multiple) list.onclick = (event) => void (event.target instanceof HTMLOptionElement && !event.target.disabled && submit());
    list.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      submit();
    };
    const isLong = options.length > FILTERED || Boolean(ask.more);
    const rest = ask.more ? [make("span", { className: "belljar-ask-hint", textContent: `${ask.more} more are not listed` })] : [];
    return { fields: [...(isLong ? [filter] : []), list, ...rest], buttons: [strong("Choose")], submit };
  },
  value(ask, { answer }) {
    const field = valueField(ask);
    const clear = make("button", { type: "button", textContent: "Clear", onclick: () => answer({ value: "" }) });
    return { fields: [field], buttons: [strong("Set"), ...(ask.kind === "color" || ask.required ? [] : [clear])], submit: () => answer({ value: field.value }) };
  },
  datalist(ask, { answer }) {
    const names = (ask.options ?? []).slice(0, 50).map(({ label, value }) => {
      const button = make("button", { type: "button", textContent: label, onclick: () => answer({ value: value ?? label }) });
      return make("li", {}, button);
    });
    const list = make("ul", { className: "belljar-ask-suggestions" }, ...names);
    return { fields: [list], buttons: [], submit: () => undefined };
  },
  menu(ask, { answer, close, tools }) {
    const item = (textContent: string, run: () => unknown): HTMLButtonElement =>
      make("button", {
        type: "button",
        textContent,
        onclick: () => {
          close();
          run();
        },
      });
    const { link, image, text, editable } = ask;
    const items = [
      ...(link ? [item("Open in a new tab", () => tools.run("tabs.create", { url: link })), item("Copy the link", () => tools.copyText(link))] : []),
      ...(image ? [make("button", { type: "button", textContent: "Save the picture", onclick: () => answer({ save: true }) })] : []),
      ...(text ? [item("Copy", () => tools.copyText(text))] : []),
      ...(editable && tools.canPaste ? [item("Paste", () => tools.paste())] : []),
      item("Back", () => tools.run("back")),
      item("Forward", () => tools.run("forward")),
      item("Reload", () => tools.run("reload")),
      item("Find", () => tools.find()),
      item("Save as PDF", () => tools.print()),
    ];
    const hint = editable && !tools.canPaste ? [make("span", { className: "belljar-ask-hint", textContent: "Paste with Ctrl+V: without TLS a page may not read your clipboard." })] : [];
    return { fields: [make("div", { className: "belljar-ask-menu" }, ...items), ...hint], buttons: [], submit: () => undefined };
  },
  auth(_ask, { answer }) {
    const name = make("input", { type: "text", autocomplete: "off", placeholder: "Name" });
    name.setAttribute("aria-label", "Name");
    const password = make("input", { type: "password", autocomplete: "off", placeholder: "Password" });
    password.setAttribute("aria-label", "Password");
    return { fields: [name, password], buttons: [strong("Sign in")], submit: () => answer({ username: name.value, password: password.value }) };
  },
  permission(ask, { answer }) {
    const place = ask.positionNeeded ? [numberField("Latitude", 90), numberField("Longitude", 180)] : [];
    const decide = (decision: NonNullable<Answer["decision"]>): void => {
      const wrong = decision === "deny" ? undefined : place.find((field) => !field.reportValidity());
      if (wrong !== undefined) return;
      const [latitude, longitude] = place.map((field) => Number(field.value));
      answer({ decision, ...(decision === "deny" || latitude === undefined || longitude === undefined ? {} : { position: { latitude, longitude, accuracy: 10 } }) });
    };
    const button = (textContent: string, decision: NonNullable<Answer["decision"]>): HTMLButtonElement => make("button", { type: "button", textContent, onclick: () => decide(decision) });
    const buttons = [button("Allow once", "once"), button(`Allow for ${ask.site ?? "this site"}`, "site"), button("Deny", "deny")];
    return { fields: place, buttons, submit: () => decide("once") };
  },
  print(ask, { answer, tools }) {
    const save = (): void => {
      void tools.print(ask.tabId);
      answer({});
    };
    return { fields: [], buttons: [strong("Save as PDF")], submit: save };
  },
  file(ask, { upload }) {
    const field = make("input", { type: "file", multiple: ask.multiple === true || ask.directory === true, accept: ask.accept ?? "" });
    field.setAttribute("aria-label", "Files of this machine");
    if (ask.directory) field.webkitdirectory = true;
    const gone = make("progress", { max: 1, value: 0, hidden: true });
    gone.setAttribute("aria-label", "Sent");
    const send = (): void => {
      const files = [...(field.files ?? [])];
      if (!files.length) return;
      gone.hidden = false;
      upload(files, (part) => void (gone.value = part));
    };
    field.onchange = send;
    return { fields: [field, gone], buttons: [], submit: send };
  },
};

function rowsOf(options: readonly { group?: string | null }[]): number {
  const groups = new Set(options.map(({ group }) => group ?? "").filter(Boolean));
  return Math.min(ROWS, Math.max(2, options.length + groups.size));
}

/** Those of a choice of several that the words looked for have hidden. */
function chosenElsewhere(list: HTMLSelectElement, { options = [] }: BrowserAsk): number[] {
  const shown = new Set([...list.options].map((option) => Number(option.value)));
  return (options ?? []).flatMap(({ selected }, index) => (selected && !shown.has(index) ? [index] : []));
}

function fillOptions(list: HTMLSelectElement, { options }: BrowserAsk, words: string): void {
  const wanted = words.trim().toLowerCase();
  const groups = new Map<string, HTMLOptGroupElement>();
  list.replaceChildren();
  (options ?? []).forEach(({ label, group, disabled, selected }, index) => {
    if (wanted && !label.toLowerCase().includes(wanted)) return;
    const option = make("option", { value: String(index), textContent: label || "–", disabled: disabled === true, selected: selected === true });
    if (!group) return void list.append(option);
    let around = groups.get(group);
    if (around === undefined) {
      groups.set(group, (around = make("optgroup", { label: group })));
      list.append(around);
    }
    around.append(option);
  });
  if (wanted && !list.multiple && list.selectedIndex < 0) list.selectedIndex = [...list.options].findIndex((option) => !option.disabled);
}

function valueField({ kind, label, value, min, max, step, required }: BrowserAsk): HTMLInputElement {
  const field = make("input", { type: kind });
  for (const [name, given] of Object.entries({ min, max, step })) if (given) field.setAttribute(name, given);
  field.required = required === true;
  field.value = value ?? "";
  field.setAttribute("aria-label", label || questionOf({ kind } as BrowserAsk));
  return field;
}

function numberField(name: string, most: number): HTMLInputElement {
  const field = make("input", { type: "number", placeholder: name, step: "any", min: String(-most), max: String(most), required: true });
  field.setAttribute("aria-label", name);
  return field;
}

function strong(textContent: string): HTMLButtonElement {
  return make("button", { type: "submit", className: "belljar-ask-strong", textContent });
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

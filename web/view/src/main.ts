/** The viewer page: signs in, connects, and ties the parts together. */
import type { ControlResponse, LiveConsoleLine, LiveDialogChanged, LiveReady, LiveTab } from "belljar";
import { type BoxAddress, Access, Connection, type ConnectionState, Input, type LiveTransport, Picture, addressOf, failureOf, Tools, Zoom, askForm, findForm, focusAsk, nameOfTransport, openLive, uploadFiles } from "../../live/src/index.ts";
import { isEmbedded, tokenFromEmbedder } from "../../live/src/embedded.ts";
import { $, ConsoleLines, METHODS, element, parseCommand, showTabs, toast, toggle } from "./panels.ts";
import { box, signIn, signOut, takeTicket, whatIsWrong } from "./sign_in.ts";

// Given by the page around this one, for one connection; with it the cookie does not count.
let given: string | undefined;
let isTokenAwaited = false;
const connection = new Connection(isEmbedded() ? openAsEmbedded : box.href);
const TRANSPORTS: readonly LiveTransport[] = ["jpeg", "webcodecs", "mse", "webrtc"];
const asked = new URLSearchParams(location.search).get("transport");
const picture = new Picture($<HTMLCanvasElement>("picture"), connection, { transport: TRANSPORTS.find((one) => one === asked) });
const lines = new ConsoleLines();
const keys = $<HTMLTextAreaElement>("keys");
const url = $<HTMLInputElement>("url");

let ready: LiveReady | null = null;
let control: ControlResponse | null = null;
let hidesQuestion = false;
let tabs: readonly LiveTab[] = [];
let askedBy = new Set<string>();
// Why the box said that it ends.
let ended = "";

const failed = (problem: { message?: string }): void => toast(problem.message ?? "It did not work.", { bad: true });
const run = (method: string, params?: object): void => void connection.call(method, params).catch(failed);

const access = new Access(connection, {
  onRefused: failed,
  onHeld({ kind, name }) {
    if ($("toasts").children.length) return;
    const take = { label: "Take it", run: () => run("control.take") };
    toast(`${kind === "agent" ? "The agent" : name} has control.`, { action: take });
  },
});

async function openAsEmbedded(viewer: string): Promise<WebSocket> {
  isTokenAwaited = true;
  showNote();
  given = await tokenFromEmbedder();
  isTokenAwaited = false;
  showNote();
  return openLive(box.href, viewer, given);
}

function showStage(): void {
  $("sign-in").hidden = true;
  for (const id of ["bar", "stage", "foot"]) $(id).hidden = false;
}

function showOver(why: string): void {
  showStage();
  ended = why;
  connection.close();
}

function askForToken(why: string): void {
  connection.close();
  for (const id of ["bar", "stage", "foot"]) $(id).hidden = true;
  $("sign-in").hidden = false;
  $("sign-in-why").classList.toggle("bad", Boolean(why));
  if (why) $("sign-in-why").textContent = why;
  $("token").focus();
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

function begin(): void {
  showStage();
  connection.close();
  connection.open();
}

async function start(): Promise<void> {
  const ticket = takeTicket();
  if (isEmbedded()) return begin();
  if (ticket) {
    const why = await signIn({ ticket });
    const wrong = why ? await whatIsWrong() : {};
    if (why && wrong.token) return askForToken(sentence(why));
    return wrong.over ? showOver(wrong.over) : begin();
  }
  if (connection.state !== "closed") return;
  const { token, over } = await whatIsWrong();
  if (token) askForToken("");
  else if (over) showOver(over);
  else begin();
}

const STATES: Record<ConnectionState, [words: string, kind: string]> = {
  open: ["connected", "good"],
  connecting: ["connecting…", "warn"],
  waiting: ["reconnecting…", "warn"],
  closed: ["closed", "bad"],
};

function showState(): void {
  const [words, kind] = STATES[connection.state];
  $("state").textContent = words;
  $("state").className = `pill ${kind}`;
  $("state").dataset["state"] = connection.state;
  showNote();
}

function note(): string {
  if (connection.state === "closed") return ended || "Not connected.";
  if (connection.state === "waiting") return "The connection was lost. Trying again…";
  if (isTokenAwaited) return "Waiting for a token from the page around this one…";
  if (connection.state === "connecting") return "Connecting to the box…";
  if (ready?.mode === "none") return "Nothing is running. The picture begins when a browser or the desktop starts.";
  return picture.viewport ? "" : "Waiting for the first picture…";
}

function showNote(): void {
  const text = note();
  $("note-text").textContent = text;
  $("note").hidden = !text;
  $("again").hidden = connection.state !== "closed" && connection.state !== "waiting";
  $("again").textContent = connection.state === "closed" ? "Connect again" : "Try now";
  $("stage").classList.toggle("stale", connection.state !== "open");
  $("stage").classList.toggle("empty", !picture.viewport);
}

function nameOfHolder({ kind, name }: ControlResponse["holder"]): string {
  if (access.holdsControl) return "You have control";
  if (kind === "none") return "Nobody has control";
  return kind === "agent" ? "The agent has control" : `${name} has control`;
}

function showControl(): void {
  if (!control || !ready) return;
  const { mayDrive, holdsControl } = access;
  const { kind } = control.holder;
  const who = nameOfHolder(control.holder);
  $("holder").textContent = mayDrive ? who : `${who} · view only`;
  $("holder").className = `pill ${holdsControl ? "good" : kind !== "none" ? "warn" : mayDrive ? "nobody" : ""}`;
  $("control").textContent = holdsControl ? "Give back" : "Take control";
  $("control").hidden = !mayDrive;
  $("stage").classList.toggle("watching", !mayDrive);
  for (const id of ["back", "forward", "reload", "stop", "url"])
    $<HTMLButtonElement>(id).disabled = !mayDrive || ready.mode !== "browser";
  $("show-command").hidden = !mayDrive;
  showQuestion();
  showRequests(control);
}

/** Others who ask for the control that this viewer has. */
function showRequests({ requests = [] }: ControlResponse): void {
  for (const request of requests) {
    const to = request.viewer ?? "agent";
    if (!access.holdsControl || askedBy.has(to)) continue;
    askedBy.add(to);
    const give = { label: "Give", run: () => run("control.give", { to }) };
    toast(`${request.name ?? "The agent"} asks for control.`, { action: give });
  }
  if (!requests.length) askedBy = new Set();
}

/** What an agent asks of a person, with the next step of helping: to take control, then to give it back. */
function showQuestion(): void {
  const question = control?.question ?? "";
  if (question !== $("question-text").textContent) hidesQuestion = false;
  $("question-text").textContent = question;
  $("question").hidden = !question || hidesQuestion;
  $("question-take").textContent = access.holdsControl ? "Done: give control back" : "Help: take control";
  $("question-take").hidden = !access.mayDrive;
}

let failure = "";

/** Why what the tab was led to did not come, once. */
function showFailure({ id, url: address, error }: LiveTab): void {
  const now = error ? `${id} ${address} ${error}` : "";
  if (now !== failure && error) toast(failureOf(error), { bad: true, ...(access.mayDrive ? { action: { label: "Try again", run: () => run("reload") } } : {}) });
  failure = now;
}

function drawTabs(): void {
  showTabs(tabs, {
    mayDrive: access.mayDrive,
    activate: (id) => run("tabs.activate", { id }),
    close: (id) => run("tabs.close", { id }),
    create: () => run("tabs.create", {}),
  });
  $("tabs").hidden = !tabs.length;
  const active = tabs.find((tab) => tab.active);
  if (active) {
    document.title = `${active.title || active.url} – Belljar`;
    $("loading").hidden = $("stop").hidden = !active.loading;
    $("reload").hidden = active.loading === true;
    showFailure(active);
    if (document.activeElement !== url) url.value = active.url === "about:blank" ? "" : active.url;
  }
}

const files = (): BoxAddress => ({ address: box.href, token: given, viewer: ready?.key });

const tools: Tools = new Tools(connection, files, {
  onFind: showFind,
  onProblem: failed,
  onCopied: (text, isDone) => (isDone ? toast("Copied.") : toast("Without TLS a page may copy only in a click.", { action: { label: "Copy", run: () => tools.copyText(text) } })),
});

function showFind(): void {
  const form = findForm({
    find: (text, index) => tools.search(text, index),
    onClose() {
      $("find").hidden = true;
      keys.focus({ preventScroll: true });
    },
  });
  $("find").replaceChildren(form);
  $("find").hidden = false;
  form.querySelector("input")?.focus();
}

let shownAsk = "";

/** What the page asks and no picture shows: one at a time. */
function showAsk(): void {
  const { asks, ready: now } = connection.getSnapshot();
  const ask = asks[0];
  const mayAnswer = access.mayDrive && (access.holdsControl || control?.holder.kind === "none");
  const is = JSON.stringify([ask, mayAnswer, now?.viewer]);
  if (is === shownAsk) return;
  shownAsk = is;
  $("asks").hidden = ask === undefined;
  if (ask === undefined) return $("asks").replaceChildren();
  const form = askForm(ask, {
    mayAnswer,
    answer: (answer) => connection.call("answer", { ...answer, id: ask.id, tabId: ask.tabId }),
    upload: (chosen, onProgress, signal) => uploadFiles(files(), ask, chosen, onProgress, signal),
    tools,
    onDone: () => keys.focus({ preventScroll: true }),
  });
  $("asks").replaceChildren(form);
  if (document.activeElement === keys) focusAsk(form);
}

function showDialog({ dialog, tabId }: LiveDialogChanged): void {
  const ask = $<HTMLFormElement>("ask");
  const text = $<HTMLInputElement>("ask-text");
  ask.hidden = !dialog || !access.mayDrive;
  if (!dialog) return;
  if (!access.mayDrive) return toast(`The page says: ${dialog.message}`);
  $("ask-message").textContent = dialog.message;
  text.hidden = dialog.type !== "prompt";
  text.value = dialog.defaultPrompt ?? "";
  $("ask-cancel").hidden = dialog.type === "alert";
  const answer = (accept: boolean): void => {
    ask.hidden = true;
    run("dialog", { accept, tabId, ...(dialog.type === "prompt" && accept ? { text: text.value } : {}) });
  };
  ask.onsubmit = (event) => {
    event.preventDefault();
    answer(true);
  };
  $("ask-cancel").onclick = () => answer(false);
  (dialog.type === "prompt" ? text : ask.querySelector("button"))?.focus();
}

let hasEarlier = false;

/** What the page had written before this viewer came, and what was downloaded; where it may not be read, nothing. */
async function showEarlier({ downloads = [] }: LiveReady): Promise<void> {
  hasEarlier = true;
  const done = downloads.filter(({ state }) => state === "completed").at(-1);
  if (done !== undefined && access.mayDrive) toast(`Downloaded before: ${done.filename}`, { action: { label: "Save", run: () => void tools.save(done) } });
  const headers: Record<string, string> = given === undefined ? {} : { Authorization: `Bearer ${given}` };
  const answer = await fetch(new URL("v1/browser/console?limit=200", box), { headers }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const { messages } = (await answer.json()) as { messages: LiveConsoleLine[] };
  lines.putBefore(messages);
}

connection.on("state", showState);
connection.on("ready", (data) => {
  if (data.mode !== ready?.mode) picture.clear();
  ready = data;
  control = data.control;
  tabs = data.tabs ?? [];
  // Those that were open before this viewer came.
  if (data.dialogs?.[0] !== undefined) showDialog(data.dialogs[0]);
  if (!hasEarlier && data.mode === "browser") void showEarlier(data);
  $("stage").dataset["mode"] = data.mode;
  drawTabs();
  showControl();
  showNote();
});
connection.on("control", (data) => {
  control = data;
  showControl();
});
connection.on("tabs", (data) => {
  tabs = data.tabs;
  drawTabs();
});
connection.on("navigated", (data) => {
  tabs = tabs.map((tab) => (tab.id === data.tabId ? { ...tab, url: data.url } : tab));
  drawTabs();
});
connection.on("console", (line) => lines.add(line));
connection.on("dialog", showDialog);
connection.on("download", ({ id, state, filename }) => {
  const save = { label: "Save", run: () => void tools.save({ id, filename }) };
  if (state === "inProgress") toast(`Downloading ${filename}`);
  else if (state === "completed") toast(`Download complete: ${filename}`, access.mayDrive ? { action: save } : {});
  else toast(`Download ${state}: ${filename}`);
});
connection.on("error", (problem) => {
  if (problem.code === "box_ending") {
    ended = problem.message;
    connection.close();
  } else if (problem.code !== "rate_limited") failed(problem);
});
connection.on("lost", async () => {
  // A refused handshake says no more than that; the answer to a plain request does.
  const { token, over } = await whatIsWrong(given);
  // The page around this one is asked for another token at the next attempt; a person is not asked for one in a frame.
  if (token && !isEmbedded()) askForToken("Your sign-in is over. Paste a token, or open a new link.");
  else if (over) {
    ended = over;
    connection.close();
  }
});
connection.on("stats", ({ fps, kbps, rendition, viewers }) => {
  const latency = connection.latency === null ? "" : ` · ${Math.round(connection.latency)} ms`;
  const small = rendition === "small" ? " · reduced" : "";
  const others = viewers > 1 ? ` · ${viewers} viewers` : "";
  const moves = fps ? `${fps} fps` : "nothing moves";
  $("stats").textContent = `${moves}${latency} · ${(kbps / 1000).toFixed(1)} Mb/s · ${nameOfTransport(connection.getSnapshot())}${small}${others}`;
});
connection.subscribe(() => {
  showAsk();
  const { transport, format, ready: now, sound } = connection.getSnapshot();
  $("stage").dataset["transport"] = transport;
  // What pictures show is the page anyway.
  $("window").hidden = now?.mode !== "browser" || format === "jpeg";
  $("sound").hidden = sound === "none";
  $("sound").setAttribute("aria-pressed", String(sound === "playing"));
  $("sound").textContent = sound === "playing" ? "Mute" : "Sound is muted";
  $("fit").hidden = now?.role !== "drive" || format === "jpeg";
});
$("picture").addEventListener("shown", () => $("note").hidden || showNote());

new Input(keys, (message) => connection.send(message), () => access.mayAct(), () => access.holdsControl, {
  onShortcut: (name) => tools.shortcut(name),
  zoom: new Zoom($("picture"), keys),
});

$("control").onclick = () => void access.toggle().catch(failed);
$("question-take").onclick = $("control").onclick;
$("question-hide").onclick = () => {
  hidesQuestion = true;
  showQuestion();
};
// All of the browser's window, with tabs and menus, or its page alone.
$("window").onclick = () => {
  const isWhole = $("window").getAttribute("aria-pressed") !== "true";
  $("window").setAttribute("aria-pressed", String(isWhole));
  picture.show(isWhole ? "window" : "page");
};
$("sound").onclick = () => picture.hear(connection.getSnapshot().sound !== "playing");
$("fit").onclick = () => {
  const { clientWidth, clientHeight } = $("picture");
  connection.send({ type: "resize", w: Math.max(1, clientWidth), h: Math.max(1, clientHeight) });
};
$("back").onclick = () => run("back");
$("forward").onclick = () => run("forward");
$("reload").onclick = () => run("reload");
$("stop").onclick = () => run("stop");
$("go").onsubmit = (event) => {
  event.preventDefault();
  const typed = url.value.trim();
  if (!typed) return;
  const address = addressOf(typed);
  if (address === undefined) return failed({ message: `That is no address: ${typed}` });
  keys.focus();
  run("navigate", { url: address });
};
$("command").onsubmit = async (event) => {
  event.preventDefault();
  const result = $("command-result");
  result.hidden = false;
  try {
    const [method, params] = parseCommand($<HTMLInputElement>("command-text").value);
    result.textContent = "…";
    const value = await connection.call(method, params);
    result.textContent = JSON.stringify(value ?? null, null, 2).slice(0, 20_000);
  } catch (error) {
    const problem = error as { code?: string; message: string };
    result.textContent = problem.code ? `${problem.code}: ${problem.message}` : problem.message;
  }
};
$("show-command").onclick = () => {
  if (toggle($("show-command"), $("command-panel"))) $("command-text").focus();
};
$("show-console").onclick = () => void toggle($("show-console"), $("console-panel"));
$("again").onclick = () => {
  ended = "";
  connection.again();
};
const help = $<HTMLDialogElement>("help-dialog");
$("help").onclick = () => help.showModal();
addEventListener("keydown", (event) => {
  if (event.key === "?" && !(event.target as Element).closest("input, textarea, dialog")) $("help").click();
});
// Phones: a tap on the picture clicks; the keyboard comes when it is asked for.
$("keyboard").onclick = () => {
  const isShown = $("keyboard").getAttribute("aria-pressed") !== "true";
  $("keyboard").setAttribute("aria-pressed", String(isShown));
  keys.inputMode = isShown ? "text" : "none";
  keys.blur();
  if (isShown) keys.focus({ preventScroll: true });
};
keys.inputMode = matchMedia("(pointer: coarse)").matches ? "none" : "text";
keys.addEventListener("composing", (event) => {
  const { detail } = event as CustomEvent<string>;
  $("composing").textContent = detail;
  $("composing").hidden = !detail || (ready?.mode === "browser" && connection.getSnapshot().format === "jpeg");
});
$("sign-out").hidden = isEmbedded();
$("sign-out").onclick = async () => {
  await signOut();
  help.close();
  askForToken("");
};
$("sign-in-form").onsubmit = async (event) => {
  event.preventDefault();
  const field = $<HTMLInputElement>("token");
  const why = await signIn({ token: field.value.trim() });
  field.value = "";
  if (why) askForToken(sentence(why));
  else begin();
};
$("methods").append(...METHODS.map((value) => element("option", { value })));

// A link that is opened where this page is open already changes nothing but the part after the #.
addEventListener("hashchange", () => void start());
void start();

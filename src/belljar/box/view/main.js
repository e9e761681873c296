/* The viewer page: signs in, connects, and ties the parts together. */

import { Connection } from "./connection.js";
import { Input } from "./input.js";
import { $, ConsoleLines, METHODS, element, parseCommand, showTabs, toast, toggle } from "./panels.js";
import { Picture } from "./picture.js";

// The page is at `<box>/view`; everything of the box is beside it, at whatever prefix.
const box = new URL(".", location.href);
const connection = new Connection(box.href);
const picture = new Picture($("picture"), connection);
const lines = new ConsoleLines();

let ready = null;
let control = null;
let hidesQuestion = false;
let tabs = [];
let askedBy = new Set();
// Why the box said that it ends.
let ended = "";

const mayDrive = () => ready?.role === "drive";
const holdsControl = () => Boolean(ready) && control?.holder.viewer === ready.viewer;
const failed = (problem) => toast(problem.message ?? "It did not work.", { bad: true });
const run = (method, params) => connection.call(method, params).catch(failed);

async function signIn(credential) {
  const body = JSON.stringify({ ...credential, path: box.pathname });
  const answer = await fetch(new URL("view/session", box), {
    method: "POST", body, headers: { "Content-Type": "application/json" }, credentials: "same-origin",
  }).catch(() => null);
  if (!answer) return "the box cannot be reached";
  if (answer.ok) return null;
  const problem = await answer.json().catch(() => ({}));
  return problem.details?.message ?? problem.detail ?? "That did not work.";
}

/** What keeps this page out: `token` where a sign-in would help, `over` where nothing will, else nothing. */
async function whatIsWrong() {
  const answer = await fetch(new URL("v1/control", box), { credentials: "same-origin" }).catch(() => null);
  if (!answer) return {};
  if (answer.status === 401) return { token: true };
  const { code, detail } = answer.ok ? {} : await answer.json().catch(() => ({}));
  return code === "session_over" || code === "session_not_found" ? { over: detail } : {};
}

function showStage() {
  $("sign-in").hidden = true;
  for (const id of ["bar", "stage", "foot"]) $(id).hidden = false;
}

function showOver(why) {
  showStage();
  ended = why;
  connection.close();
}

function askForToken(why) {
  connection.close();
  for (const id of ["bar", "stage", "foot"]) $(id).hidden = true;
  $("sign-in").hidden = false;
  $("sign-in-why").classList.toggle("bad", Boolean(why));
  if (why) $("sign-in-why").textContent = why;
  $("token").focus();
}

function begin() {
  showStage();
  connection.close();
  connection.open();
}

async function start() {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (ticket) {
    history.replaceState(null, "", location.pathname + location.search);
    const why = await signIn({ ticket });
    const wrong = why ? await whatIsWrong() : {};
    if (wrong.token) return askForToken(`${why[0].toUpperCase()}${why.slice(1)}.`);
    return wrong.over ? showOver(wrong.over) : begin();
  }
  if (connection.state !== "closed") return;
  const { token, over } = await whatIsWrong();
  if (token) askForToken("");
  else if (over) showOver(over);
  else begin();
}

function showState() {
  const state = connection.state;
  const words = { open: "connected", connecting: "connecting…", waiting: "reconnecting…", closed: "closed" };
  const kinds = { open: "good", connecting: "warn", waiting: "warn", closed: "bad" };
  $("state").textContent = words[state];
  $("state").className = `pill ${kinds[state]}`;
  $("state").dataset.state = state;
  showNote();
}

function note() {
  if (connection.state === "closed") return ended || "Not connected.";
  if (connection.state === "waiting") return "The connection was lost. Trying again…";
  if (connection.state === "connecting") return "Connecting to the box…";
  if (ready?.mode === "none") return "Nothing is running. The picture begins when a browser or the desktop starts.";
  return picture.viewport ? "" : "Waiting for the first picture…";
}

function showNote() {
  const text = note();
  $("note-text").textContent = text;
  $("note").hidden = !text;
  $("again").hidden = connection.state !== "closed" && connection.state !== "waiting";
  $("again").textContent = connection.state === "closed" ? "Connect again" : "Try now";
  $("stage").classList.toggle("stale", connection.state !== "open");
  $("stage").classList.toggle("empty", !picture.viewport);
}

function showControl() {
  if (!control || !ready) return;
  const { kind, name } = control.holder;
  const who = holdsControl() ? "You have control" : kind === "none" ? "Nobody has control" : kind === "agent" ? "The agent has control" : `${name} has control`;
  $("holder").textContent = mayDrive() ? who : `${who} · view only`;
  $("holder").className = `pill ${holdsControl() ? "good" : kind !== "none" ? "warn" : mayDrive() ? "nobody" : ""}`;
  $("control").textContent = holdsControl() ? "Give back" : "Take control";
  $("control").hidden = !mayDrive();
  $("stage").classList.toggle("watching", !mayDrive());
  for (const id of ["back", "forward", "reload", "url"]) $(id).disabled = !mayDrive() || ready.mode !== "browser";
  $("show-command").hidden = !mayDrive();
  showQuestion();
  for (const request of control.requests ?? []) {
    const key = request.viewer ?? request.kind;
    if (!holdsControl() || askedBy.has(key)) continue;
    askedBy.add(key);
    const to = request.viewer ?? "agent";
    toast(`${request.name ?? "The agent"} asks for control.`, { action: { label: "Give", run: () => run("control.give", { to }) } });
  }
  if (!control.requests?.length) askedBy = new Set();
}

/** What an agent asks of a person, with the next step of helping: to take control, then to give it back. */
function showQuestion() {
  const question = control.question ?? "";
  if (question !== $("question-text").textContent) hidesQuestion = false;
  $("question-text").textContent = question;
  $("question").hidden = !question || hidesQuestion;
  $("question-take").textContent = holdsControl() ? "Done: give control back" : "Help: take control";
  $("question-take").hidden = !mayDrive();
}

/** Whether input may go out; taking what is free is part of it, taking from somebody is asked about. */
function mayAct() {
  if (!mayDrive() || !control) return false;
  if (holdsControl()) return true;
  if (control.holder.kind === "none") {
    control = { ...control, holder: { kind: "viewer", viewer: ready.viewer, name: ready.name } };
    run("control.take");
    return true;
  }
  const who = control.holder.kind === "agent" ? "The agent" : control.holder.name;
  if (!$("toasts").children.length) {
    toast(`${who} has control.`, { action: { label: "Take it", run: () => run("control.take") } });
  }
  return false;
}

function drawTabs() {
  showTabs(tabs, {
    mayDrive: mayDrive(),
    activate: (id) => run("tabs.activate", { id }),
    close: (id) => run("tabs.close", { id }),
    create: () => run("tabs.create", {}),
  });
  $("tabs").hidden = !tabs.length;
  const active = tabs.find((tab) => tab.active);
  if (active) {
    document.title = `${active.title || active.url} – Belljar`;
    if (document.activeElement !== $("url")) $("url").value = active.url === "about:blank" ? "" : active.url;
  }
}

function showDialog({ dialog, tabId }) {
  const ask = $("ask");
  ask.hidden = !dialog || !mayDrive();
  if (!dialog) return;
  if (!mayDrive()) return toast(`The page says: ${dialog.message}`);
  $("ask-message").textContent = dialog.message;
  $("ask-text").hidden = dialog.type !== "prompt";
  $("ask-text").value = dialog.defaultPrompt ?? "";
  $("ask-cancel").hidden = dialog.type === "alert";
  const answer = (accept) => {
    ask.hidden = true;
    const text = dialog.type === "prompt" && accept ? { text: $("ask-text").value } : {};
    run("dialog", { accept, tabId, ...text });
  };
  ask.onsubmit = (event) => (event.preventDefault(), answer(true));
  $("ask-cancel").onclick = () => answer(false);
  (dialog.type === "prompt" ? $("ask-text") : ask.querySelector("button")).focus();
}

const on = (name, handle) => connection.addEventListener(name, (event) => handle(event.detail));

on("state", showState);
on("ready", (data) => {
  if (data.mode !== ready?.mode) picture.clear();
  ready = data;
  control = data.control;
  tabs = data.tabs;
  $("stage").dataset.mode = data.mode;
  drawTabs();
  showControl();
  showNote();
});
on("control", (data) => {
  control = data;
  showControl();
});
on("tabs", (data) => {
  tabs = data.tabs;
  drawTabs();
});
on("navigated", (data) => {
  tabs = tabs.map((tab) => (tab.id === data.tabId ? { ...tab, url: data.url } : tab));
  drawTabs();
});
on("console", (line) => lines.add(line));
on("dialog", showDialog);
on("download", (data) => {
  if (data.state === "inProgress") toast(`Downloading ${data.filename}`);
  else toast(`Download ${data.state === "completed" ? "complete" : data.state}: ${data.filename ?? ""}`);
});
on("error", (problem) => {
  if (problem.code === "box_ending") {
    ended = problem.message;
    connection.close();
  } else if (problem.code !== "rate_limited") failed(problem);
});
on("lost", async () => {
  // A refused handshake says no more than that; the answer to a plain request does.
  const { token, over } = await whatIsWrong();
  if (token) askForToken("Your sign-in is over. Paste a token, or open a new link.");
  else if (over) {
    ended = over;
    connection.close();
  }
});
on("stats", (data) => {
  const latency = connection.latency === null ? "" : ` · ${Math.round(connection.latency)} ms`;
  const small = data.rendition === "small" ? " · reduced" : "";
  const others = data.viewers > 1 ? ` · ${data.viewers} viewers` : "";
  $("stats").textContent = `${data.fps ? `${data.fps} fps` : "nothing moves"}${latency} · ${(data.kbps / 1000).toFixed(1)} Mb/s${small}${others}`;
});
$("picture").addEventListener("shown", () => $("note").hidden || showNote());

new Input($("keys"), (message) => connection.send(message), mayAct, holdsControl);

$("control").onclick = () => run(holdsControl() ? "control.release" : "control.take");
$("question-take").onclick = $("control").onclick;
$("question-hide").onclick = () => {
  hidesQuestion = true;
  showQuestion();
};
$("back").onclick = () => run("back");
$("forward").onclick = () => run("forward");
$("reload").onclick = () => run("reload");
$("go").onsubmit = (event) => {
  event.preventDefault();
  const typed = $("url").value.trim();
  if (!typed) return;
  const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/]+:\d+(\/|$)/.test(typed);
  $("keys").focus();
  run("navigate", { url: isAddress ? typed : `https://${typed}` });
};
$("command").onsubmit = async (event) => {
  event.preventDefault();
  const result = $("command-result");
  result.hidden = false;
  try {
    const [method, params] = parseCommand($("command-text").value);
    result.textContent = "…";
    const value = await connection.call(method, params);
    result.textContent = JSON.stringify(value ?? null, null, 2).slice(0, 20_000);
  } catch (problem) {
    result.textContent = problem.code ? `${problem.code}: ${problem.message}` : problem.message;
  }
};
$("show-command").onclick = () => toggle($("show-command"), $("command-panel")) && $("command-text").focus();
$("show-console").onclick = () => toggle($("show-console"), $("console-panel"));
$("again").onclick = () => {
  ended = "";
  connection.again();
};
$("help").onclick = () => $("help-dialog").showModal();
addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest("input, textarea, dialog")) $("help").click();
});
// Phones: a tap on the picture clicks; the keyboard comes when it is asked for.
$("keyboard").onclick = () => {
  const isShown = $("keyboard").getAttribute("aria-pressed") !== "true";
  $("keyboard").setAttribute("aria-pressed", String(isShown));
  $("keys").inputMode = isShown ? "text" : "none";
  $("keys").blur();
  if (isShown) $("keys").focus({ preventScroll: true });
};
$("keys").inputMode = matchMedia("(pointer: coarse)").matches ? "none" : "text";
$("keys").addEventListener("composing", ({ detail }) => {
  $("composing").textContent = detail;
  $("composing").hidden = !detail || ready?.mode !== "desktop";
});
$("sign-out").onclick = async () => {
  await fetch(new URL(`view/session?path=${encodeURIComponent(box.pathname)}`, box), { method: "DELETE" });
  $("help-dialog").close();
  askForToken("");
};
$("sign-in-form").onsubmit = async (event) => {
  event.preventDefault();
  const why = await signIn({ token: $("token").value.trim() });
  $("token").value = "";
  if (why) askForToken(`${why[0].toUpperCase()}${why.slice(1)}.`);
  else begin();
};
$("methods").append(...METHODS.map((value) => element("option", { value })));

// A link that is opened where this page is open already changes nothing but the part after the #.
addEventListener("hashchange", start);
start();

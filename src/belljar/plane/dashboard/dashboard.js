// The dashboard: sessions, what they show, and the ways into them. Whatever comes from a session is set as text.

const LOOK_MS = 2000;
const PICTURE_MS = 5000;
const $ = (selector, root = document) => root.querySelector(selector);
const shown = new Map();

async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.status === 401) signedOut();
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.detail ?? `The server answered ${answer.status}.`);
  return content;
}

function trouble(error) {
  $("#trouble").textContent = error ? error.message : "";
}

// What was asked before a person signed out, or in, and is refused after it, is not about what they now see.
function troubleWhileSignedIn(error) {
  if (!$("#signed-in").hidden) trouble(error);
}

function signedOut() {
  $("#sign-in").hidden = false;
  $("#signed-in").hidden = true;
  $("#sign-out").hidden = true;
  $("#who").textContent = "";
}

async function begin() {
  try {
    const me = await call("GET", "api/me");
    $("#who").textContent = `${me.user} (${me.role})`;
    $("#sign-in").hidden = true;
    $("#signed-in").hidden = false;
    $("#sign-out").hidden = false;
    await look();
  } catch (error) {
    if ($("#sign-in").hidden) trouble(error);
    else if (location.hash === "#used") trouble(new Error("This link was used already, or its time has passed."));
  }
  history.replaceState(null, "", location.pathname);
}

async function look() {
  const live = ["pending", "starting", "running", "stopping"].map((state) => `state=${state}`).join("&");
  const { sessions } = await call("GET", `api/sessions?limit=200&${live}`);
  $("#empty").hidden = sessions.length > 0;
  const ids = new Set(sessions.map((session) => session.id));
  for (const [id, item] of shown) {
    if (!ids.has(id)) {
      URL.revokeObjectURL($("img", item).src);
      item.remove();
      shown.delete(id);
    }
  }
  for (const session of sessions) draw(session);
}

function draw(session) {
  let item = shown.get(session.id);
  if (!item) {
    item = $("#session").content.firstElementChild.cloneNode(true);
    item.dataset.id = session.id;
    $(".id", item).textContent = session.id;
    item.addEventListener("click", (event) => act(event, session.id, item));
    $("#sessions").append(item);
    shown.set(session.id, item);
  }
  const state = $(".state", item);
  state.textContent = session.state;
  state.dataset.state = session.state;
  const age = Math.round((Date.now() - new Date(session.createdAt)) / 1000);
  const memory = session.memoryMb ? `, ${Math.round(session.memoryMb)} MB` : "";
  const cpu = session.cpuSeconds ? `, ${session.cpuSeconds} s CPU` : "";
  $(".numbers", item).textContent = `${session.userId}, ${age} s old${memory}${cpu}`;
  const warning = $(".warning", item);
  warning.hidden = session.isolation?.jail !== false;
  if (!warning.hidden) warning.textContent = `No jail: ${session.isolation.reason}.`;
  if (session.state === "running" && session.mode !== "none") picture(session.id, item);
}

async function picture(id, item) {
  const now = Date.now();
  if (now - Number(item.dataset.pictured ?? 0) < PICTURE_MS) return;
  item.dataset.pictured = now;
  const answer = await fetch(`api/sessions/${id}/thumbnail`);
  if (!answer.ok) return;
  const image = $("img", item);
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(await answer.blob());
  $(".url", item).textContent = decodeURIComponent(answer.headers.get("x-page-url") ?? "");
}

async function act(event, id, item) {
  const what = event.target.dataset.do;
  if (!what) return;
  trouble();
  try {
    if (what === "end") {
      await call("DELETE", `api/sessions/${id}`);
      await look();
    } else if (what === "open") {
      const { viewUrl } = await call("POST", `api/sessions/${id}/tickets`, {});
      window.open(viewUrl, "_blank", "noopener");
    } else {
      const line = await connectLine(what, id);
      const place = $(".line", item);
      place.textContent = line;
      place.hidden = false;
      // Refused outside secure contexts; the line stands there to be copied by hand.
      await navigator.clipboard?.writeText(line).catch(() => {});
    }
  } catch (error) {
    trouble(error);
  }
}

const WITH_TOKEN = {
  curl: (url, token) => `curl -H 'Authorization: Bearer ${token}' ${url}/v1/browser/status`,
  python: (url, token) => `with Belljar("${url}", "${token}") as jar: print(jar.browser.text().text)`,
  mcp: (url, token) =>
    `claude mcp add --transport http belljar ${url}/mcp --header "Authorization: Bearer ${token}"`,
};

async function connectLine(what, id) {
  if (what in WITH_TOKEN) {
    const [{ token }, { httpUrl }] = await Promise.all([
      call("POST", `api/sessions/${id}/tokens`, { role: "drive" }),
      call("GET", `api/sessions/${id}`),
    ]);
    return WITH_TOKEN[what](httpUrl, token);
  }
  const { cdpUrl } = await call("POST", `api/sessions/${id}/tickets`, {});
  if (what === "playwright") return `browser = playwright.chromium.connect_over_cdp("${cdpUrl}")`;
  return `const browser = await puppeteer.connect({ browserWSEndpoint: "${cdpUrl}" });`;
}

$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble();
  const input = event.target.elements.key;
  try {
    await call("POST", "sign-in", { key: input.value });
    input.value = "";
    await begin();
  } catch (error) {
    trouble(error);
  }
});

$("#sign-out").addEventListener("click", async () => {
  await call("DELETE", "sign-in").catch(trouble);
  signedOut();
});

$("#new").addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble();
  const { url, width, height, ttl, mode, headless } = event.target.elements;
  try {
    await call("POST", "api/sessions?wait=false", {
      url: url.value || undefined,
      viewport: { width: Number(width.value), height: Number(height.value) },
      ttl: Number(ttl.value),
      mode: mode.value,
      headless: headless.checked,
    });
    await look();
  } catch (error) {
    trouble(error);
  }
});

setInterval(() => {
  if (!$("#signed-in").hidden && !document.hidden) look().catch(troubleWhileSignedIn);
}, LOOK_MS);
begin();

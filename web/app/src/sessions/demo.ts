/** The demo: a session in which a small program does what an agent would, on a page that needs no network. */
import { type SessionInfo, SandboxAgent } from "belljar";
import { boxAddress, client } from "../shell/server.ts";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Under glass</title>
<style>
  body { margin: 0; font: 18px/1.5 system-ui, sans-serif; color: #15181e; background: #f6f7f9 }
  main { max-width: 620px; margin: 8vh auto; padding: 32px 40px; border-radius: 12px; background: #fff; box-shadow: 0 8px 28px #1018281f }
  h1 { margin: 0 0 4px; font-size: 30px }
  form { display: flex; gap: 8px; margin: 20px 0 }
  input { flex: 1; padding: 8px 12px; font: inherit }
  button { padding: 8px 18px; border: 0; border-radius: 6px; font: inherit; color: #fff; background: #1f54d0 }
  li { padding: 4px 0 }
</style>
<main><h1>Under glass</h1>
<p>This page is inside a session. A program fills in the form, as an agent would; on the right is each thing it does.</p>
<form><input id="item" aria-label="Something to keep" autocomplete="off"><button id="keep">Keep it</button></form>
<ul id="kept"></ul><p id="end"></p></main>
<script>
  const [form, item, kept] = ["form", "#item", "#kept"].map((one) => document.querySelector(one));
  form.onsubmit = (event) => {
    event.preventDefault();
    kept.append(Object.assign(document.createElement("li"), { textContent: item.value }));
    item.value = "";
    if (kept.children.length === 3) document.querySelector("#end").textContent = "Done. Press t to take control, and keep something yourself.";
  };
</script></html>`;
const KEPT = ["A real Chromium, with nobody's cookies", "A way out that a policy guards", "A record of all that was done"];
// So that a person can follow.
const PAUSE_MS = 700;

export async function startDemo(): Promise<SessionInfo> {
  const { info } = await client.sessions.create({ tags: { name: "demo" }, ttl: 1800 });
  return info;
}

/** Drive it; ends early, without a complaint, where a person takes control or ends it. */
export async function playDemo(session: SessionInfo): Promise<void> {
  // With the session's own key: what it does is an agent's, not the person's who watches.
  const box = new SandboxAgent({ baseUrl: boxAddress(session.id), token: session.token ?? "" });
  await box.browser.navigate({ url: `data:text/html;charset=utf-8,${encodeURIComponent(PAGE)}` });
  await box.events.mark({ text: "A demo: it fills in a form three times" });
  for (const text of KEPT) {
    await pause();
    await box.browser.fill({ selector: "#item", value: text });
    await pause();
    await box.browser.click({ selector: "#keep" });
  }
  await pause();
  await box.browser.markdown();
  await box.events.mark({ text: "The demo is over: the session is yours for half an hour" });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

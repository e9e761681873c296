/** An agent's errand from Node: a session of its own, a form filled in, a picture kept.  `node agent.ts` (22.18 or newer). */
import { writeFile } from "node:fs/promises";
import { Belljar, isProblem } from "belljar";

const PAGE = "data:text/html,<title>Order</title><label>Name <input id=name></label><button onclick=\"document.body.append(' Thanks, ' + document.querySelector('input').value)\">Order</button>";

// BELLJAR_URL and BELLJAR_TOKEN: a control plane and an API key.
const jar = new Belljar();
const session = await jar.sessions.create({ ttl: 600, tags: { errand: "order" } });
try {
  await session.browser.open(PAGE);
  await session.browser.type({ selector: "#name", text: "Ann" });
  await session.browser.click({ selector: "text=Order" });
  console.log((await session.browser.text()).text.split("\n").at(-1)?.trim());
  await writeFile(process.argv[2] ?? "order.png", await session.browser.screenshot());
  await session.browser.click({ selector: "text=Pay", timeout: 500 });
} catch (error) {
  if (!isProblem(error, "element_not_found")) throw error;
  console.log("There is nothing to pay:", error.code);
} finally {
  await session.end();
}

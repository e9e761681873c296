/** The viewer in Debian's Firefox: what the page in the box received is what was typed, at a box and behind TLS at a sub-path. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Belljar, type SandboxAgent, type Session } from "belljar";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type TlsProxy, tlsProxy } from "../../sdk/test/proxy.ts";
import { Firefox, hasFirefox } from "./firefox.ts";
import { agent, site } from "./person.ts";

const [W, H] = [800, 600];
const CONTROL = "\uE009";

if (!hasFirefox()) test.skip("Debian's Firefox is not there: the viewers were NOT tried in it (apt-get install firefox-esr)", () => undefined);

describe.runIf(hasFirefox())("in Firefox", () => {
  let firefox: Firefox;
  let session: Session;
  let proxy: TlsProxy;
  let folder = "";
  let through: { baseUrl: string; token: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "belljar-firefox-tls-"));
    proxy = await tlsProxy(inject("planeUrl"), folder, "/some/jar");
    const plane = new Belljar({ baseUrl: inject("planeUrl"), token: inject("planeKey") });
    session = await plane.sessions.create({ ttl: 600 });
    const { token } = await plane.sessions.createToken(session.id, { role: "drive", ttl: 600 });
    through = { baseUrl: `${proxy.url}/s/${session.id}`, token: token! };
    firefox = await Firefox.launch();
  });
  afterAll(async () => {
    await firefox?.close();
    await Promise.all([session?.end(), agent.stopBrowser({ headers: { "Belljar-Control-Wait": "15000" } })]);
    await proxy?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["a box", "18", () => agent as Pick<SandboxAgent, "startBrowser" | "stopBrowser" | "browserNavigate" | "executeBrowserScript" | "live">, () => ({ baseUrl: inject("boxUrl"), token: inject("boxToken") })],
    ["a session through the gateway, behind TLS at a sub-path", "19", () => session as Pick<SandboxAgent, "startBrowser" | "stopBrowser" | "browserNavigate" | "executeBrowserScript" | "live">, () => through],
  ] as const)("%s, with React %s", { timeout: 180_000 }, async (_, version, clientOf, addressOf) => {
    const [client, address] = [clientOf(), addressOf()];
    // A session has one already.
    await client.stopBrowser();
    await client.startBrowser({ headless: true, width: W, height: H });
    await client.browserNavigate({ url: `${site}/events` });
    await firefox.open(`${inject("host")}/${version}/`);
    await firefox.asks(`void host.mount(${JSON.stringify({ kind: "browser", ...address })})`);

    const pixel = "(() => { const c = document.querySelector('.belljar-picture'); return c === null || c.style.visibility === 'hidden' ? [] : [...c.getContext('2d').getImageData(c.width * 450 / 800, c.height * 250 / 600, 1, 1).data] })()";
    const isBlue = async () => { const [red = 255, , blue = 0] = await firefox.asks<number[]>(pixel); return red < 60 && blue > 200; };
    await expect.poll(isBlue).toBe(true);
    expect((await client.live.health()).viewers).toBe(1);

    const place = await firefox.asks<{ x: number; y: number; width: number; height: number }>("document.querySelector('.belljar-picture').getBoundingClientRect()");
    const scale = Math.min(place.width / W, place.height / H);
    const at = (x: number, y: number): [number, number] => [place.x + (place.width - W * scale) / 2 + x * scale, place.y + (place.height - H * scale) / 2 + y * scale];
    const asks = async <T>(expression: string): Promise<T> => {
      const key = await firefox.asks<string>(`sessionStorage.getItem("belljar-viewer ${address.baseUrl}")`);
      return (await client.executeBrowserScript({ expression }, { headers: { "Belljar-Viewer": key } })).result as T;
    };
    const field = () => asks<string>("document.getElementById('field').value");

    await firefox.mouse(at(150, 60), "down", "up");
    await expect.poll(() => asks("document.activeElement.id")).toBe("field");
    await firefox.keys("a", ["\uE008", "B"], "1", " ", "é", "🙂");
    await expect.poll(field).toBe("aB1 é🙂");
    // A dead key, as Firefox has it: its accent is composed until the letter comes.
    await firefox.compose("^");
    await firefox.commit("ê");
    await expect.poll(field).toBe("aB1 é🙂ê");
    for (const text of ["n", "に", "にほん"]) {
      await firefox.compose(text);
      await expect.poll(field).toBe(`aB1 é🙂ê${text}`);
    }
    await firefox.commit("日本");
    await expect.poll(field).toBe("aB1 é🙂ê日本");
    expect(await firefox.asks("host.keys")).toEqual([]);
    // Copied in the host page, which has its keys for itself, and pasted into the other.
    await firefox.asks("void document.getElementById('before').focus()");
    await firefox.keys("x", "y", [CONTROL, "a"], [CONTROL, "c"]);
    expect(await firefox.asks("document.getElementById('before').value")).toBe("xy");
    expect(await firefox.asks<string[]>("host.keys")).toContain("y");
    await firefox.mouse(at(150, 60), "down", "up");
    await firefox.keys([CONTROL, "v"]);
    await expect.poll(async () => (await field()).includes("xy")).toBe(true);

    await firefox.mouse(at(420, 220), "down", at(500, 300), at(620, 420), "up");
    const ends = "seen.filter((e) => e.type === 'mousedown' || e.type === 'mouseup').slice(-2).flatMap((e) => [e.x, e.y])";
    const isThere = async () => (await asks<number[]>(ends)).map((value, index) => Math.abs(value - [420, 220, 620, 420][index]!) <= 2).every(Boolean);
    await expect.poll(isThere).toBe(true);
    expect(await asks("seen.some((e) => e.type === 'mousemove' && e.buttons === 1)")).toBe(true);
    await firefox.wheel(at(600, 400), 240);
    await expect.poll(() => asks<number>("scrollY")).toBeGreaterThan(0);
    const turned = await asks<number>("scrollY");
    await firefox.finger(at(600, 400), "down", at(600, 350), at(600, 300), at(600, 250), "up");
    await expect.poll(() => asks<number>("scrollY")).toBeGreaterThan(turned);
    await firefox.finger(at(450, 500), "down", "up");
    await expect.poll(() => asks("seen.findLast((e) => e.type === 'mousedown').y")).toSatisfy((y) => Math.abs(y - 500) <= 2);

    await firefox.asks("void host.unmount()");
    await expect.poll(async () => (await client.live.health()).viewers).toBe(0);
    expect(proxy.log.filter((line) => line.includes(address.token))).toEqual([]);
  });
});

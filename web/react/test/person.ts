/** Somebody at a real Chromium, with the host page before them and a box behind it. */
import { SandboxAgent } from "belljar";
import { type Browser, type BrowserContextOptions, type CDPSession, type Page, chromium } from "playwright-core";
import { expect, inject } from "vitest";
import type { Host, Shown } from "./page/main.tsx";

declare global {
  var host: Host;
}

export const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
export const site = inject("site");

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--allow-loopback-in-peer-connection"] });
}

export class Person {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Addresses of the WebSockets that the page has opened. */
  readonly sockets: string[] = [];
  readonly requests: string[] = [];
  readonly errors: string[] = [];

  private constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.cdp = cdp;
    page.on("websocket", (socket) => this.sockets.push(socket.url()));
    page.on("request", (request) => this.requests.push(request.url()));
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && this.errors.push(message.text()));
  }

  static async at(browser: Browser, version: string, options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
    const page = await context.newPage();
    const person = new Person(page, await context.newCDPSession(page));
    await page.goto(`${inject("host")}/${version}/`);
    return person;
  }

  mount(shown: Partial<Shown>): Promise<void> {
    const all: Shown = { kind: "browser", baseUrl: inject("boxUrl"), token: inject("boxToken"), ...shown };
    return this.page.evaluate((wanted) => globalThis.host.mount(wanted), all);
  }

  unmount(): Promise<void> {
    return this.page.evaluate(() => globalThis.host.unmount());
  }

  told(name: string): Promise<unknown[][]> {
    return this.page.evaluate((wanted) => globalThis.host.told.filter(([one]) => one === wanted).map(([, ...values]) => values), name);
  }

  hostKeys(): Promise<string[]> {
    return this.page.evaluate(() => globalThis.host.keys);
  }

  /** The picture is there, and has this colour at a point given in parts of its size. */
  async sees(x: number, y: number, colour: number[]): Promise<void> {
    const pixel = () =>
      this.page.evaluate(
        ([left, top]) => {
          const canvas = document.querySelector<HTMLCanvasElement>(".belljar-picture");
          if (canvas === null || canvas.style.visibility === "hidden") return [];
          return [...canvas.getContext("2d")!.getImageData(canvas.width * left!, canvas.height * top!, 1, 1).data].slice(0, 3);
        },
        [x, y],
      );
    await expect.poll(async () => (await pixel()).length === 3 && near(await pixel(), colour)).toBe(true);
  }

  /** Where a point of what is shown (`w` by `h`) is on this screen. */
  async point(x: number, y: number, w: number, h: number): Promise<[number, number]> {
    const box = (await this.page.locator(".belljar-picture").boundingBox())!;
    const scale = Math.min(box.width / w, box.height / h);
    return [box.x + (box.width - w * scale) / 2 + x * scale, box.y + (box.height - h * scale) / 2 + y * scale];
  }

  /** What the page in the box says, asked as this viewer, who may hold control. */
  async asks<T>(expression: string, baseUrl: string = agent.baseUrl): Promise<T> {
    const key = await this.page.evaluate((name) => sessionStorage.getItem(name), `belljar-viewer ${baseUrl}`);
    const headers: Record<string, string> = key === null ? {} : { "Belljar-Viewer": key };
    return (await agent.executeBrowserScript({ expression }, { headers })).result as T;
  }

  async leave(): Promise<void> {
    if (this.page.isClosed()) return;
    await this.unmount();
    await this.page.context().close();
  }
}

function near(seen: number[], wanted: number[]): boolean {
  return seen.every((value, index) => Math.abs(value - wanted[index]!) < 40);
}

export const viewers = async (): Promise<number> => (await agent.live.health()).viewers;

/** What a browser's own window has for a person, where only its page is shown: copy, paste, find, print, save. */
import type { BrowserFindResponse, BrowserSelectionResponse } from "belljar";
import type { Connection } from "./connection.ts";
import { type BoxAddress, saveFile } from "./files.ts";
import type { Shortcut } from "./input.ts";

interface Problem {
  message: string;
}

export interface ToolsListener {
  /** Show a place for the words to find. */
  onFind: () => void;
  onProblem: (problem: Problem) => void;
  /** `isDone` is false where this browser lets a page copy only in a click: show the text with a button for that. */
  onCopied: (text: string, isDone: boolean) => void;
}

export class Tools {
  readonly #connection: Connection;
  readonly #files: () => BoxAddress | undefined | Promise<BoxAddress | undefined>;
  readonly #listener: ToolsListener;

  constructor(connection: Connection, files: () => BoxAddress | undefined | Promise<BoxAddress | undefined>, listener: ToolsListener) {
    this.#connection = connection;
    this.#files = files;
    this.#listener = listener;
  }

  /** Whether this page may read the clipboard: with TLS, or on this machine. */
  get canPaste(): boolean {
    return globalThis.navigator?.clipboard?.readText !== undefined;
  }

  run(method: string, params: object = {}): void {
    this.#connection.call(method, params).catch(this.#listener.onProblem);
  }

  find(): void {
    this.#listener.onFind();
  }

  search(text: string, index: number): Promise<BrowserFindResponse> {
    return this.#connection.call<BrowserFindResponse>("find", { text, index });
  }

  copyText(text: string): void {
    void copied(text).then((isDone) => this.#listener.onCopied(text, isDone));
  }

  /** Copy what is selected on the page to this machine. */
  async copy(): Promise<void> {
    try {
      const { text } = await this.#connection.call<BrowserSelectionResponse>("selection");
      if (text) this.copyText(text);
    } catch (problem) {
      this.#listener.onProblem(problem as Problem);
    }
  }

  /** Put what this machine's clipboard has into the page. */
  async paste(): Promise<void> {
    try {
      const text = await navigator.clipboard.readText();
      if (text) this.#connection.send({ type: "input", device: "key", action: "char", text: text.slice(0, 100_000) });
    } catch {
      this.#listener.onProblem({ message: "The browser did not allow it. Paste with Ctrl+V." });
    }
  }

  /** The page as PDF, to this machine. */
  async print(tabId?: string): Promise<void> {
    const active = this.#connection.getSnapshot().tabs.find((tab) => (tabId === undefined ? tab.active : tab.id === tabId));
    await this.#save(`v1/browser/pdf${active === undefined ? "" : `?tabId=${encodeURIComponent(active.id)}`}`, `${active?.title.replace(/[\\/:*?"<>|]+/g, " ").trim() || "page"}.pdf`);
  }

  /** A finished download of the browser, to this machine. */
  save({ id, filename }: { id: string; filename: string }): Promise<void> {
    return this.#save(`v1/browser/downloads/${encodeURIComponent(id)}`, filename);
  }

  /** For `Input`: with video Chromium shows its own bar and its own sheet. */
  shortcut(name: Shortcut): boolean | Promise<unknown> {
    const { ready, format } = this.#connection.getSnapshot();
    if (ready?.mode !== "browser" || ready.role === "view") return false;
    // A cut takes away what is to be copied.
    if (name === "cut") return this.copy();
    if (name === "copy") void this.copy();
    if (name === "copy" || format !== "jpeg") return false;
    if (name === "find") this.find();
    else void this.print();
    return true;
  }

  async #save(path: string, name: string): Promise<void> {
    try {
      const box = await this.#files();
      if (box === undefined) throw { message: "This viewer does not know where its files are." };
      await saveFile(box, path, name);
    } catch (problem) {
      this.#listener.onProblem(problem as Problem);
    }
  }
}

/** Whether it is in this machine's clipboard now: with TLS always, without while a key or click has just been pressed. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByEvent(text);
  }
}

function copiedByEvent(text: string): boolean {
  let isDone = false;
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isDone = true;
  };
  // With nothing selected here it is possible only for a page that wants it.
  const want = (event: Event): void => event.preventDefault();
  document.addEventListener("beforecopy", want, { capture: true });
  document.addEventListener("copy", give, { capture: true, once: true });
  const isAllowed = document.execCommand("copy");
  document.removeEventListener("beforecopy", want, { capture: true });
  document.removeEventListener("copy", give, { capture: true });
  return isAllowed && isDone;
}

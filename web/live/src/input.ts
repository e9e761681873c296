/** Mouse, wheel, touch, keys, input methods and paste on the picture, as messages of the live protocol. */
import type { LiveKeyInput, LiveMouseInput } from "belljar";
import type { Zoom } from "./zoom.ts";

type Button = NonNullable<LiveMouseInput["button"]>;
type KeyAction = LiveKeyInput["action"];
interface Point {
  clientX: number;
  clientY: number;
}

const BUTTONS: Button[] = ["left", "middle", "right", "back", "forward"];
const CLICK_MS = 500;
const CLICK_DISTANCE = 5;
const TAP_DISTANCE = 10;
// A phone's keyboard deletes what is there: something has to be.
const SOMETHING = "\u200b";
const EDITS: Record<string, string> = {
  deleteContentBackward: "Backspace",
  deleteWordBackward: "Backspace",
  deleteContentForward: "Delete",
  insertLineBreak: "Enter",
  insertParagraph: "Enter",
};

/** CDP's bits: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
export function modifiersOf(event: Pick<MouseEvent, "altKey" | "ctrlKey" | "metaKey" | "shiftKey">): number {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
}

/** A point of `element` and its size, in the same unit: the server maps one to the page by the other. */
export function place(event: Point, element: Element): Pick<LiveMouseInput, "x" | "y"> & { surface: { w: number; h: number } } {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top, surface: { w: box.width, h: box.height } };
}

export interface InputOptions {
  /** The wheel is the page's around this one until the picture has the focus. */
  wheelNeedsFocus?: boolean | undefined;
  /** Ctrl or ⌘ with C, X, F or P: whether it is done here, or what the key waits for before the page gets it. */
  onShortcut?: ((name: Shortcut) => boolean | Promise<unknown>) | undefined;
  /** Two fingers on the picture: zoomed and moved here, and none of the page's business. */
  zoom?: Zoom | undefined;
}

export type Shortcut = "copy" | "cut" | "find" | "print";
const SHORTCUTS: Record<string, Shortcut> = { c: "copy", x: "cut", f: "find", p: "print" };

export class Input {
  readonly #send: (message: LiveMouseInput | LiveKeyInput) => void;
  readonly #element: HTMLTextAreaElement;
  readonly #mayAct: () => boolean;
  readonly #mayPoint: () => boolean;
  readonly #wheelNeedsFocus: boolean;
  readonly #onShortcut: InputOptions["onShortcut"];
  readonly #zoom: Zoom | undefined;
  // Fingers on the picture, by their id.
  readonly #fingers = new Map<number, Point>();
  #move: PointerEvent | null = null;
  #wheel: { event: WheelEvent; x: number; y: number } | null = null;
  #click: { at: number; x: number; y: number; count: number; button: Button | undefined } = {
    at: 0,
    x: 0,
    y: 0,
    count: 0,
    button: undefined,
  };
  #touch: { id: number; x: number; y: number; moved: boolean } | null = null;
  readonly #down = new Set<string>();
  // Buttons whose press was sent: the release of another is none.
  readonly #pressed = new Set<Button>();
  #isComposing = false;
  readonly #ending = new AbortController();

  /**
   * `element` is a textarea over the picture; `mayAct` is asked before each press whether to send it, `mayPoint` before
   * each move: to point at something is not to ask for control.
   */
  constructor(
    element: HTMLTextAreaElement,
    send: (message: LiveMouseInput | LiveKeyInput) => void,
    mayAct: () => boolean,
    mayPoint: () => boolean,
    options: InputOptions = {},
  ) {
    this.#element = element;
    this.#send = send;
    this.#mayAct = mayAct;
    this.#mayPoint = mayPoint;
    this.#wheelNeedsFocus = options.wheelNeedsFocus ?? false;
    this.#onShortcut = options.onShortcut;
    this.#zoom = options.zoom;
    const { signal } = this.#ending;
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      handle: (event: HTMLElementEventMap[Name]) => void,
      options: AddEventListenerOptions = {},
    ): void => element.addEventListener(name, handle, { ...options, signal });
    on("pointerdown", (event) => this.#press(event));
    on("pointerup", (event) => this.#released(event));
    on("pointercancel", (event) => this.#released(event));
    on("pointermove", (event) => this.#moved(event));
    on("wheel", (event) => this.#turned(event), { passive: false });
    on("contextmenu", (event) => event.preventDefault());
    on("dragstart", (event) => event.preventDefault());
    on("keydown", (event) => this.#key(event, "keydown"));
    on("keyup", (event) => this.#key(event, "keyup"));
    on("beforeinput", (event) => this.#edited(event as InputEvent));
    on("input", (event) => void ((event as InputEvent).isComposing || this.#typed()));
    on("compositionupdate", (event) => this.#composed(event.data));
    on("compositionend", () => this.#typed());
    on("paste", (event) => this.#pasted(event));
    on("blur", () => this.#releaseKeys());
    this.empty();
  }

  /** What is held down is released, and nothing is listened to any more. */
  end(): void {
    this.#releaseKeys();
    this.#ending.abort();
  }

  #mouse(action: LiveMouseInput["action"], event: PointerEvent | WheelEvent, more: Partial<LiveMouseInput> = {}): void {
    this.#send({
      type: "input",
      device: "mouse",
      action,
      ...place(event, this.#element),
      modifiers: modifiersOf(event),
      ...more,
    });
  }

  #press(event: PointerEvent): void {
    event.preventDefault();
    this.#element.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
    if (event.pointerType === "touch" && this.#zoom !== undefined) {
      this.#fingers.set(event.pointerId, event);
      if (this.#fingers.size > 1) {
        this.#touch = null;
        this.#element.setPointerCapture(event.pointerId);
        return;
      }
    }
    if (!this.#mayAct()) return;
    this.#element.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      this.#touch = { id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
      return;
    }
    this.#flush();
    this.#pressed.add(buttonOf(event));
    this.#mouse("down", event, { button: buttonOf(event), clickCount: this.#count(event) });
  }

  #released(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    if (this.#touch?.id === event.pointerId) return this.#lifted(event, this.#touch.moved);
    if (event.button < 0) return;
    event.preventDefault();
    if (!this.#pressed.delete(buttonOf(event))) return;
    this.#flush();
    this.#mouse("up", event, { button: buttonOf(event), clickCount: Math.max(1, this.#click.count) });
  }

  /** A finger that did not move is a click; one that did has scrolled. */
  #lifted(event: PointerEvent, hasMoved: boolean): void {
    this.#touch = null;
    if (hasMoved || event.type === "pointercancel") return;
    const { clientX, clientY, timeStamp } = event;
    const clickCount = this.#count({ clientX, clientY, timeStamp, button: 0 });
    this.#mouse("move", event);
    this.#mouse("down", event, { button: "left", clickCount });
    this.#mouse("up", event, { button: "left", clickCount });
  }

  #moved(event: PointerEvent): void {
    if (this.#fingers.has(event.pointerId)) {
      const before = [...this.#fingers.values()];
      this.#fingers.set(event.pointerId, event);
      if (before.length === 2) return this.#zoom?.pinch(before, [...this.#fingers.values()]);
    }
    if (this.#touch?.id === event.pointerId) return this.#dragged(event, this.#touch);
    if (event.pointerType === "touch" || !this.#mayPoint()) return;
    if (!this.#move) requestAnimationFrame(() => this.#flush());
    this.#move = event;
  }

  #dragged(event: PointerEvent, touch: { x: number; y: number; moved: boolean }): void {
    const [deltaX, deltaY] = [touch.x - event.clientX, touch.y - event.clientY];
    if (!touch.moved && Math.hypot(deltaX, deltaY) < TAP_DISTANCE) return;
    Object.assign(touch, { moved: true, x: event.clientX, y: event.clientY });
    this.#mouse("wheel", event, { deltaX, deltaY });
  }

  #turned(event: WheelEvent): void {
    // Not by `:focus`, which Firefox has for windows in front alone.
    const { activeElement } = this.#element.getRootNode() as Document | ShadowRoot;
    if (this.#wheelNeedsFocus && activeElement !== this.#element) return;
    event.preventDefault();
    if (!this.#mayAct()) return;
    if (this.#wheel?.event.deltaMode === event.deltaMode) {
      this.#wheel.x += event.deltaX;
      this.#wheel.y += event.deltaY;
      this.#wheel.event = event;
      return;
    }
    if (!this.#wheel) requestAnimationFrame(() => this.#flush());
    this.#wheel = { event, x: event.deltaX, y: event.deltaY };
  }

  /** At most one move and one turn of the wheel for each picture shown; before a press, at once. */
  #flush(): void {
    const [move, wheel] = [this.#move, this.#wheel];
    this.#move = this.#wheel = null;
    if (move) this.#mouse("move", move);
    if (wheel) {
      const deltaMode = wheel.event.deltaMode as 0 | 1 | 2;
      this.#mouse("wheel", wheel.event, { deltaX: wheel.x, deltaY: wheel.y, deltaMode });
    }
  }

  #count(event: Point & { timeStamp: number; button: number }): number {
    const last = this.#click;
    const button = buttonOf(event);
    const isNear = Math.hypot(event.clientX - last.x, event.clientY - last.y) < CLICK_DISTANCE;
    const isAgain = button === last.button && isNear && event.timeStamp - last.at < CLICK_MS;
    const count = isAgain ? (last.count % 3) + 1 : 1;
    this.#click = { at: event.timeStamp, x: event.clientX, y: event.clientY, count, button };
    return count;
  }

  #key(event: KeyboardEvent, action: KeyAction): void {
    // An input method is at work: what it makes comes as text.
    if (event.isComposing || event.keyCode === 229 || event.key === "Process" || event.key === "Dead") return;
    if (event.key === "Escape" && event.shiftKey) {
      event.preventDefault();
      if (action === "keydown") this.#element.blur();
      return;
    }
    const isPaste = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "v";
    if (isPaste) return;
    event.preventDefault();
    const shortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey ? SHORTCUTS[event.key.toLowerCase()] : undefined;
    if (shortcut !== undefined && action === "keydown" && !event.repeat) {
      const done = this.#onShortcut?.(shortcut);
      if (done === true) return;
      if (done instanceof Promise) {
        const again = (): void => this.#strike(event, "keydown");
        void done.then(again, again);
        return;
      }
    }
    this.#strike(event, action);
  }

  #strike(event: KeyboardEvent, action: KeyAction): void {
    if (action === "keydown") {
      if (!this.#mayAct()) return;
      this.#down.add(event.code);
    } else if (!this.#down.delete(event.code)) return;
    // AltGr types a character although it looks like Control and Alt.
    const isAltGraph = event.getModifierState("AltGraph");
    const text = isAltGraph && event.key.length === 1 && action === "keydown" ? { text: event.key } : {};
    this.#send({
      type: "input",
      device: "key",
      action,
      key: event.key,
      code: event.code,
      repeat: event.repeat,
      modifiers: isAltGraph ? modifiersOf(event) & ~3 : modifiersOf(event),
      ...text,
    });
  }

  /** What a phone's keyboard does without a key: it is a key in the page all the same. */
  #edited(event: InputEvent): void {
    const key = EDITS[event.inputType];
    if (!key || event.isComposing) return;
    event.preventDefault();
    if (!this.#mayAct()) return;
    for (const action of ["keydown", "keyup"] as const)
      this.#send({ type: "input", device: "key", action, key, code: key });
  }

  #composed(text: string): void {
    if (!this.#mayAct()) return;
    this.#isComposing = true;
    this.#compose(text);
  }

  #compose(text: string): void {
    this.#send({ type: "input", device: "key", action: "compose", text: text.slice(0, 1000) });
    this.#element.dispatchEvent(new CustomEvent("composing", { detail: text }));
  }

  #typed(): void {
    const text = this.#element.value.replaceAll(SOMETHING, "");
    this.empty();
    if (this.#isComposing && !text) this.#compose("");
    else if (this.#isComposing) this.#element.dispatchEvent(new CustomEvent("composing", { detail: "" }));
    this.#isComposing = false;
    this.#char(text);
  }

  /** Before the first key, and after each. */
  empty(): void {
    this.#element.value = matchMedia("(pointer: coarse)").matches ? SOMETHING : "";
    this.#element.setSelectionRange(1, 1);
  }

  #pasted(event: ClipboardEvent): void {
    event.preventDefault();
    this.#char(event.clipboardData?.getData("text/plain") ?? "");
  }

  #char(text: string): void {
    if (text && this.#mayAct())
      this.#send({ type: "input", device: "key", action: "char", text: text.slice(0, 100_000) });
  }

  #releaseKeys(): void {
    for (const code of this.#down) this.#send({ type: "input", device: "key", action: "keyup", key: "", code });
    this.#down.clear();
  }
}

function buttonOf(event: { button: number }): Button {
  return BUTTONS[event.button] ?? "none";
}

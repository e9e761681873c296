// What Python calls to act: find an element, wait until it is ready, aim, and say what came of it.
//
// One action at a time holds an element here between its calls; the page's turn in Python sees to that.
(() => {
  // A frame is 16 ms; where the page paints none (it lies behind another), time passes all the same.
  const FRAME_AT_MOST = 100;
  // An animation stands still until the next frame, and tabs behind another have one in a while.
  const ANIMATED_FRAME_AT_MOST = 500;
  const POLL = 100;
  const MOST_TEXTS = 10_000;
  const MOST_WRITTEN = 500;

  let held = null;

  // Find the element of `query` and wait up to `patience` ms until it meets `needs`. Gives what was seen last:
  // `{state: "ready" | "frame" | "missing" | "stale" | "blocked" | "invalid", …}`.
  async function prepare(query, needs, patience) {
    const until = performance.now() + patience;
    let before = null;
    for (;;) {
      let seen = look(query, needs);
      if (seen.state === "ready" && (needs.steady || ready.isAnimating(held))) seen = await steady(query, needs);
      if (seen.state === "ready" && needs.then) seen = await doing(seen, needs.then);
      if (seen.state !== "missing" && seen.state !== "blocked") return seen;
      const left = until - performance.now();
      if (left <= 0) return seen;
      const isSame = before !== null && before.reason === seen.reason && before.obscuredBy === seen.obscuredBy;
      if (needs.failFast && seen.state === "blocked" && isSame && document.readyState === "complete") {
        return { ...seen, isSettled: true };
      }
      // A change gives it another chance to be quick; without one the same sight twice is settled.
      before = (await change(Math.min(left, POLL))) ? null : seen;
    }
  }

  function look(query, needs) {
    held = null;
    let found;
    try {
      if (query.steps) selectors.check(query.steps);
      found = selectors.find(query);
    } catch (error) {
      return { state: "invalid", why: String(error.message ?? error) };
    }
    if (found.frame) {
      held = found.frame;
      return { state: "frame", next: found.next };
    }
    if (!found.element) return { state: query.ref === undefined ? "missing" : "stale" };
    held = needs.field ? ready.field(found.element) : found.element;
    return judge(held, needs);
  }

  function judge(element, needs) {
    const about = { element: dom.describe(element) };
    const objection = ready.objection(element, needs);
    if (objection) return { state: "blocked", ...objection, ...about };
    if (!needs.point) return { state: "ready", ...about };
    const point = needs.force ? ready.middle(element) : ready.aim(element);
    if (!point) return { state: "blocked", reason: "hidden", ...about };
    if ("x" in point) {
      if (needs.guard && !needs.force) guard.arm(needs.guard, element);
      return { state: "ready", x: point.x, y: point.y, ...about };
    }
    if (!point.obscuredBy) return { state: "blocked", reason: "hidden", ...about };
    return { state: "blocked", reason: "obscured", obscuredBy: dom.describe(point.obscuredBy), ...about };
  }

  // What is to be done as soon as the element is ready. A page that puts another in its place meanwhile, as some do when
  // a field gets the focus, has it looked for again.
  async function doing(seen, [name, ...args]) {
    const done = await deeds[name](...args);
    return done.isGone ? { state: "missing" } : { ...seen, done };
  }

  // Ready, and in the same place in two frames one after the other.
  async function steady(query, needs) {
    const element = held;
    guard.disarm();
    const atMost = ready.isAnimating(element) ? ANIMATED_FRAME_AT_MOST : FRAME_AT_MOST;
    await nextFrame(atMost);
    const first = element.getBoundingClientRect();
    await nextFrame(atMost);
    const second = element.getBoundingClientRect();
    const isStill = ["x", "y", "width", "height"].every((side) => first[side] === second[side]);
    const seen = look(query, needs);
    if (isStill || seen.state !== "ready") return seen;
    guard.disarm();
    return { state: "blocked", reason: "moving", element: dom.describe(element) };
  }

  function nextFrame(atMost = FRAME_AT_MOST) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, atMost);
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  // Wait until the document changed, at most `limit` ms; whether it did. Layout alone is not noticed.
  function change(limit) {
    return new Promise((resolve) => {
      const observer = new MutationObserver(() => end(true));
      const timer = setTimeout(() => end(false), limit);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      function end(hasChanged) {
        observer.disconnect();
        clearTimeout(timer);
        // Not more than once in a frame, however restless the page is.
        if (hasChanged) nextFrame().then(() => resolve(true));
        else resolve(false);
      }
    });
  }

  // Where a point of a frame's viewport is in ours, scrolled into view, given the frame's element: as `judge`.
  function through(element, x, y, needs) {
    const point = scrolledTo(element, x, y);
    const hit = dom.elementAt(point.x, point.y);
    if (hit !== element && !needs.force) {
      const obscuredBy = hit && dom.describe(hit);
      return { state: "blocked", reason: hit ? "obscured" : "hidden", obscuredBy, element: dom.describe(element) };
    }
    if (needs.guard && !needs.force) guard.arm(needs.guard, null);
    return { state: "ready", ...point };
  }

  function mapped(element, x, y) {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const inset = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
    const turned = turning(element);
    if (turned) {
      // However it is turned or slanted, the middle of what is around it stays its own.
      const from = new DOMPoint(inset("Left") + x - element.offsetWidth / 2, inset("Top") + y - element.offsetHeight / 2);
      const moved = from.matrixTransform(turned);
      return { x: (box.left + box.right) / 2 + moved.x, y: (box.top + box.bottom) / 2 + moved.y };
    }
    // A frame that is scaled scales what is in it.
    const across = box.width / element.offsetWidth;
    const down = box.height / element.offsetHeight;
    return { x: box.left + (inset("Left") + x) * across, y: box.top + (inset("Top") + y) * down };
  }

  // How an element is turned and slanted, by itself and by all that it stands in; null where it is not.
  function turning(element) {
    let matrix = new DOMMatrix();
    for (const around of dom.outwards(element)) {
      const style = getComputedStyle(around);
      for (const transform of [style.transform, scaling(style.scale), rotation(style.rotate)]) {
        if (transform !== "none") matrix = new DOMMatrix(transform).multiply(matrix);
      }
    }
    const isTurned = Math.abs(matrix.b) > 1e-6 || Math.abs(matrix.c) > 1e-6 || matrix.a < 0 || matrix.d < 0;
    return isTurned ? new DOMMatrix([matrix.a, matrix.b, matrix.c, matrix.d, 0, 0]) : null;
  }

  // The properties `scale` and `rotate` as functions of a transform: `2 1`, `45deg`, `x 45deg`, `1 1 0 45deg`.
  function scaling(value) {
    return value === "none" ? value : `scale(${value.split(" ").slice(0, 2).join(",")})`;
  }

  function rotation(value) {
    if (value === "none") return value;
    const words = value.split(" ");
    const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[words[0]] ?? words.slice(0, -1);
    return axes.length ? `rotate3d(${[...axes, words.at(-1)].join(",")})` : `rotate(${value})`;
  }

  // The point after everything around the frame was scrolled as far as it takes to see it.
  function scrolledTo(element, x, y) {
    for (const around of dom.outwards(dom.outward(element) ?? element)) {
      const isRoot = around === document.scrollingElement;
      if (!isRoot && getComputedStyle(around).overflow === "visible") continue;
      const box = isRoot ? new DOMRect(0, 0, innerWidth, innerHeight) : around.getBoundingClientRect();
      const point = mapped(element, x, y);
      const isIn = point.x >= box.left && point.x < box.right && point.y >= box.top && point.y < box.bottom;
      if (isIn) continue;
      const left = point.x - (box.left + box.right) / 2;
      const top = point.y - (box.top + box.bottom) / 2;
      around.scrollBy({ left, top, behavior: "instant" });
    }
    return mapped(element, x, y);
  }

  // The element that the present action holds, for a handle to it.
  function heldElement() {
    return held;
  }

  function release() {
    held = null;
    return guard.disarm();
  }

  // For those who only look: whether the element is there and shows, or which step is for the frame it is in.
  function state(query) {
    try {
      if (query.steps) selectors.check(query.steps);
    } catch (error) {
      return { invalid: String(error.message ?? error) };
    }
    const { element = null, next } = selectors.find(query);
    if (next !== undefined) return { next };
    return { isAttached: element !== null, isVisible: element !== null && dom.isVisible(element) };
  }

  // The text of every match, or which step is for the frame they are in.
  function texts(query) {
    try {
      selectors.check(query.steps);
    } catch (error) {
      return { invalid: String(error.message ?? error) };
    }
    const { found, next } = selectors.run(query.steps, MOST_TEXTS + 1);
    if (next !== undefined) return { next };
    const told = found.slice(0, MOST_TEXTS).map((element) => (element.textContent ?? "").trim());
    return { texts: told, truncated: found.length > MOST_TEXTS };
  }

  // The element, or the frame on the way to it.
  function pick(query) {
    const { element, frame } = selectors.find(query);
    return frame ?? element;
  }

  // What is done to the held element; `null` for the page where an action has none.
  const deeds = {
    focus: (selectsAll, keys, signal) => focus(held, selectsAll, keys, signal),
    focusForKeys: () => fields.focusForKeys(held),
    replaceValue: (value) => fields.replaceValue(held, value),
    replace: (value) => replace(held, value),
    choose: (wanted) => (held.localName === "select" ? fields.choose(held, wanted) : { isOther: true }),
    scrollBy: (x, y) => scrolling.scrollBy(held, x, y),
    scrollPageBy: (x, y) => scrolling.scrollBy(null, x, y),
    scrollIntoView: () => scrolling.intoView(held),
    fileInput: () => fileInput(),
  };

  // Replace what a field holds. Where `isWritten` is false, all of it is selected instead, for what is inserted next:
  // editors live on `beforeinput` events, which a command does not bring, and with many lines a command is slow.
  async function replace(element, value) {
    if (ready.isValued(element)) return { isWritten: true, ...fields.replaceValue(element, value) };
    const focused = fields.focus(element, true);
    await null;
    if (!element.isConnected) return { isGone: true };
    const isShort = !element.isContentEditable && value.length <= MOST_WRITTEN;
    return { ...focused, isTaken: true, isWritten: focused.isFocused && isShort && fields.write(element, value) };
  }

  // Focus a field for so many keys to come, and signal when all have arrived. What is set as a whole is not typed into:
  // `{isValued}`.
  async function focus(element, selectsAll, keys, signal) {
    if (ready.isValued(element)) return { isValued: true };
    countInput(keys, signal);
    const focused = fields.focus(element, selectsAll);
    await null;
    return element.isConnected ? focused : { isGone: true };
  }

  let inputs = null;

  // Count what arrives in any field from now on, until all has arrived or `isLost` is asked.
  function countInput(keys, signal) {
    inputs?.end.abort();
    const counted = (inputs = { count: 0, end: new AbortController() });
    const count = () => {
      if (++counted.count < keys) return;
      counted.end.abort();
      belljarSignal(signal);
    };
    window.addEventListener("input", count, { capture: true, signal: counted.end.signal });
  }

  // Whether of `keys` that were struck some went nowhere, because another element was put in the held one's place.
  function isLost(keys) {
    const count = inputs?.count ?? keys;
    inputs?.end.abort();
    inputs = null;
    return held !== null && !held.isConnected && count < keys;
  }

  // What files would be given to: the input itself, or the one its label is for: `{isInput, multiple, directory}`.
  function fileInput() {
    const control = dom.nearest(held, "label")?.control;
    if (!isFileInput(held) && control && isFileInput(control)) held = control;
    return { isInput: isFileInput(held), multiple: held.multiple === true, directory: held.webkitdirectory === true };
  }

  function isFileInput(element) {
    return element.localName === "input" && element.type === "file";
  }

  let drag = null;

  // Note whether a drag begins from now on; a page that cancels it moves things by itself.
  function watchDrag() {
    const watch = (drag = { event: null });
    window.addEventListener("dragstart", (event) => { watch.event = event }, { capture: true, once: true });
  }

  function hasDragBegun() {
    return drag?.event != null && !drag.event.defaultPrevented;
  }

  return { ...deeds, isLost, watchDrag, hasDragBegun, prepare, change, through, heldElement, release, state, texts, pick };
})()

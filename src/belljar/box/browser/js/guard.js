// The guard around a gesture: events that land elsewhere than aimed are swallowed before the page sees them.
//
// It listens in the capture phase of the window. The first event decides: those that follow share its fate.
(() => {
  const KINDS = {
    press: ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"],
    hover: ["pointermove", "mousemove"],
  };
  // Should nobody call `disarm` (a dialog stopped the page), it ends by itself. Not by a timer: `rest` counts those.
  const LIFETIME = 5000;

  let armed = null;

  // `target` null: nothing may land in this document at all, it belongs into a frame.
  function arm(kind, target) {
    disarm();
    const state = (armed = { target, kind, seen: false, missed: null, until: performance.now() + LIFETIME });
    state.listener = (event) => judge(state, event);
    for (const type of KINDS[kind]) window.addEventListener(type, state.listener, { capture: true, passive: false });
  }

  function judge(state, event) {
    if (!event.isTrusted) return;
    if (performance.now() > state.until) {
      disarm();
      return;
    }
    if (!state.seen) {
      state.seen = true;
      const hit = event.composedPath()[0];
      const isElement = hit?.nodeType === Node.ELEMENT_NODE;
      if (!state.target || !isElement || !ready.accepts(state.target, hit)) state.missed = isElement ? hit : document.documentElement;
    }
    if (state.missed) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  // What came of it: `{isArmed, seen, obscuredBy}`. Not armed means that this is another document than before.
  function disarm() {
    if (!armed) return { isArmed: false, seen: false, obscuredBy: null };
    const { kind, listener, until, seen, missed } = armed;
    armed = null;
    for (const type of KINDS[kind]) window.removeEventListener(type, listener, { capture: true });
    return { isArmed: performance.now() <= until, seen, obscuredBy: missed && dom.describe(missed) };
  }

  return { arm, disarm };
})()

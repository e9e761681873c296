// What Python calls to know when a page that was acted on has come to rest.
//
// Rest is `still` ms without a change. It need not be waited for where the action has changed something and the page
// has planned nothing more: no timer, no frame. Both are numbered one after another for a whole window, whichever world
// asks, so a number that is skipped was given to the page.
(() => {
  const LONG_AGO = -1e9;

  let observer = null;
  // Since `watch`, or since the document began.
  let changes = 0;
  let lastChange = LONG_AGO;
  let onChange = () => {};
  // The last numbers known, when the page was last seen to have set a timer, and whether it asked for a frame.
  let timer = 0;
  let frame = 0;
  let lastTimer = LONG_AGO;
  let wantsFrame = false;

  // Forget what was, and count from now on.
  function watch() {
    end();
    observe();
    changes = 0;
    notePlans();
    lastTimer = LONG_AGO;
    wantsFrame = false;
  }

  function observe() {
    observer = new MutationObserver(() => {
      changes += 1;
      lastChange = performance.now();
      onChange();
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  function end() {
    observer?.disconnect();
    observer = null;
  }

  // Wait for rest, at most `limit` ms; whether it came, and how many changes there were. Plans count after more than
  // `known` changes: before that, what is waited for may come of a worker or a database, which tell of none.
  async function rest(still, limit, known) {
    if (!observer) observe();
    const began = performance.now();
    for (;;) {
      notePlans();
      const before = changes;
      const now = performance.now();
      const stillAt = Math.max(began, lastChange) + still;
      const left = Math.min(stillAt, began + limit) - now;
      const due = lastTimer + still - now;
      const mayBeOver = before > known && due <= 0 && !wantsFrame;
      if (before > known && wantsFrame) await within(left, nextFrame);
      else if (mayBeOver) await within(left, idle);
      else await within(before > known ? Math.min(left, due) : left, change);
      const isOver = mayBeOver && !notePlans();
      const isStill = changes === before && (isOver || performance.now() >= stillAt);
      if (isStill || performance.now() >= began + limit) return { isStill, changes };
    }
  }

  // Whether the page has set a timer or asked for a frame since this was last called.
  function notePlans() {
    const timerBefore = lastTimer;
    clearTimeout(setTimer(() => {}, 0));
    cancelAnimationFrame(askFrame(() => {}));
    return wantsFrame || lastTimer !== timerBefore;
  }

  function setTimer(then, ms) {
    const number = setTimeout(then, ms);
    if (number !== timer + 1) lastTimer = performance.now();
    timer = number;
    return number;
  }

  function askFrame(then) {
    const number = requestAnimationFrame(then);
    if (number !== frame + 1) wantsFrame = true;
    frame = number;
    return number;
  }

  // Wait for what `begin` waits for, at most `limit` ms.
  function within(limit, begin) {
    return new Promise((resolve) => {
      const number = setTimer(resolve, limit);
      begin(() => {
        clearTimeout(number);
        resolve();
      });
    });
  }

  function change(done) {
    onChange = done;
  }

  // After a frame, with all that others do in it.
  function nextFrame(done) {
    askFrame(() => {
      wantsFrame = false;
      afterTasks(done, "user-visible");
    });
  }

  // When there is nothing left to do now.
  function idle(done) {
    afterTasks(done, "background");
  }

  function afterTasks(done, priority) {
    if (globalThis.scheduler?.postTask) scheduler.postTask(done, { priority });
    else requestIdleCallback(done);
  }

  return { watch, end, rest };
})()

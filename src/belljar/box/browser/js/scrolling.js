// Scrolling what a person would scroll.
(() => {
  // What moves when the wheel is turned over an element: the nearest around it that can go that way.
  function scrollerOf(element, x, y) {
    for (const at of dom.outwards(element)) {
      if (canScroll(at, x, y)) return at;
    }
    return document.scrollingElement ?? document.documentElement;
  }

  function canScroll(element, x, y) {
    if (element === document.scrollingElement) return canMove(element, x, y);
    const { overflowX, overflowY } = getComputedStyle(element);
    const scrolls = (overflow) => overflow === "auto" || overflow === "scroll" || overflow === "hidden";
    return canMove(element, scrolls(overflowX) ? x : 0, scrolls(overflowY) ? y : 0);
  }

  function canMove(element, x, y) {
    return moves(x, element.scrollLeft, element.scrollWidth - element.clientWidth)
      || moves(y, element.scrollTop, element.scrollHeight - element.clientHeight);
  }

  function moves(by, at, most) {
    return by > 0 ? at < most - 1 : by < 0 ? at > 0 : false;
  }

  // Without an element, the page; where the page itself cannot move, what lies in its middle.
  function scrollBy(element, x, y) {
    const root = document.scrollingElement ?? document.documentElement;
    const from = element ?? (canMove(root, x, y) ? root : dom.elementAt(innerWidth / 2, innerHeight / 2) ?? root);
    const scroller = scrollerOf(from, x, y);
    scroller.scrollBy({ left: x, top: y, behavior: "instant" });
    return position(scroller);
  }

  function intoView(element) {
    const [box] = dom.boxes(element);
    const isInView = box && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    const isSeen = isInView && dom.isWithin(dom.elementAt((box.left + box.right) / 2, (box.top + box.bottom) / 2) ?? document.body, element);
    if (!isSeen) dom.drawn(element).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return position(scrollerOf(element, 1, 1));
  }

  function position(scroller) {
    return {
      x: scroller.scrollLeft,
      y: scroller.scrollTop,
      maxX: Math.max(0, scroller.scrollWidth - scroller.clientWidth),
      maxY: Math.max(0, scroller.scrollHeight - scroller.clientHeight),
    };
  }

  // Where the wheel is turned: over the element, else in the middle of the window.
  function middle(element) {
    const point = element && ready.middle(element);
    return point ?? { x: innerWidth / 2, y: innerHeight / 2 };
  }

  return { scrollBy, intoView, middle };
})()

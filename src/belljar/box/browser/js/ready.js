// Whether an element can be acted on now, and where.
(() => {
  const PRESSED = 'button, [role="button"], a, [role="link"], summary';
  const EDITABLE = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]';
  const NOT_TYPED = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/;

  // What is pressed in place of an element: an icon in a button is the button.
  function pressed(element) {
    if (element.matches("input, textarea, select, option") || element.isContentEditable) return element;
    return dom.nearest(element, PRESSED) ?? element;
  }

  // The field a label or a wrapper stands for; the element itself where it stands for none.
  function field(element) {
    if (element.matches(EDITABLE) || element.isContentEditable) return element;
    const label = dom.nearest(element, "label");
    if (label?.control) return label.control;
    const inner = fieldsIn(element);
    return inner.length === 1 ? inner[0] : element;
  }

  function fieldsIn(root) {
    const found = [...root.querySelectorAll(EDITABLE)].filter(takesText);
    for (const element of [root, ...root.querySelectorAll("*")]) {
      if (element.shadowRoot) found.push(...fieldsIn(element.shadowRoot));
    }
    return found;
  }

  function takesText(element) {
    if (element.localName === "input") return !NOT_TYPED.test(element.type);
    return element.localName === "textarea" || element.isContentEditable;
  }

  function isDisabled(element) {
    const target = element.matches("input, button, select, textarea, option") ? element : pressed(element);
    const control = dom.nearest(element, "label")?.control;
    if (target.matches(":disabled") || (control && control.matches(":disabled") && !isOwnControl(element))) return true;
    return dom.nearest(element, '[aria-disabled="true"], [inert]') !== null;
  }

  function isOwnControl(element) {
    return element.matches("a, button, input, select, textarea");
  }

  function isReadOnly(element) {
    return element.readOnly === true || element.getAttribute("aria-readonly") === "true";
  }

  // Why the element is not ready, before asking where it is; null when it is.
  function objection(element, needs) {
    if (needs.visible && !dom.isVisible(element)) return { reason: "hidden" };
    if (needs.enabled && isDisabled(element)) return { reason: "disabled" };
    if (needs.editable && (!takesText(element) && !isValued(element) || isReadOnly(element))) {
      return { reason: "not_editable" };
    }
    return null;
  }

  // Inputs whose value is set as a whole: their own pickers take no typed text worth the name.
  function isValued(element) {
    return element.localName === "input" && /^(date|time|datetime-local|month|week|color|range)$/.test(element.type);
  }

  // Whether a press that hits `hit` is a press of `target`.
  function accepts(target, hit) {
    const wanted = pressed(target);
    if (dom.isWithin(hit, wanted)) return true;
    const label = dom.nearest(hit, "label");
    if (label && label.control === target) return true;
    const around = dom.nearest(target, "label");
    return around !== null && around.control !== null && dom.isWithin(hit, around.control);
  }

  // A point of the element that shows and that a press would reach: `{x, y}`, or what is in the way.
  function spot(element) {
    let obscuredBy = null;
    for (const box of dom.boxes(element).slice(0, 20)) {
      for (const [x, y] of points(box)) {
        const hit = dom.elementAt(x, y);
        if (hit && accepts(element, hit)) return { x, y };
        obscuredBy ??= hit;
      }
    }
    return { obscuredBy };
  }

  // The middle of what shows of a box, then the middles of its quarters.
  function points(box) {
    const left = Math.max(box.left, 0);
    const right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0);
    const bottom = Math.min(box.bottom, innerHeight);
    if (right <= left || bottom <= top) return [];
    const across = (part) => left + (right - left) * part;
    const down = (part) => top + (bottom - top) * part;
    return [
      [across(0.5), down(0.5)], [across(0.25), down(0.25)], [across(0.75), down(0.25)],
      [across(0.25), down(0.75)], [across(0.75), down(0.75)],
    ];
  }

  // As `spot`, scrolling the element into view where it is not, and from under what sticks to an edge.
  function aim(element) {
    const first = spot(element);
    if ("x" in first) return first;
    const scrolled = [...dom.outwards(element)].map((at) => [at, at.scrollLeft, at.scrollTop]);
    for (const block of ["center", "end", "start"]) {
      dom.drawn(element).scrollIntoView({ block, inline: block === "center" ? "center" : "nearest", behavior: "instant" });
      const found = spot(element);
      if ("x" in found) return found;
      first.obscuredBy ??= found.obscuredBy;
    }
    // In vain: leave the page as it was.
    for (const [at, left, top] of scrolled) at.scrollTo({ left, top, behavior: "instant" });
    return first;
  }

  // The middle of what shows, whatever lies over it.
  function middle(element) {
    const [box] = dom.boxes(element);
    if (!box) return null;
    let [point] = points(box);
    if (!point) {
      dom.drawn(element).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      [point] = points(dom.boxes(element)[0]);
    }
    return point ? { x: point[0], y: point[1] } : null;
  }

  // Whether an animation or transition is under way that may be moving the element.
  function isAnimating(element) {
    for (let root = element.getRootNode(); root; root = root.host?.getRootNode()) {
      if (root.getAnimations?.().some((animation) => moves(animation, element))) return true;
    }
    return false;
  }

  // What these do to one element leaves all outside of it where they are: a spinner turns for itself.
  const SELF_CONTAINED = new Set([
    "transform", "rotate", "scale", "translate", "opacity", "filter", "color", "backgroundColor", "backgroundPosition",
    "boxShadow", "visibility", "clipPath", "strokeDashoffset", "strokeDasharray", "stroke", "fill",
  ]);
  const ABOUT = new Set(["offset", "computedOffset", "easing", "composite"]);

  function moves(animation, element) {
    if (animation.playState !== "running") return false;
    const target = animation.effect?.target;
    if (!target || dom.isWithin(element, target)) return true;
    const frames = animation.effect.getKeyframes();
    return !frames.every((frame) => Object.keys(frame).every((name) => ABOUT.has(name) || SELF_CONTAINED.has(name)));
  }

  return { pressed, field, fieldsIn, takesText, isValued, isDisabled, objection, accepts, spot, aim, middle, points, isAnimating };
})()

// Looking at elements: who is inside whom across shadow roots, what shows, what to call it.
(() => {
  // The next element outwards on the way an event takes.
  function outward(element) {
    return element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
  }

  function* outwards(element) {
    for (let at = element; at; at = outward(at)) yield at;
  }

  function isWithin(inner, outer) {
    for (const at of outwards(inner)) if (at === outer) return true;
    return false;
  }

  // `closest`, through shadow roots.
  function nearest(element, css) {
    for (const at of outwards(element)) if (at.matches(css)) return at;
    return null;
  }

  // What a person would call it, short: `div#overlay`, `button.primary`, `input[name=q]`.
  function describe(element) {
    if (!element) return "nothing";
    const tag = element.localName;
    if (element.id) return `${tag}#${element.id}`.slice(0, 100);
    const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`).join("");
    if (classes) return (tag + classes).slice(0, 100);
    const name = element.getAttribute("name");
    return name ? `${tag}[name=${name}]`.slice(0, 100) : tag;
  }

  // The boxes of an element in this frame's viewport; those of its contents where it has none of its own.
  function boxes(element) {
    let source = element;
    if (getComputedStyle(element).display === "contents") {
      source = document.createRange();
      source.selectNodeContents(element);
    }
    return [...source.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
  }

  function isVisible(element) {
    return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && boxes(element).length > 0;
  }

  // The innermost element at a point of the viewport, inside open shadow roots too.
  function elementAt(x, y) {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found || !isWithin(inner, found)) break;
      found = inner;
    }
    return found;
  }

  function isFrame(element) {
    return element.localName === "iframe" || element.localName === "frame";
  }

  // Without the marks that only say where a word may be broken.
  function unhyphened(text) {
    return text.replace(/[\u200b\u00ad]/g, "");
  }

  function squeezed(text) {
    return unhyphened(text).replace(/\s+/g, " ").trim();
  }

  return { outward, outwards, isWithin, nearest, describe, boxes, isVisible, elementAt, isFrame, unhyphened, squeezed };
})()

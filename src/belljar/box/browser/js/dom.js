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
    if (element.localName === "area") return areaBoxes(element);
    let source = element;
    if (getComputedStyle(element).display === "contents") {
      source = document.createRange();
      source.selectNodeContents(element);
    }
    return [...source.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
  }

  // The image whose map an area belongs to: an area has no box of its own.
  function imageOf(area) {
    const name = nearest(area, "map")?.name;
    if (!name) return null;
    return area.getRootNode().querySelector(`img[usemap="#${CSS.escape(name)}"]`);
  }

  // What is drawn in place of an element, to be scrolled to and to be seen.
  function drawn(element) {
    return element.localName === "area" ? imageOf(element) ?? element : element;
  }

  function areaBoxes(area) {
    const image = imageOf(area);
    if (!image) return [];
    const style = getComputedStyle(image);
    const edge = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
    const around = image.getBoundingClientRect();
    const [left, top] = [around.left + edge("Left"), around.top + edge("Top")];
    const numbers = area.coords.split(/[\s,;]+/).map(Number).filter(Number.isFinite);
    if (area.shape === "default" || numbers.length < 3) {
      return [new DOMRect(left, top, around.right - edge("Right") - left, around.bottom - edge("Bottom") - top)];
    }
    const [x0, y0, x1, y1] = bounds(area.shape, numbers);
    return [new DOMRect(left + x0, top + y0, x1 - x0, y1 - y0)].filter((box) => box.width > 0 && box.height > 0);
  }

  function bounds(shape, numbers) {
    if (numbers.length === 3 || shape === "circle" || shape === "circ") {
      const [x, y, radius] = numbers;
      return [x - radius, y - radius, x + radius, y + radius];
    }
    const across = numbers.filter((_, index) => index % 2 === 0);
    const down = numbers.filter((_, index) => index % 2 === 1);
    return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
  }

  function isVisible(element) {
    if (element.localName === "area") return imageOf(element) !== null && isVisible(imageOf(element)) && areaBoxes(element).length > 0;
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

  // What has the focus, inside open shadow roots too; null where nothing has.
  function active() {
    let found = document.activeElement;
    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
    return found && found !== document.body ? found : null;
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

  return { outward, outwards, isWithin, nearest, describe, drawn, boxes, isVisible, elementAt, active, isFrame, unhyphened, squeezed };
})()

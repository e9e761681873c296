// Where in a document something can be seen at all, after whatever scrolling a person can do.
//
// A region is a rectangle in viewport coordinates. `Regions` are the three that count for an element's contents:
// for what flows, for what is positioned absolutely, and for what is fixed.
(() => {
  // Nobody scrolls sideways further than this for something to read, whatever the document allows.
  const FURTHEST = 5000;
  // A form's controls can stand in for its own properties, so these are not asked of the element itself.
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const [leftOf, topOf, widthOf, heightOf, scrolledAcross, scrolledDown, wholeWidth, wholeHeight, documentOf] = [
    [Element, 'clientLeft'], [Element, 'clientTop'], [Element, 'clientWidth'], [Element, 'clientHeight'],
    [Element, 'scrollLeft'], [Element, 'scrollTop'], [Element, 'scrollWidth'], [Element, 'scrollHeight'], [Node, 'ownerDocument'],
  ].map(([type, name]) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  });
  const rootOf = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get;
  const bodyOf = Object.getOwnPropertyDescriptor(Document.prototype, 'body').get;

  // What scrolling the document can bring into view. Content left of or above its origin never comes.
  function ofDocument(view = window) {
    // A document that is being opened has no element yet.
    const root = rootOf.call(view.document);
    const isRightToLeft = root !== null && view.getComputedStyle(root).direction === 'rtl';
    const width = root === null ? view.innerWidth : widthOf(root);
    const { scrollX, scrollY } = view;
    const flow = {
      left: isRightToLeft ? width - FURTHEST - scrollX : -scrollX,
      top: -scrollY,
      right: isRightToLeft ? width - scrollX : Math.max(width, FURTHEST) - scrollX,
      bottom: Infinity,
    };
    const fixed = { left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight };
    return { flow, absolute: flow, fixed };
  }

  // Styles are slow to read: whoever walks a document reads the position once and gives it to all that ask.
  function regionOf(position, regions) {
    if (position === 'absolute') return regions.absolute;
    return position === 'fixed' ? regions.fixed : regions.flow;
  }

  // The regions of the contents of `element`; the very same object where the element changes nothing.
  function inside(element, style, position, regions) {
    const own = regionOf(position, regions);
    const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    const transforms = style.transform !== 'none';
    const positioned = transforms || position !== 'static';
    if (own === regions.flow && !clips && !positioned) return regions;
    const document = documentOf(element);
    const isRoot = element === rootOf.call(document) || element === bodyOf.call(document);
    const flow = clips && !isRoot ? clipped(element, style, own) : own;
    return {
      flow,
      absolute: positioned || isRoot ? flow : regions.absolute,
      fixed: transforms ? flow : regions.fixed,
    };
  }

  function clipped(element, style, own) {
    const box = boxOf(element);
    const left = box.left + leftOf(element);
    const top = box.top + topOf(element);
    const across = axis(style.overflowX, own.left, own.right, left, widthOf(element), scrolledAcross(element),
      wholeWidth(element), style.direction === 'rtl');
    const down = axis(style.overflowY, own.top, own.bottom, top, heightOf(element), scrolledDown(element),
      wholeHeight(element), false);
    return { left: across[0], right: across[1], top: down[0], bottom: down[1] };
  }

  // What a scroller scrolls is in where the scroller itself is; what is merely cut off is not.
  function axis(overflow, from, to, start, size, scrolled, scrollSize, isReversed) {
    if (overflow === 'visible') return [from, to];
    const cut = [Math.max(from, start), Math.min(to, start + size)];
    if (cut[1] - cut[0] <= 1 || overflow === 'hidden' || overflow === 'clip') return cut;
    const first = start - scrolled + (isReversed ? size - scrollSize : 0);
    return [first, first + scrollSize];
  }

  // More than a pixel of it in both directions.
  function shows(rect, region) {
    return Math.min(rect.right, region.right) - Math.max(rect.left, region.left) > 1
      && Math.min(rect.bottom, region.bottom) - Math.max(rect.top, region.top) > 1;
  }

  // Clip paths that leave a point or nothing: insets that meet, circles without a radius, shapes without an extent.
  function leavesNothing(path) {
    const shape = path.slice(0, path.indexOf('('));
    const inner = path.slice(shape.length + 1, path.lastIndexOf(')'));
    const numbers = inner.split(/ at | round /)[0].match(/-?[\d.]+(px|%)?/g) || [];
    if (shape === 'inset') {
      const [top, right = top, bottom = top, left = right] = numbers;
      return [[top, bottom], [left, right]].some(([one, other]) => {
        if (one.endsWith('%') !== other.endsWith('%')) return false;
        const sum = parseFloat(one) + parseFloat(other);
        return one.endsWith('%') ? sum >= 99 : sum >= FURTHEST;
      });
    }
    if (shape === 'circle' || shape === 'ellipse') return numbers.some((number) => parseFloat(number) < 1);
    if (shape !== 'polygon' && shape !== 'path') return false;
    const places = numbers.map(parseFloat);
    return places.length === 0 || [0, 1].some((axis) => {
      const along = places.filter((_, index) => index % 2 === axis);
      return Math.max(...along.slice(0, 1000)) - Math.min(...along.slice(0, 1000)) < 1;
    });
  }

  // Whether nothing inside can be seen, whatever it is and wherever it lies.
  function isInvisible(style, position) {
    const opacity = style.opacity;
    if (opacity !== '1' && parseFloat(opacity) < 0.05) return true;
    const path = style.clipPath;
    if (path !== 'none' && leavesNothing(path)) return true;
    if (position !== 'absolute' && position !== 'fixed') return false;
    const clip = style.clip;
    if (clip === 'auto') return false;
    const edges = (clip.match(/-?[\d.]+/g) || []).map(Number);
    return edges.length === 4 && (edges[1] - edges[3] <= 1 || edges[2] - edges[0] <= 1);
  }

  function isTransparent(color) {
    return color === 'transparent' || /^rgba\(.*, 0(\.0\d*)?\)$/.test(color);
  }

  // Text in the colour of nothing; a background cut out in the shape of letters shows it all the same.
  function isColourless(style) {
    return isTransparent(style.webkitTextFillColor) && style.backgroundClip !== 'text';
  }

  return { ofDocument, regionOf, inside, shows, isInvisible, isColourless };
})()

// Where in a document something can be seen at all, after whatever scrolling a person can do.
//
// A region is a rectangle in viewport coordinates. `Regions` are the three that count for an element's contents:
// for what flows, for what is positioned absolutely, and for what is fixed.
(() => {
  const EVERYWHERE = Infinity;

  // What scrolling the document can bring into view. Content left of or above its origin never comes.
  function ofDocument() {
    const root = document.scrollingElement || document.documentElement;
    // A document that is being opened has no element yet.
    const isRightToLeft = root !== null && getComputedStyle(document.documentElement).direction === 'rtl';
    const flow = {
      left: isRightToLeft ? -EVERYWHERE : -scrollX,
      top: -scrollY,
      right: isRightToLeft ? root.clientWidth - scrollX : EVERYWHERE,
      bottom: EVERYWHERE,
    };
    const fixed = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
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
    const isRoot = element === document.documentElement || element === document.body;
    const flow = clips && !isRoot ? clipped(element, style, own) : own;
    return {
      flow,
      absolute: positioned || isRoot ? flow : regions.absolute,
      fixed: transforms ? flow : regions.fixed,
    };
  }

  function clipped(element, style, own) {
    const box = element.getBoundingClientRect();
    const left = box.left + element.clientLeft;
    const top = box.top + element.clientTop;
    const across = axis(style.overflowX, own.left, own.right, left, element.clientWidth, element.scrollLeft,
      element.scrollWidth, style.direction === 'rtl');
    const down = axis(style.overflowY, own.top, own.bottom, top, element.clientHeight, element.scrollTop,
      element.scrollHeight, false);
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

  const NOTHING_LEFT = /^(inset\((5\d|[6-9]\d|\d{3,})(\.\d+)?%|circle\(0|ellipse\(0|polygon\((0(px|%)? 0(px|%)?(, )?)+\))/;

  // Whether nothing inside can be seen, whatever it is and wherever it lies.
  function isInvisible(style, position) {
    const opacity = style.opacity;
    if (opacity !== '1' && parseFloat(opacity) < 0.05) return true;
    const path = style.clipPath;
    if (path !== 'none' && NOTHING_LEFT.test(path)) return true;
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

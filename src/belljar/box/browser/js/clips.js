// What `clip-path`, `clip` and `contain` leave of an element, as a rectangle in viewport coordinates.
(() => {
  const EVERYTHING = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const TERM = /([+-]?)\s*(\d*\.?\d+(?:e-?\d+)?)(px|%)?/g;

  // A computed length, sums of pixels and percentages included; NaN for what is none.
  function length(text, whole) {
    if (/[a-z]{2,}\(/.test(text.replace('calc(', ''))) return NaN;
    let sum = NaN;
    for (const [, sign, number, unit] of text.matchAll(TERM)) {
      const value = (sign === '-' ? -1 : 1) * number * (unit === '%' ? whole / 100 : 1);
      sum = Number.isNaN(sum) ? value : sum + value;
    }
    return sum;
  }

  // Split at spaces or commas that are in no parentheses.
  function split(text, separator) {
    const parts = [''];
    let depth = 0;
    for (const letter of text) {
      depth += (letter === '(') - (letter === ')');
      if (depth === 0 && letter === separator) parts.push('');
      else parts[parts.length - 1] += letter;
    }
    return parts.map((part) => part.trim()).filter(Boolean);
  }

  // The bounds of a basic shape in a box of this size; null where they are not known.
  function bounds(path, width, height) {
    const shape = path.slice(0, path.indexOf('('));
    const inner = path.slice(shape.length + 1, path.lastIndexOf(')'));
    if (shape === 'inset') {
      const [top, right = top, bottom = top, left = right] = split(inner.split(' round ')[0], ' ');
      return { left: length(left, width), top: length(top, height), right: width - length(right, width), bottom: height - length(bottom, height) };
    }
    if (shape === 'circle' || shape === 'ellipse') {
      const [radii, at = '50% 50%'] = inner.split(/(?:^| )at /);
      const wholes = shape === 'circle' ? [Math.hypot(width, height) / Math.SQRT2] : [width, height];
      const [across, down = across] = split(radii, ' ').map((radius, at) => length(radius, wholes[at]));
      const [x, y] = split(at, ' ');
      return { left: length(x, width) - across, right: length(x, width) + across, top: length(y, height) - down, bottom: length(y, height) + down };
    }
    if (shape !== 'polygon') return null;
    const points = split(inner, ',').map((point) => split(point, ' ')).filter((point) => point.length === 2).slice(0, 1000);
    const [xs, ys] = [points.map(([x]) => length(x, width)), points.map(([, y]) => length(y, height))];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }

  // A path of the page's own that encloses nothing.
  function isEmptyPath(path, element) {
    const id = /^url\("?#([^")]+)"?\)/.exec(path)?.[1];
    const found = id && raw.byId(raw.document(element), id);
    if (!found || raw.name(found) !== 'clipPath') return false;
    return ![...raw.children(found)].some((child) => {
      if (!(child instanceof SVGGraphicsElement)) return false;
      const { width, height } = SVGGraphicsElement.prototype.getBBox.call(child);
      return width > 0.001 && height > 0.001;
    });
  }

  function meet(one, other) {
    return {
      left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
      right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
    };
  }

  // What is left of `element`; null where nothing takes from it.
  function of(element, style, position) {
    const { clipPath, clip } = style;
    const isClipped = clip !== 'auto' && (position === 'absolute' || position === 'fixed');
    const isContained = style.display !== 'inline' && (/paint|strict|content/.test(style.contain) || style.contentVisibility === 'auto');
    const isBody = raw.name(element) === 'body' && isCutBody(element, style);
    if (clipPath === 'none' && !isClipped && !isContained && !isBody) return null;
    const box = raw.box(element);
    let rest = EVERYTHING;
    if (isContained) rest = meet(rest, box);
    if (isBody && style.overflowY !== 'auto' && style.overflowY !== 'scroll') rest = meet(rest, { ...EVERYTHING, top: box.top, bottom: box.bottom });
    if (clipPath.startsWith('url(')) {
      if (isEmptyPath(clipPath, element)) return { left: 0, top: 0, right: 0, bottom: 0 };
    } else if (clipPath !== 'none') {
      const found = bounds(clipPath, box.width, box.height);
      if (found && !Object.values(found).some(Number.isNaN)) rest = meet(rest, moved(found, box));
    }
    if (isClipped) {
      const edges = clip.slice(5, -1).split(/,\s*|\s+/);
      const [top, right, bottom, left] = edges.map((edge, at) => (edge === 'auto' ? [0, box.width, box.height, 0][at] : parseFloat(edge)));
      rest = meet(rest, moved({ left, top, right, bottom }, box));
    }
    return rest;
  }

  function moved(rect, box) {
    return { left: rect.left + box.left, right: rect.right + box.left, top: rect.top + box.top, bottom: rect.bottom + box.top };
  }

  // What a body cuts off is cut off only where the document's own element scrolls; otherwise it says how the window does.
  function isCutBody(body, style) {
    if (style.overflowY === 'visible') return false;
    const root = raw.element(raw.document(body));
    return raw.view(raw.document(body)).getComputedStyle(root).overflowY !== 'visible';
  }

  // Regions of `reach` within a rectangle.
  function narrowed(regions, rect) {
    if (!rect) return regions;
    return { flow: meet(regions.flow, rect), absolute: meet(regions.absolute, rect), fixed: meet(regions.fixed, rect) };
  }

  return { of, meet, narrowed };
})()

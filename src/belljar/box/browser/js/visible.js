// Whether text in a document can be read by a person who scrolls: walked down from the root, each element adds to a context.
//
// A context is null where nothing inside can be seen. What is hidden is what an attacker would hide: transparent, of the
// colour of its background, too small, cut off, moved out of sight, or said not to be visible.
(() => {
  // Less than this much of opacity, and pixels of letters, cannot be read.
  const FAINT = 0.1;
  const SMALLEST = 3;
  // A sliver of a word says nothing: so many pixels, or half of it, must be there.
  const SLIVER = 6;
  // How much channels may differ, all together, and still be one colour to the eye.
  const SAME = 16;
  const MOST_PAINTERS = 5000;
  const MEDIA = new Set(['img', 'video', 'canvas', 'svg', 'picture', 'object', 'embed']);
  const ICONS = /material[- ]?(icons|symbols)|icomoon|fontello|glyphicons/i;
  const CLEAR = /\b(transparent|rgba\([^)]*, 0\))/g;

  const colours = new Map();
  let canvas = null;

  // [red, green, blue, alpha], whatever notation the page used.
  function colour(text) {
    let found = colours.get(text);
    if (found) return found;
    const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
    if (plain) found = [+plain[1], +plain[2], +plain[3], plain[4] === undefined ? 1 : +plain[4]];
    else {
      canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = '#000';
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const data = canvas.getImageData(0, 0, 1, 1).data;
      found = [data[0], data[1], data[2], data[3] / 255];
    }
    if (colours.size < 10_000) colours.set(text, found);
    return found;
  }

  function alike(one, other) {
    return Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]) <= SAME;
  }

  // A document's own context. `painters` are what may lie behind text without being around it.
  function root(view, painters = []) {
    return {
      view, style: null, regions: reach.ofDocument(view), isVisible: true, opacity: 1, ground: [255, 255, 255, 1],
      // What is painted behind text, by which element (null: the canvas); in front of everything is what is fixed.
      painter: null, isFixed: false, isCutOut: false, isTurned: false, painters,
    };
  }

  // What holds inside `element`; null where nothing there can be seen.
  function enter(element, outer) {
    const style = outer.view.getComputedStyle(element);
    const display = style.display;
    if (display === 'none' || style.contentVisibility === 'hidden') return null;
    if (display !== 'contents' && !raw.isRendered(element)) return null;
    const isVisible = style.visibility === 'visible';
    if (display === 'contents') return { ...outer, style, isVisible };
    const position = style.position;
    const opacity = outer.opacity * Math.min(parseFloat(style.opacity), filtered(style.filter));
    if (opacity < FAINT || reach.isInvisible(style, position) || isMasked(style)) return null;
    let ground = outer.ground;
    const painted = colour(style.backgroundColor);
    const hasPicture = style.backgroundImage !== 'none';
    const isCutOut = outer.isCutOut || style.backgroundClip === 'text';
    let painter = outer.painter;
    if (hasPicture) ground = null;
    else if (painted[3] > 0.9) [ground, painter] = [painted, element];
    else if (painted[3] > FAINT) ground = null;
    const isFixed = outer.isFixed || position === 'fixed';
    const isMedium = MEDIA.has(raw.name(element));
    if ((isMedium || hasPicture || painted[3] > FAINT) && outer.painters.length < MOST_PAINTERS) {
      outer.painters.push({ element, painted: isMedium || hasPicture ? null : painted, isFixed });
    }
    const isTurned = outer.isTurned || style.transform !== 'none' || style.scale !== 'none' || style.zoom !== '1';
    const regions = reach.inside(element, style, position, outer.regions);
    return { ...outer, style, isVisible, opacity, ground, painter, isFixed, isCutOut, isTurned, regions };
  }

  // How much a filter leaves of what it is laid on.
  function filtered(filter) {
    if (filter === 'none') return 1;
    const faded = /opacity\(([\d.]+)(%?)\)/.exec(filter);
    const blurred = /blur\(([\d.]+)px\)/.exec(filter);
    if (blurred && +blurred[1] >= 8) return 0;
    return faded ? +faded[1] / (faded[2] ? 100 : 1) : 1;
  }

  // Behind a mask that lets nothing through.
  function isMasked(style) {
    const mask = style.maskImage || style.webkitMaskImage;
    if (!mask || mask === 'none') return false;
    return mask.includes('gradient(') && !/url\(|rgb/.test(mask.replace(CLEAR, '')) && CLEAR.test(mask);
  }

  function overlap(start, end, from, to) {
    const shown = Math.min(end, to) - Math.max(start, from);
    return shown > 1 && (shown >= SLIVER || shown >= (end - start) / 2);
  }

  // Whether this text can be read where it is; `range` is one of the text's own document.
  function isRead(text, range, context) {
    const { style, regions } = context;
    if (!context.isVisible || !style || parseFloat(style.fontSize) < SMALLEST || ICONS.test(style.fontFamily)) return false;
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const region = regions.flow;
    if (!overlap(box.left, box.right, region.left, region.right)) return false;
    if (!overlap(box.top, box.bottom, region.top, region.bottom)) return false;
    if (context.isTurned && !(range.getClientRects()[0]?.height >= SMALLEST)) return false;
    return !isCamouflaged(text, box, context);
  }

  function isCamouflaged(text, box, context) {
    const { style, ground } = context;
    if (context.isCutOut || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
    const fill = colour(style.webkitTextFillColor);
    if (fill[3] * context.opacity < FAINT) return true;
    if (!ground || !alike(fill, ground)) return false;
    // White letters on white paper: unless something else lies under them.
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    return !context.painters.some(({ element, painted, isFixed }) => {
      if (isFixed !== context.isFixed || (painted && alike(painted, fill)) || raw.contains(element, text)) return false;
      // What lies behind the paper does not show.
      if (context.painter && !raw.contains(context.painter, element)) return false;
      const area = raw.box(element);
      return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
    });
  }

  // Whether an element that is no text (a picture, a frame) can be seen.
  function isSeen(element, context, least) {
    if (!context.isVisible) return false;
    const box = raw.box(element);
    const region = reach.regionOf(context.style.position, context.regions);
    return box.width >= least && box.height >= least
      && overlap(box.left, box.right, region.left, region.right) && overlap(box.top, box.bottom, region.top, region.bottom);
  }

  return { root, enter, isRead, isSeen };
})()

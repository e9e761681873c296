// Whether text in a document can be read by a person who scrolls: walked down from the root, each element adds to a context.
//
// A context is null where nothing inside can be seen. What is hidden is what an attacker would hide: transparent, of the
// colour of its background, too small, cut off, moved out of sight, or said not to be visible.
(() => {
  const { FAINT } = colours;
  // Pixels of letters, and square pixels of one, that can be read.
  const SMALLEST = 3;
  // A sliver of a word says nothing: so many pixels, or half of it, must be there.
  const SLIVER = 6;
  const TIGHTEST = -2;
  const MOST_PAINTERS = 5000;
  const MEDIA = new Set(['img', 'video', 'canvas', 'svg', 'picture', 'object', 'embed']);
  const ICONS = /material[- ]?(icons|symbols)|icomoon|fontello|glyphicons/i;
  const CLEAR = /\b(transparent|rgba\([^)]*, 0\))/g;

  // A document's own context. `painters` are what may lie behind text without being around it.
  function root(view, painters = []) {
    return {
      view, style: null, regions: within(view, reach.ofDocument(view)), isVisible: true, opacity: 1, scale: 1,
      // What is painted behind text, by which element (null: the canvas); in front of everything is what is fixed.
      ground: [255, 255, 255, 1], painter: null, isFixed: false, isTurned: false, painters,
      // What letters are cut out of, how they are blended with what is behind, and the filters on them and on the ground.
      cut: [], blend: '', filters: '', groundFilters: '',
      // How what is turned in space faces the eye, and whether what is inside is in the same space.
      space: null, isSpace: false,
    };
  }

  // The context of a document in a frame: it lies on what is behind the frame, and is as large as the frame shows it.
  function inFrame(view, frame, outer) {
    const box = raw.box(frame);
    const scale = outer.scale * Math.min(1, box.width / raw.width(frame) || 1, box.height / raw.height(frame) || 1);
    const { opacity, ground, filters, groundFilters } = outer;
    return { ...root(view), opacity, ground, filters, groundFilters, scale };
  }

  // A document that does not scroll sideways shows nothing there.
  function within(view, regions) {
    const top = raw.element(view.document);
    const body = raw.body(view.document);
    if (!top) return regions;
    const ways = [top, body].filter(Boolean).map((element) => view.getComputedStyle(element).overflowX);
    const says = ways.find((way) => way !== 'visible');
    if (says !== 'hidden' && says !== 'clip') return regions;
    const edge = { left: -Infinity, top: -Infinity, right: Math.max(raw.box(top).right, view.innerWidth), bottom: Infinity };
    return { ...regions, flow: clips.meet(regions.flow, edge), absolute: clips.meet(regions.absolute, edge) };
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
    const [space, isAway] = turned(style, outer);
    if (isAway) return null;
    const isFixed = outer.isFixed || position === 'fixed';
    const isTurned = outer.isTurned || style.transform !== 'none' || style.scale !== 'none' || style.zoom !== '1';
    const regions = clips.narrowed(reach.inside(element, style, position, outer.regions), clips.of(element, style, position));
    const changes = colours.changes(style.filter);
    const filters = changes === '' ? outer.filters : `${changes} ${outer.filters}`.trim();
    const blend = style.mixBlendMode === 'normal' ? outer.blend : style.mixBlendMode;
    const context = { ...outer, style, isVisible, opacity, isFixed, isTurned, regions, filters, blend, space };
    context.isSpace = style.transformStyle === 'preserve-3d';
    lay(element, style, outer, context);
    return context;
  }

  // What the element paints behind what is in it.
  function lay(element, style, outer, context) {
    const painted = colours.of(style.backgroundColor);
    const hasPicture = style.backgroundImage !== 'none' && !/^0(px|%)?\b/.test(style.backgroundSize);
    const picture = hasPicture ? colours.ofPicture(style.backgroundImage) : [];
    if (style.backgroundClip === 'text') {
      context.cut = picture && [...picture, painted];
      return;
    }
    const isPlain = picture?.length > 0 && picture.every((one) => one[3] > 0.9 && colours.alike(one, picture[0]));
    const isMedium = MEDIA.has(raw.name(element));
    const top = isPlain ? picture[0] : painted;
    const isUnknown = hasPicture && !isPlain && !(picture && picture.every((one) => one[3] < FAINT));
    if (isUnknown) context.ground = null;
    else if (top[3] > 0.9) [context.ground, context.painter, context.groundFilters, context.blend] = [top, element, context.filters, ''];
    else if (top[3] > 0 && outer.ground) context.ground = colours.over(top, outer.ground);
    if (context.isVisible && (isMedium || isUnknown || top[3] > FAINT) && outer.painters.length < MOST_PAINTERS) {
      const region = reach.regionOf(style.position, outer.regions);
      outer.painters.push({ element, painted: isMedium || isUnknown ? null : top, isFixed: context.isFixed, region });
    }
  }

  // How the element is turned in space, and whether it shows its back, which is not seen.
  function turned(style, outer) {
    const own = style.transform.startsWith('matrix3d') ? new DOMMatrix(style.transform) : null;
    let space = own;
    if (outer.isSpace && outer.space) space = own ? outer.space.multiply(own) : outer.space;
    return [space, style.backfaceVisibility === 'hidden' && space !== null && space.m33 < 0];
  }

  // How much a filter leaves of what it is laid on.
  function filtered(filter) {
    if (filter === 'none') return 1;
    let rest = 1;
    let blur = 0;
    for (const [, amount, percent] of filter.matchAll(/opacity\(([\d.]+)(%?)\)/g)) rest *= amount / (percent ? 100 : 1);
    for (const [, pixels] of filter.matchAll(/blur\(([\d.]+)px\)/g)) blur += +pixels;
    return blur >= 8 ? 0 : rest;
  }

  // Behind a mask that lets nothing through.
  function isMasked(style) {
    const mask = style.maskImage || style.webkitMaskImage;
    if (!mask || mask === 'none') return false;
    const sizes = style.maskSize.split(' ');
    if (style.maskRepeat === 'no-repeat' && sizes.every((size) => /px$/.test(size) && parseFloat(size) < SLIVER)) return true;
    return mask.includes('gradient(') && !/url\(|rgb/.test(mask.replace(CLEAR, '')) && CLEAR.test(mask);
  }

  function overlap(start, end, from, to) {
    const shown = Math.min(end, to) - Math.max(start, from);
    return shown > 1 && (shown >= SLIVER || shown >= (end - start) / 2);
  }

  // Whether this text can be read where it is; `range` is one of the text's own document.
  function isRead(text, range, context) {
    const { style, regions } = context;
    if (!context.isVisible || !style || parseFloat(style.fontSize) * context.scale < SMALLEST) return false;
    if (ICONS.test(style.fontFamily) || style.webkitTextSecurity !== 'none') return false;
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const region = regions.flow;
    if (!overlap(box.left, box.right, region.left, region.right)) return false;
    if (!overlap(box.top, box.bottom, region.top, region.bottom)) return false;
    if ((context.isTurned || parseFloat(style.letterSpacing) < TIGHTEST) && isSqueezed(text, range)) return false;
    return !isCamouflaged(text, box, context);
  }

  // Whether its letters have no height, or lie on one another.
  function isSqueezed(text, range) {
    const rects = [...range.getClientRects()].slice(0, 1000);
    if (!(rects[0]?.height >= SMALLEST)) return true;
    const letters = text.data.replace(/\s+/g, ' ').trim().length;
    const area = rects.reduce((sum, { width, height }) => sum + width * height, 0);
    return rects.length < 1000 && area / letters < SMALLEST;
  }

  function isCamouflaged(text, box, context) {
    const { style, blend } = context;
    const ground = context.ground && colours.filtered(context.ground, context.groundFilters);
    const shows = (colour) => {
      const seen = colours.filtered(colour, context.filters);
      return seen[3] * context.opacity >= FAINT && (!ground || colours.standsOut(seen, ground, blend));
    };
    const fill = colours.of(style.webkitTextFillColor);
    if (shows(fill)) return false;
    if (fill[3] < 0.9 && (!context.cut || context.cut.some(shows))) return false;
    if (style.textShadow !== 'none' && colours.listed(style.textShadow).some(shows)) return false;
    if (parseFloat(style.webkitTextStrokeWidth) > 0 && shows(colours.of(style.webkitTextStrokeColor))) return false;
    if (fill[3] * context.opacity < FAINT) return true;
    // White letters on white paper: unless something else lies under them.
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    return !context.painters.some(({ element, painted, isFixed, region }) => {
      if (isFixed !== context.isFixed || (painted && colours.alike(painted, fill)) || raw.contains(element, text)) return false;
      // What lies behind the paper does not show.
      if (context.painter && !raw.contains(context.painter, element)) return false;
      const area = clips.meet(raw.box(element), region);
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

  return { root, inFrame, enter, isRead, isSeen };
})()

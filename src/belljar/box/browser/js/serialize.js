// The document as a person sees it, as HTML for a converter: shadow trees and frames of its origin in place, addresses
// absolute, pictures that load late with their own, and nothing that is not shown.
(() => {
  const DROPPED = new Set(['base', 'canvas', 'datalist', 'link', 'meta', 'noembed', 'noframes', 'noscript', 'object', 'script',
    'style', 'svg', 'template', 'title']);
  const EMPTY = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'wbr']);
  const KEPT = new Set(['aria-hidden', 'aria-label', 'class', 'colspan', 'data-component', 'data-testid', 'datetime', 'dir', 'headers', 'id',
    'itemprop', 'itemtype', 'lang', 'rel', 'reversed', 'role', 'rowspan', 'scope', 'start', 'type', 'value']);
  const VALUED = new Set(['li', 'input']);
  // What carries a line's number, not the line.
  const GUTTER = /(^|[\s_-])(lineno|linenos|line-?numbers?(-rows)?|gutter|linenumber)(\s|$)/i;
  const BLOCKS = /^(block|flex|grid|table|list-item|flow-root)$/;
  const LINKS = /^(https?|mailto|tel|ftp):/i;
  const LATE = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-image', 'data-hi-res-src'];
  const LATE_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];
  const SPACES = /^pre|^break-spaces/;
  const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // Private use: letters of icon fonts. The rest says how text runs, or nothing, and can hide words between letters.
  const NOT_LETTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\ue000-\uf8ff\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}\u{f0000}-\u{10ffff}]/gu;
  // Joiners and choices of a letter's shape: one belongs to the letter before it, and more than two spell something else.
  const SHAPES = /([\u200c-\u200f\u061c\u034f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\u200c-\u200f\u061c\u034f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
  const MOST_VALUE = 2000;
  // Parsers give up on deeper trees; content further in is written without what is around it, down to the second bound.
  const DEEPEST_WRITTEN = 150;
  const DEEPEST = 600;
  const MOST_FRAMES = 50;
  const DEEPEST_FRAME = 4;
  const LEAST_FRAME = 20;
  const LEAST_FIELD = 8;
  // Pixels of a picture that can be seen.
  const SLIVER = 3;

  class Stop extends Error {}

  const escaped = (text) => text.replace(/[&<>"]/g, (one) => ESCAPES[one]);
  const written = (text) => escaped(text.replace(NOT_LETTERS, '').replace(SHAPES, (run) => (run.length > 2 ? '' : run)));

  // `most` bounds characters, `seconds` the time: what was written until then is the answer.
  class Writer {
    constructor(most, seconds) {
      this.parts = [];
      this.frames = [];
      this.left = most;
      this.until = performance.now() + seconds * 1000;
      this.steps = 0;
      this.words = 0;
      this.ranges = new Map();
      // Whether what hides the root element counts.
      this.isUnveiled = false;
    }

    put(text) {
      if (text.length > this.left) throw new Stop('characters');
      this.left -= text.length;
      this.parts.push(text);
    }

    step() {
      if (++this.steps % 128 === 0 && performance.now() > this.until) throw new Stop('time');
    }

    range(node) {
      const document = raw.document(node);
      if (!this.ranges.has(document)) this.ranges.set(document, raw.range(document));
      return this.ranges.get(document);
    }

    children(parent, state) {
      for (const node of childrenOf(parent)) {
        this.step();
        const kind = raw.kind(node);
        if (kind === 3) this.text(node, state);
        else if (kind === 1) this.element(node, state);
      }
    }

    text(node, state) {
      const data = node.data;
      const { context } = state;
      if (!/\S/.test(data)) {
        this.put(state.isCode || !data.includes('\n') ? data : '\n');
        return;
      }
      if (!visible.isRead(node, this.range(node), context)) return;
      this.words += 1;
      if (data.length > this.left) {
        // As much as there is room for, if every letter had to be escaped.
        this.put(written(data.slice(0, Math.floor(this.left / 6))));
        throw new Stop('characters');
      }
      const isSet = !state.isCode && SPACES.test(context.style.whiteSpace) && data.includes('\n');
      this.put(isSet ? data.trim().split('\n').map(written).join('<br>') : written(data));
    }

    element(node, outer) {
      const name = raw.name(node);
      if (DROPPED.has(name) || outer.depth > DEEPEST) return;
      const context = this.context(node, name, outer);
      if (!context || (outer.isCode && isGutter(node, context))) return;
      const state = { context, depth: outer.depth + 1, frames: outer.frames, isCode: outer.isCode || name === 'pre' };
      if (name === 'iframe' || name === 'frame') this.frame(node, state);
      else if (name === 'img') this.image(node, state);
      else if (!EMPTY.has(name) || name === 'br' || context.isVisible) this.tag(node, name, state, outer);
    }

    context(node, name, outer) {
      if (!this.isUnveiled) return visible.enter(node, outer.context);
      const isRoot = name === 'html' || name === 'body';
      const context = isRoot ? { ...outer.context, style: outer.context.view.getComputedStyle(node) }
        : visible.enter(node, outer.context);
      // Inherited from the root, where it does not count; what an element says itself does.
      return context && { ...context, isVisible: isRoot || !/hidden|collapse/.test(raw.attribute(node, 'style') ?? '') };
    }

    tag(node, name, state, outer) {
      const display = state.context.style.display;
      const isInRow = /flex|grid/.test(outer.context.style?.display ?? '') && !/column/.test(outer.context.style.flexDirection);
      if (name === 'slot' || name.includes('-')) name = BLOCKS.test(display) ? 'div' : 'span';
      else if (name === 'span' && BLOCKS.test(display) && !isInRow && !outer.isCode) name = 'div';
      if (state.depth > DEEPEST_WRITTEN) {
        this.children(node, state);
        return;
      }
      const isApart = isInRow || display === 'inline-block' || display === 'inline-flex';
      if (isApart && !state.isCode) this.put(' ');
      this.put(`<${name}${attributes(node, name)}>`);
      if (EMPTY.has(name)) return;
      if (name === 'textarea' || name === 'select') {
        if (visible.isSeen(node, state.context, LEAST_FIELD)) this.put(written(name === 'select' ? chosen(node) : valueOf(node)));
      }
      else if (name === 'details' && !node.hasAttribute('open')) this.summary(node, state);
      else this.children(node, state);
      this.put(`</${name}>`);
      if (isApart && !state.isCode) this.put(' ');
    }

    // What is closed shows its first summary and nothing else.
    summary(node, state) {
      for (const child of raw.children(node)) {
        if (raw.kind(child) === 1 && raw.name(child) === 'summary') {
          this.element(child, state);
          return;
        }
      }
    }

    image(node, { context }) {
      // One that stands in for another until that is needed has no size of its own to be judged by.
      const isLate = [...LATE, ...LATE_SETS].some((name) => raw.attribute(node, name));
      const isLoaded = node.complete && node.naturalWidth > 2;
      if (!context.isVisible || (!isLate && isPixel(node)) || (isLoaded && !visible.isSeen(node, context, SLIVER))) return;
      // One that has not come yet, or never will, has a place all the same.
      if (!isLoaded && raw.box(node).width > SLIVER && raw.box(node).height > SLIVER && !visible.isSeen(node, context, SLIVER)) return;
      const source = sourceOf(node, isLoaded);
      const alt = (raw.attribute(node, 'alt') ?? '').slice(0, MOST_VALUE);
      if (!source && !alt.trim()) return;
      const width = isLoaded ? Math.round(raw.box(node).width) : parseInt(raw.attribute(node, 'width') ?? '', 10);
      const size = width > 0 ? ` width="${width}"` : '';
      this.put(`<img${attributes(node, 'img')} alt="${written(alt)}" src="${escaped(source)}"${size}>`);
    }

    // A frame of the page's own origin is part of the page; others are left as comments, with their elements in order.
    frame(node, state) {
      if (!visible.isSeen(node, state.context, LEAST_FRAME) || this.frames.length >= MOST_FRAMES) return;
      const inner = node.contentDocument;
      const root = inner && raw.element(inner);
      const index = this.frames.push(node) - 1;
      if (!root || state.frames >= DEEPEST_FRAME) {
        this.put(`<!--frame ${index}-->`);
        return;
      }
      const context = visible.inFrame(raw.view(inner), node, state.context);
      const entered = visible.enter(root, context);
      if (!entered) return;
      this.put('<div class="frame">');
      this.children(root, { context: entered, depth: state.depth + 1, frames: state.frames + 1, isCode: false });
      this.put('</div>');
    }

    // A picture that is a document of its own says what is written in it.
    drawing(root) {
      const walk = (node, outer) => {
        this.step();
        const context = visible.enter(node, outer);
        const name = raw.name(node);
        if (!context || !context.isVisible || ['defs', 'style', 'script', 'metadata', 'title', 'desc'].includes(name)) return;
        if (name === 'text') this.put(`<p>${written(raw.text(node).replace(/\s+/g, ' '))}</p>`);
        else for (const child of raw.children(node)) if (raw.kind(child) === 1) walk(child, context);
      };
      walk(root, visible.root(window));
    }
  }

  // A picture that is there to be asked for, not to be seen.
  function isPixel(node) {
    const { width, height } = raw.box(node);
    return (width > 0 && width < SLIVER) || (height > 0 && height < SLIVER);
  }

  function isGutter(node, context) {
    return context.style.userSelect === 'none' || GUTTER.test(raw.attribute(node, 'class') ?? '') || raw.name(node) === 'button';
  }

  function childrenOf(parent) {
    const shadow = raw.shadow(parent);
    if (shadow) return raw.children(shadow);
    if (raw.name(parent) === 'slot') {
      const assigned = parent.assignedNodes();
      if (assigned.length) return assigned;
    }
    return raw.children(parent);
  }

  function attributes(node, name) {
    let text = '';
    for (const { name: attribute, value } of raw.attributes(node)) {
      if (!KEPT.has(attribute) || (attribute === 'value' && !VALUED.has(name))) continue;
      text += ` ${attribute}="${written(value.slice(0, MOST_VALUE))}"`;
    }
    // Extractors go by it, and were measured so.
    if (/overflow[^;]*hidden/.test(raw.attribute(node, 'style') ?? '')) text += ' style="overflow:hidden"';
    if (name === 'a' || name === 'area') text += link(node);
    if (name === 'input' && node.checked) text += ' checked="checked"';
    if (name === 'details' && node.hasAttribute('open')) text += ' open="open"';
    return text;
  }

  // Where a link leads, if it leads to a place: script and data are not places.
  function link(node) {
    const given = raw.attribute(node, 'href') ?? raw.attribute(node, 'xlink:href');
    if (given === null || given.trim() === '' || given.trim() === '#') return '';
    const address = resolved(given, raw.base(node));
    return LINKS.test(address) && address.length <= MOST_VALUE ? ` href="${escaped(address)}"` : '';
  }

  function resolved(address, base) {
    try {
      return new URL(address, base).href;
    } catch {
      return '';
    }
  }

  function sourceOf(node, isLoaded) {
    const isStandIn = !isLoaded || node.currentSrc.startsWith('data:');
    const late = LATE.map((name) => raw.attribute(node, name));
    const sets = LATE_SETS.map((name) => largest(raw.attribute(node, name)));
    const own = node.currentSrc || raw.attribute(node, 'src');
    const candidates = isStandIn ? [...late, ...sets, own] : [own];
    for (const candidate of candidates) {
      const address = candidate ? resolved(candidate, raw.base(node)) : '';
      if (/^https?:/i.test(address) && address.length <= MOST_VALUE) return address;
    }
    return '';
  }

  // Of a set of sources the one with most pixels.
  function largest(set) {
    if (!set) return null;
    const parts = set.slice(0, 20_000).replace(/\s[\d.]{1,9}[wx],/g, '$& ').split(/,\s/);
    const sources = parts.map((part) => part.trim().split(/\s+/));
    return sources.sort((one, other) => (parseFloat(other[1]) || 1) - (parseFloat(one[1]) || 1))[0][0].replace(/,$/, '') || null;
  }

  function valueOf(node) {
    return node.type === 'password' ? '' : String(node.value);
  }

  function chosen(node) {
    return [...node.selectedOptions].slice(0, 100).map((option) => option.label).join(', ');
  }

  // What the page says that it is: words of a vocabulary, no text of its own.
  function kinds() {
    const found = new Set();
    const add = (data, depth) => {
      if (Array.isArray(data)) data.slice(0, 100).forEach((one) => add(one, depth));
      else if (data && typeof data === 'object' && depth < 3) {
        [data['@type']].flat().forEach((kind) => /^\w{1,40}$/.test(kind) && found.add(kind));
        add(data['@graph'], depth + 1);
        add(data.mainEntity, depth + 1);
      }
    };
    for (const script of [...raw.all(document, 'script[type="application/ld+json"]')].slice(0, 20)) {
      const source = raw.text(script);
      if (source.length > 1_000_000) continue;
      try {
        add(JSON.parse(source), 0);
      } catch {
        continue;
      }
    }
    for (const meta of [...raw.all(document, 'meta[property="og:type"]')].slice(0, 3)) {
      const kind = raw.attribute(meta, 'content') ?? '';
      if (/^[\w.:]{1,40}$/.test(kind)) found.add(`og:${kind}`);
    }
    return [...found].slice(0, 50).join(' ');
  }

  function write(writer, root) {
    const top = raw.element(document);
    if (!top) return;
    const start = visible.root(window);
    if (root) {
      let context = start;
      for (const node of ancestors(root)) context = context && visible.enter(node, context);
      if (context) writer.element(root, { context, depth: 0, frames: 0, isCode: false });
      return;
    }
    writer.put('<!doctype html><html');
    writer.put(`${attributes(top, 'html')}><head><title>${written(raw.title(document))}</title>`);
    writer.put(`<meta name="kinds" content="${kinds()}"></head>`);
    if (raw.namespace(top) === 'http://www.w3.org/2000/svg') writer.drawing(top);
    else {
      const context = writer.context(top, 'html', { context: start });
      if (context) writer.children(top, { context, depth: 0, frames: 0, isCode: false });
    }
    writer.put('</html>');
  }

  // From the outermost down to the one that holds `node`, through shadow roots and the slots they are shown in.
  function ancestors(node) {
    const path = [];
    for (let at = above(node); at && path.length < DEEPEST; at = above(at)) path.unshift(at);
    return path;
  }

  function above(node) {
    const parent = raw.slot(node) ?? raw.parent(node);
    if (!parent) return null;
    if (raw.kind(parent) === 11) return parent.host ?? null;
    return raw.kind(parent) === 1 ? parent : null;
  }

  // Whether the document hides its own root, as one does that is being made ready.
  function isVeiled() {
    return [raw.element(document), raw.body(document)].some((element) => {
      const style = element && window.getComputedStyle(element);
      return style && (style.visibility !== 'visible' || parseFloat(style.opacity) < 0.1 || style.filter.includes('opacity('));
    });
  }

  function serialize(root, most, seconds, isUnveiled) {
    const writer = new Writer(most, seconds);
    writer.isUnveiled = isUnveiled;
    let isCut = false;
    try {
      write(writer, root);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      isCut = true;
    }
    return { html: writer.parts.join(''), frames: writer.frames, isCut, words: writer.words };
  }

  return {
    // The HTML, and how many frames it has room for.
    page(root, most, seconds) {
      let done = serialize(root, most, seconds, false);
      // A page that shows nothing at all while it hides its root is being made ready: it will look as it does unveiled.
      if (!root && !done.isCut && done.words === 0 && isVeiled()) done = serialize(root, most, seconds, true);
      this.frames = done.frames;
      return { html: done.html, frames: done.frames.length, isCut: done.isCut };
    },

    frame(index) {
      return this.frames[index];
    },
  };
})()

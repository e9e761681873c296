// The rendered document as HTML for a converter: shadow trees in place, addresses absolute, nothing that is not shown.
(() => {
  const DROPPED = new Set(['BASE', 'LINK', 'META', 'NOSCRIPT', 'SCRIPT', 'STYLE', 'TEMPLATE', 'svg', 'CANVAS', 'DATALIST']);
  const EMPTY = new Set(['AREA', 'BR', 'COL', 'EMBED', 'HR', 'IMG', 'INPUT', 'SOURCE', 'TRACK', 'WBR']);
  const KEPT = new Set(['alt', 'checked', 'class', 'colspan', 'datetime', 'dir', 'headers', 'id', 'itemprop', 'itemtype', 'lang',
    'open', 'property', 'rel', 'role', 'rowspan', 'scope', 'start', 'title', 'type']);
  const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

  function escaped(text) {
    return text.replace(/[&<>"]/g, (one) => ESCAPES[one]);
  }

  // `most` bounds the characters; frames are left as comments `<!--frame N-->`, with their elements in order.
  function serialize(root = null, most = 20_000_000) {
    const parts = [];
    const frames = [];
    let left = most;

    function put(text) {
      left -= text.length;
      if (left > 0) parts.push(text);
    }

    const range = document.createRange();

    // `context` is null where nothing is shown by nature, as in the head; otherwise what clips, and the style.
    function children(parent, context) {
      for (const node of childrenOf(parent)) {
        if (left <= 0) return;
        if (node.nodeType === Node.TEXT_NODE) {
          if (isShown(node, context)) put(escaped(node.data));
        } else if (node.nodeType === Node.ELEMENT_NODE) element(node, context);
      }
    }

    function isShown(node, context) {
      if (!context || !/\S/.test(node.data)) return true;
      range.selectNodeContents(node);
      return reach.shows(range.getBoundingClientRect(), context.regions.flow) && !reach.isColourless(context.style);
    }

    function contextIn(node, outer) {
      if (!outer || node.tagName === 'HEAD') return null;
      const style = getComputedStyle(node);
      return { style, regions: reach.inside(node, style, style.position, outer.regions) };
    }

    function element(node, outer) {
      const tag = node.tagName;
      if (DROPPED.has(tag)) return;
      if (tag === 'IFRAME' || tag === 'FRAME') {
        put(`<!--frame ${frames.push(node) - 1}-->`);
        return;
      }
      if (tag !== 'HEAD' && tag !== 'TITLE' && !(node.checkVisibility?.({ visibilityProperty: true }) ?? true)
        && !mayHoldVisible(node)) return;
      const context = contextIn(node, outer);
      if (context && reach.isInvisible(context.style, context.style.position)) return;
      const name = tag === 'SLOT' ? 'span' : tag.includes('-') ? 'div' : tag.toLowerCase();
      put(`<${name}${attributes(node)}>`);
      if (EMPTY.has(tag)) return;
      if (tag === 'TEXTAREA') put(escaped(node.value));
      else if (tag === 'SELECT') put(escaped([...node.selectedOptions].map((option) => option.label).join(', ')));
      else children(node, context);
      put(`</${name}>`);
    }

    function attributes(node) {
      let text = '';
      for (const { name, value } of node.attributes) {
        if (KEPT.has(name)) text += ` ${name}="${escaped(value)}"`;
      }
      if (node.hasAttribute('href') && typeof node.href === 'string') text += ` href="${escaped(node.href)}"`;
      const source = node.currentSrc || (node.hasAttribute('src') ? node.src : '');
      if (source && !source.startsWith('data:')) text += ` src="${escaped(source)}"`;
      return text;
    }

    const everywhere = { style: null, regions: reach.ofDocument() };
    if (root) element(root, everywhere);
    else {
      put('<!doctype html>');
      if (document.documentElement) element(document.documentElement, everywhere);
    }
    return { html: parts.join(''), frames, isCut: left <= 0 };
  }

  // `visibility: hidden` and `display: contents` leave what is inside a chance.
  function mayHoldVisible(node) {
    const style = getComputedStyle(node);
    return style.display === 'contents' || (style.display !== 'none' && style.visibility !== 'visible');
  }

  function childrenOf(parent) {
    if (parent.shadowRoot) return parent.shadowRoot.childNodes;
    if (parent.tagName === 'SLOT') {
      const assigned = parent.assignedNodes();
      if (assigned.length) return assigned;
    }
    return parent.childNodes;
  }

  return {
    // The HTML, and how many frames it has room for.
    page(root, most) {
      const { html, frames, isCut } = serialize(root, most);
      this.frames = frames;
      return { html, frames: frames.length, isCut };
    },

    frame(index) {
      return this.frames[index];
    },
  };
})()

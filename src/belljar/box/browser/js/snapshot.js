// One walk over a document that makes of it what a model reads: lines of role, name, ref, state and value.
// It uses `refs`, `reach` and `naming`, which come before it in its bundle.
(() => {
  // Never content.
  const SKIPPED = new Set([
    'BASE', 'COL', 'COLGROUP', 'DATALIST', 'HEAD', 'LINK', 'META', 'NOSCRIPT', 'PARAM', 'SCRIPT', 'SOURCE', 'STYLE', 'TEMPLATE', 'TRACK', 'WBR',
  ]);
  // Said only when they have a name of their own.
  const NAMED_ONLY = new Set(['figure', 'form', 'group', 'region', 'generic', 'definition', 'term', 'rowgroup', 'paragraph', 'document', 'application', 'strong', 'emphasis', 'code', 'time', 'caption', 'legend', 'superscript', 'subscript', 'deletion', 'insertion', 'mark', 'note', 'tooltip', 'log', 'math', 'directory', 'feed']);
  // Said only around something.
  const SINGLE = new Set(['cell', 'gridcell', 'list', 'listitem', 'row']);
  // An invisible one lies over the picture of one that a person clicks.
  const OVERLAID = new Set(['checkbox', 'radio', 'file', 'range']);
  const INLINE = /^(inline|contents|ruby)/;

  class Walk {
    constructor(options) {
      this.withUrls = options.urls;
      this.range = document.createRange();
      this.modal = document.querySelector('dialog:modal');
      // Whether the next text begins a line of its own.
      this.isBroken = false;
    }

    start(root) {
      const into = [];
      const context = {
        regions: reach.ofDocument(), isHidden: false, isInert: this.modal !== null, isPointer: false, style: null,
      };
      if (root) this.fromWithin(root, context, into);
      else this.children(document, context, into);
      return into;
    }

    // A walk that begins in the middle still has to know what clips and hides its beginning.
    fromWithin(root, context, into) {
      const path = [];
      for (let at = parentOf(root); at; at = parentOf(at)) path.unshift(at);
      for (const element of path) context = this.contextIn(element, getComputedStyle(element), context);
      this.element(root, context, into);
    }

    contextIn(element, style, outer) {
      const position = style.position;
      const regions = reach.inside(element, style, position, outer.regions);
      const isHidden = outer.isHidden || reach.isInvisible(style, position);
      const isInert = element === this.modal ? false : outer.isInert || element.inert === true;
      const own = reach.regionOf(position, outer.regions);
      return { regions, own, isHidden, isInert, isPointer: style.cursor === 'pointer', style };
    }

    children(parent, context, into, except = null) {
      const assigned = assignedTo(parent);
      if (assigned) {
        for (const node of assigned) this.child(node, context, into);
        return;
      }
      for (let node = (parent.shadowRoot ?? parent).firstChild; node; node = node.nextSibling) {
        if (node !== except) this.child(node, context, into);
      }
    }

    child(node, context, into) {
      if (node.nodeType === Node.TEXT_NODE) this.text(node, context, into);
      else if (node.nodeType === Node.ELEMENT_NODE) this.element(node, context, into);
    }

    text(node, context, into) {
      const style = context.style;
      if (context.isHidden || !style || style.visibility !== 'visible') return;
      const data = node.data;
      if (!/\S/.test(data)) {
        if (data && into.length && typeof into.at(-1) === 'string' && !this.isBroken) into[into.length - 1] += ' ';
        return;
      }
      this.range.selectNodeContents(node);
      if (!reach.shows(this.range.getBoundingClientRect(), context.regions.flow) || reach.isColourless(style)) return;
      this.say(data, into);
    }

    say(words, into) {
      if (!this.isBroken && typeof into.at(-1) === 'string') into[into.length - 1] += words;
      else into.push(words);
      this.isBroken = false;
    }

    element(element, outer, into) {
      const tag = element.tagName;
      if (SKIPPED.has(tag) || element.getAttribute('aria-hidden') === 'true') return;
      if (tag === 'BR') {
        this.isBroken = true;
        return;
      }
      const style = getComputedStyle(element);
      // An image map's areas are drawn by its image alone.
      if ((style.display === 'none' && tag !== 'AREA') || style.contentVisibility === 'hidden') return;
      const isBlock = !INLINE.test(style.display);
      if (isBlock) this.isBroken = true;
      const context = this.contextIn(element, style, outer);
      const role = naming.roleOf(element);
      if (tag === 'LABEL' && element.control) this.label(element, style, context, into);
      else if (role === null) this.plain(element, style, outer, context, into);
      else this.roled(element, role, style, context, into);
      if (isBlock) this.isBroken = true;
    }

    // Whether a person could find the element itself, not its contents.
    isFound(element, style, context, role) {
      if (style.visibility !== 'visible') return false;
      if (context.isHidden && !(OVERLAID.has(role) && parseFloat(style.opacity) < 0.05)) return false;
      if (style.display === 'contents') return true;
      if (element.tagName === 'AREA') return dom.isVisible(element);
      return reach.shows(element.getBoundingClientRect(), context.own);
    }

    // An element without a role: its contents stand for it, unless it seems to take clicks.
    plain(element, style, outer, context, into) {
      const takesKeys = element.tabIndex >= 0 && element.hasAttribute('tabindex');
      const isHandled = element.hasAttribute('onclick') || takesKeys;
      const isPointer = context.isPointer && !outer.isPointer;
      if (context.isInert || !(isHandled || isPointer) || element === document.body) {
        this.children(element, context, into);
        return;
      }
      const kids = this.kidsOf(element, context);
      if ((!isHandled && kids.some(hasRef)) || !this.isFound(element, style, context, 'clickable')) {
        into.push(...kids);
        return;
      }
      into.push(this.node(element, 'clickable', kids, context));
    }

    roled(element, role, style, context, into) {
      const isActive = naming.ACTIVE.has(role);
      if (role === 'iframe' || isLeaf(element, role)) {
        if (this.isFound(element, style, context, role)) into.push(this.node(element, role, [], context));
        return;
      }
      const kids = this.kidsOf(element, context);
      if (isActive && !this.isFound(element, style, context, role) && !kids.length) return;
      if (kids.length || (isActive && this.isFound(element, style, context, role)) || role === 'separator') {
        into.push(this.node(element, role, kids, context));
      }
    }

    // The words of a label are said as the name of its field; where that one is not rendered, the label stands for it.
    label(element, style, context, into) {
      const control = element.control;
      const kids = this.kidsOf(element, context);
      if (control.checkVisibility?.({ visibilityProperty: true }) ?? true) {
        into.push(...kids.filter((kid) => typeof kid !== 'string'));
        return;
      }
      const role = naming.roleOf(control);
      if (!OVERLAID.has(role) || !this.isFound(element, style, context, role)) {
        into.push(...kids);
        return;
      }
      const name = naming.shortened(wordsOf(kids));
      const ref = context.isInert ? '' : refs.refOf(element);
      const tag = tagOf(element);
      into.push({ role, name, ref, tag, states: naming.statesOf(control, role), value: null, kids: kids.filter(hasRef) });
    }

    kidsOf(element, context) {
      const kids = [];
      this.isBroken = true;
      this.children(element, context, kids, naming.captionOf(element));
      return kids;
    }

    node(element, role, kids, context) {
      let name = naming.givenName(element, role);
      if (naming.FROM_CONTENT.has(role)) {
        name = name || naming.squeezed(wordsOf(kids)) || naming.squeezed(element.title || '');
        kids = kids.filter(hasRef);
      }
      // Focus can be put there by keys, so a key can be pressed on it.
      const isActive = naming.ACTIVE.has(role) || role === 'clickable'
        || (element.hasAttribute('tabindex') && element.tabIndex >= 0);
      const node = {
        role,
        name: naming.shortened(name),
        tag: tagOf(element),
        ref: isActive && (!context.isInert || role === 'iframe') ? refs.refOf(element) : '',
        states: naming.statesOf(element, role),
        value: naming.valueOf(element),
        kids: naming.isEditingHost(element) ? kids.filter(hasRef) : kids,
      };
      if (role === 'combobox' && element.tagName === 'SELECT') node.options = naming.optionsOf(element);
      if (this.withUrls && (element.href || element.src)) node.url = String(element.href?.baseVal ?? element.href ?? element.src);
      if (role === 'iframe') node.isFrame = true;
      return node;
    }
  }

  // Elements whose contents are not walked: they have none, or their value says it.
  function isLeaf(element, role) {
    return role === 'img' || /^(INPUT|TEXTAREA|CANVAS|VIDEO|AUDIO|EMBED|METER|PROGRESS|svg)$/.test(element.tagName)
      || (element.tagName === 'SELECT' && role === 'combobox');
  }

  function tagOf(element) {
    return element.tagName.toLowerCase();
  }

  function parentOf(element) {
    return element.assignedSlot || element.parentElement || element.getRootNode().host || null;
  }

  // What is rendered in place of a slot's or a closed disclosure's own children; null where those are.
  function assignedTo(parent) {
    if (parent.tagName === 'SLOT') {
      const assigned = parent.assignedNodes();
      return assigned.length ? assigned : null;
    }
    if (parent.tagName !== 'DETAILS' || parent.open) return null;
    const summary = parent.querySelector(':scope > summary');
    return summary ? [summary] : [];
  }

  function hasRef(kid) {
    return typeof kid !== 'string' && (Boolean(kid.ref) || kid.kids.some(hasRef));
  }

  function wordsOf(kids) {
    return kids.map((kid) => (typeof kid === 'string' ? kid : kid.name || wordsOf(kid.kids))).join(' ');
  }

  class Writer {
    constructor(options) {
      this.most = options.depth ?? Infinity;
      this.isFlat = options.interactiveOnly;
      this.lines = [];
      this.frames = [];
    }

    write(kids, depth) {
      for (const kid of kids) {
        if (typeof kid === 'string') this.words(kid, depth);
        else if (this.isFlat) this.active(kid);
        else this.node(kid, depth);
      }
    }

    words(text, depth) {
      const squeezed = naming.squeezed(text);
      if (squeezed && !this.isFlat && depth < this.most) this.lines.push(' '.repeat(depth) + JSON.stringify(squeezed));
    }

    active(node) {
      if (node.ref) this.line(node, 0);
      this.write(node.kids, 0);
    }

    node(node, depth) {
      const kids = node.kids;
      if (!node.ref && !node.name && !node.states.length && this.isBare(node)) {
        this.write(kids, depth);
        return;
      }
      if (depth >= this.most) return;
      if (this.asOneLine(node, depth)) return;
      this.line(node, depth);
      this.write(kids, depth + 1);
    }

    // Structure that would only be noise.
    isBare(node) {
      if (NAMED_ONLY.has(node.role)) return true;
      return SINGLE.has(node.role) && node.kids.length === 1 && typeof node.kids[0] !== 'string';
    }

    // What holds nothing but words: `listitem "words"`, `row "a" | "b"`.
    asOneLine(node, depth) {
      const kids = node.kids;
      if (!kids.length || node.name || node.value !== null) return false;
      if (kids.length === 1 && typeof kids[0] === 'string') {
        const words = naming.squeezed(kids[0]);
        if (words) this.line({ ...node, name: words }, depth);
        return true;
      }
      if (node.role !== 'row' || !kids.every(isWords)) return false;
      const cells = kids.map((kid) => JSON.stringify(naming.squeezed(wordsOf([kid]))));
      this.lines.push(`${' '.repeat(depth)}row ${cells.join(' | ')}`);
      return true;
    }

    line(node, depth) {
      let line = ' '.repeat(depth) + node.role;
      if (node.name) line += ` ${JSON.stringify(node.name)}`;
      if (node.ref) line += ` [${node.ref}]`;
      if (node.states.length) line += ` ${node.states.join(' ')}`;
      if (node.value) line += ` = ${JSON.stringify(node.value)}`;
      if (node.options) line += ` (${node.options})`;
      if (node.url) line += ` -> ${node.url}`;
      if (node.isFrame) this.frames.push([this.lines.length, depth, node.ref]);
      this.lines.push(line);
    }
  }

  function isWords(kid) {
    return typeof kid === 'string'
      || (!kid.ref && !kid.name && /^(cell|gridcell|columnheader|rowheader)$/.test(kid.role) && kid.kids.every((one) => typeof one === 'string'));
  }

  // Not `document.title`, for which a picture of that name can stand in.
  function titleOf(document) {
    return Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document);
  }

  // `frames` says where the lines of each frame belong: [line of its element, depth, ref].
  function take(prefix, first, options, root = null) {
    refs.begin(prefix, first);
    const writer = new Writer(options);
    writer.write(new Walk(options).start(root), 0);
    return { text: writer.lines.join('\n'), frames: writer.frames, last: refs.last(), title: titleOf(document) };
  }

  // Only what can be acted on, in document order, as values instead of lines.
  function elements(prefix, first, most) {
    refs.begin(prefix, first);
    const found = [];
    const visit = (kids) => {
      for (const kid of kids) {
        if (typeof kid === 'string' || found.length >= most) continue;
        if (kid.ref && !kid.isFrame) found.push({ ref: kid.ref, tag: kid.tag, role: kid.role, name: kid.name });
        visit(kid.kids);
      }
    };
    visit(new Walk({ urls: false }).start(null));
    return { elements: found, last: refs.last() };
  }

  return { take, elements, elementOf: refs.elementOf };
})()

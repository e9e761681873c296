// CSS selectors that look into open shadow roots, with a few pseudo-classes that CSS lacks:
// `:has-text("…")`, `:text("…")`, `:text-is("…")`, `:contains("…")` and `:visible`.
(() => {
  const OURS = /^:(has-text|contains|text-is|text|visible)(?![\w-])/;
  const parsed = new Map();

  // A selector as alternatives; each is compounds from left to right, with the combinator before each.
  function parse(source) {
    let known = parsed.get(source);
    if (known) return known;
    const reader = new Reader(source);
    known = { source, alternatives: reader.alternatives(), isPlain: !reader.hasOurs };
    const native = known.isPlain ? source : known.alternatives.map(nativeOf).join(",");
    document.createDocumentFragment().querySelector(native); // throws what is wrong with it
    if (parsed.size > 200) parsed.clear();
    parsed.set(source, known);
    return known;
  }

  function nativeOf(compounds) {
    return compounds.map(({ combinator, css }) => `${combinator} ${css}`).join(" ").trim();
  }

  class Reader {
    constructor(source) {
      this.source = source;
      this.at = 0;
      this.hasOurs = false;
    }

    alternatives() {
      const found = [this.compounds()];
      while (this.source[this.at] === ",") {
        this.at++;
        found.push(this.compounds());
      }
      return found;
    }

    compounds() {
      const found = [];
      for (;;) {
        const combinator = this.combinator();
        const compound = this.compound();
        if (!compound) break;
        found.push({ combinator, ...compound });
      }
      if (!found.length) throw new SyntaxError(`a part of '${this.source}' is empty`);
      return found;
    }

    combinator() {
      const [all, sign] = /^\s*([>+~]?)\s*/.exec(this.source.slice(this.at));
      this.at += all.length;
      return sign;
    }

    compound() {
      const filters = [];
      let css = "";
      while (this.at < this.source.length && !/[\s>+~,]/.test(this.source[this.at])) {
        const ours = OURS.exec(this.source.slice(this.at));
        if (ours) {
          this.at += ours[0].length;
          this.hasOurs = true;
          filters.push({ kind: ours[1], text: this.argument() });
        } else {
          css += this.piece();
        }
      }
      return css || filters.length ? { css: css || "*", filters } : null;
    }

    // One character, an escape, or a whole bracket or string.
    piece() {
      const start = this.at;
      const first = this.source[this.at++];
      if (first === "\\") this.at++;
      else if (first === '"' || first === "'") this.skipString(first);
      else if (first === "(" || first === "[") this.skipTo(first === "(" ? ")" : "]");
      return this.source.slice(start, this.at);
    }

    skipString(quote) {
      while (this.at < this.source.length && this.source[this.at] !== quote) {
        this.at += this.source[this.at] === "\\" ? 2 : 1;
      }
      this.at++;
    }

    skipTo(end) {
      while (this.at < this.source.length && this.source[this.at] !== end) this.piece();
      this.at++;
    }

    argument() {
      if (this.source[this.at] !== "(") return "";
      const start = ++this.at;
      this.skipTo(")");
      const inner = this.source.slice(start, this.at - 1).trim();
      return /^(["']).*\1$/s.test(inner) ? inner.slice(1, -1).replace(/\\(.)/g, "$1") : inner;
    }
  }

  // Every match below `scope`: first those that CSS itself finds, then those inside shadow roots.
  function* matches(scope, source) {
    const selector = parse(source);
    if (selector.isPlain) yield* scope.querySelectorAll(source);
    const roots = selector.isPlain ? shadowRoots(scope) : [scope, ...shadowRoots(scope)];
    for (const root of roots) {
      const candidates = new Set();
      for (const compounds of selector.alternatives) {
        for (const element of root.querySelectorAll(compounds.at(-1).css)) {
          if (fits(element, compounds, compounds.length - 1)) candidates.add(element);
        }
      }
      yield* candidates;
    }
  }

  // The open shadow roots below, outer ones first.
  function shadowRoots(scope) {
    const found = scope.shadowRoot ? [scope.shadowRoot] : [];
    const walk = (root) => {
      for (const element of root.querySelectorAll("*")) if (element.shadowRoot) found.push(element.shadowRoot);
    };
    walk(scope);
    for (let index = 0; index < found.length && index < 5000; index++) walk(found[index]);
    return found;
  }

  function fits(element, compounds, index) {
    const { combinator, css, filters } = compounds[index];
    if (!element.matches(css) || !filters.every((filter) => passes(element, filter))) return false;
    if (index === 0) return true;
    if (combinator === "+" || combinator === "~") {
      for (let at = element.previousElementSibling; at; at = at.previousElementSibling) {
        if (fits(at, compounds, index - 1)) return true;
        if (combinator === "+") return false;
      }
      return false;
    }
    for (let at = parentOf(element); at; at = parentOf(at)) {
      if (fits(at, compounds, index - 1)) return true;
      if (combinator === ">") return false;
    }
    return false;
  }

  function parentOf(element) {
    return element.parentElement ?? element.getRootNode().host ?? null;
  }

  function passes(element, { kind, text }) {
    if (kind === "visible") return dom.isVisible(element);
    const content = dom.squeezed(words.of(element));
    const wanted = dom.squeezed(text);
    if (kind === "text-is") return content === wanted;
    if (!content.toLowerCase().includes(wanted.toLowerCase())) return false;
    return kind !== "text" || ![...element.children].some((child) => passes(child, { kind: "has-text", text }));
  }

  return { parse, matches };
})()

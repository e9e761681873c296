// The words in elements, and finding elements by them.
(() => {
  const WORDLESS = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD"]);

  // What is written in an element, in shadow roots too; a button's value is its text.
  function of(element) {
    if (WORDLESS.has(element.tagName)) return "";
    if (isButton(element)) return element.value;
    let text = element.shadowRoot ? inside(element.shadowRoot) : "";
    text += inside(element);
    return text;
  }

  function inside(parent) {
    let text = "";
    for (const node of parent.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) text += node.data;
      else if (node.nodeType === Node.ELEMENT_NODE) text += node.tagName === "BR" ? " " : of(node);
    }
    return text;
  }

  // A test for text: `{text, exact}` or `{pattern, flags}`.
  function tester({ text, exact, pattern, flags }) {
    if (pattern !== undefined) {
      const expression = new RegExp(pattern, flags);
      return (words) => expression.test(dom.squeezed(words));
    }
    const wanted = dom.squeezed(text);
    const lowered = wanted.toLowerCase();
    const first = lowered.split(" ", 1)[0];
    return (words) => {
      // Most texts fail here, before anything is done to the whole of them.
      if (!dom.unhyphened(words).toLowerCase().includes(first)) return false;
      return exact ? dom.squeezed(words) === wanted : dom.squeezed(words).toLowerCase().includes(lowered);
    };
  }

  // The innermost elements below `scope` whose text passes, in document order.
  function matches(scope, asked) {
    const passes = tester(asked);
    const found = [];
    // The words of an element; null when it, or something in it, was found.
    const visit = (element) => {
      if (WORDLESS.has(element.tagName)) return "";
      const text = isButton(element) ? element.value : visitInside(element);
      if (text === null) return null;
      if (!passes(text)) return text;
      found.push(element);
      return null;
    };
    const visitInside = (parent) => {
      let text = "";
      for (const node of [...(parent.shadowRoot?.childNodes ?? []), ...parent.childNodes]) {
        const words = node.nodeType === Node.ELEMENT_NODE ? visit(node) : node.nodeType === Node.TEXT_NODE ? node.data : "";
        text = text === null || words === null ? null : text + words;
      }
      return parent.tagName === "BR" ? " " : text;
    };
    visitInside(scope);
    return found;
  }

  function isButton(element) {
    return element.tagName === "INPUT" && /^(submit|button|reset)$/.test(element.type);
  }

  return { of, tester, matches };
})()

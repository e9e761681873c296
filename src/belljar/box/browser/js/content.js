// What a page says, in the plain forms: its HTML, its text, its links.
(() => {
  function squeezed(text) {
    return text.replace(/\s+/g, ' ').trim();
  }

  // Every root that can be searched: the document (or an element) and the open shadow roots below it.
  function* roots(root) {
    yield root;
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) yield* roots(element.shadowRoot);
    }
  }

  function cut(text, most) {
    return most !== null && text.length > most ? { text: text.slice(0, most), truncated: true } : { text, truncated: false };
  }

  return {
    html(root, most) {
      return cut(root ? root.innerHTML : document.documentElement?.outerHTML ?? '', most);
    },

    text(root, most) {
      const from = root || document.body || document.documentElement;
      return cut(from ? from.innerText ?? from.textContent : '', most);
    },

    links() {
      const seen = new Set();
      const links = [];
      for (const root of roots(document)) {
        for (const link of root.querySelectorAll('a[href], area[href]')) {
          const href = typeof link.href === 'string' ? link.href : link.href.baseVal;
          if (!href || href.startsWith('javascript:')) continue;
          const words = link.innerText || link.getAttribute('aria-label') || link.title || link.alt
            || link.querySelector('img')?.alt || link.textContent || '';
          const text = squeezed(words);
          const key = `${href} ${text}`;
          if (!seen.has(key)) links.push({ href, text });
          seen.add(key);
        }
      }
      return links;
    },

    // The address that the page says is its own, if it does.
    canonical() {
      return document.querySelector('link[rel~="canonical"][href]')?.href ?? null;
    },
  };
})()

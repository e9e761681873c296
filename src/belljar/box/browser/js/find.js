// Words on the page: every place where they are, marked, one of them shown. The page's own nodes stay as they are.
(() => {
  const MOST_PLACES = 1000;
  const MOST_NODES = 100_000;
  const ALL = "belljar-find";
  const SHOWN = "belljar-find-shown";
  const STYLES = `::highlight(${ALL}) { background: #ffe066; color: #111 } ::highlight(${SHOWN}) { background: #ff8c1a; color: #111 }`;

  let ranges = [];
  let sheet = null;
  const styled = new Set();

  // How often the words are here: `{count, isMore}`. They are marked until `clear`.
  function search(text, isCaseSensitive) {
    clear();
    const words = text.trim().split(/\s+/).map(escaped).join("\\s+");
    if (!words) return { count: 0, isMore: false };
    const pattern = new RegExp(words, isCaseSensitive ? "gu" : "giu");
    const budget = { nodes: MOST_NODES };
    for (const run of runs(document, budget)) if (!collect(run, pattern)) break;
    if (ranges.length) mark();
    return { count: ranges.length, isMore: ranges.length >= MOST_PLACES || budget.nodes <= 0 };
  }

  function escaped(text) {
    return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  }

  // Texts that are read as one, as lists of text nodes: up to the next element that is not within a line.
  function* runs(root, budget) {
    let run = [];
    let block = null;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (budget.nodes-- > 0 && walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.shadowRoot) yield* runs(node.shadowRoot, budget);
        if (node.localName === "br") {
          if (run.length) yield run;
          run = [];
        }
        continue;
      }
      const around = node.parentElement ?? root.host;
      if (!node.data.trim() && !run.length) continue;
      if (!around?.checkVisibility({ visibilityProperty: true }) || /^(script|style|noscript|textarea|option)$/.test(around.localName)) continue;
      const at = blockOf(around);
      if (at !== block && run.length) {
        yield run;
        run = [];
      }
      block = at;
      run.push(node);
    }
    if (run.length) yield run;
  }

  function blockOf(element) {
    let at = element;
    while (at.parentElement && /^(inline|contents)$/.test(getComputedStyle(at).display)) at = at.parentElement;
    return at;
  }

  // Whether there is room for more.
  function collect(run, pattern) {
    const text = run.map((node) => node.data).join("");
    for (const match of text.matchAll(pattern)) {
      if (ranges.length >= MOST_PLACES) return false;
      ranges.push(rangeOf(run, match.index, match.index + match[0].length));
    }
    return true;
  }

  function rangeOf(run, from, to) {
    const range = document.createRange();
    let before = 0;
    for (const node of run) {
      const after = before + node.length;
      if (from >= before && from < after) range.setStart(node, from - before);
      if (to > before && to <= after) range.setEnd(node, to - before);
      before = after;
    }
    return range;
  }

  function mark() {
    sheet ??= new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    for (const range of ranges) styled.add(range.startContainer.getRootNode());
    for (const root of styled) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    CSS.highlights.set(ALL, new Highlight(...ranges));
  }

  // Bring one of them into view.
  function show(index) {
    const range = ranges[index];
    if (!range) return;
    const shown = new Highlight(range);
    shown.priority = 1;
    CSS.highlights.set(SHOWN, shown);
    range.startContainer.parentElement?.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  }

  function hide() {
    CSS.highlights.delete(SHOWN);
  }

  function clear() {
    for (const root of styled) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet);
    styled.clear();
    CSS.highlights.delete(ALL);
    hide();
    ranges = [];
  }

  return { search, show, hide, clear };
})()

// Finding elements by the steps of a selector, as `selectors.py` parsed it.
//
// A query is `{ref}` or `{steps}`. Steps run one inside the other; at a frame they end, and the rest is for the
// frame's own document, which may live in another process.
(() => {
  // Matches of one step that are looked at; beyond that a selector is too vague to mean one element.
  const MOST = 2000;

  const ENGINES = {
    css: (scope, step) => css.matches(scope, step.css),
    text: (scope, step) => words.matches(scope, step),
    role: (scope, step) => byRole(scope, step),
    xpath: (scope, step) => byPath(scope, step.path),
    ref: (scope, step) => [refs.elementOf(step.ref)].filter(Boolean),
  };
  const FILTERS = {
    nth: (elements, step) => elements.slice(step.index < 0 ? elements.length + step.index : step.index).slice(0, 1),
    visible: (elements, step) => elements.filter((element) => dom.isVisible(element) === step.visible),
  };

  // Throws for a step that can never match because it cannot be understood.
  function check(steps) {
    for (const step of steps) {
      if (step.engine === "css") css.parse(step.css);
      if (step.engine === "xpath") document.createExpression(step.path);
      if (step.engine === "text") words.tester(step);
      if (step.engine === "role") step.attributes.forEach(attributeTest);
    }
  }

  // All matches in order, or `{frame, next}` when the steps lead into a frame.
  function run(steps, most = MOST) {
    let found = [document];
    for (const [index, step] of steps.entries()) {
      const filter = FILTERS[step.engine];
      if (!filter && index > 0 && found.length && dom.isFrame(found[0])) return { frame: preferred(found), next: index };
      found = filter ? filter(found, step) : inside(found, step, most);
    }
    return { found };
  }

  function inside(scopes, step, most) {
    const found = new Set();
    for (const scope of scopes) {
      for (const element of ENGINES[step.engine](scope, step)) {
        found.add(element);
        if (found.size >= most) return [...found];
      }
    }
    return [...found];
  }

  // Of several matches the first that shows, as a person would take it; else the first.
  function preferred(elements) {
    return elements.find(dom.isVisible) ?? elements[0] ?? null;
  }

  // What a query stands for now: `{element}`, `{frame, next}`, or `{element: null}`.
  function find({ ref, steps }) {
    if (ref !== undefined) return { element: refs.elementOf(ref) };
    // The common case, without collecting all matches.
    if (steps.length === 1 && steps[0].engine === "css") return { element: firstMatch(steps[0].css) };
    const { found, frame, next } = run(steps);
    return frame ? { frame, next } : { element: preferred(found) };
  }

  function firstMatch(source) {
    let first = null;
    let seen = 0;
    for (const element of css.matches(document, source)) {
      if (dom.isVisible(element)) return element;
      first ??= element;
      if (++seen >= MOST) break;
    }
    return first;
  }

  function byPath(scope, path) {
    const result = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: result.snapshotLength }, (_, index) => result.snapshotItem(index))
      .filter((node) => node.nodeType === Node.ELEMENT_NODE);
  }

  function* byRole(scope, { role, attributes, hidden }) {
    const tests = attributes.map(attributeTest);
    for (const element of everything(scope)) {
      if (naming.roleOf(element) !== role || !tests.every((passes) => passes(element, role))) continue;
      if (hidden || isExposed(element)) yield element;
    }
  }

  function* everything(scope) {
    for (const child of [...(scope.shadowRoot?.children ?? []), ...scope.children]) {
      yield child;
      yield* everything(child);
    }
  }

  function isExposed(element) {
    return element.checkVisibility({ visibilityProperty: true }) && !dom.nearest(element, '[aria-hidden="true"]');
  }

  // A test of one attribute of a `role=` step, such as `[name="Save"]`, `[level=2]`, `[checked]`.
  function attributeTest({ name, operator, value, pattern, flags }) {
    if (name !== "name") return (element, role) => stateOf(element, role, name) === (value ?? "true");
    if (pattern !== undefined) {
      const expression = new RegExp(pattern, flags);
      return (element, role) => expression.test(nameOf(element, role));
    }
    const fold = flags === "i" ? (text) => text.toLowerCase() : (text) => text;
    const wanted = fold(dom.squeezed(value));
    return (element, role) => compare(fold(nameOf(element, role)), operator, wanted);
  }

  function compare(text, operator, wanted) {
    switch (operator) {
      case "*=": return text.includes(wanted);
      case "^=": return text.startsWith(wanted);
      case "$=": return text.endsWith(wanted);
      default: return text === wanted;
    }
  }

  function nameOf(element, role) {
    const given = naming.givenName(element, role);
    return given || (naming.FROM_CONTENT.has(role) ? contentName(element) : "");
  }

  function contentName(element) {
    const pictures = [...element.querySelectorAll("img[alt], [aria-label]")]
      .map((inner) => inner.getAttribute("aria-label") || inner.alt).join(" ");
    return dom.squeezed(words.of(element)) || dom.squeezed(pictures) || dom.squeezed(element.title ?? "");
  }

  // States are said as the snapshot says them; an absent one is false.
  function stateOf(element, role, name) {
    if (name === "expanded") return element.getAttribute("aria-expanded") ?? "false";
    const states = naming.statesOf(element, role);
    const valued = states.find((state) => state.startsWith(`${name}=`));
    if (valued) return valued.slice(name.length + 1);
    return name === "checked" && states.includes("mixed") ? "mixed" : String(states.includes(name));
  }

  return { check, find, run, preferred };
})()

// Fields that Chromium opens a widget of its own for, which is in no picture of the page: drop-downs, dates, colours,
// suggestions. Which one a person has just opened, what it offers, and their answer.
(() => {
  const MOST_LABEL = 200;
  const MOST_TEXT = 200_000;
  const DATED = new Set(["date", "time", "datetime-local", "month", "week", "color"]);

  // The field that was told of last, the options as they were told, and its number.
  let held = null;
  let number = 0;

  // What a person opened just now, by pointer or by key; null where that is nothing. The one that was told of before
  // keeps its number.
  function look(isPointer, mostOptions) {
    const element = opened(isPointer);
    if (!element) {
      held = null;
      return null;
    }
    if (held?.element !== element) held = { element, number: ++number, options: [] };
    return describe(held, mostOptions);
  }

  function opened(isPointer) {
    const open = isOpenIn(document);
    if (open) return open;
    const active = dom.active();
    if (!active || !mayChange(active)) return null;
    if (!isPointer) return held?.element === active && kindOf(active) !== "select" ? active : null;
    // A single drop-down that was clicked and is not open was closed by that click.
    return isUnderPointer(active) && (kindOf(active) !== "select" || active.multiple) ? active : null;
  }

  function isUnderPointer(element) {
    return element.matches(":hover") || [...(element.labels ?? [])].some((label) => label.matches(":hover"));
  }

  function isOpenIn(root) {
    const found = root.querySelector("select:open, input:open");
    if (found && kindOf(found) && mayChange(found)) return found;
    const host = root.activeElement ?? null;
    return host?.shadowRoot ? isOpenIn(host.shadowRoot) : null;
  }

  function kindOf(element) {
    if (element.localName === "select") return "select";
    if (element.localName !== "input") return null;
    if (DATED.has(element.type)) return element.type;
    return element.list && element.list.options.length ? "datalist" : null;
  }

  function mayChange(element) {
    return kindOf(element) !== null && !element.matches(":disabled") && element.readOnly !== true;
  }

  function describe({ element, number }, mostOptions) {
    const kind = kindOf(element);
    const about = { number, kind, label: nameOf(element), box: boxOf(element), required: element.required || null };
    if (kind === "select") return { ...about, ...offer(element.options, mostOptions, true), multiple: element.multiple };
    const limits = Object.fromEntries(["min", "max", "step"].map((name) => [name, cut(element.getAttribute(name) ?? "") || null]));
    const value = cut(element.value, 1000);
    const offered = element.list ? offer(element.list.options, mostOptions, false) : {};
    return { ...about, ...limits, ...offered, value };
  }

  function offer(options, most, isSelect) {
    const told = [];
    let room = MOST_TEXT;
    let index = 0;
    held.options = [];
    for (; index < options.length && told.length < most && room > 0; index++) {
      const option = options[index];
      if (option.hidden) continue;
      const label = cut(dom.squeezed(option.label || option.textContent || option.value));
      const group = isSelect && option.parentElement?.localName === "optgroup" ? option.parentElement : null;
      room -= label.length + 20;
      told.push({
        label,
        value: isSelect ? null : cut(option.value, 1000),
        group: group ? cut(group.label) : null,
        disabled: option.disabled || group?.disabled || null,
        selected: (isSelect && option.selected) || null,
      });
      held.options.push(option);
    }
    return { options: told, more: options.length - index || null };
  }

  function cut(text, most = MOST_LABEL) {
    return text.length > most ? `${text.slice(0, most)}…` : text;
  }

  function nameOf(element) {
    const labelled = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean).slice(0, 5);
    const root = element.getRootNode();
    const words = [
      element.getAttribute("aria-label"),
      labelled.map((id) => root.getElementById?.(id)?.textContent ?? "").join(" "),
      [...(element.labels ?? [])].slice(0, 1).map(wordsAround)[0],
      element.getAttribute("placeholder"),
      element.title,
      element.name,
    ];
    return cut(dom.squeezed((words.find((text) => text && text.trim()) ?? "").slice(0, 2000)));
  }

  // Of a label that the field stands in, without the field's own words.
  function wordsAround(label) {
    const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    let text = "";
    while (text.length < 2000 && walker.nextNode()) {
      if (!dom.nearest(walker.currentNode.parentElement, "select, datalist, button")) text += ` ${walker.currentNode.data}`;
    }
    return text;
  }

  function boxOf(element) {
    const { x, y, width: w, height: h } = element.getBoundingClientRect();
    return { x, y, w, h };
  }

  // `{isGone}` where the field of this number is not there any more; whether its own widget is open.
  function state(asked) {
    if (held?.number !== asked || !held.element.isConnected || !mayChange(held.element)) return { isGone: true };
    return { isGone: false, isOpen: held.element.matches(":open") };
  }

  // Choose these options of those that were told: `{isTaken, why?}`.
  function choose(asked, indexes) {
    if (state(asked).isGone) return { isGone: true };
    const select = held.element;
    const chosen = indexes.map((index) => held.options[index]);
    const all = [...select.options];
    if (chosen.some((option) => !option || !all.includes(option))) return { why: "The options have changed." };
    return pick(select, chosen);
  }

  function chooseNamed(asked, text) {
    if (state(asked).isGone) return { isGone: true };
    const wanted = dom.squeezed(text);
    const options = [...held.element.options];
    const found = options.find((option) => dom.squeezed(option.label) === wanted) ?? options.find((option) => option.value === text);
    return found ? pick(held.element, [found]) : { why: "There is no such option." };
  }

  // With the events that a person's choice brings, and none where nothing changes.
  function pick(select, chosen) {
    if (chosen.some((option) => option.disabled || (option.parentElement?.localName === "optgroup" && option.parentElement.disabled)))
      return { why: "This option cannot be chosen." };
    if (!select.multiple && chosen.length !== 1) return { why: "One option is to be chosen here." };
    const before = [...select.selectedOptions];
    const isSame = before.length === chosen.length && before.every((option) => chosen.includes(option));
    select.focus();
    if (!isSame) {
      for (const option of before) if (!chosen.includes(option)) option.selected = false;
      for (const option of chosen) option.selected = true;
      fields.announce(select);
    }
    return { isTaken: true };
  }

  function write(asked, value) {
    if (state(asked).isGone) return { isGone: true };
    const field = held.element;
    if (kindOf(field) === "datalist") {
      fields.focus(field, true);
      return fields.write(field, value) ? { isTaken: true } : { why: "The field does not take this." };
    }
    if (field.value === value) return { isTaken: true };
    const { isTaken } = fields.replaceValue(field, value);
    return isTaken ? { isTaken } : { why: "The field does not take this value." };
  }

  return { look, state, choose, chooseNamed, write };
})()

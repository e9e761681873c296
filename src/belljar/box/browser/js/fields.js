// Fields: focused, their caret placed, their value set or chosen with the events a page expects.
(() => {
  // Focus a field, with the caret at its end, or with all of it selected: `{isFocused, isFull, before}`.
  function focus(element, selectsAll) {
    const host = element.isContentEditable ? editingHost(element) : element;
    host.focus();
    if (element.isContentEditable) {
      const selection = getSelection();
      selection.selectAllChildren(element);
      if (!selectsAll) selection.collapseToEnd();
    } else if (ready.takesText(element)) {
      if (selectsAll) element.select();
      else moveCaretToEnd(element);
    }
    const text = element.isContentEditable ? element.innerText.trim() : element.value;
    return { isFocused: isFocused(host), isFull: Boolean(text), before: element.isContentEditable ? null : element.value };
  }

  function editingHost(element) {
    let host = element;
    while (host.parentElement?.isContentEditable) host = host.parentElement;
    return host;
  }

  function moveCaretToEnd(element) {
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch {
      // Number and e-mail fields have a caret, but no way to say where it is.
      getSelection().modify("move", "forward", "documentboundary");
    }
  }

  function isFocused(element) {
    return element.getRootNode().activeElement === element || element.matches(":focus-within");
  }

  // Focus whatever the element is, for keys: what cannot be focused itself lets the nearest around it have them.
  function focusForKeys(element) {
    element.focus();
    if (!isFocused(element)) dom.nearest(element, "[tabindex], a[href], button, input, select, textarea")?.focus();
  }

  // Set the value of a date, time, colour or range; what it came to, which is '' or another where it is no such value.
  // The page's own setters are not called here: frameworks that watch them see a change of the browser's making.
  function setValue(element, value) {
    element.focus();
    const wanted = element.type === "color" ? value.toLowerCase() : value;
    const before = element.value;
    element.value = wanted;
    const isTaken = element.value === wanted || isSameNumber(element, wanted) || isSameTime(element, wanted);
    if (!isTaken) {
      const became = element.value;
      element.value = before;
      return { isTaken, became };
    }
    announce(element);
    return { isTaken, became: element.value };
  }

  function isSameNumber(element, wanted) {
    return element.type === "range" && wanted.trim() !== "" && Number(element.value) === Number(wanted);
  }

  // `10:30` may become `10:30:00`.
  function isSameTime(element, wanted) {
    return /time/.test(element.type) && element.value !== "" && (wanted.startsWith(element.value) || element.value.startsWith(wanted));
  }

  // Write in place of what is selected in an input or textarea, as a person's input, which `undo` and a `change` event at
  // the end know of; whether that was possible. No `beforeinput` comes of a command: a page that refuses text there is
  // asked before.
  function write(element, text) {
    const inputType = text ? "insertText" : "deleteContentBackward";
    const about = { inputType, data: text || null, bubbles: true, cancelable: true, composed: true };
    if (!element.dispatchEvent(new InputEvent("beforeinput", about))) return true;
    return text ? document.execCommand("insertText", false, text) : element.value === "" || document.execCommand("delete");
  }

  function replaceValue(element, value) {
    if (value !== "") return setValue(element, value);
    clear(element);
    return { isTaken: true, became: element.value };
  }

  function clear(element) {
    if (element.isContentEditable) element.replaceChildren();
    else element.value = "";
    announce(element);
  }

  function announce(element) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Choose options: each wanted one is `{value}`, `{label}`, `{index}` or `{any}` (a value or a label).
  function choose(element, wanted) {
    const options = [...element.options];
    const chosen = wanted.map((one) => meant(options, one));
    const missing = wanted.filter((_, index) => !chosen[index]);
    if (missing.length) return { missing, available: options.slice(0, 50).map((option) => offered(option)) };
    if (chosen.some((option) => option.disabled || option.parentElement.disabled)) return { isDisabled: true };
    if (chosen.length > 1 && !element.multiple) return { isSingle: true };
    element.focus();
    for (const option of options) {
      if (option.selected && !chosen.includes(option)) option.selected = false;
    }
    for (const option of chosen) option.selected = true;
    announce(element);
    return { values: [...element.selectedOptions].map((option) => option.value) };
  }

  function meant(options, { value, label, index, any }) {
    if (index !== undefined) return options[index];
    const byValue = (wanted) => options.find((option) => option.value === wanted);
    const byLabel = (wanted) => options.find((option) => dom.squeezed(option.label) === dom.squeezed(wanted));
    if (any !== undefined) return byValue(any) ?? byLabel(any);
    return value !== undefined ? byValue(value) : byLabel(label);
  }

  function offered(option) {
    return { value: option.value, label: dom.squeezed(option.label) };
  }

  return { focus, focusForKeys, write, replaceValue, choose, announce };
})()

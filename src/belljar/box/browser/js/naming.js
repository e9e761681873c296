// What an element is and what it is called: ARIA role, accessible name, state and value.
// A practical part of the ARIA and HTML mappings: what a model needs in order to choose and to act.
(() => {
  const belljar = (globalThis.belljar ??= {});
  if (belljar.naming) return belljar.naming;

  const BY_TAG = {
    A: (e) => (e.hasAttribute('href') ? 'link' : null),
    AREA: (e) => (e.hasAttribute('href') ? 'link' : null),
    ARTICLE: () => 'article',
    ASIDE: () => 'complementary',
    AUDIO: () => 'audio',
    BLOCKQUOTE: () => 'blockquote',
    BUTTON: () => 'button',
    CANVAS: () => 'canvas',
    DD: () => 'definition',
    DETAILS: () => 'group',
    DIALOG: () => 'dialog',
    DT: () => 'term',
    EMBED: () => 'embed',
    FIELDSET: () => 'group',
    FIGURE: () => 'figure',
    FOOTER: (e) => (e.closest('article, aside, main, nav, section') ? null : 'contentinfo'),
    FORM: () => 'form',
    H1: () => 'heading', H2: () => 'heading', H3: () => 'heading',
    H4: () => 'heading', H5: () => 'heading', H6: () => 'heading',
    HEADER: (e) => (e.closest('article, aside, main, nav, section') ? null : 'banner'),
    HR: () => 'separator',
    IFRAME: () => 'iframe',
    FRAME: () => 'iframe',
    IMG: (e) => (e.getAttribute('alt') === '' && !e.hasAttribute('aria-label') ? null : 'img'),
    INPUT: (e) => INPUTS[e.type] || 'textbox',
    LI: () => 'listitem',
    MAIN: () => 'main',
    MENU: () => 'list',
    METER: () => 'meter',
    NAV: () => 'navigation',
    OL: () => 'list',
    OPTION: () => 'option',
    OUTPUT: () => 'status',
    PROGRESS: () => 'progressbar',
    SEARCH: () => 'search',
    SECTION: () => 'region',
    SELECT: (e) => (e.multiple || e.size > 1 ? 'listbox' : 'combobox'),
    SUMMARY: (e) => (e.parentElement?.tagName === 'DETAILS' ? 'button' : null),
    TABLE: () => 'table',
    TD: () => 'cell',
    TEXTAREA: () => 'textbox',
    TH: (e) => (e.scope === 'row' ? 'rowheader' : 'columnheader'),
    TR: () => 'row',
    UL: () => 'list',
    VIDEO: () => 'video',
    svg: (e) => (e.querySelector(':scope > title') || e.hasAttribute('aria-label') ? 'img' : null),
  };
  const INPUTS = {
    button: 'button', checkbox: 'checkbox', color: 'colorwell', file: 'file', image: 'button', number: 'spinbutton',
    radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox', submit: 'button',
  };
  // Types of text fields that say how the value must look.
  const TYPED = new Set(['date', 'datetime-local', 'email', 'month', 'password', 'tel', 'time', 'url', 'week']);
  // Roles whose element can be acted on.
  const ACTIVE = new Set([
    'audio', 'button', 'canvas', 'checkbox', 'colorwell', 'combobox', 'embed', 'file', 'gridcell', 'iframe', 'link',
    'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'scrollbar', 'searchbox', 'slider',
    'spinbutton', 'switch', 'tab', 'textbox', 'treeitem', 'video',
  ]);
  // Roles whose name is what they contain.
  const FROM_CONTENT = new Set([
    'button', 'checkbox', 'clickable', 'heading', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
    'radio', 'switch', 'tab', 'tooltip', 'treeitem',
  ]);
  const MOST_NAME = 200;
  const MOST_VALUE = 500;
  const MOST_OPTIONS = 12;
  const MASK = '••••••••';
  const SECRET = /(^|\s)(current-password|new-password|one-time-code|cc-csc|cc-number)(\s|$)/;
  // A field that ever was a password stays one when a page shows it in clear.
  const passwords = new WeakSet();

  function roleOf(element) {
    const given = element.getAttribute('role');
    if (given) {
      const first = given.trim().split(/\s+/, 1)[0].toLowerCase();
      return first === 'none' || first === 'presentation' || first === 'generic' ? null : first;
    }
    const rule = BY_TAG[element.tagName];
    const role = rule ? rule(element) : null;
    if (role === 'textbox' && element.list) return 'combobox';
    return role ?? (isEditingHost(element) ? 'textbox' : null);
  }

  function isEditingHost(element) {
    const value = element.getAttribute('contenteditable');
    return value !== null && value !== 'false';
  }

  // The name given beside the content; '' where there is none.
  function givenName(element, role) {
    const by = element.getAttribute('aria-labelledby');
    if (by) {
      const name = squeezed(by.split(/\s+/).map((id) => textById(element, id)).join(' '));
      if (name) return name;
    }
    return squeezed(element.getAttribute('aria-label') || '') || nativeName(element, role);
  }

  function textById(element, id) {
    const found = id && element.getRootNode().getElementById?.(id);
    return found ? found.getAttribute('aria-label') || textOf(found, element) : '';
  }

  function nativeName(element, role) {
    const tag = element.tagName;
    if (tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'METER' || tag === 'PROGRESS') {
      return fieldName(element);
    }
    if (tag === 'IMG' || tag === 'AREA') return squeezed(element.alt || element.title || '');
    if (tag === 'svg') return squeezed(element.querySelector(':scope > title')?.textContent || '');
    const caption = captionOf(element);
    if (caption) return squeezed(textOf(caption));
    return FROM_CONTENT.has(role) ? '' : squeezed(element.title || element.getAttribute('aria-placeholder') || '');
  }

  function fieldName(element) {
    if (element.type === 'submit' || element.type === 'button' || element.type === 'reset') {
      return squeezed(element.value) || { submit: 'Submit', reset: 'Reset' }[element.type] || squeezed(element.title);
    }
    if (element.type === 'image') return squeezed(element.alt || element.value || element.title || 'Submit');
    const labels = element.labels && [...element.labels].map((label) => textOf(label, element)).join(' ');
    return squeezed(labels || '') || squeezed(element.title) || squeezed(element.getAttribute('placeholder') || '');
  }

  // The element whose text names its parent, and is therefore not said again.
  function captionOf(element) {
    const tag = element.tagName;
    if (tag === 'FIELDSET') return element.querySelector(':scope > legend');
    if (tag === 'TABLE') return element.caption;
    return tag === 'FIGURE' ? element.querySelector(':scope > figcaption') : null;
  }

  // The words in an element, without those of fields, of `except`, and of what is not rendered.
  function textOf(element, except = null) {
    let text = '';
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        text += node.data;
      } else if (node.nodeType === Node.ELEMENT_NODE && node !== except && isWorded(node)) {
        text += ` ${node.tagName === 'IMG' ? node.alt : node.getAttribute('aria-label') || textOf(node, except)} `;
      }
    }
    return text;
  }

  function isWorded(element) {
    return !/^(INPUT|SELECT|TEXTAREA|SCRIPT|STYLE|TEMPLATE)$/.test(element.tagName)
      && element.getAttribute('aria-hidden') !== 'true'
      && (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true);
  }

  function squeezed(text) {
    return text.replace(/[\s\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]+/gu, ' ').trim();
  }

  function shortened(text, most = MOST_NAME) {
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
  }

  // States worth a word, in a fixed order.
  function statesOf(element, role) {
    const states = [];
    const aria = (name) => element.getAttribute(`aria-${name}`);
    if (role === 'heading') states.push(`level=${aria('level') || element.tagName[1] || 2}`);
    if (element.tagName === 'INPUT' && TYPED.has(element.type)) states.push(`type=${element.type}`);
    const checked = checkedOf(element, role, aria('checked'));
    if (checked) states.push(checked);
    if (aria('pressed') === 'true') states.push('pressed');
    if (aria('selected') === 'true') states.push('selected');
    const expanded = expandedOf(element, aria('expanded'));
    if (expanded !== null) states.push(expanded ? 'expanded' : 'collapsed');
    if (isDisabled(element, aria('disabled'))) states.push('disabled');
    if (element.required || aria('required') === 'true') states.push('required');
    if (element.readOnly || aria('readonly') === 'true') states.push('readonly');
    if (aria('invalid') && aria('invalid') !== 'false') states.push('invalid');
    if (aria('current') && aria('current') !== 'false') states.push('current');
    if (aria('busy') === 'true') states.push('busy');
    if (role === 'dialog' && (element.matches(':modal') || aria('modal') === 'true')) states.push('modal');
    if (element.matches(':focus') && element !== document.body) states.push('focused');
    return states;
  }

  function checkedOf(element, role, given) {
    if (element.type === 'checkbox' || element.type === 'radio') {
      if (element.indeterminate && element.type === 'checkbox') return 'mixed';
      return element.checked ? 'checked' : '';
    }
    return given === 'mixed' ? 'mixed' : given === 'true' ? 'checked' : '';
  }

  function expandedOf(element, given) {
    if (given) return given === 'true';
    return element.tagName === 'SUMMARY' && element.parentElement?.tagName === 'DETAILS'
      ? element.parentElement.open : null;
  }

  function isDisabled(element, given) {
    return given === 'true' || element.matches(':disabled');
  }

  // What is entered or chosen; null for what holds no value.
  function valueOf(element) {
    switch (element.tagName) {
      case 'INPUT': return inputValue(element);
      case 'TEXTAREA': return isSecret(element) && element.value ? MASK : shortened(element.value, MOST_VALUE);
      case 'SELECT': return [...element.selectedOptions].map((option) => squeezed(option.label)).join(', ');
      case 'METER': case 'PROGRESS': return element.hasAttribute('value') ? String(element.value) : '';
    }
    const now = element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow');
    if (now) return now;
    return isEditingHost(element) ? shortened(squeezed(element.innerText), MOST_VALUE) : null;
  }

  function inputValue(element) {
    switch (element.type) {
      case 'checkbox': case 'radio': case 'button': case 'submit': case 'reset': case 'image': case 'hidden':
        return null;
      case 'file': return [...element.files].map((file) => file.name).join(', ');
    }
    if (element.value && isSecret(element)) return MASK;
    return shortened(element.value, MOST_VALUE);
  }

  function isSecret(element) {
    if (element.type === 'password') passwords.add(element);
    return passwords.has(element) || SECRET.test(element.autocomplete || '')
      || getComputedStyle(element).webkitTextSecurity !== 'none';
  }

  // The choices of a drop-down, as many as are cheap to say.
  function optionsOf(element) {
    const labels = [...element.options].slice(0, MOST_OPTIONS).map((option) => squeezed(option.label));
    const more = element.options.length - labels.length;
    return labels.map((label) => JSON.stringify(shortened(label, 40))).join('|') + (more > 0 ? `|…${more} more` : '');
  }

  return (belljar.naming = {
    ACTIVE, FROM_CONTENT, roleOf, givenName, captionOf, isEditingHost, squeezed, shortened, statesOf, valueOf, optionsOf,
  });
})()

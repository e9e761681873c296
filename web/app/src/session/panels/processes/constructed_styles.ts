/**
 * Styles for a library that writes them into `<style>` elements (xterm.js), which this page's policy refuses: what it writes
 * becomes a constructed sheet, which the policy allows, since only scripts of this page can make one.
 */
const make = document.createElement.bind(document) as (name: string, options?: ElementCreationOptions) => HTMLElement;

function styleElement(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = make("span");
  element.hidden = true;
  document.adoptedStyleSheets.push(sheet);
  const write = { set: (text: string) => sheet.replaceSync(text), get: () => "", configurable: true };
  Object.defineProperties(element, { textContent: write, innerText: write });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}

document.createElement = ((name: string, options?: ElementCreationOptions) =>
  name === "style" ? styleElement() : make(name, options)) as typeof document.createElement;

export {};

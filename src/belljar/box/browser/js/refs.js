// Refs: short names (`e12`, in child frames `f3e12`) that stand for elements of this document.
//
// It keeps itself on `globalThis.belljar`, which only our isolated world sees, so that every library of the same
// document shares one table. Nothing here keeps an element alive.
(() => {
  const belljar = (globalThis.belljar ??= {});
  if (belljar.refs) return belljar.refs;

  const names = new WeakMap(); // element → name
  const elements = new Map(); // name → WeakRef of the element
  const forget = new FinalizationRegistry((name) => elements.delete(name));
  let prefix = "";
  let next = 1;

  return (belljar.refs = {
    // To be called before names are given, with what `Refs.naming()` of Python says: this document's prefix, and
    // the first number that no earlier document of the tab can have used.
    begin(documentPrefix, firstNumber) {
      prefix = documentPrefix;
      next = Math.max(next, firstNumber);
    },

    // The name of an element, the same for as long as the element lives.
    refOf(element) {
      let name = names.get(element);
      if (name === undefined) {
        name = `${prefix}e${next++}`;
        names.set(element, name);
        elements.set(name, new WeakRef(element));
        forget.register(element, name);
      }
      return name;
    },

    // The element of a name; null when it was never given here, or its element has left the document.
    elementOf(name) {
      const element = elements.get(name)?.deref();
      return element?.isConnected ? element : null;
    },

    // The last number given: to be told to `Refs.given()` of Python together with the names themselves.
    last() {
      return next - 1;
    },
  });
})()

// The DOM as it is: a form's control or a named image can stand in for `childNodes`, `attributes` or `createRange` of what
// holds it, in our world as in the page's. Read through the prototypes, nothing can.
(() => {
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const method = (type, name) => {
    const function_ = type.prototype[name];
    return (node, ...args) => function_.apply(node, args);
  };

  return {
    children: getter(Node, 'childNodes'),
    kind: getter(Node, 'nodeType'),
    parent: getter(Node, 'parentNode'),
    base: getter(Node, 'baseURI'),
    document: getter(Node, 'ownerDocument'),
    text: getter(Node, 'textContent'),
    contains: method(Node, 'contains'),
    name: getter(Element, 'localName'),
    namespace: getter(Element, 'namespaceURI'),
    attributes: getter(Element, 'attributes'),
    attribute: method(Element, 'getAttribute'),
    shadow: getter(Element, 'shadowRoot'),
    slot: getter(Element, 'assignedSlot'),
    box: method(Element, 'getBoundingClientRect'),
    isRendered: method(Element, 'checkVisibility'),
    find: method(Element, 'querySelector'),
    all: method(Document, 'querySelectorAll'),
    range: method(Document, 'createRange'),
    element: getter(Document, 'documentElement'),
    view: getter(Document, 'defaultView'),
    title: getter(Document, 'title'),
    body: getter(Document, 'body'),
    byId: method(Document, 'getElementById'),
    width: getter(HTMLElement, 'offsetWidth'),
    height: getter(HTMLElement, 'offsetHeight'),
  };
})()

// What the page saw: trusted events by the id of their target, in order.
window.seen = [];
for (const type of ["mousedown", "mouseup", "click", "dblclick", "contextmenu", "auxclick", "input", "change", "drop", "dragstart"]) {
  document.addEventListener(type, (event) => {
    const target = event.composedPath()[0];
    window.seen.push(`${type}:${target.id || target.localName}`);
  });
}

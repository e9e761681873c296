// What a person asked a menu for, by a right click that the page let through: a link, a picture, words, a field.
(() => {
  const MOST_TEXT = 100_000;
  const MOST_ADDRESS = 4096;

  let asked = null;

  // Note the next right click.
  function arm() {
    asked = null;
    addEventListener("contextmenu", (event) => { asked = { event, target: event.composedPath()[0] } }, { capture: true, once: true });
  }

  // What it was on; null where there was none here, or the page shows a menu of its own.
  function taken() {
    const was = asked;
    asked = null;
    if (!was || was.event.defaultPrevented || !(was.target instanceof Element)) return null;
    const link = dom.nearest(was.target, "a[href], area[href]");
    const image = was.target.localName === "img" ? was.target : null;
    return {
      link: addressOf(link?.href),
      image: addressOf(image?.currentSrc || image?.src),
      text: selected(),
      isEditable: was.target.isContentEditable || /^(input|textarea)$/.test(was.target.localName),
    };
  }

  // Only what can be gone to or fetched.
  function addressOf(address) {
    const url = typeof address === "string" && address.length <= MOST_ADDRESS ? address : "";
    return /^(https?|data|blob):/i.test(url) ? url : null;
  }

  // The words that are selected here, in a field or on the page; never those of a password.
  function selected() {
    const field = dom.active();
    if (field && /^(input|textarea)$/.test(field.localName)) {
      if (field.type === "password" || field.selectionStart == null) return "";
      return field.value.slice(field.selectionStart, field.selectionEnd).slice(0, MOST_TEXT);
    }
    return String(getSelection() ?? "").slice(0, MOST_TEXT);
  }

  // Have Chromium save what is at an address that this document may read: `{why?}`.
  async function save(address) {
    try {
      const answer = await fetch(address);
      if (!answer.ok) return { why: `The server answered ${answer.status}.` };
      const made = URL.createObjectURL(await answer.blob());
      const name = decodeURIComponent(new URL(address, location.href).pathname.split("/").pop() || "image");
      const link = Object.assign(document.createElement("a"), { href: made, download: address.startsWith("data:") ? "image" : name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(made), 60_000);
      return {};
    } catch {
      return { why: "Its server does not let this page read it. Open it in a tab of its own, and save it there." };
    }
  }

  return { arm, taken, selected, save };
})()

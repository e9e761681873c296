// In the page's own world, while a person may be asked: what a page may do only if it is allowed waits for their answer,
// and `print` asks them. Nothing here allows anything: Chromium's own state says when it was answered, and what.
(() => {
  const tell = globalThis.belljarAsks;
  delete globalThis.belljarAsks;
  if (typeof tell !== "function") return;
  const { apply } = Reflect;
  const [then, listen, query] = [Promise.prototype.then, EventTarget.prototype.addEventListener, globalThis.Permissions?.prototype.query];

  function wrap(owner, name, around) {
    const own = owner?.[name];
    if (typeof own === "function") owner[name] = new Proxy(own, { apply: around });
  }

  wrap(globalThis, "print", () => tell("print"));
  // Nobody else can be allowed anything.
  if (!query || !/^https?:/.test(globalThis.origin)) return;

  async function answered(names) {
    for (const name of names) {
      try {
        const status = await apply(query, navigator.permissions, [{ name }]);
        if (status.state !== "prompt") continue;
        const changed = new Promise((done) => apply(listen, status, ["change", done, { once: true }]));
        tell(name);
        await changed;
      } catch {
        // Chromium knows no such permission here: what is wanted says so itself.
      }
    }
  }

  const after = (names, run) => apply(then, answered(names), [run]);

  function wrapPromised(owner, name, namesOf) {
    wrap(owner, name, (own, self, args) => after(namesOf(args), () => apply(own, self, args)));
  }

  const isPlain = (self, args) => self === navigator.geolocation && typeof args[0] === "function";
  const place = globalThis.Geolocation?.prototype;
  wrap(place, "getCurrentPosition", (own, self, args) => {
    if (!isPlain(self, args)) return apply(own, self, args);
    after(["geolocation"], () => apply(own, self, args));
  });
  // Ids of our own, known before there is an answer.
  const watches = new Map();
  let last = 1_000_000;
  wrap(place, "watchPosition", (own, self, args) => {
    if (!isPlain(self, args)) return apply(own, self, args);
    const id = ++last;
    watches.set(id, 0);
    after(["geolocation"], () => watches.has(id) && watches.set(id, apply(own, self, args)));
    return id;
  });
  wrap(place, "clearWatch", (own, self, args) => {
    const given = watches.get(args[0]);
    watches.delete(args[0]);
    return apply(own, self, given ? [given] : args);
  });

  const wanted = ([asked]) => [...(asked?.audio ? ["microphone"] : []), ...(asked?.video ? ["camera"] : [])];
  wrapPromised(globalThis.MediaDevices?.prototype, "getUserMedia", wanted);
  wrapPromised(globalThis.Clipboard?.prototype, "read", () => ["clipboard-read"]);
  wrapPromised(globalThis.Clipboard?.prototype, "readText", () => ["clipboard-read"]);
  wrapPromised(globalThis.Navigator?.prototype, "requestMIDIAccess", () => ["midi"]);
  wrapPromised(globalThis, "queryLocalFonts", () => ["local-fonts"]);
  wrapPromised(globalThis, "getScreenDetails", () => ["window-management"]);
})()

// Colours as the eye meets them: whether letters stand out from what is behind them.
(() => {
  // Less than this much of opacity cannot be read.
  const FAINT = 0.1;
  // How much channels may differ, all together, and still be one colour to the eye.
  const SAME = 16;
  const TOKEN = /\b(?:rgba?|hsla?|color|oklch|oklab|lab|lch|hwb)\([^()]*\)|\btransparent\b/g;
  // Filters that change a colour; the others are judged by how much they leave.
  const CHANGES = /\b(?:invert|brightness|contrast|grayscale|sepia|saturate|hue-rotate)\([^()]*\)/g;

  const known = new Map();
  let canvas = null;

  function paint(draw) {
    canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    canvas.filter = 'none';
    canvas.globalCompositeOperation = 'source-over';
    canvas.clearRect(0, 0, 1, 1);
    draw(canvas);
    const data = canvas.getImageData(0, 0, 1, 1).data;
    return [data[0], data[1], data[2], data[3] / 255];
  }

  // [red, green, blue, alpha], whatever notation the page used.
  function of(text) {
    let found = known.get(text);
    if (found) return found;
    const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
    if (plain) found = [+plain[1], +plain[2], +plain[3], plain[4] === undefined ? 1 : +plain[4]];
    else {
      found = paint((to) => {
        to.fillStyle = '#000';
        to.fillStyle = text;
        to.fillRect(0, 0, 1, 1);
      });
    }
    if (known.size < 10_000) known.set(text, found);
    return found;
  }

  function css([red, green, blue, alpha]) {
    return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
  }

  function alike(one, other) {
    return Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]) <= SAME;
  }

  function over(top, bottom) {
    const mixed = [0, 1, 2].map((at) => Math.round(top[at] * top[3] + bottom[at] * (1 - top[3])));
    return [...mixed, 1];
  }

  // The colours that a background's pictures are made of; null where they are not known.
  function ofPicture(image) {
    return /url\(|image|cross-fade|paint\(|element\(/.test(image.replaceAll('-gradient(', '')) ? null : (image.match(TOKEN) ?? []).map(of);
  }

  // A colour after filters, the innermost first.
  function filtered(colour, filters) {
    if (filters === '') return colour;
    const key = `${colour} ${filters}`;
    if (!known.has(key)) {
      const found = paint((to) => {
        to.filter = filters;
        to.fillStyle = css(colour);
        to.fillRect(0, 0, 1, 1);
      });
      if (known.size >= 10_000) return found;
      known.set(key, found);
    }
    return known.get(key);
  }

  function changes(filter) {
    return filter === 'none' ? '' : (filter.match(CHANGES) ?? []).join(' ');
  }

  // Whether letters of a colour stand out from the ground, laid on it as `blend` says.
  function standsOut(colour, ground, blend) {
    if (colour[3] < FAINT) return false;
    if (blend === 'normal' || blend === '') return !alike(colour, ground);
    const seen = paint((to) => {
      to.fillStyle = css(ground);
      to.fillRect(0, 0, 1, 1);
      to.globalCompositeOperation = blend === 'plus-lighter' ? 'lighter' : blend;
      to.fillStyle = css(colour);
      to.fillRect(0, 0, 1, 1);
    });
    return !alike(seen, ground);
  }

  function listed(text) {
    return (text.match(TOKEN) ?? []).map(of);
  }

  return { of, alike, over, ofPicture, filtered, changes, standsOut, listed, FAINT };
})()

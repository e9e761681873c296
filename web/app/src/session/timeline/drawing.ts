/** Canvases of the timeline: as sharp as the screen, in the colours of the tokens. */

/** What to draw with, in pixels of the page; empty. */
export function fit(canvas: HTMLCanvasElement | null): CanvasRenderingContext2D | undefined {
  const context = canvas?.getContext("2d");
  if (canvas == null || context == null) return undefined;
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** A token's colour in the scheme in force. */
export function colours(canvas: HTMLCanvasElement): (token: string) => string {
  const style = getComputedStyle(canvas);
  const known = new Map<string, string>();
  return (token) => {
    let found = known.get(token);
    if (found === undefined) {
      canvas.style.color = `var(${token})`;
      known.set(token, (found = style.color));
    }
    return found;
  };
}

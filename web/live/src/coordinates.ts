/** Where a point of a surface lies on what the picture shows. */

export interface Size {
  w: number;
  h: number;
}

export interface Point {
  x: number;
  y: number;
}

/**
 * The point of the page under a point of the surface, which has the picture as large as it fits, centred; null on the
 * bars beside it.  The server does the same with the `surface` of a message: this is for those who draw over it.
 */
export function pointOnPage(point: Point, surface: Size, page: Size): Point | null {
  const scale = Math.min(surface.w / page.w, surface.h / page.h);
  const x = (point.x - (surface.w - page.w * scale) / 2) / scale;
  const y = (point.y - (surface.h - page.h * scale) / 2) / scale;
  return x < 0 || y < 0 || x >= page.w || y >= page.h || !Number.isFinite(x + y) ? null : { x, y };
}

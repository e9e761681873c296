// Puts a picture together from its pieces and encodes it.
({
  begin(width, height) {
    this.canvas = new OffscreenCanvas(Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio));
    this.context = this.canvas.getContext('2d');
  },

  // A piece is a PNG in base64; its place is in CSS pixels.
  async add(piece, x, y) {
    const bytes = Uint8Array.from(atob(piece), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    this.context.drawImage(bitmap, Math.round(x * devicePixelRatio), Math.round(y * devicePixelRatio));
    bitmap.close();
  },

  async end(type, quality) {
    const blob = await this.canvas.convertToBlob({ type, quality });
    this.canvas = this.context = null;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const parts = [];
    for (let start = 0; start < bytes.length; start += 0x8000) {
      parts.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
    }
    return btoa(parts.join(''));
  },
})

"""The pointer's picture, blended into pixels: X draws it beside the frame buffer, so a grab has none."""


class Cursor:
    """The pointer's picture as runs of bytes: most pixels are either opaque or not there at all."""

    def __init__(self, width: int, height: int, hot: tuple[int, int], pixels: bytes) -> None:
        self.hot = hot
        # Row, column, and the bytes to put there.
        self.solid: list[tuple[int, int, bytes]] = []
        # Row, column, blue, green, red, and how much of what is below stays, of 255.
        self.veiled: list[tuple[int, int, int, int, int, int]] = []
        for row in range(height):
            self._read_row(row, pixels[row * width * 4 : (row + 1) * width * 4])

    def _read_row(self, row: int, line: bytes) -> None:
        run, start = b"", 0
        for column in range(len(line) // 4):
            pixel = line[column * 4 : column * 4 + 4]
            if pixel[3] == 255:
                start = start if run else column
                run += pixel
                continue
            if run:
                self.solid.append((row, start, run))
                run = b""
            if pixel[3]:
                self.veiled.append((row, column, pixel[0], pixel[1], pixel[2], 255 - pixel[3]))
        if run:
            self.solid.append((row, start, run))

    def draw(self, pixels: memoryview, line: int, size: tuple[int, int], at: tuple[int, int]) -> None:
        """Blend it into `pixels`, whose rows are `line` bytes long, where it lies on the screen."""
        left, top = at[0] - self.hot[0], at[1] - self.hot[1]
        width, height = size
        for row, column, run in self.solid:
            y, x = top + row, left + column
            cut = max(0, -x)
            end = min(len(run) // 4, width - x)
            if 0 <= y < height and cut < end:
                begin = y * line + (x + cut) * 4
                pixels[begin : begin + (end - cut) * 4] = run[cut * 4 : end * 4]
        for row, column, blue, green, red, rest in self.veiled:
            y, x = top + row, left + column
            if 0 <= y < height and 0 <= x < width:
                begin = y * line + x * 4
                for offset, colour in enumerate((blue, green, red)):
                    pixels[begin + offset] = min(255, colour + pixels[begin + offset] * rest // 255)

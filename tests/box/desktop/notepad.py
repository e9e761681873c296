"""A program with one window that writes down, as JSON lines, every event it gets: what the screen's user sees.

Run by the tests on the display under test; `--colour RRGGBB` fills the window, `--title` names it,
`--at WxH+X+Y` places it, `--stubborn` makes it ignore a request to close.
"""

import argparse
import json
import re
import sys

from Xlib import X, Xutil, display

MASK = (
    X.KeyPressMask
    | X.KeyReleaseMask
    | X.ButtonPressMask
    | X.ButtonReleaseMask
    | X.PointerMotionMask
    | X.ExposureMask
    | X.StructureNotifyMask
    | X.FocusChangeMask
)


def say(**fields: object) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--colour", default="336699")
    parser.add_argument("--title", default="Notepad")
    parser.add_argument("--at", default="400x300+100+100")
    parser.add_argument("--stubborn", action="store_true")
    given = parser.parse_args()
    width, height, x, y = map(int, re.findall(r"\d+", given.at))
    connection = display.Display()
    root = connection.screen().root
    window = root.create_window(
        x, y, width, height, 0, X.CopyFromParent, background_pixel=int(given.colour, 16), event_mask=MASK
    )
    utf8 = connection.intern_atom("UTF8_STRING")
    window.change_property(connection.intern_atom("_NET_WM_NAME"), utf8, 8, given.title.encode())
    window.set_wm_name("a plain name")
    window.set_wm_class("notepad", "Notepad")
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition)
    closing = connection.intern_atom("WM_DELETE_WINDOW")
    window.set_wm_protocols([closing])
    window.map()
    while True:
        event = connection.next_event()
        if event.type in (X.KeyPress, X.KeyRelease):
            say(
                kind="down" if event.type == X.KeyPress else "up",
                keysym=connection.keycode_to_keysym(event.detail, 1 if event.state & X.ShiftMask else 0),
                state=event.state & 0xFF,
            )
        elif event.type in (X.ButtonPress, X.ButtonRelease):
            kind = "press" if event.type == X.ButtonPress else "release"
            say(kind=kind, button=event.detail, x=event.root_x, y=event.root_y)
        elif event.type == X.MotionNotify:
            say(kind="move", x=event.root_x, y=event.root_y)
        elif event.type == X.Expose and event.count == 0:
            say(kind="shown")
        elif event.type == X.MappingNotify:
            connection.refresh_keyboard_mapping(event)
        elif event.type == X.ClientMessage and event.data[1][0] == closing and not given.stubborn:
            return


if __name__ == "__main__":
    main()

"""A program that owns a selection, or reads one into a file, in pieces (INCR) where the content is large.

holder.py own SELECTION TARGET FILE      offer the file's content until killed
holder.py read SELECTION TARGET FILE     write the selection's content into the file
"""

import os
import sys
from typing import Any, cast

from Xlib import X, display
from Xlib.protocol import event

PIECE = 100_000


def main() -> None:
    what, selection, target, file = sys.argv[1:]
    connection = display.Display()
    window = connection.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    names = {name: connection.intern_atom(name) for name in (selection, target, "TARGETS", "INCR", "HERE")}
    if what == "own":
        own(connection, window, names, selection, target, file)
    else:
        read(connection, window, names, selection, target, file)


def own(connection: Any, window: Any, names: dict[str, int], selection: str, target: str, file: str) -> None:
    with open(file, "rb") as source:
        data = source.read()
    window.set_selection_owner(names[selection], X.CurrentTime)
    unsent, place, to = b"", 0, cast(Any, None)
    while True:
        happened = connection.next_event()
        if happened.type == X.SelectionRequest:
            to, place = happened.requestor, happened.property
            if happened.target == names["TARGETS"]:
                to.change_property(place, connection.intern_atom("ATOM"), 32, [names["TARGETS"], names[target]])
            elif happened.target != names[target]:
                place = 0
            elif len(data) <= PIECE:
                to.change_property(place, happened.target, 8, data)
            else:
                unsent = data
                to.change_attributes(event_mask=X.PropertyChangeMask)
                to.change_property(place, names["INCR"], 32, [len(data)])
            answer = event.SelectionNotify(
                time=happened.time,
                requestor=to.id,
                selection=happened.selection,
                target=happened.target,
                property=place,
            )
            to.send_event(answer)
        elif happened.type == X.PropertyNotify and happened.state == X.PropertyDelete and to and happened.window == to:
            if place == happened.atom and data and len(data) > PIECE:
                to.change_property(place, names[target], 8, unsent[:PIECE])
                place = place if unsent else 0
                unsent = unsent[PIECE:]
        connection.flush()


def read(connection: Any, window: Any, names: dict[str, int], selection: str, target: str, file: str) -> None:
    window.convert_selection(names[selection], names[target], names["HERE"], X.CurrentTime)
    data, is_incremental = b"", False
    while True:
        happened = connection.next_event()
        if happened.type == X.SelectionNotify:
            assert happened.property, "refused"
            got = window.get_full_property(names["HERE"], X.AnyPropertyType)
            is_incremental = got.property_type == names["INCR"]
            window.delete_property(names["HERE"])
            connection.flush()
            if not is_incremental:
                data = bytes(got.value)
                break
        elif is_incremental and happened.type == X.PropertyNotify and happened.state == X.PropertyNewValue:
            got = window.get_full_property(names["HERE"], X.AnyPropertyType)
            window.delete_property(names["HERE"])
            connection.flush()
            if not got.value:
                break
            data += bytes(got.value)
    with open(file + ".part", "wb") as out:
        out.write(data)
    os.rename(file + ".part", file)


if __name__ == "__main__":
    main()

"""Key names as people and web pages write them, as X keysyms: pure tables, no display."""

import unicodedata
from collections.abc import Iterator

from belljar.box.display.x11.keysyms import keysym_of_character, keysym_of_name

# Names of the web (KeyboardEvent.key and .code) and of everyday speech, in lower case; X's own names are tried first.
_ALIASES = {
    "enter": "Return",
    "return": "Return",
    "numpadenter": "KP_Enter",
    "esc": "Escape",
    "escape": "Escape",
    "tab": "Tab",
    "backspace": "BackSpace",
    "delete": "Delete",
    "del": "Delete",
    "insert": "Insert",
    "ins": "Insert",
    "home": "Home",
    "end": "End",
    "space": "space",
    "spacebar": "space",
    "pageup": "Page_Up",
    "pagedown": "Page_Down",
    "pgup": "Page_Up",
    "pgdn": "Page_Down",
    "arrowleft": "Left",
    "arrowright": "Right",
    "arrowup": "Up",
    "arrowdown": "Down",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
    "control": "Control_L",
    "ctrl": "Control_L",
    "controlleft": "Control_L",
    "controlright": "Control_R",
    "shift": "Shift_L",
    "shiftleft": "Shift_L",
    "shiftright": "Shift_R",
    "alt": "Alt_L",
    "option": "Alt_L",
    "altleft": "Alt_L",
    "altright": "Alt_R",
    "altgraph": "ISO_Level3_Shift",
    "altgr": "ISO_Level3_Shift",
    "meta": "Super_L",
    "super": "Super_L",
    "cmd": "Super_L",
    "command": "Super_L",
    "win": "Super_L",
    "windows": "Super_L",
    "os": "Super_L",
    "metaleft": "Super_L",
    "metaright": "Super_R",
    "capslock": "Caps_Lock",
    "numlock": "Num_Lock",
    "scrolllock": "Scroll_Lock",
    "printscreen": "Print",
    "pause": "Pause",
    "contextmenu": "Menu",
    "menu": "Menu",
    "help": "Help",
    "minus": "minus",
    "equal": "equal",
    "comma": "comma",
    "period": "period",
    "slash": "slash",
    "backslash": "backslash",
    "semicolon": "semicolon",
    "quote": "apostrophe",
    "backquote": "grave",
    "bracketleft": "bracketleft",
    "bracketright": "bracketright",
    "numpadadd": "KP_Add",
    "numpadsubtract": "KP_Subtract",
    "numpadmultiply": "KP_Multiply",
    "numpaddivide": "KP_Divide",
    "numpaddecimal": "KP_Decimal",
    "audiovolumeup": "XF86AudioRaiseVolume",
    "audiovolumedown": "XF86AudioLowerVolume",
    "audiovolumemute": "XF86AudioMute",
    "mediaplaypause": "XF86AudioPlay",
    "browserback": "XF86Back",
    "browserforward": "XF86Forward",
    "browserrefresh": "XF86Refresh",
} | {f"f{number}": f"F{number}" for number in range(1, 36)}

# The control characters that have a key.
_CONTROLS = {"\n": "Return", "\r": "Return", "\t": "Tab", "\b": "BackSpace", "\x1b": "Escape", "\x7f": "Delete"}


class UnknownKey(ValueError):
    """No key has this name, or no key types this character."""


def parse_combination(text: str) -> list[str]:
    """`ctrl+shift+a` in its parts; a `+` at the end of a combination is the plus key."""
    if not text.strip():
        raise UnknownKey("key must not be empty")
    if text == "+":
        return ["plus"]
    if text.endswith("++"):
        return [*parse_combination(text[:-2]), "plus"]
    parts = text.split("+")
    if not all(part.strip() for part in parts):
        raise UnknownKey(f"{text!r} is no key combination")
    return parts


def keysym_of_key(name: str) -> int:
    """The keysym of one key: X's name, a web name in any case, or the character itself."""
    if len(name) == 1:
        return keysym_of_text(name)
    found = keysym_of_name(name)
    if found is None:
        found = keysym_of_name(_ALIASES.get(name.lower(), "")) or _by_web_code(name)
    if found is None and name.islower():
        found = keysym_of_name(name.capitalize())
    if found is None:
        raise UnknownKey(f"no key is called {name!r}")
    return found


def keysym_of_text(character: str) -> int:
    """The keysym that types `character`."""
    if character in _CONTROLS:
        return keysym_of_key(_CONTROLS[character])
    if unicodedata.category(character) in ("Cc", "Cs"):
        raise UnknownKey(f"no key types the character U+{ord(character):04X}")
    return keysym_of_character(character)


def keysyms_of_text(text: str) -> Iterator[int]:
    """The keysyms that type `text`; a newline is one Return, however it is written."""
    for character in text.replace("\r\n", "\n"):
        yield keysym_of_text(character)


def keycode_of_number(name: str) -> int | None:
    """`38`: a keycode, as the reference has it.  A single digit is the key of that digit."""
    if len(name) >= 2 and name.isascii() and name.isdecimal() and 8 <= int(name) <= 255:
        return int(name)
    return None


def _by_web_code(name: str) -> int | None:
    """`KeyA`, `Digit1`, `Numpad5`."""
    for prefix, keysym in (("Key", "{}"), ("Digit", "{}"), ("Numpad", "KP_{}")):
        rest = name.removeprefix(prefix)
        if rest != name and len(rest) == 1 and rest.isalnum():
            return keysym_of_name(keysym.format(rest.lower()))
    return None

"""The keys of a US keyboard: what each is called, where it lies, and what it types."""

from dataclasses import dataclass

from belljar.problems import InvalidRequest

ALT, CONTROL, META, SHIFT = 1, 2, 4, 8
MODIFIERS = {"Alt": ALT, "Control": CONTROL, "Meta": META, "Shift": SHIFT}
_SYNONYMS = {
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "controlormeta": "Control",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "ins": "Insert",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "spacebar": " ",
    "space": " ",
    "plus": "+",
}


@dataclass(frozen=True)
class Key:
    """`code` is the place on the keyboard, `key` what it means, `text` what it types; location as in DOM events."""

    code: str
    key: str
    key_code: int
    text: str = ""
    location: int = 0
    needs_shift: bool = False

    @property
    def modifier(self) -> int:
        """The bit this key sets while it is down."""
        return MODIFIERS.get(self.key, 0)


def _printable() -> dict[str, Key]:
    keys = {" ": Key("Space", " ", 32, " ")}
    for letter in "abcdefghijklmnopqrstuvwxyz":
        code, number = f"Key{letter.upper()}", ord(letter.upper())
        keys[letter] = Key(code, letter, number, letter)
        keys[letter.upper()] = Key(code, letter.upper(), number, letter.upper(), needs_shift=True)
    for digit, shifted in zip("1234567890", "!@#$%^&*()", strict=True):
        keys[digit] = Key(f"Digit{digit}", digit, ord(digit), digit)
        keys[shifted] = Key(f"Digit{digit}", shifted, ord(digit), shifted, needs_shift=True)
    signs = {
        "Minus": ("-", "_", 189),
        "Equal": ("=", "+", 187),
        "BracketLeft": ("[", "{", 219),
        "BracketRight": ("]", "}", 221),
        "Backslash": ("\\", "|", 220),
        "Semicolon": (";", ":", 186),
        "Quote": ("'", '"', 222),
        "Backquote": ("`", "~", 192),
        "Comma": (",", "<", 188),
        "Period": (".", ">", 190),
        "Slash": ("/", "?", 191),
    }
    for code, (plain, shifted, number) in signs.items():
        keys[plain] = Key(code, plain, number, plain)
        keys[shifted] = Key(code, shifted, number, shifted, needs_shift=True)
    return keys


def _named() -> dict[str, Key]:
    numbers = {
        "Backspace": 8,
        "Tab": 9,
        "Escape": 27,
        "PageUp": 33,
        "PageDown": 34,
        "End": 35,
        "Home": 36,
        "ArrowLeft": 37,
        "ArrowUp": 38,
        "ArrowRight": 39,
        "ArrowDown": 40,
        "PrintScreen": 44,
        "Insert": 45,
        "Delete": 46,
        "ContextMenu": 93,
        "Pause": 19,
        "CapsLock": 20,
        "NumLock": 144,
        "ScrollLock": 145,
    }
    keys = {name: Key(name, name, number) for name, number in numbers.items()}
    keys |= {f"F{n}": Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 25)}
    keys["Enter"] = Key("Enter", "Enter", 13, "\r")
    keys["NumpadEnter"] = Key("NumpadEnter", "Enter", 13, "\r", location=3)
    for name, number in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91)):
        keys[name] = keys[f"{name}Left"] = Key(f"{name}Left", name, number, location=1)
        keys[f"{name}Right"] = Key(f"{name}Right", name, number + (name == "Meta"), location=2)
    for digit in "0123456789":
        keys[f"Numpad{digit}"] = Key(f"Numpad{digit}", digit, 96 + int(digit), digit, location=3)
    for name, sign, number in (("Add", "+", 107), ("Subtract", "-", 109), ("Multiply", "*", 106), ("Divide", "/", 111)):
        keys[f"Numpad{name}"] = Key(f"Numpad{name}", sign, number, sign, location=3)
    keys["AltGraph"] = Key("AltRight", "AltGraph", 225, location=2)
    keys["IntlBackslash"] = Key("IntlBackslash", "\\", 226, "\\")
    keys["NumpadDecimal"] = Key("NumpadDecimal", ".", 110, ".", location=3)
    return keys


PRINTABLE = _printable()
_NAMED = _named()
# What a character in a text to type is struck as.
TYPED = PRINTABLE | {"\n": _NAMED["Enter"], "\r": _NAMED["Enter"], "\t": _NAMED["Tab"]}
_BY_NAME = PRINTABLE | _NAMED
# Places on the keyboard are names too: `KeyA`, `Digit1`.
_BY_NAME |= {key.code: key for key in PRINTABLE.values() if not key.needs_shift}
_FOLDED = {name.lower(): key for name, key in _BY_NAME.items() if len(name) > 1}


def find_key(name: str) -> Key | None:
    """By name, in any case where it is longer than a letter, or by one of the usual synonyms."""
    return _BY_NAME.get(name) or _FOLDED.get(name.lower()) or _BY_NAME.get(_SYNONYMS.get(name.lower(), ""))


def is_named(key: str) -> bool:
    """Whether DOM calls a key so that types no text: `Enter`, `F5`, `Shift`."""
    known = _NAMED.get(key)
    return known is not None and known.key == key


def parse_chord(text: str) -> tuple[list[Key], Key]:
    """`Control+Shift+a` as the modifiers and the key.  Raises `InvalidRequest`; `+` alone, and last, is the sign."""
    *before, last = text[:-1].split("+") + ["+"] if text.endswith("+") else text.split("+")
    names = [name for name in (*before, last) if name]
    keys = [find_key(name.strip() or " ") for name in names]
    for name, key in zip(names, keys, strict=True):
        if key is None:
            raise InvalidRequest(
                f"There is no key {name!r}. Keys are a character or a name such as Enter, ArrowDown, F5."
            )
    found = [key for key in keys if key is not None]
    if not found or any(not key.modifier for key in found[:-1]):
        raise InvalidRequest("Only Alt, Control, Meta and Shift can be held with another key, as in Control+Shift+a.")
    return found[:-1], found[-1]


def shifted(key: Key) -> Key:
    """What the same place on the keyboard gives with Shift."""
    return next((other for other in PRINTABLE.values() if other.code == key.code and other.needs_shift), key)


def virtual_key(key: str, code: str) -> int:
    """The number that pages read as `keyCode` and Chromium's shortcuts go by, of a key of any layout.

    DOM's `key` says it where that is a name, its place where it is a character; 0 for a key that has none.
    """
    known = (_NAMED.get(key) if len(key) > 1 else None) or _BY_NAME.get(code) or _BY_NAME.get(key)
    return known.key_code if known is not None else 0

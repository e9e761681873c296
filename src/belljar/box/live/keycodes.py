"""Windows' virtual key codes, which pages read as `keyCode` and Chromium's shortcuts go by."""

_NAMED = {
    "Backspace": 8,
    "Tab": 9,
    "Enter": 13,
    "Shift": 16,
    "Control": 17,
    "Alt": 18,
    "Pause": 19,
    "CapsLock": 20,
    "Escape": 27,
    " ": 32,
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
    "Meta": 91,
    "ContextMenu": 93,
    "NumLock": 144,
    "ScrollLock": 145,
    "AltGraph": 225,
}
# Keys of a US keyboard by their place, for what is neither letter nor digit.
_PLACES = {
    "Semicolon": 186,
    "Equal": 187,
    "Comma": 188,
    "Minus": 189,
    "Period": 190,
    "Slash": 191,
    "Backquote": 192,
    "BracketLeft": 219,
    "Backslash": 220,
    "BracketRight": 221,
    "Quote": 222,
    "IntlBackslash": 226,
    "NumpadMultiply": 106,
    "NumpadAdd": 107,
    "NumpadSubtract": 109,
    "NumpadDecimal": 110,
    "NumpadDivide": 111,
}


def virtual_key(key: str, code: str) -> int:
    """The code for DOM's `key` and `code`; 0 for a key that has none."""
    if key in _NAMED:
        return _NAMED[key]
    if code in _PLACES:
        return _PLACES[code]
    if code.startswith("Key") and len(code) == 4:
        return ord(code[3])
    if code.startswith("Digit") and len(code) == 6:
        return ord(code[5])
    if code.startswith("Numpad") and code[6:].isdecimal():
        return 96 + int(code[6:]) % 10
    if key.startswith("F") and key[1:].isdecimal() and 1 <= int(key[1:]) <= 24:
        return 111 + int(key[1:])
    return ord(key.upper()) if len(key) == 1 and key.isascii() and key.isalnum() else 0

"""AT-SPI's states, which travel as bits."""

from collections.abc import Sequence

_NAMES = (
    "invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable focused "
    "has-tooltip horizontal iconified modal multi-line multiselectable opaque pressed resizable selectable selected "
    "sensitive showing single-line stale transient vertical visible manages-descendants indeterminate required "
    "truncated animated invalid-entry supports-autocompletion selectable-text is-default visited checkable has-popup "
    "read-only"
).split()


def state_names(words: Sequence[int]) -> list[str]:
    """The names of the bits that are set in two 32-bit words."""
    bits = sum(word << (32 * index) for index, word in enumerate(words))
    return [name for number, name in enumerate(_NAMES) if bits >> number & 1]

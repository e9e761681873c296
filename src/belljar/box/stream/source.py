"""`FrameSource`: what the hub needs of something that can be watched."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from belljar.box.stream.picture import Picture

# Hands a picture to the viewers; returns when the fastest of them has taken it.
Deliver = Callable[[Picture], Awaitable[None]]


@dataclass
class Wishes:
    """How the viewers would like their pictures just now.  The hub changes it while a source runs."""

    quality: int = 70
    max_width: int = 1920
    max_height: int = 1080


class FrameSource(Protocol):
    """Something that changes and can be looked at: a tab, a display.

    `show` is called when the first viewer comes and cancelled when the last has gone; nobody calls it twice at a
    time.  It delivers a picture at once, so that a viewer of something still sees it, and from then on whenever
    something has changed: nothing is captured or encoded while nothing moves.

    `deliver` is what sets the pace.  It returns when the fastest viewer has taken the picture, and a source makes
    no more than one further picture before that; what changes meanwhile is seen in the next one.  Viewers that are
    slower skip pictures, which is no concern of the source.

    A source looks at `wishes` before each picture, or as often as its own nature allows.

    It may show one thing after another (the active tab, whichever that is) and may find nothing to show for a
    while; it then waits and shows what comes.  `show` raises only when it is broken, and is then called again a
    moment later.  Cancelling it ends whatever it had started.
    """

    async def show(self, deliver: Deliver, wishes: Wishes) -> None: ...

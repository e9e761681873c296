"""Where a caller's JavaScript may run: one rule for every surface that takes some."""

from belljar.box.browser.frames import World
from belljar.problems.evaluate import EvaluateDisabled
from belljar.wire.isolation import Evaluate


def world_for(evaluate: Evaluate) -> World:
    """Raises `EvaluateDisabled`."""
    if evaluate is Evaluate.OFF:
        raise EvaluateDisabled
    return World.ISOLATED if evaluate is Evaluate.ISOLATED else World.MAIN

import pytest

from belljar.limits import TooDeep, check_json_depth


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = {"a": [value]}
    return value


def test_a_deeply_nested_value_is_refused_without_recursion() -> None:
    with pytest.raises(TooDeep):
        check_json_depth(nested(50_000))


def test_ordinary_nesting_passes() -> None:
    check_json_depth(nested(20))
    check_json_depth("plain")

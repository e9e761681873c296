"""Whom a token belongs to."""

from belljar.tokens import Keys, Role, cookie_name
from belljar.wire.sessions import TokenRole


def test_a_minted_token_is_good_until_its_time_and_after_a_restart() -> None:
    keys = Keys("the-operators", "box")
    token, said = keys.mint(TokenRole.DRIVE, "Ann", 60)
    for server in (keys, Keys("the-operators", "box")):
        caller = server.caller(token)
        assert caller is not None
        assert (caller.role, caller.id) == (Role.DRIVE, "Ann")
        assert caller.expires_at is not None and abs(caller.expires_at - said.expires_at) <= 1
    assert keys.caller(keys.mint(TokenRole.DRIVE, "Ann", -5)[0]) is None
    assert Keys("another", "box").caller(token) is None
    assert Keys("the-operators", "box-2").caller(token) is None


def test_without_a_token_asked_for_a_minted_one_still_means_its_role() -> None:
    keys = Keys(None)
    anyone, watcher = keys.caller(None), keys.caller(keys.mint(TokenRole.VIEW, "Ann", 60)[0])
    assert anyone is not None and anyone.role is Role.OPERATOR
    assert watcher is not None and watcher.role is Role.VIEW


def test_a_cookies_name_holds_nothing_a_cookie_may_not() -> None:
    assert cookie_name("box-1") == "belljar_box-1"
    assert cookie_name("a=b; c") == "belljar_a_b__c"


def test_a_one_time_token_opens_one_socket_and_nothing_else() -> None:
    keys = Keys("the-operators", "box")
    token, _ = keys.mint_once(TokenRole.DRIVE, "Ann", 60)
    other, _ = keys.mint_once(TokenRole.VIEW, "Bob", 60)
    assert keys.caller(token) is None
    caller = keys.spend(token)
    # What it opened does not end with it.
    assert caller is not None and (caller.role, caller.id, caller.expires_at) == (Role.DRIVE, "Ann", None)
    assert keys.spend(token) is None
    after_restart = Keys("the-operators", "box")
    assert after_restart.spend(other) is None
    assert keys.spend(keys.mint_once(TokenRole.DRIVE, "Ann", -5)[0]) is None
    operator = keys.spend("the-operators")
    assert operator is not None and operator.role is Role.OPERATOR

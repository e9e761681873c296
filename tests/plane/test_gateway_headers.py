"""Which headers go on to a box or another control plane, and which come back."""

import pytest

from belljar.plane.addresses import Public
from belljar.plane.gateway.headers import Pairs, forwarded, returned, unchanged

PUBLIC = Public("https", "belljar.example", "/here")
CREDENTIALS: Pairs = [(b"authorization", b"Bearer t"), (b"cookie", b"belljar_x=t; a=b"), (b"origin", b"https://x")]
# Nothing of these is for anyone but the two ends of one connection.
OF_THE_CONNECTION: Pairs = [
    (b"connection", b"keep-alive, X-Own, content-length, Transfer-Encoding, host, authorization, belljar-caller"),
    (b"x-own", b"1"),
    (b"content-length", b"5"),
    (b"transfer-encoding", b"chunked"),
    (b"expect", b"100-continue"),
    (b"te", b"trailers"),
    (b"trailer", b"x"),
    (b"upgrade", b"h2c"),
    (b"keep-alive", b"timeout=5"),
    (b"proxy-authorization", b"x"),
    (b"sec-websocket-key", b"x"),
    (b"belljar-caller", b"operator; root"),
    (b"x-forwarded-for", b"evil"),
    (b"x-forwarded-prefix", b"/evil"),
]


def test_a_box_gets_neither_a_credential_nor_anything_of_the_connection() -> None:
    given = [(b"host", b"evil"), *CREDENTIALS, *OF_THE_CONNECTION, (b"accept", b"*/*")]
    assert forwarded(given, PUBLIC) == [(b"accept", b"*/*"), (b"cookie", b"a=b"), (b"host", b"belljar.example")]


@pytest.mark.parametrize("client", ["192.0.2.1", None])
def test_a_peer_gets_the_credential_to_judge_again_and_no_caller(client: str | None) -> None:
    given = [(b"host", b"belljar.example"), *CREDENTIALS, *OF_THE_CONNECTION]
    told = [(b"x-forwarded-proto", b"https"), (b"x-forwarded-host", b"belljar.example")]
    told += [(b"x-forwarded-prefix", b"/here")] + ([(b"x-forwarded-for", b"192.0.2.1")] if client else [])
    assert unchanged({"headers": given}, PUBLIC, client) == [(b"host", b"belljar.example"), *CREDENTIALS, *told]


def test_a_token_in_a_subprotocol_becomes_one_for_a_peer_where_there_is_no_other() -> None:
    offered = {"subprotocols": ["belljar", "belljar.bearer.s", "belljar.bearer.u"]}
    for headers, token in (([], b"Bearer s"), (CREDENTIALS, b"Bearer t")):
        found = unchanged({"headers": headers, **offered}, PUBLIC, None)
        assert [value for name, value in found if name == b"authorization"] == [token]


def test_what_comes_back_is_framed_anew() -> None:
    given = [(b"connection", b"x-own"), (b"x-own", b"1"), (b"transfer-encoding", b"chunked"), (b"x-a", b"b")]
    assert returned(given, is_viewer=True) == [(b"x-a", b"b")]
    assert returned(given, is_viewer=False) == [(b"x-a", b"b"), (b"content-security-policy", b"sandbox")]

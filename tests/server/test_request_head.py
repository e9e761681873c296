"""Which heads are refused because they can be read in two ways."""

import pytest

from belljar.problems import InvalidRequest
from belljar.server.http1 import check_handshake, check_head, check_path

HOST = (b"host", b"localhost")


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ([HOST, HOST], "more than one Host"),
        ([HOST, (b"authorization", b"a"), (b"authorization", b"a")], "more than one Authorization"),
        ([HOST, (b"belljar-caller", b"a"), (b"belljar-caller", b"b")], "more than one Belljar-Caller"),
        ([HOST, (b"content-length", b"1"), (b"content-length", b"1")], "more than one Content-Length"),
        ([HOST, (b"transfer-encoding", b"chunked"), (b"transfer-encoding", b"chunked")], "more than one Transfer"),
        ([HOST, (b"transfer-encoding", b"chunked"), (b"content-length", b"1")], "chunked alone"),
        ([HOST, (b"transfer-encoding", b"gzip, chunked")], "chunked alone"),
        ([HOST, (b"content-length", b"+1")], "not a number"),
        ([HOST, (b"content-length", b"1" * 5_000)], "not a number"),
        ([HOST, (b"content-length", b"")], "not a number"),
        ([HOST, (b"content-length", b"5"), (b"upgrade", b"x")], "has no body"),
        ([], "no Host"),
    ],
)
def test_headers_that_contradict_each_other(headers: list[tuple[bytes, bytes]], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        check_head("1.1", b"/", headers)


@pytest.mark.parametrize(
    "headers",
    [
        [HOST],
        [HOST, (b"cookie", b"a"), (b"cookie", b"b"), (b"x-a", b""), (b"x-a", b"")],
        [HOST, (b"content-length", b"007")],
        [HOST, (b"transfer-encoding", b" Chunked ")],
        [HOST, (b"content-length", b"0"), (b"upgrade", b"websocket")],
    ],
)
def test_headers_that_do_not(headers: list[tuple[bytes, bytes]]) -> None:
    assert check_head("1.1", b"/a?b", headers) == b"/a?b"


def test_an_older_client_names_no_host_and_sends_no_chunks() -> None:
    assert check_head("1.0", b"/", []) == b"/"
    with pytest.raises(InvalidRequest):
        check_head("1.0", b"/", [(b"transfer-encoding", b"chunked")])
    with pytest.raises(InvalidRequest, match=r"HTTP/1\.1"):
        check_head("2.0", b"/", [HOST])


@pytest.mark.parametrize(
    ("target", "asked"),
    [
        (b"/s/1/x?y=%2f../", b"/s/1/x?y=%2f../"),
        (b"http://localhost/a/b?c", b"/a/b?c"),
        (b"HTTPS://LocalHost/", b"/"),
    ],
)
def test_what_is_asked_for(target: bytes, asked: bytes) -> None:
    assert check_head("1.1", target, [HOST]) == asked


@pytest.mark.parametrize(
    "target",
    [b"*", b"localhost:1", b"", b"http://other/", b"http://localhost", b"http://u@localhost/", b"//localhost/"]
    + [b"/a#b", b"/a b", b"/\xc3\xa4", b"/a\x7f", b"ftp://localhost/"],
)
def test_targets_that_name_no_path_of_ours(target: bytes) -> None:
    with pytest.raises(InvalidRequest):
        check_head("1.1", target, [HOST])


@pytest.mark.parametrize(
    "path",
    [b"/a%2fb", b"/a%2Fb", b"/a%5cb", b"/a\\b", b"/.", b"/..", b"/a/./b", b"/a/../b", b"/%2e", b"/%2E%2e/a", b"/.%2e/a"]
    + [b"/%00", b"/a%0d%0ab", b"/%7f", b"/%252f", b"/%25252F", b"/%255c", b"/%252e", b"/%2500", b"/%", b"/%zz", b"/%f"]
    + [b"/%ff", b"/%c0%af", b"/%e2%28%a1"],
)
def test_paths_that_can_be_read_in_two_ways(path: bytes) -> None:
    with pytest.raises(InvalidRequest):
        check_path(path)


@pytest.mark.parametrize(
    "path",
    [
        b"/",
        b"/a/b",
        b"/a%20b",
        b"/%c3%a4",
        b"/.hidden",
        b"/a..b",
        b"/...",
        b"/100%25",
        b"/50%25off",
        b"/a%3Fb%23",
        b"/a;b",
    ],
)
def test_paths_that_cannot(path: bytes) -> None:
    check_path(path)


KEY, VERSION = (b"sec-websocket-key", b"dGhlIHNhbXBsZSBub25jZQ=="), (b"sec-websocket-version", b"13")


def test_a_websocket_opens_in_one_way() -> None:
    check_handshake("1.1", "GET", [HOST, KEY, VERSION])
    old = (b"sec-websocket-version", b"8")
    for version, method, headers in (
        ("1.0", "GET", [KEY, VERSION]),
        ("1.1", "POST", [KEY, VERSION]),
        ("1.1", "GET", [VERSION]),
        ("1.1", "GET", [KEY, KEY, VERSION]),
        ("1.1", "GET", [KEY]),
        ("1.1", "GET", [KEY, old]),
    ):
        with pytest.raises(InvalidRequest, match="WebSocket opens with GET"):
            check_handshake(version, method, headers)

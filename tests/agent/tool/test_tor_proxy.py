"""`tor_proxy` as it is read and checked, without a browser."""

import socket
import threading

import pytest

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.tor import Tor, is_only_way_out, loopback_only, read_tor
from belljar.egress.policy.file import parse_policy
from belljar.egress.policy.policy import Request, Scheme


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
def test_both_schemes_mean_the_same(scheme: str) -> None:
    assert read_tor(f"{scheme}://127.0.0.1:9050") == Tor("127.0.0.1", 9050)
    assert read_tor(f"{scheme}://tor") == Tor("tor", 9050)


@pytest.mark.parametrize(
    "proxy", ["http://127.0.0.1:9050", "127.0.0.1:9050", "socks4://x", "socks5://", "socks5://x:y"]
)
def test_what_cannot_be_honoured_is_refused(proxy: str) -> None:
    with pytest.raises(ToolFailure, match="cannot be honoured"):
        read_tor(proxy)


def test_its_policy_knows_no_other_way_out() -> None:
    policy = parse_policy(read_tor("socks5://u:p%40ss@127.0.0.1:9050").policy())
    assert policy.upstreams["tor"].password == "p@ss"
    for host in ("example.com", "abc.onion"):
        decision = policy.decide(Request(Scheme.TUNNEL, host, 443))
        assert (decision.is_allowed, decision.upstream) == (True, "tor")
    assert not policy.decide(Request(Scheme.HTTP, "localhost", 80), ()).is_allowed


def test_what_would_go_out_directly_is_refused() -> None:
    assert loopback_only(["localhost:3000", "127.0.0.1:80"]) == ("localhost:3000", "127.0.0.1:80")
    for target in ("example.com", "localhost.example.com", "127.example.com:80", "127.0.0.0/4", "10.0.0.1"):
        with pytest.raises(ToolFailure, match="be reached directly"):
            loopback_only([target])


UPSTREAM = "upstream tor socks5h://127.0.0.1:9050\n"


@pytest.mark.parametrize(
    ("policy", "allow", "is_only"),
    [
        (read_tor("socks5://127.0.0.1:9050").policy(), [], True),
        (f"{UPSTREAM}deny * except a.example\nallow localhost:3000\nallow *.onion via tor # all", ["[::1]:80"], True),
        (f"{UPSTREAM}allow * via tor", ["example.com"], False),
        (f"{UPSTREAM}allow * via tor\nuse public", [], False),
        (f"{UPSTREAM}allow *.onion via tor\nallow example.com port 443", [], False),
        (f"{UPSTREAM}allow example.com # via tor", [], False),
        (f"{UPSTREAM}upstream b http://127.0.0.1:9050\nallow * via b", [], False),
        ("upstream tor socks5://127.0.0.1:9051\nallow * via tor", [], False),
        ("public", [], False),
        ("none", [], False),
    ],
)
def test_a_running_boxes_policy_must_know_no_other_way_out(policy: str, allow: list[str], is_only: bool) -> None:
    assert is_only_way_out(Tor("127.0.0.1", 9050), policy, allow) is is_only


def test_a_proxy_that_is_not_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ToolFailure, match="cannot be reached"):
        Tor("127.0.0.1", port).check()


def test_what_is_no_proxy_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with server.accept()[0] as connection:
                connection.recv(10)
                connection.sendall(b"HT")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ToolFailure, match="no SOCKS 5 proxy"):
            Tor("127.0.0.1", server.getsockname()[1]).check()
        thread.join(5)

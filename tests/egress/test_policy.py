"""Tables of what policies decide."""

from ipaddress import ip_address

import pytest

from belljar.egress.policy.addresses import LOOPBACK, parse_host
from belljar.egress.policy.file import (
    BadPolicy,
    check_public,
    loosened,
    parse_policy,
    parse_upstream,
    redacted,
    restricted,
)
from belljar.egress.policy.policy import Decision, Policy, Request, Scheme, Verdict, is_tightening

# What the names of these tables resolve to.
NAMES = {
    "site.example": ("93.184.216.34",),
    "www.site.example": ("93.184.216.35", "2606:2800::1"),
    "private.example": ("10.1.2.3",),
    "both.example": ("93.184.216.34", "10.1.2.3"),
    "meta.example": ("169.254.169.254",),
    "mapped.example": ("::ffff:192.168.0.1",),
    "nowhere.example": (),
}


def decided(policy: Policy, host: str, port: int = 443, scheme: Scheme = Scheme.TUNNEL) -> Decision:
    """As the gate asks: once, and again with every address when the policy wants them."""
    request = Request(scheme, parse_host(host), port)
    decision = policy.decide(request)
    if decision.verdict is Verdict.RESOLVE:
        addresses = LOOPBACK if host == "localhost" else tuple(ip_address(text) for text in NAMES[host])
        decision = policy.decide(request, addresses)
    return decision


@pytest.mark.parametrize(
    ("policy", "host", "port", "allowed"),
    [
        ("public", "site.example", 443, True),
        ("public", "site.example", 1, True),
        ("public", "93.184.216.34", 80, True),
        ("public", "private.example", 443, False),
        ("public", "both.example", 443, False),
        ("public", "mapped.example", 443, False),
        ("public", "meta.example", 80, False),
        ("public", "nowhere.example", 80, False),
        ("public", "localhost", 80, False),
        ("public", "127.0.0.1", 80, False),
        ("public", "0x7f.1", 80, False),
        ("public", "10.0.0.1", 80, False),
        ("public", "[::ffff:10.0.0.1]", 80, False),
        ("public", "169.254.169.254", 80, False),
        ("public", "168.63.129.16", 80, False),
        ("open", "private.example", 443, True),
        ("open", "both.example", 443, True),
        ("open", "localhost", 80, True),
        ("open", "10.0.0.1", 80, True),
        ("open", "169.254.169.254", 80, False),
        ("open", "meta.example", 80, False),
        ("open", "metadata.google.internal", 80, False),
        ("none", "site.example", 443, False),
        ("none", "93.184.216.34", 443, False),
        ("", "site.example", 443, False),
        ("allow site.example", "site.example", 443, True),
        ("allow site.example", "www.site.example", 443, False),
        ("allow *.site.example", "www.site.example", 443, True),
        ("allow *.site.example", "site.example", 443, False),
        ("allow SITE.example.", "site.example", 443, True),
        ("allow site.example:8443", "site.example", 443, False),
        ("allow site.example port 80,400-500", "site.example", 443, True),
        ("allow site.example port 80,400-440", "site.example", 443, False),
        ("deny site.example\nallow *", "site.example", 443, False),
        ("allow *\ndeny site.example", "site.example", 443, True),
        ("allow private.example", "private.example", 443, False),
        ("allow private.example to 10.0.0.0/8", "private.example", 443, True),
        ("allow private.example to 10.9.0.0/16", "private.example", 443, False),
        ("allow private.example\nallow 10.0.0.0/8", "private.example", 443, True),
        ("allow 10.0.0.0/8", "10.5.5.5", 443, True),
        ("allow 10.0.0.0/8", "[::ffff:10.5.5.5]", 443, True),
        ("allow 10.0.0.0/8", "site.example", 443, False),
        ("allow 10.0.0.0/8", "both.example", 443, False),
        ("deny 93.184.216.0/24\nallow *", "site.example", 443, False),
        ("deny 93.184.216.35\nallow *", "www.site.example", 443, False),
        ("deny 93.184.216.35\nallow *", "site.example", 443, True),
        ("deny 2606:2800::/32\nallow *", "www.site.example", 443, False),
        ("allow 169.254.0.0/16", "169.254.169.254", 80, False),
        ("allow 169.254.0.0/16", "169.254.1.1", 80, True),
        ("allow 169.254.169.254", "169.254.169.254", 80, True),
        ("allow 169.254.169.254", "meta.example", 80, True),
        ("allow 169.254.169.254:80", "169.254.169.254", 81, False),
        ("allow localhost:3000", "localhost", 3000, True),
        ("allow localhost:3000", "127.0.0.1", 3000, True),
        ("allow localhost:3000", "2130706433", 3000, True),
        ("allow localhost:3000", "localhost", 3001, False),
        ("allow localhost:3000", "private.example", 3000, False),
        ("allow [::1]:3000", "[::1]", 3000, True),
        ("use public\n", "site.example", 443, True),
        ("deny *.example\nuse open", "private.example", 443, False),
        ("deny * except site.example\nuse public", "site.example", 443, True),
        ("deny * except site.example\nuse public", "www.site.example", 443, False),
        ("deny * except site.example,*.site.example\nuse public", "www.site.example", 443, True),
        ("deny * except site.example\nuse public", "93.184.216.34", 443, False),
        ("deny * except private.example\nuse public", "private.example", 443, False),
        ("deny * except 10.1.2.3\nuse open", "[::ffff:10.1.2.3]", 443, True),
        ("deny * except 10.1.2.3\nuse open", "private.example", 443, False),
        ("deny * except localhost\nuse open", "127.0.0.1", 443, True),
        ("learn", "site.example", 443, True),
        ("learn", "private.example", 443, False),
        ("deny site.example\nlearn", "site.example", 443, False),
    ],
)
def test_policies_decide(policy: str, host: str, port: int, allowed: bool) -> None:
    decision = decided(parse_policy(policy), host, port)
    assert decision.is_allowed is allowed
    assert decision.rule


@pytest.mark.parametrize(
    ("policy", "scheme", "port", "allowed"),
    [
        ("allow site.example scheme https", Scheme.TUNNEL, 443, True),
        ("allow site.example scheme https", Scheme.TUNNEL, 22, False),
        ("allow site.example scheme https", Scheme.HTTP, 443, False),
        ("allow site.example:8443 scheme https", Scheme.TUNNEL, 8443, True),
        ("allow site.example scheme http", Scheme.HTTP, 80, True),
        ("allow site.example scheme http", Scheme.TUNNEL, 80, False),
        ("allow site.example scheme tunnel", Scheme.TUNNEL, 22, True),
    ],
)
def test_a_rule_may_name_the_scheme(policy: str, scheme: Scheme, port: int, allowed: bool) -> None:
    assert decided(parse_policy(policy), "site.example", port, scheme).is_allowed is allowed


def test_allow_flags_come_before_the_policy() -> None:
    policy = parse_policy("public", ("localhost:3000", "10.1.0.0/16"))
    assert decided(policy, "localhost", 3000).rule == "allow localhost:3000"
    assert decided(policy, "private.example").is_allowed
    assert decided(policy, "site.example").rule == "allow *"
    assert not decided(policy, "10.2.0.1").is_allowed


def test_a_refusal_names_the_flag_that_would_admit_it() -> None:
    decision = decided(parse_policy("public"), "localhost", 3000)
    assert decision.rule == "loopback"
    assert "--allow localhost:3000" in decision.reason
    assert decided(parse_policy("public", ("localhost:3000",)), "localhost", 3000).is_allowed
    assert "--allow 127.0.0.1:3000" in decided(parse_policy("public"), "127.0.0.1", 3000).reason
    decision = decided(parse_policy("public"), "private.example", 80)
    assert "--allow 10.1.2.3:80" in decision.reason
    assert decided(parse_policy("public", ("10.1.2.3:80",)), "private.example", 80).is_allowed


TOR = "upstream tor socks5h://127.0.0.1:9050\n"


@pytest.mark.parametrize(
    "policy", ["allow * via tor", "allow 10.0.0.0/8\nallow * via tor", "deny 10.0.0.0/8\nallow * via tor"]
)
def test_names_that_go_upstream_are_never_looked_up(policy: str) -> None:
    for host in ("site.example", "abc.onion"):
        decision = parse_policy(TOR + policy).decide(Request(Scheme.TUNNEL, parse_host(host), 443))
        assert (decision.verdict, decision.upstream) == (Verdict.ALLOW, "tor")


def test_an_upstream_opens_no_private_address() -> None:
    policy = parse_policy(TOR + "allow * via tor")
    for host in ("10.0.0.1", "127.0.0.1", "localhost", "169.254.169.254", "metadata.google.internal"):
        assert not decided(policy, host).is_allowed


def test_an_onion_name_without_tor_is_refused_unresolved() -> None:
    decision = parse_policy("open").decide(Request(Scheme.TUNNEL, "abc.onion", 80))
    assert (decision.verdict, decision.rule) == (Verdict.DENY, "onion")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("allow", 1, "cannot read"),
        ("# fine\n\npermit example.com", 3, "expected allow, deny"),
        ("allow exa mple.com", 1, "wants a value"),
        ("allow exa_mple!.com", 1, "neither a name"),
        ("allow example.com port", 1, "wants a value"),
        ("allow example.com port 0", 1, "not a port"),
        ("allow example.com port 90-80", 1, "ends before"),
        ("allow example.com:80 port 80", 1, "twice"),
        ("allow example.com port 80 port 81", 1, "twice"),
        ("allow example.com scheme ftp", 1, "scheme is http"),
        ("allow example.com colour red", 1, "unknown option"),
        ("deny * except example.com:80", 1, "neither a name nor an address"),
        ("deny * except a.example,", 1, "neither a name nor an address"),
        ("allow 10.0.0.1/8", 1, "not an address range"),
        ("allow 10.0.0.0/33", 1, "not an address range"),
        ("allow 10.0.0.0/8 to 10.0.0.0/8", 1, "a range goes with a name"),
        ("allow *.10.0.0.1", 1, "not a host name"),
        ("allow example.com via tor", 1, "no upstream 'tor'"),
        ("deny example.com\nupstream tor ftp://x", 2, "an upstream is"),
        ("upstream a http://x\nupstream a http://y", 2, "twice"),
        ("upstream a http://x:99999", 1, "not a URL"),
        (TOR + "deny * via tor", 2, "only an allow rule"),
        ("limit rate fast", 1, "not an amount"),
        ("limit rate 0", 1, "not an amount"),
        ("limit colour 5", 1, "unknown limit"),
        ("use everything", 1, "cannot read"),
    ],
)
def test_a_malformed_policy_is_refused_with_line_and_reason(text: str, line: int, words: str) -> None:
    with pytest.raises(BadPolicy) as caught:
        parse_policy(text)
    assert caught.value.line == line
    assert words in str(caught.value)


def test_a_bad_allow_flag_is_refused() -> None:
    for target in ("", "a b", "http://example.com", "x:y"):
        with pytest.raises(BadPolicy):
            parse_policy("public", (target,))


def test_limits_are_read() -> None:
    limits = parse_policy("limit rate 5M\nlimit connection 2g\nlimit connections 20").limits
    assert (limits.bytes_per_second, limits.connection_bytes, limits.connections) == (5 << 20, 2 << 30, 20)


def test_upstream_credentials_are_read_and_never_shown() -> None:
    upstream = parse_upstream("http://us%40er:p%3Ass@proxy.example:3128")
    assert (upstream.username, upstream.password) == ("us@er", "p:ss")
    assert "p:ss" not in repr(upstream)
    text = "upstream corp http://user:secret@proxy.example:3128\nallow * via corp\n"
    assert "secret" not in redacted(text)
    assert "proxy.example:3128" in redacted(text)


@pytest.mark.parametrize(
    ("old", "new", "tighter"),
    [
        ("public", "none", True),
        ("open", "", True),
        ("public", "deny ads.example\nallow *", True),
        ("public", "public", True),
        ("public", "allow *\nlimit rate 1M", True),
        ("limit rate 1M\nallow *", "allow *", False),
        ("public", "open", False),
        ("none", "public", False),
        ("public", "allow 10.0.0.0/8\nallow *", False),
        ("deny ads.example\nallow *", "allow *", False),
        ("public", "learn", False),
    ],
)
def test_what_surely_tightens_a_policy(old: str, new: str, tighter: bool) -> None:
    assert is_tightening(parse_policy(old), parse_policy(new)) is tighter


@pytest.mark.parametrize(
    "known", ["public", "none", "deny ads.example\nuse open\nlimit connections 5", f"{TOR}allow * via tor"]
)
@pytest.mark.parametrize("allow", [(), ("localhost:3000", "10.0.0.0/8")])
def test_a_restricted_policy_is_a_tighter_one(known: str, allow: tuple[str, ...]) -> None:
    text = restricted(known, allow, deny=("site.example",), only=("www.site.example", "10.1.2.3"))
    policy = parse_policy(text)
    assert is_tightening(parse_policy(known, allow), policy)
    assert decided(policy, "site.example").rule == "deny site.example"
    assert not decided(policy, "private.example").is_allowed
    assert restricted(text, (), deny=("site.example",), only=("www.site.example", "10.1.2.3")) == text


@pytest.mark.parametrize(
    "known", ["none", "deny site.example\nallow www.site.example", f"{TOR}deny *.site.example\nallow *.onion via tor"]
)
@pytest.mark.parametrize("allow", [(), ("localhost:3000",)])
def test_a_loosened_policy_allows_what_it_names_and_learns_when_told(known: str, allow: tuple[str, ...]) -> None:
    text = loosened(known, allow, more=("site.example:443",), learn=None)
    policy = parse_policy(text)
    assert decided(policy, "site.example").rule == "allow site.example:443"
    assert not decided(policy, "site.example", 80).is_allowed
    assert decided(policy, "localhost", 3000).is_allowed is bool(allow)
    assert loosened(text, (), more=("site.example:443",), learn=None) == text
    learning = loosened(text, (), more=(), learn=True)
    assert decided(parse_policy(learning), "93.184.216.34").rule == "learn"
    assert not decided(parse_policy(learning), "private.example").is_allowed
    assert loosened(learning, (), more=(), learn=True) == learning
    after = parse_policy(loosened(learning, (), more=(), learn=False))
    assert not after.learns and not decided(after, "93.184.216.34").is_allowed


@pytest.mark.parametrize("target", ["site.example", "*.site.example:443", "93.184.216.34", "[2606:2800::1]:443"])
def test_names_and_public_addresses_are_public(target: str) -> None:
    check_public([target])


@pytest.mark.parametrize(
    "target", ["localhost:3000", "127.0.0.1", "0x7f.1", "10.1.2.3", "[::1]", "169.254.169.254", "168.63.129.16"]
)
def test_other_addresses_are_not(target: str) -> None:
    with pytest.raises(BadPolicy):
        check_public(["site.example", target])


def test_a_long_rule_is_shown_short() -> None:
    hosts = [f"host{number}.example" for number in range(500)]
    decision = decided(parse_policy(restricted("public", (), deny=(), only=hosts)), "site.example")
    assert decision.rule == "deny * except …"

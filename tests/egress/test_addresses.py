"""Whatever way a host is written, it is one host; and what is not public is known as such."""

from ipaddress import ip_address

import pytest

from belljar.egress.policy.addresses import BadHost, is_own_loopback, parse_host, special_purpose, split_authority

LOOPBACK_SPELLINGS = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "017700000001",
    "0X7F.0.0.0X1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "127.255.255.254",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
]


@pytest.mark.parametrize("text", LOOPBACK_SPELLINGS)
def test_every_spelling_of_loopback_is_loopback(text: str) -> None:
    assert is_own_loopback(parse_host(text))


@pytest.mark.parametrize(
    "text",
    ["", ".", "..", "a..b", "-a.example", "a b", "a\tb", "a/b", "a\\b", "a%2eb", "a@b", "é.example", "１２７.0.0.1"]
    + ["256.1.1.1", "1.2.3.4.5", "0x100000000", "4294967296", "09.1.1.1", "1.2.65536", "127.0.0.1.."]
    + ["[::1", "::1", "[fe80::1%eth0]", "[1.2.3.4]", "[]", "x" * 64 + ".example", "[::ffff:1.2.3.4.5]"]
    + ["example.com:80", "*.example.com"],
)  # fmt: skip
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(BadHost):
        parse_host(text)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("0.0.0.0", "this network"),
        ("0.1.2.3", "this network"),
        ("10.0.0.1", "private"),
        ("100.64.0.1", "shared"),
        ("100.100.100.200", "cloud metadata"),
        ("127.8.8.8", "loopback"),
        ("168.63.129.16", "cloud metadata"),
        ("169.254.1.1", "link-local"),
        ("169.254.169.254", "cloud metadata"),
        ("169.254.170.2", "cloud metadata"),
        ("172.16.0.1", "private"),
        ("172.31.255.255", "private"),
        ("192.0.0.1", "protocol assignments"),
        ("192.0.0.192", "cloud metadata"),
        ("192.0.2.1", "documentation"),
        ("192.88.99.1", "6to4 relay"),
        ("192.168.1.1", "private"),
        ("198.18.0.1", "benchmarking"),
        ("198.51.100.1", "documentation"),
        ("203.0.113.1", "documentation"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.255", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::ffff:10.0.0.1", "private"),
        ("::ffff:169.254.169.254", "cloud metadata"),
        ("::10.0.0.1", "private"),
        ("64:ff9b::10.0.0.1", "private"),
        ("64:ff9b::a9fe:a9fe", "cloud metadata"),
        ("64:ff9b:1::1", "local NAT64"),
        ("100::1", "discard"),
        ("2001::1", "Teredo"),
        ("2001:0:7f00:1::", "Teredo"),
        ("2001:2::1", "protocol assignments"),
        ("2001:10::1", "protocol assignments"),
        ("2001:db8::1", "documentation"),
        ("2002:7f00:1::", "6to4"),
        ("2002:a9fe:a9fe::1", "6to4"),
        ("3fff::1", "documentation"),
        ("4000::1", "not global"),
        ("5f00::1", "not global"),
        ("fc00::1", "private"),
        ("fd00:ec2::254", "cloud metadata"),
        ("fd12:3456::1", "private"),
        ("fe80::1", "link-local"),
        ("fec0::1", "site-local"),
        ("ff02::1", "multicast"),
        ("8.8.8.8", None),
        ("172.32.0.1", None),
        ("100.128.0.1", None),
        ("11.0.0.1", None),
        ("2606:4700::1111", None),
        ("::ffff:8.8.8.8", None),
        ("64:ff9b::808:808", None),
    ],
)
def test_special_purpose_addresses_are_known(address: str, kind: str | None) -> None:
    assert special_purpose(ip_address(address)) == kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("example.com", ("example.com", 80)),
        ("example.com:", ("example.com", 80)),
        ("Example.COM.:8080", ("example.com", 8080)),
        ("[2606:4700::1]:443", (ip_address("2606:4700::1"), 443)),
        ("0x8.8.8.8:53", (ip_address("8.8.8.8"), 53)),
    ],
)
def test_an_authority_is_a_host_and_a_port(text: str, expected: tuple[object, int]) -> None:
    assert split_authority(text, 80) == expected


@pytest.mark.parametrize(
    "text", ["a:0", "a:65536", "a:+80", "a:８０", "a:80:80", "u@a:80", "a:-1", "[::1]80", "a: 80", "a:8_0", ":80"]
)
def test_a_bad_port_or_user_information_is_refused(text: str) -> None:
    with pytest.raises(BadHost):
        split_authority(text, 80)


def test_a_tunnel_must_name_its_port() -> None:
    for text in ("example.com", "example.com:"):
        with pytest.raises(BadHost):
            split_authority(text, None)

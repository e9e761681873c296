"""The allowlist, the list of providers, and paths: what needs no browser."""

from pathlib import Path

import pytest

from belljar.agent.provider import PROVIDERS, BrowserConfig, DomainNotAllowed, ProviderDisabled, create_provider
from belljar.agent.provider.settings import ProviderSettings, check_domain, safe_path, strict_policy
from belljar.agent.provider.types import BadArgument
from belljar.egress.policy.file import parse_policy
from belljar.egress.policy.policy import Request, Scheme


@pytest.mark.parametrize("variable", ["BELLJAR_BROWSER_ALLOWED_DOMAINS", "AX_BROWSER_ALLOWED_DOMAINS"])
def test_the_allowlist_is_read_under_both_names(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "example.com, *.Example.ORG ,")
    assert ProviderSettings().browser_allowed_domains == ("example.com", "example.org")


def test_unset_allows_all() -> None:
    check_domain("https://anything.example/", ProviderSettings().browser_allowed_domains)


@pytest.mark.parametrize("url", ["https://example.com/", "http://a.b.example.com:8080/x", "https://EXAMPLE.com./"])
def test_a_domain_covers_those_below_it(url: str) -> None:
    check_domain(url, ("example.com",))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/",
        "https://notexample.com/",
        "https://example.com.evil.org/",
        "https://example.com@evil.org/",
        "https://evil.org/example.com",
        "https://evil.org#example.com",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,hi",
        "about:blank",
        "https://[::1",
        "",
    ],
)
def test_all_else_is_refused(url: str) -> None:
    with pytest.raises(DomainNotAllowed):
        check_domain(url, ("example.com",))


@pytest.mark.parametrize("text", ["https://example.com", "a b", "example.com/x", "*"])
def test_what_is_no_domain_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="not a domain"):
        ProviderSettings(browser_allowed_domains=(text,))


def test_strict_is_an_egress_policy_for_everything() -> None:
    policy = parse_policy(strict_policy(("example.com",)))
    hosts = {"example.com": True, "cdn.example.com": True, "example.org": False}
    for host, is_allowed in hosts.items():
        decision = policy.decide(Request(Scheme.TUNNEL, host, 443))
        assert (decision.verdict.value != "deny") is is_allowed, host
    assert strict_policy(("127.0.0.1", "localhost")) == "allow 127.0.0.1\nallow localhost\n"


async def test_there_are_three_providers_and_no_others() -> None:
    assert set(PROVIDERS) == {"container", "remote", "none"}
    with pytest.raises(BadArgument, match="container, remote, none"):
        await create_provider("os.path")


async def test_none_explains_itself() -> None:
    provider = await create_provider("none")
    for call in (
        provider.launch(BrowserConfig()),
        provider.navigate("x", "https://example.com/"),
        provider.snapshot("x"),
        provider.click("x", 0),
        provider.type("x", 0, ""),
        provider.screenshot("x"),
        provider.close("x"),
    ):
        with pytest.raises(ProviderDisabled, match="There is no browser here"):
            await call


async def test_remote_without_an_address_is_none_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BELLJAR_URL", raising=False)
    provider = await create_provider("remote")
    with pytest.raises(ProviderDisabled, match="BELLJAR_URL"):
        await provider.launch(BrowserConfig())


def test_paths_stay_in_their_folder(tmp_path: Path) -> None:
    assert safe_path(tmp_path, "a", "b.png") == tmp_path.resolve() / "a/b.png"
    (tmp_path / "link").symlink_to("/etc")
    for parts in (("..", "x"), ("/etc/passwd",), ("a", "../../x"), ("link", "passwd"), ("x\0",)):
        with pytest.raises(BadArgument):
            safe_path(tmp_path, *parts)

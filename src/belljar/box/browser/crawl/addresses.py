"""Addresses as a crawl compares them.  Pure."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

_PORTS = {"http": 80, "https": 443}


def key_of(url: str) -> str | None:
    """What two addresses of the same page have in common; None for what cannot be crawled.

    The fragment does not count, nor the order of the query's parts, the case of the host, a port that goes without
    saying, or characters that are escaped without need.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in _PORTS or not parts.hostname:
        return None
    scheme, host = parts.scheme.lower(), parts.hostname.lower()
    host = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS[scheme]:
        host = f"{host}:{port}"
    path = quote(unquote(parts.path, errors="surrogateescape"), safe="/:@!$&'()*+,;=-._~", errors="surrogateescape")
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return urlunsplit((scheme, host, path or "/", query, ""))


def host_of(url: str) -> str:
    """Host and port, lower case: whom a crawl is polite to."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_within(url: str, domains: Iterable[str]) -> bool:
    """Whether the address is of one of the domains or below one; a domain with a port means just that port."""
    try:
        parts = urlsplit(url)
        name, host = (parts.hostname or "").lower(), host_of(url)
    except ValueError:
        return False
    return any(
        host == domain or name == domain or name.endswith("." + domain)
        for domain in (one.strip().lower().lstrip("*").lstrip(".") for one in domains)
        if domain
    )

"""What the proxy itself answers: a page for people, headers for programs."""

from html import escape

from belljar.egress.policy import Decision, Request, quoted

_PHRASES = {
    302: "Found",
    400: "Bad Request",
    403: "Forbidden",
    431: "Request Header Fields Too Large",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1rem;color:#222}}
code{{background:#eee;padding:.1em .3em;border-radius:3px}}
@media(prefers-color-scheme:dark){{body{{background:#1b1b1f;color:#ddd}}code{{background:#333}}}}</style>
</head><body><h1>{title}</h1><p>{sentence}</p><p>{more}</p></body></html>
"""


def denial(request: Request, decision: Decision) -> bytes:
    """403, with the host, the rule and the reason in `X-Belljar-Egress` too."""
    page = _PAGE.format(
        title="This address is not allowed",
        sentence=f"This browser may not open <code>{escape(str(request))}</code>: {escape(decision.reason)}.",
        more=f"The network policy of this sandbox decided so, by its rule <code>{escape(decision.rule)}</code>. "
        "Whoever runs the sandbox can change the policy.",
    )
    note = f'denied; host="{quoted(str(request.host))}"; port={request.port}; rule="{quoted(decision.rule)}"; '
    note += f'reason="{quoted(decision.reason)}"'
    return _answer(403, page, note)


def failure(status: int, request: Request | None, reason: str, *, is_for_a_script: bool = False) -> bytes:
    """The request was fine with the policy, but could not be carried out; or it was no request at all.

    A script that asks for data would take a page for the host's answer.  It is sent where no browser follows, so that
    its `fetch` fails as it does without a proxy.
    """
    note = f'failed; reason="{quoted(reason)}"'
    if is_for_a_script:
        return _answer(302, "", note, "Location: data:,\r\n")
    sentence = f"<code>{escape(str(request))}</code>: {escape(reason)}." if request else f"{escape(reason)}."
    page = _PAGE.format(
        title="The page cannot be reached", sentence=sentence, more="The proxy of this sandbox says so."
    )
    return _answer(status, page, note)


def _answer(status: int, page: str, note: str, more: str = "") -> bytes:
    body = page.encode()
    head = (
        f"HTTP/1.1 {status} {_PHRASES[status]}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nX-Belljar-Egress: {note}\r\nCache-Control: no-store\r\n"
        f"Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\nConnection: close\r\n{more}\r\n"
    )
    return head.encode("latin-1", "replace") + body

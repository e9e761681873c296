"""The web app, built from web/app into app/: its page, which is told where it stands, and its assets."""

import re
from collections.abc import Sequence
from importlib.resources import files

import anyio
from starlette.requests import Request
from starlette.responses import Response

from belljar.problems import UnknownPath

_FOLDER = files("belljar.server").joinpath("app")
_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.(js|css|svg|woff2)")
_KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "woff2": "font/woff2"}
# Names have the hash of what is in them.
_FOR_EVER = "public, max-age=31536000, immutable"
_NOT_BUILT = b"""<!doctype html><meta charset="utf-8"><title>Belljar</title>
<p>The web app was not built. In a clone, <code>make web</code> builds it (it needs Node 22, or pip to get one);
the viewer of a box at <code>/view</code> and everything else works without it.</p>
"""


_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}


def is_built() -> bool:
    """Whether there is an app to show; a clone on which Node could not be had has none."""
    return _FOLDER.joinpath("index.html").is_file()


async def page(server: str, *, root: str, assets: str, embedders: Sequence[str] = ()) -> Response:
    """The page as `server` (box, plane) serves it: where its API and its assets are, as seen from this address.

    Both are relative, so that it works at any prefix, and the policy can go without a base address.  Pages of the
    origins `embedders`, which were checked to be nothing but origins, may have it in a frame and hand it a token.
    """
    named = " ".join(embedders)
    headers = _HEADERS | {"Content-Security-Policy": _POLICY + (named or "'none'")}
    path = _FOLDER.joinpath("index.html")
    try:
        content = await anyio.to_thread.run_sync(path.read_bytes)
    except FileNotFoundError:
        return Response(_NOT_BUILT, 503, headers=headers, media_type="text/html")
    content = content.replace(b'="./assets/', f'="{assets}assets/'.encode())
    content = content.replace(b'name="belljar-server" content=""', f'name="belljar-server" content="{server}"'.encode())
    content = content.replace(b'name="belljar-root" content=""', f'name="belljar-root" content="{root}"'.encode())
    content = content.replace(
        b'name="belljar-embed-origins" content=""', f'name="belljar-embed-origins" content="{named}"'.encode()
    )
    return Response(content, headers=headers, media_type="text/html")


async def asset(name: str, request: Request) -> Response:
    """One of the built files, compressed where the browser takes that.  Raises `UnknownPath`."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise UnknownPath("endpoint not found")
    takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": _FOR_EVER, "X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding"}
    folder = _FOLDER.joinpath("assets")
    for is_packed in (True, False) if takes_gzip else (False,):
        try:
            content = await anyio.to_thread.run_sync(folder.joinpath(name + ".gz" * is_packed).read_bytes)
        except FileNotFoundError:
            continue
        packed = {"Content-Encoding": "gzip"} if is_packed else {}
        return Response(content, headers=headers | packed, media_type=_KINDS[found[2]])
    raise UnknownPath("endpoint not found")

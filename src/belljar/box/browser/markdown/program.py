"""The converter: a program of its own that turns HTML into markdown.  Imports nothing of ours.

Run as `python -I program.py [uid gid]`, with one end of a socket as descriptor 3, and ends with that.  Each message is
four bytes of length and a JSON object: to it {"html", "url", "mode"}, from it {"markdown", "mode"} or {"error"}.

What it parses comes from strangers, so once its libraries are there it gives up root and bounds its memory.
"""

import json
import os
import re
import resource
import socket
import sys
from typing import Any

import html_to_markdown
import trafilatura
from lxml import etree, html

MEMORY_BYTES = 2 << 30
# An article is at least this long, and at least this share of what is left of the page without its furniture.
ARTICLE_CHARS = 400
ARTICLE_SHARE = 0.4
FURNITURE = (
    "//nav | //footer | //aside | //body/header | //dialog[not(@open)] | //form//button | //input | //select"
    " | //*[@role='navigation' or @role='contentinfo' or @role='complementary' or @role='search' or @role='banner']"
)
LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush)[-:]\s*([\w+#.-]+)")
OPTIONS = html_to_markdown.ConversionOptions(extract_metadata=False, wrap=False, bullets="-", compact_tables=True)


def main() -> None:
    # The libraries read files of their own with the first page, which may lie where only root can read: root's home.
    convert("<title>First</title><p>Words of ours, before there are any of strangers.", "http://localhost/", "article")
    give_up_rights()
    with socket.socket(fileno=3) as channel:
        while (request := receive(channel)) is not None:
            try:
                answer = convert(request["html"], request["url"], request["mode"])
            except Exception as error:  # noqa: BLE001  # a page that cannot be converted must not end the converter
                answer = {"error": f"{type(error).__name__}: {error}"[:500]}
            send(channel, answer)


def give_up_rights() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if len(sys.argv) == 3 and os.getuid() == 0:
        uid, gid = map(int, sys.argv[1:])
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def receive(channel: socket.socket) -> dict[str, Any] | None:
    head = read_exactly(channel, 4)
    body = read_exactly(channel, int.from_bytes(head, "big")) if head else b""
    return json.loads(body) if body else None


def read_exactly(channel: socket.socket, size: int) -> bytes:
    """`size` bytes, or none at the end of the stream."""
    data = bytearray()
    while len(data) < size:
        part = channel.recv(min(size - len(data), 1 << 20))
        if not part:
            return b""
        data += part
    return bytes(data)


def send(channel: socket.socket, answer: dict[str, Any]) -> None:
    body = json.dumps(answer).encode()
    channel.sendall(len(body).to_bytes(4, "big") + body)


def convert(source: str, url: str, mode: str) -> dict[str, Any]:
    tree = html.document_fromstring(source or "<html></html>", base_url=url)
    # Nothing a page can guess.
    mark = f"code{os.urandom(8).hex()}n"
    codes = set_code_aside(tree, mark)
    whole = without_furniture(tree)
    if mode != "page":
        article = extract(tree, url)
        is_main = article is not None and is_article(article, whole)
        if article is not None and (mode == "article" or is_main):
            return {"markdown": put_code_back(to_markdown(article), mark, codes), "mode": "article"}
        if mode == "article":
            return {"markdown": "", "mode": "article"}
    return {"markdown": put_code_back(to_markdown(whole), mark, codes), "mode": "page"}


def set_code_aside(tree: Any, mark: str) -> list[tuple[str, str]]:
    """Replace blocks of code by a mark, because extraction keeps neither their language nor their lines."""
    codes: list[tuple[str, str]] = []
    for block in tree.xpath("//pre[not(ancestor::pre)]"):
        for line_break in block.iter("br"):
            line_break.tail = "\n" + (line_break.tail or "")
        text = "".join(block.itertext()).strip("\n")
        stand_in = etree.Element("p")
        stand_in.text, stand_in.tail = f"{mark}{len(codes)}x", block.tail
        codes.append((language_of(block), text))
        block.getparent().replace(block, stand_in)
    return codes


def language_of(block: Any) -> str:
    for element in (block, *block.iter("code"), block.getparent()):
        found = LANGUAGE.search(element.get("class") or "") if element is not None else None
        if found:
            return str(found.group(1))
    return ""


def put_code_back(text: str, mark: str, codes: list[tuple[str, str]]) -> str:
    def block(found: "re.Match[str]") -> str:
        language, code = codes[int(found.group(1))]
        fence = "```"
        while fence in code:
            fence += "`"
        return f"{fence}{language}\n{code}\n{fence}"

    return re.sub(mark + r"(\d+)x", block, text).strip() + "\n" if text.strip() else ""


def without_furniture(tree: Any) -> str:
    copy = html.fromstring(html.tostring(tree))
    for element in copy.xpath(FURNITURE):
        element.drop_tree()
    body = copy.find(".//body")
    return str(html.tostring(body if body is not None else copy, encoding="unicode"))


def extract(tree: Any, url: str) -> str | None:
    return trafilatura.extract(
        html.tostring(tree, encoding="unicode"),
        url=url or None,
        output_format="html",
        include_links=True,
        include_images=True,
        include_tables=True,
        include_formatting=True,
        include_comments=False,
        with_metadata=False,
    )


def is_article(article: str, whole: str) -> bool:
    found = words(article)
    return found >= ARTICLE_CHARS and found >= ARTICLE_SHARE * words(whole)


def words(source: str) -> int:
    """Characters of text."""
    return len(" ".join(html.fromstring(source).text_content().split()))


def to_markdown(source: str) -> str:
    return html_to_markdown.convert(source, OPTIONS).content or ""


if __name__ == "__main__":
    main()

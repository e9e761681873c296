"""A tree as markdown, with nothing in it that the page did not mean as structure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import html_to_markdown
from lxml import etree

from belljar.extract.furniture import names_of
from belljar.extract.words import HEADINGS, INLINE, Element

OPTIONS = html_to_markdown.ConversionOptions(
    preprocessing=html_to_markdown.PreprocessingOptions(enabled=False),
    extract_metadata=False,
    autolinks=False,
    wrap=False,
    bullets="-",
    compact_tables=True,
    br_in_tables=False,
    max_depth=400,
)
# What is left of these is text like any other.
_CONTAINERS = frozenset(
    "address article aside center fieldset figcaption footer form header hgroup legend main nav search section".split()
)
# Text in these is not read as markdown.
_CODE = frozenset({"pre", "code", "kbd", "samp", "tt"})
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush)[-:]\s*([A-Za-z][\w+#.-]*)")
_LINKS = ("http://", "https://", "mailto:", "tel:", "ftp://")
# Marks that a heading's own address is linked by.
_ANCHORS = frozenset({"#", "¶", "§", "🔗", "⚓", ""})
# Pictures that say nothing: faces, signs, stars.
_ICON = re.compile(r"(?:^|[\s_-])(?:avatar|icon|emoji|logo|gravatar|badge|spinner)(?:$|[\s_-])")
_ICON_WIDTH = 64
_RAISED = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
# Stand for the backslashes that are put in, which the converter would escape, and for the page's own; no text has them.
ESCAPE, BACKSLASH = "\ue000", "\ue001"
_SPACE = re.compile(r"[ \t\r\n\f\u2028\u2029]+")
# What would be read as markup within a line: code, emphasis where it could begin or end, links, tags, entities.
_INLINE = re.compile(
    r"`|\*(?!\s)|(?<!\s)\*|(?<![^\W_])_|_(?![^\W_])|~~|\](?=[(\[:]|$)|!(?=\[)|<(?=[A-Za-z/!?])|&(?=#?\w+;)"
)
# What would be read as a block at the beginning of one.
_LEADING = re.compile(r"(\s*)(#{1,6}(?=\s|$)|[>|]|[-+=*_](?=\s|$|[-+=*_])|~~~|:::)|(\s*\d{1,9})([.)])(?=\s|$)")
# Ends and beginnings of neighbouring texts that would be read as markup together.
_JOINTS = tuple(
    (re.compile(end), re.compile(beginning))
    for end, beginning in ((r"<$", r"[A-Za-z/!?]"), (r"&#?\w*$", r"[#\w;]"), (r"~$", r"~"))
)
# What addresses may hold and must not say in markdown.
_UNSAFE = str.maketrans({"<": "%3C", ">": "%3E", "`": "%60", "\\": "%5C", "|": "%7C"})
_FENCE = re.compile(r"[ \t>]*(?:[-+*]\s+|\d+[.)]\s+)*(`{3,})")


def to_markdown(tree: Element) -> str:
    """The markdown of a tree, which is changed on the way."""
    _tidy(tree)
    _escape(tree)
    source = etree.tostring(tree, method="html", encoding="unicode")
    text = html_to_markdown.convert(source, OPTIONS).content or ""
    # The converter escapes some of the same letters in links: twice would be once for the backslash, and none for them.
    text = text.replace(ESCAPE + "\\", ESCAPE)
    lines = "\n".join(_polished(text.split("\n"))).strip("\n").replace(ESCAPE, "\\").replace(BACKSLASH, "\\")
    return f"{lines}\n" if lines.strip() else ""


def _polished(lines: list[str]) -> Iterator[str]:
    """Lines that end and begin as every reader of markdown understands them; code is left as it is."""
    fence, before = "", ""
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if found and (not fence or line.strip(" \t>") == fence):
            fence = "" if fence else found.group(1)
        elif not fence:
            is_broken = line.endswith("  ") and bool(line.strip())
            line = line.rstrip(" \t")
            # Two breaks are the end of a paragraph, and say so by themselves.
            if is_broken and at + 1 < len(lines) and lines[at + 1].strip(" \t>"):
                line += "\\"
            if not line and not before:
                continue
            # A quotation begins and ends with a blank line.
            if line and before and line.lstrip().startswith(">") != before.lstrip().startswith(">"):
                yield ""
        yield line
        before = line


def _tidy(tree: Element) -> None:
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            element.drop_tree()
        elif element.getparent() is not None and element is not tree:
            _tidy_element(element)


def _tidy_element(element: Element) -> None:
    tag = element.tag
    # What is only shown when somebody points at it, or never.
    element.attrib.pop("title", None)
    if tag == "a":
        _tidy_link(element)
    elif tag == "pre":
        _tidy_code_block(element)
    elif tag == "code" and "\n" in (element.text_content() or "") and not _is_within(element, "pre"):
        element.tag = "pre"
        _tidy_code_block(element)
    elif tag == "figure":
        _tidy_figure(element)
    elif tag == "img":
        _tidy_image(element)
    elif tag in ("sup", "sub"):
        _tidy_raised(element)
    elif tag == "ol":
        first = next(element.iterchildren("li"), None)
        number = first.get("value", "") if first is not None else ""
        if "start" not in element.attrib and number.isdecimal():
            element.set("start", number)
    elif tag in _CONTAINERS:
        element.tag = "div"
    elif tag in ("mark", "label", "time", "font"):
        element.tag = "span"
    elif tag == "dt":
        _tidy_term(element)
    elif tag == "dd":
        element.tag = "div"
    elif tag in ("kbd", "samp", "tt") and not _is_within(element, "pre"):
        element.tag = "code"


def _tidy_link(link: Element) -> None:
    href = link.get("href") or ""
    heading = next((outer for outer in link.iterancestors() if outer.tag in HEADINGS), None)
    if heading is not None and link.find(".//img") is None and link.text_content().strip().lower() in _ANCHORS:
        link.drop_tree()
    elif not href.lower().startswith(_LINKS) or not (link.text_content().strip() or link.find(".//img") is not None):
        link.drop_tag()
    else:
        safe = href.translate(_UNSAFE)
        link.set("href", safe)
        if any(inner.tag in HEADINGS for inner in link.iter()):
            _link_the_heading(link, safe)


def _link_the_heading(link: Element, href: str) -> None:
    """A link around a whole entry: its heading leads there, and the rest is text."""
    heading = next(inner for inner in link.iter() if inner.tag in HEADINGS)
    inner = etree.SubElement(heading, "a")
    inner.set("href", href)
    inner.text, heading.text = heading.text, None
    for child in list(heading)[:-1]:
        inner.append(child)
    link.tag = "div"
    link.attrib.clear()


def _tidy_code_block(block: Element) -> None:
    language = ""
    for element in (block, *block.iter("code"), block.getparent()):
        found = _LANGUAGE.search(element.get("class") or "") if element is not None else None
        if found:
            language = found.group(1)
            break
    for line_break in list(block.iter("br")):
        line_break.tail = "\n" + (line_break.tail or "")
    for line in list(block.iter("div", "p", "li", "tr")):
        # Lines that are elements of their own.
        if line is not block and not (line.tail or "").startswith("\n") and not line.text_content().endswith("\n"):
            line.tail = "\n" + (line.tail or "")
    text = block.text_content().strip("\n")
    tail = block.tail
    block.clear()
    block.tail = tail
    code = etree.SubElement(block, "code")
    code.text = text
    if language:
        code.set("class", f"language-{language}")


def _tidy_figure(figure: Element) -> None:
    """The caption of a picture is said with it, so that it does not break into the text."""
    caption = next(figure.iter("figcaption"), None)
    images = list(figure.iter("img"))
    if caption is None or not images or any(True for _ in figure.iter("pre", "table")):
        return
    text = _SPACE.sub(" ", caption.text_content()).strip()
    if text:
        images[0].set("data-caption", text)
    caption.drop_tree()


def _tidy_image(image: Element) -> None:
    source = image.get("src") or ""
    alt = _SPACE.sub(" ", image.get("alt") or "").strip()
    if not source.startswith(("http://", "https://")):
        # Drawn in the page itself: what it shows can be said, where it is cannot.
        source = ""
    image.set("src", source.translate(_UNSAFE))
    if not alt and "data-caption" not in image.attrib and _is_ornament(image):
        image.drop_tree()
        return
    image.set("alt", _escaped(alt, is_start=False))
    if "data-caption" in image.attrib:
        image.set("title", _escaped(image.attrib.pop("data-caption"), is_start=False))


def _is_ornament(image: Element) -> bool:
    width = image.get("width") or ""
    is_small = width.isdecimal() and 0 < int(width) <= _ICON_WIDTH
    return not image.get("src") or is_small or bool(_ICON.search(names_of(image)))


def _tidy_raised(element: Element) -> None:
    """Exponents and indices by letters of their own, so that 10² does not become 102."""
    text = (element.text_content() or "").strip()
    letters = _RAISED if element.tag == "sup" else _LOWERED
    if 0 < len(text) <= 4 and all(ord(letter) in letters for letter in text) and element.find(".//a") is None:
        for child in list(element):
            element.remove(child)
        element.text = text.translate(letters)
    element.tag = "span"


def _tidy_term(term: Element) -> None:
    term.tag = "p"
    strong = etree.Element("strong")
    strong.text, term.text = term.text, None
    strong.extend(list(term))
    term.append(strong)


def _is_within(element: Element, tag: str) -> bool:
    return any(outer.tag == tag for outer in element.iterancestors())


@dataclass(frozen=True)
class _Place:
    """A text in a tree: an element's own, or what comes after it."""

    element: Element | None = None
    attribute: str = "text"

    def followed_by(self, after: "_Place") -> "_Place":
        """Escape what this text ends with where `after`, which is not escaped yet, would complete it."""
        before = "" if self.element is None else getattr(self.element, self.attribute)
        for end, beginning in _JOINTS:
            found = end.search(before)
            if found and beginning.match(getattr(after.element, after.attribute)):
                at = found.start()
                setattr(self.element, self.attribute, before[:at] + ESCAPE + before[at:])
                break
        return after


def _escape(tree: Element) -> None:
    """Let text be text: what looks like markdown or HTML in it gets a backslash."""
    is_start = True
    code = 0
    last = _Place()
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        is_code = element.tag in _CODE
        if event == "start":
            code += is_code
            is_start = is_start or element.tag not in INLINE
            if element.text and not code:
                last = last.followed_by(_Place(element, "text"))
                element.text = _escaped(element.text, is_start=is_start)
            is_start = is_start and not (element.text or "").strip() and element.tag != "img"
        else:
            code -= is_code
            is_start = is_start or element.tag not in INLINE
            if element is not tree and element.tail and not code:
                last = last.followed_by(_Place(element, "tail"))
                element.tail = _escaped(element.tail, is_start=is_start)
            is_start = is_start and not (element.tail or "").strip()


def _escaped(text: str, *, is_start: bool) -> str:
    text = _SPACE.sub(" ", text.replace("\\", ESCAPE + BACKSLASH))
    text = _INLINE.sub(lambda found: "".join(ESCAPE + letter for letter in found.group()), text)
    if is_start:
        text = text.lstrip(" ")
        lead = _LEADING.match(text)
        if lead is not None:
            at = lead.start(2) if lead.group(2) else lead.start(4)
            text = text[:at] + ESCAPE + text[at:]
    return text

"""Furniture of a page: navigation, banners, sharing, advertising, known by elements, roles and names."""

import re

from belljar.extract.words import HEADINGS, WORD, Element, count, counts

ALWAYS = frozenset({"dialog", "input", "select", "textarea", "button", "option", "menu"})
ROLES = frozenset(
    {
        "navigation",
        "contentinfo",
        "complementary",
        "search",
        "banner",
        "dialog",
        "alertdialog",
        "menu",
        "menubar",
        "toolbar",
    }
)
_SURE = frozenset({"nav", "footer", "aside", "dialog"})
# Whole words of class names and ids, however they are written: `site-nav`, `siteNav`, `site_nav`.
NAMES = re.compile(
    r"(?:^|[\s_-])(?:advert(?:isement|ising|s)?|ads?|adslot|sponsored|outbrain|taboola|promo|banner|breadcrumbs?"
    r"|cookies?|consent|gdpr|cmp|onetrust|newsletter|subscribe|signup|share|sharing|social|skip(?:link)?|related"
    r"|recommended|recirc|menu|nav|navigation|topbar|sidebar|site-?footer|site-?header|navbar|masthead|popup|modal|toolbar|toast|feedback)"
    r"(?:$|[\s_-])"
)
# Names that an element with the page's content has all the same: `has-sidebar`, `cookies-not-set`.
LAYOUT = re.compile(r"(?:^|[\s_-])(?:has|with|no|without|not|is|layout|page|container|wrapper|row|grid)(?:$|[\s_-])")
CALLOUT = re.compile(r"note|tip|warning|caution|danger|important|info|callout|admonition|hint|alert", re.IGNORECASE)
PAGING = re.compile(r"paginat|\b(?:pager|paging|page-?nav|page-?numbers|next-?page|pages)\b", re.IGNORECASE)
_COMMENTS = re.compile(r"(?:^|[\s_-])(?:comments?|respond|disqus|replies)(?:$|[\s_-])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# A share of the page's words that no furniture has.
_CONTENT_SHARE = 0.5


def names_of(element: Element) -> str:
    """Class and id, in words."""
    return _CAMEL.sub("-", f"{element.get('class') or ''} {element.get('id') or ''}").lower()


def is_comments(element: Element) -> bool:
    return bool(_COMMENTS.search(names_of(element)))


def is_furniture(element: Element) -> bool:
    """By what it is called, not by what is in it."""
    tag = element.tag
    if tag in HEADINGS or tag in ("html", "body", "main", "article"):
        return False
    if tag in ALWAYS or element.get("role") in ROLES:
        return True
    if tag in ("nav", "footer"):
        # Who is quoted stands below the quotation.
        return next(element.iterancestors("blockquote"), None) is None
    names = names_of(element)
    if tag == "aside":
        return not CALLOUT.search(names)
    return bool(NAMES.search(names)) and not LAYOUT.search(names)


def clear(tree: Element) -> None:
    """Take the furniture away, but paging and what holds most of the page."""
    words = counts(tree)
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element.getparent() is None:
            continue
        if element.tag == "input" and element.get("type") == "checkbox" and _is_in_list(element):
            continue
        if element.tag == "button":
            if not _is_title(element):
                element.drop_tree()
            continue
        if is_page_header(element) or is_furniture(element):
            # A name can be misleading where an element is not.
            is_sure = element.tag in _SURE or element.get("role") in ROLES
            if is_paging(element) or (not is_sure and words[element] > _CONTENT_SHARE * words[tree]):
                continue
            _drop_but_title(element)


def is_page_header(element: Element) -> bool:
    """The header of the page, not of an article in it."""
    if element.tag != "header":
        return False
    return not any(outer.tag in ("article", "main", "section") for outer in element.iterancestors())


def is_paging(element: Element) -> bool:
    """Where the rest of a listing is."""
    label = f"{names_of(element)} {element.get('aria-label') or ''}"
    links = element.findall(".//a[@href]")
    if any("next" in (link.get("rel") or "").split() for link in links):
        return len(links) <= 30
    return bool(PAGING.search(label)) and len(links) <= 30 and len(WORD.findall(element.text_content())) <= 60


def _drop_but_title(element: Element) -> None:
    """Drop it; a heading of the first order in it is the page's title, and stays."""
    for heading in element.iter("h1"):
        if heading is not element and count(heading):
            heading.tail = None
            element.addprevious(heading)
            break
    element.drop_tree()


def _is_in_list(element: Element) -> bool:
    return any(outer.tag == "li" for outer in element.iterancestors())


def _is_title(element: Element) -> bool:
    """A heading that opens and closes what is below it is a button in a heading."""
    return any(outer.tag in HEADINGS or outer.tag in ("dt", "summary", "th") for outer in element.iterancestors())

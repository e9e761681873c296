"""Websites of many kinds, as templates for the corpus' pages: the same content in different markup, among furniture."""

import json
import re
from collections.abc import Callable
from html import escape
from typing import Any

from lxml import etree, html
from markdown_it import MarkdownIt

from tests.corpus import Entry
from tests.corpus.furniture import (
    HIDING_SHEET,
    advert,
    breadcrumb,
    comments,
    cookie_banner,
    footer,
    injections,
    menu,
    newsletter,
    related,
    share,
    sidebar,
    teasers,
)

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
Template = Callable[[Entry, str], str]
SHEET = (
    "body{margin:0;font:16px/1.5 serif;color:#222;background:#fff}main,.wrap{max-width:900px;margin:auto}"
    ".columns{display:flex;gap:20px}.card{display:inline-block;width:200px;vertical-align:top}" + HIDING_SHEET
)


def render(entry: Entry, origin: str) -> str:
    """The page as its website would send it."""
    source = _MARKDOWN.render(entry.body.replace("site:", origin))
    return TEMPLATES[entry.template](entry, _with_figures(_with_tasks(source)))


def _with_tasks(source: str) -> str:
    source = source.replace("<li>[ ] ", '<li class="task"><input type="checkbox" disabled> ')
    return source.replace("<li>[x] ", '<li class="task"><input type="checkbox" disabled checked> ')


def _with_figures(source: str) -> str:
    """A picture that is a paragraph of its own is a figure, and its title the caption."""
    return re.sub(
        r'<p><img src="([^"]*)" alt="([^"]*)"(?: title="([^"]*)")? /></p>',
        lambda found: (
            f'<figure><img src="{found[1]}" alt="{found[2]}">'
            + (f"<figcaption>{found[3]}</figcaption>" if found[3] else "")
            + "</figure>"
        ),
        source,
    )


def _page(entry: Entry, body: str, head: str = "", attributes: str = "") -> str:
    return (
        f'<!doctype html><html lang="{entry.lang}"><head><meta charset="utf-8"><title>{escape(entry.title)}</title>'
        f"<style>{SHEET}</style>{head}</head><body{attributes}>{body}</body></html>"
    )


def _schema(kind: str, entry: Entry) -> str:
    data = {"@context": "https://schema.org", "@type": kind, "headline": entry.title, "author": {"@type": "Person"}}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def _between(body: str, *inserted: str) -> str:
    """Put something between paragraphs, as advertising is."""
    parts = re.split(r"(?<=</p>)\n", body)
    for at, piece in enumerate(inserted):
        parts.insert(min(len(parts) - 1, 2 + at * 3), piece)
    return "\n".join(parts)


def news(entry: Entry, body: str) -> str:
    head = '<meta property="og:type" content="article">' + _schema("NewsArticle", entry)
    return _page(
        entry,
        f'<header class="site-header"><a href="/">The Daily Example</a><nav>{menu()}</nav></header>{cookie_banner()}'
        f'<main>{breadcrumb("Home", "Region", "Harbour")}<article class="story"><header><h1>{escape(entry.title)}</h1>'
        f'<div class="byline">By <a href="/by/1">Ines Farrow</a></div><time datetime="2026-05-04">4 May 2026</time>{share()}</header>'
        f'<div class="article-body" itemprop="articleBody">{_between(body, advert(1), newsletter(), advert(2))}</div>'
        f'{injections(entry.seed)}<div class="tags"><a href="/t/1">Harbour</a> <a href="/t/2">Region</a></div></article>'
        f"{related(entry.seed)}</main>{comments(entry.seed, 5)}{footer()}",
        head,
    )


def blog(entry: Entry, body: str) -> str:
    return _page(
        entry,
        f'<div id="page" class="hfeed site"><div id="masthead"><h1 class="site-title"><a href="/">Tin and String</a></h1>'
        f'<p class="site-description">Notes from a small workshop</p><div id="access">{menu("Home About Projects Contact")}</div></div>'
        f'<div id="main" class="columns"><div id="primary"><div id="content"><div class="post type-post"><h2 class="entry-title">'
        f'{escape(entry.title)}</h2><div class="entry-meta">Posted on <a href="/d">4 May 2026</a> by <a href="/a">ines</a></div>'
        f'<div class="entry-content">{body}<div class="sharedaddy"><h3>Share this:</h3>{share()}</div></div>'
        f'<div class="entry-utility">This entry was posted in <a href="/c">Workshop</a>. Bookmark the <a href="/p">permalink</a>.'
        f'</div></div>{injections(entry.seed)}<div id="nav-below" class="navigation"><a href="/prev">← An older post</a>'
        f'<a href="/next">A newer post →</a></div>{comments(entry.seed, 4)}</div></div>{sidebar(entry.seed)}</div>{footer()}</div>',
    )


def soup(entry: Entry, body: str) -> str:
    """Elements without meaning and names without sense, as build tools make them."""
    body = re.sub(r"<p>", '<div class="css-1x2y"><p class="pw-post ab cd">', body).replace("</p>", "</p></div>")
    return _page(
        entry,
        f'<div id="root"><div class="a b c"><div class="d e"><div class="f">{menu("Write Membership Search")}</div></div>'
        f'<div class="g h"><section><div class="i j"><div><h1 class="k l">{escape(entry.title)}</h1></div><div class="m"><img '
        f'src="/face.png" alt="" width="44" height="44"><a href="/@i">Ines Farrow</a> · <span>6 min read</span></div>{body}</div>'
        f'</section></div><div class="n">{injections(entry.seed)}<button>Clap 1.2K</button></div><div class="o p"><h2>Recommended</h2>'
        f"{teasers(entry.seed, 6, 'q r')}</div></div></div>",
        _schema("Article", entry),
    )


def docs(entry: Entry, body: str) -> str:
    sections = re.findall(r"<h2>(.*?)</h2>", body)
    contents = "".join(f'<li><a href="#s{at}">{name}</a></li>' for at, name in enumerate(sections))
    for at, name in enumerate(sections):
        link = f'<a class="headerlink" href="#s{at}" title="Link to this heading">¶</a>'
        body = body.replace(f"<h2>{name}</h2>", f'<h2 id="s{at}">{name}{link}</h2>')
    body = body.replace("<pre>", '<div class="highlight"><button class="copy">Copy</button><pre>').replace(
        "</pre>", "</pre></div>"
    )
    tree = menu("Install Quickstart Concepts Guides Reference Changelog Roadmap")
    return _page(
        entry,
        f'<header class="navbar"><a href="/">Clapper docs</a><form role="search"><input placeholder="Search"></form></header>'
        f'<div class="columns"><nav class="toctree" aria-label="Main">{tree}</nav><main role="main"><div class="document">'
        f"<h1>{escape(entry.title)}</h1>{body}{injections(entry.seed)}</div>"
        '<div class="prev-next"><a href="/p">Previous: Concepts</a> <a href="/n">Next: Reference</a></div>'
        '<div class="feedback">Was this page helpful? <button>Yes</button><button>No</button></div></main>'
        f'<aside class="toc"><h4>On this page</h4><ul>{contents}</ul></aside></div>{footer()}',
    )


def tables(entry: Entry, body: str) -> str:
    """As pages were laid out before there were style sheets."""
    body = body.replace("<p>", '<p><font face="verdana" size="2">').replace("</p>", "</font></p>")
    return _page(
        entry,
        f'<table width="100%" cellpadding="4"><tr><td colspan="2" bgcolor="#ccccff"><b>Ines\' home page</b></td></tr><tr>'
        f'<td width="120" valign="top">{menu("Home Pictures Guestbook Links")}<br>You are visitor 10482</td><td valign="top">'
        f"<h1>{escape(entry.title)}</h1>{body}{injections(entry.seed)}</td></tr><tr><td colspan=2><small>Best viewed at 800 by 600."
        " Last changed in May.</small></td></tr></table>",
    )


def app(entry: Entry, body: str) -> str:
    """Made by a script after the page has come."""
    content = json.dumps(f"<h1>{escape(entry.title)}</h1>{body}{injections(entry.seed)}").replace("</", "<\\/")
    return _page(
        entry,
        f'<div id="app"><header>{menu("Feed Saved Profile")}</header><div class="skeleton">Loading</div></div><script>'
        "const app = document.getElementById('app'); app.querySelector('.skeleton').remove();"
        f"const view = document.createElement('article'); view.className = 'reader'; view.innerHTML = {content};"
        "app.append(view); const bar = document.createElement('footer'); bar.textContent = 'Made with care. Report a problem.';"
        "app.append(bar);</script>",
    )


def magazine(entry: Entry, body: str) -> str:
    pulled = re.sub(r"<[^>]+>", "", body).strip()[:90]
    quote = f'<aside class="pullquote"><p>“{pulled}…”</p></aside>'
    blank = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    body = re.sub(r'<img src="([^"]*)"', rf'<img class="lazy" src="{blank}" data-src="\1"', body)
    return _page(
        entry,
        f'<div class="topbar">{menu("Issue Essays Fiction Subscribe")}</div><main id="main-content"><article class="feature">'
        f'<header class="hero"><p class="kicker">Essay</p><h1>{escape(entry.title)}</h1></header><div class="article__content">'
        f'{_between(body, quote, newsletter())}</div>{injections(entry.seed)}<div class="author-bio"><p>Ines Farrow writes about'
        f' harbours. Her next book is out in autumn.</p></div></article><section class="read-next"><h2>Read next</h2>'
        f"{teasers(entry.seed, 4)}</section></main>{footer()}",
        _schema("Article", entry),
    )


def plain(entry: Entry, body: str) -> str:
    return _page(entry, f"<h1>{escape(entry.title)}</h1>{body}{injections(entry.seed)}<hr><p><a href='/'>Home</a></p>")


def component(entry: Entry, body: str) -> str:
    """Custom elements with shadow roots, open ones."""
    inner = json.dumps(
        '<style>:host{display:block}</style><article><h1 part="title"></h1><slot></slot></article><nav><a href="/x">Share</a></nav>'
    ).replace("</", "<\\/")
    return _page(
        entry,
        f'<site-menu><nav>{menu("Home Topics About")}</nav></site-menu><story-view title-text="{escape(entry.title)}">{body}'
        f"{injections(entry.seed)}</story-view><site-foot>{footer()}</site-foot><script>customElements.define('story-view', "
        "class extends HTMLElement { connectedCallback() { const root = this.attachShadow({mode: 'open'}); root.innerHTML = "
        f"{inner}; root.querySelector('h1').textContent = this.getAttribute('title-text'); }} }});</script>",
    )


def discussed(entry: Entry, body: str) -> str:
    """A short text and many more words below it."""
    return _page(
        entry,
        f'<header role="banner">{menu()}</header><div id="container"><div class="post-body"><h1>{escape(entry.title)}</h1>{body}</div>'
        f"{injections(entry.seed)}{share()}</div>{comments(entry.seed, 40)}{footer()}",
    )


def crowded(entry: Entry, body: str) -> str:
    """Among so many teasers that the text is the smaller part."""
    return _page(
        entry,
        f'<header>{menu()}</header>{cookie_banner()}<div class="wrap"><div class="story-content"><h1>{escape(entry.title)}</h1>'
        f'{_between(body, advert(1), advert(2))}</div>{injections(entry.seed)}<div class="recirculation"><h2>You may also like</h2>'
        f'{teasers(entry.seed, 12)}</div><div class="most-popular"><h2>Most read</h2>{teasers(entry.seed + 3, 12)}</div></div>{footer()}',
        '<meta property="og:type" content="article">',
    )


def veiled(entry: Entry, body: str) -> str:
    """Hidden until a script that does not come has run, and with lines instead of paragraphs."""
    body = re.sub(r"</p>\s*<p>", "<br><br>", body).replace("<p>", "<div>").replace("</p>", "</div>")
    return _page(
        entry,
        f"<header>{menu()}</header><article><h1>{escape(entry.title)}</h1><div class=text>{body}</div></article>{footer()}",
        "<style>body{visibility:hidden;animation:none}</style>" + _schema("NewsArticle", entry),
    )


def _split(body: str, mark: str) -> list[str]:
    """At each element of this kind, which begins an entry."""
    return [part for part in re.split(rf"(?=<{mark}>)", body) if part.strip()]


def listing(entry: Entry, body: str) -> str:
    """Cards that lead to pages, and pages of them."""
    first, *cards = _split(body, "h2")
    *cards, last = [*cards[:-1], *cards[-1].split("<p>Page", 1)] if "<p>Page" in cards[-1] else [*cards, ""]
    made = "".join(f'<article class="card">{card}</article>' for card in cards)
    paging = f'<nav class="pagination" aria-label="Pages"><p>Page{last}</nav>' if last else ""
    return _page(
        entry,
        f'<header class="site-header">{menu()}</header>{cookie_banner()}<main>{first}<div class="grid">{made}</div>{paging}</main>'
        f"{injections(entry.seed)}{sidebar(entry.seed)}{footer()}",
        '<meta property="og:type" content="website">',
    )


def forum(entry: Entry, body: str) -> str:
    """Posts of several people, each led by who wrote it and when."""
    first, *posts = _split(body, "h3")
    made = "".join(
        f'<div class="post" id="p{at}"><img class="avatar" src="/a{at}.png" alt="" width="40" height="40">{post}'
        '<div class="post-buttons"><button>Quote</button><button>Report</button></div></div>'
        for at, post in enumerate(posts)
    )
    return _page(
        entry,
        f'<div class="navbar">{menu("Forums Members Search Login")}</div><div id="page-body">{first}<div class="topic">{made}</div></div>'
        f"{injections(entry.seed)}{footer()}",
    )


def product(entry: Entry, body: str) -> str:
    buttons = '<div class="buy"><button>Add to basket</button><button>Save for later</button></div>'
    return _page(
        entry,
        f'<header class="site-header">{menu("Shop Sale Help Basket")}</header>{breadcrumb("Shop", "Tools")}<main>'
        f'{body.replace("</h1>", "</h1>" + buttons, 1)}</main>{injections(entry.seed)}<div class="recommended"><h2>Others bought</h2>'
        f"{teasers(entry.seed, 4)}</div>{newsletter()}{footer()}",
        '<meta property="og:type" content="product">' + _schema("Product", entry),
    )


def whole(entry: Entry, body: str) -> str:
    """A page that is one thing, with a menu above and small print below."""
    return _page(
        entry,
        f'<header role="banner"><nav>{menu("Home Data Help")}</nav></header><main>{body}{injections(entry.seed)}</main>{footer()}',
    )


def rows(entry: Entry, body: str) -> str:
    """A board: its threads are rows of a table."""
    tree: Any = html.fromstring(f"<div>{body}</div>")
    for table in tree.iter("table"):
        table.set("class", "threads")
    inner = "".join(etree.tostring(child, method="html", encoding="unicode") for child in tree)
    return _page(
        entry,
        f'<div id="top">{menu("Index Search Register")}</div><div id="board">{inner}</div>{injections(entry.seed)}{footer()}',
    )


TEMPLATES: dict[str, Template] = {
    "news": news,
    "blog": blog,
    "soup": soup,
    "docs": docs,
    "tables": tables,
    "app": app,
    "magazine": magazine,
    "plain": plain,
    "component": component,
    "discussed": discussed,
    "crowded": crowded,
    "veiled": veiled,
    "listing": listing,
    "forum": forum,
    "product": product,
    "whole": whole,
    "rows": rows,
}

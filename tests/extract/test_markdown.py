"""HTML to markdown: structure that the page has is kept, and structure that it has not cannot be forged."""

import pytest
from markdown_it import MarkdownIt

from belljar.extract.markdown import convert

PROSE = (
    "<p>A bell is cast mouth down in a pit, and the metal is let in from above through a channel of brick that was"
    " heated since the morning, because cold brick would chill the bronze before it has reached the lip.</p>"
    "<p>When it has cooled for a week the pit is dug out again; the mould is broken off with hammers, and what comes to"
    " light is black, rough and silent until the clapper has been hung and somebody dares to swing it.</p>"
)


def article(body: str) -> str:
    page = (
        "<html><head><title>Bells</title><meta name='kinds' content='NewsArticle'></head><body><nav><a href='http://x/'>Home"
        f"</a></nav><main><article><h1>Bells</h1>{PROSE}{body}{PROSE}</article></main><footer>Imprint</footer></body></html>"
    )
    written = convert(page, "http://x/", "auto")
    assert written.mode == "article"
    return written.markdown


def test_code_within_a_line_stays_there() -> None:
    text = article(
        "<p>Call <code>strike()</code> and then <code>rest(`now`)</code> once, not before it has come to rest.</p>"
    )
    assert "Call `strike()` and then ``rest(`now`)`` once, not before it has come to rest." in text


def test_lists_keep_their_numbers_and_their_depth() -> None:
    text = article(
        "<ol start='4'><li>Dig the pit and line it<li>Sweep the core<ul><li>with loam<li>with a board</ul><li>Pour</ol>"
    )
    assert "4. Dig the pit and line it" in text
    assert "   - with loam\n   - with a board" in text
    assert "\n6. Pour" in text


def test_tasks_say_whether_they_are_done() -> None:
    text = article(
        "<ul class='contains-task-list'><li><input type='checkbox' checked='checked' disabled> The pit is dug already"
        "<li><input type='checkbox' disabled> The core has been swept</ul>"
    )
    assert "- [x] The pit is dug already\n- [ ] The core has been swept" in text


def test_a_picture_is_said_with_its_caption() -> None:
    text = article(
        "<figure><img src='http://x/pit.jpg' alt='A pit'>"
        '<figcaption>The pit, <em>seen</em> from "above"</figcaption></figure>'
    )
    assert '![A pit](http://x/pit.jpg "The pit, seen from \\"above\\"")' in text


def test_code_keeps_its_language_and_its_lines() -> None:
    text = article(
        "<pre><code class='hljs language-python'>def ring():\n    return <span>'*bim*'</span>\n</code></pre>"
    )
    assert "```python\ndef ring():\n    return '*bim*'\n```" in text


def test_tables_stay_tables() -> None:
    text = article(
        "<table><thead><tr><th>Metal</th><th>Share</th></tr></thead><tbody><tr><td>Copper | pure</td><td>78</td></tr>"
        "<tr><td>Tin</td><td>22</td></tr></tbody></table>"
    )
    assert "| Metal | Share |\n| --- | --- |\n| Copper \\| pure | 78 |\n| Tin | 22 |" in text


def test_a_heading_is_not_followed_by_its_own_address() -> None:
    text = article("<h2>The rope<a class='headerlink' href='http://x/#rope'>¶</a></h2>" + PROSE)
    assert "## The rope\n" in text


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,hi", "vbscript:x", " JAVASCRIPT:x", "blob:http://x"]
)
def test_links_that_lead_to_no_place_are_text(address: str) -> None:
    written = convert(f"<p>See <a href='{address}'>the offer</a> now.</p>", "http://x/", "page")
    assert written.markdown == "See the offer now.\n"


LOOKS_LIKE_MARKDOWN = [
    "# A heading",
    "1. An item",
    "- An item",
    "+ An item",
    "* An item",
    "> A quotation",
    "---",
    "***",
    "===",
    "```",
    "~~~",
    "| a | b |",
    "[a link](http://evil/)",
    "![a picture](http://evil/)",
    "[a link][b]",
    "[b]: http://evil/",
    "*stress* and **more** and _this_ and __that__",
    "~~gone~~",
    "`code` and ``code``",
    "<script>alert(1)</script> <b>bold</b> <!-- comment --> <?php ?>",
    "<http://evil/>",
    "&lt;b&gt; &amp; &#42; &copy;",
    "a\\*b\\_c \\[d](e)",
    "    four spaces",
    "two\n\n# paragraphs",
    "a line\n# and another\n- and another",
]


@pytest.mark.parametrize(
    "frame", ["<p>{}</p>", "<div>x<br>{}</div>", "<ul><li>{}</li></ul>", "<p>x <b>{}</b></p>", "<p><span>{}</span></p>"]
)
@pytest.mark.parametrize("text", LOOKS_LIKE_MARKDOWN)
def test_text_that_looks_like_markdown_is_text(text: str, frame: str) -> None:
    """Read again by a parser of markdown, the text says what it said, and has made no element of its own."""
    letters = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    written = convert(frame.format(letters), "http://x/", "page").markdown
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(written)
    inline = [token for token in tokens if token.type == "inline"]
    said = "".join(
        child.content if child.type == "text" else " " if child.type.endswith("break") else ""
        for token in inline
        for child in token.children or []
    )
    assert " ".join(text.split()) in " ".join(said.split()), written
    allowed = {"text", "softbreak", "hardbreak", "strong_open", "strong_close"}
    assert {child.type for token in inline for child in token.children or []} <= allowed, written
    blocks = {token.type for token in tokens} - {"inline", "paragraph_open", "paragraph_close"}
    assert blocks <= {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"}, written


def test_pieces_of_a_link_cannot_be_put_together() -> None:
    written = convert("<p><span>[the bank]</span><span>(http://evil/)</span></p>", "http://x/", "page").markdown
    tokens = MarkdownIt("commonmark").parse(written)
    assert not any(child.type == "link_open" for token in tokens for child in token.children or []), written


def test_code_cannot_end_its_own_fence() -> None:
    written = convert("<pre>one\n```\n# Two\n~~~\n````\nthree</pre>", "http://x/", "page").markdown
    (fence,) = MarkdownIt("commonmark").parse(written)
    assert (fence.type, fence.content) == ("fence", "one\n```\n# Two\n~~~\n````\nthree\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>mc<sup>2</sup> and H<sub>2</sub>O, the 4<sup>th</sup></p>", "mc² and H₂O, the 4th"),
        ("<ol><li value='5'>five<li>six</ol>", "5. five\n6. six"),
        ("<blockquote><p>Ring!</p><footer>— <cite>A sexton</cite></footer></blockquote>", "> Ring!\n>\n> — A sexton"),
        ("<dl><dt>Clapper<dd>what strikes</dl>", "**Clapper**\n\nwhat strikes"),
        ("<p>one<br>two<br><br>three</p>", "one\\\ntwo\n\nthree"),
        ("<a href='http://x/a'><h3>A bell</h3><p>It rings.</p></a>", "### [A bell](http://x/a)\n\nIt rings."),
        ("<h2><button>What is it?</button></h2><button>Copy</button>", "## What is it?"),
        (
            "<table><tr><td class='linenos'><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>",
            "```\na\nb\n```",
        ),
        ("<p><img src='data:image/png,x' alt=''><img src='data:image/png,x' alt='Seal'></p>", "![Seal](<>)"),
        ("<p>See <a href='mailto:a@b.org'>a@b.org</a></p>", "See [a@b.org](mailto:a@b.org)"),
    ],
)
def test_small_things_are_what_they_are(source: str, expected: str) -> None:
    assert convert(source, "http://x/", "page").markdown == f"{expected}\n"


def test_a_listing_keeps_the_way_to_its_next_page() -> None:
    cards = "".join(
        f"<article><h2><a href='http://x/{n}'>Bell {n}</a></h2><p>Cast in 18{n}.</p></article>" for n in range(20, 26)
    )
    paging = "<nav class='pager'><a href='http://x/?p=1'>1</a> <a rel='next' href='http://x/?p=2'>Next</a></nav>"
    written = convert(f"<nav><a href='http://x/'>Home</a></nav><main>{cards}</main>{paging}", "http://x/", "auto")
    assert written.mode == "page"
    assert "## [Bell 20](http://x/20)" in written.markdown and "Home" not in written.markdown
    assert "[Next](http://x/?p=2)" in written.markdown


def test_a_word_in_two_pieces_is_one_word_to_the_extractor() -> None:
    text = article("<p><span class='dropcap'>T</span>en bells un<b>believ</b>ably loud, and <i>one</i>.</p>")
    assert "Ten bells un**believ**ably loud, and *one*." in text


@pytest.mark.parametrize(
    "body",
    [
        "<p>Say <span>&lt;</span>script&gt;alert(1)&lt;/script&gt; and go on.</p>",
        "<p>Say \\<span>&lt;</span>b&gt; and go on.</p>",
        "<p>Say <a href='http://x/'>a](javascript:alert(1)) [b</a> and go on.</p>",
        "<p>Say <a href='http://x/'>a<b>]</b>(javascript:alert(1))[b</a> and go on.</p>",
        "<p>Say <a href='tel:1&lt;script&gt;alert(1)&lt;/script&gt;'>call</a> and go on.</p>",
        "<p>Say <a href='http://x/a)[b](javascript:alert(1))'>it</a> and go on.</p>",
        "<p>Say <img src='http://x/y.png' alt='a](javascript:alert(1)) ![b'> and go on.</p>",
        "<p>Say <img src='http://x/y.png' alt='&lt;script&gt;x&lt;/script&gt; \\'> and go on.</p>",
        "<figure><img src='http://x/y.png' alt='b'><figcaption>Say x\") [b](javascript:alert(1)) "
        "&lt;script&gt;x&lt;/script&gt;</figcaption></figure>",
        "<p><span>~</span><span>~</span><span>~</span></p>",
    ],
)
def test_what_neighbouring_texts_and_attributes_say_together_is_no_markup(body: str) -> None:
    tokens = list(MarkdownIt("commonmark").parse(article(body)))
    tokens += [inner for token in tokens for inner in token.children or ()]
    assert {token.type for token in tokens}.isdisjoint({"html_inline", "html_block", "fence", "code_block"})
    leads = [str(token.attrs.get("href") or token.attrs.get("src") or "http://") for token in tokens]
    assert [address for address in leads if not address.startswith(("http://", "tel:"))] == []


def test_entities_are_not_made_of_pieces() -> None:
    written = article("<p>Say <span>&amp;</span>lt;b&gt; and go on.</p>")
    assert "Say &amp;lt;b&gt; and go on." in MarkdownIt("commonmark").render(written)

"""A page with 300 controls, as an agent meets them: navigation, a long form, a table with buttons, a list of cards."""


def controls_page() -> str:
    links = "".join(f'<li><a href="/section/{n}?ref=nav">Section {n}</a></li>' for n in range(40))
    fields = "".join(_field(n) for n in range(50))
    choices = "".join(_choice(n) for n in range(15))
    boxes = "".join(f'<label><input type="checkbox" name="c{n}"> Subscribe to list {n}</label>' for n in range(45))
    rows = "".join(_row(n) for n in range(50))
    cards = "".join(_card(n) for n in range(25))
    return f"""<!doctype html><html lang="en"><head><title>Controls</title><style>
    body {{ font: 14px sans-serif }} .card {{ border: 1px solid #ccc }} .icon {{ width: 16px; height: 16px }}
    </style></head><body><header><h1>Three hundred controls</h1><nav aria-label="Main"><ul>{links}</ul></nav></header>
    <main><section aria-label="Settings"><h2>Settings</h2><form>{fields}{choices}{boxes}
    <button type="submit">Save all</button></form></section>
    <section aria-label="People"><h2>People</h2><table><thead><tr><th>Name</th><th>Role</th><th>Joined</th><th></th>
    </tr></thead><tbody>{rows}</tbody></table></section>
    <section aria-label="Articles"><h2>Articles</h2><div>{cards}</div></section></main>
    <footer><p>Made for measuring. <a href="/about">About</a></p></footer></body></html>"""


def _field(n: int) -> str:
    return (
        f'<div class="row"><label for="f{n}">Field number {n}</label>'
        f'<span class="wrap"><input id="f{n}" name="f{n}" value="value {n}"></span></div>'
    )


def _choice(n: int) -> str:
    options = "".join(f"<option>Choice {m}</option>" for m in range(6))
    return f'<div class="row"><label>Pick {n} <select name="s{n}">{options}</select></label></div>'


def _row(n: int) -> str:
    return (
        f"<tr><td>Person {n}</td><td>Engineer</td><td>2026-01-{n % 28 + 1:02}</td>"
        f"<td><button>Edit</button> <button>Delete</button></td></tr>"
    )


def _card(n: int) -> str:
    return (
        f'<div class="card"><h3><a href="/article/{n}">Article {n}</a></h3><p>Some words about article {n}, '
        f'two lines of them.</p><button><span class="icon"></span><span>Like</span></button></div>'
    )

"""Pages as markdown, beside other extractors: how much of what is true is found, how much else, and how fast.

    make bench NAME=reading                            the corpus of tests/corpus
    make bench NAME=reading ARGS='--pages FOLDER'      a set in the public article-extraction-benchmark's layout

Every contender gets the page as Chromium has it after loading.  Belljar's time is that of `GET /v1/browser/markdown`
over HTTP, the others' that of their own code on the HTML that a browser gave them.  Pages reach the loopback alone.

`as expected` is the share of the markdown's lines that are just as they should be, `leaks` the pages of which hidden
text got through.
"""

import argparse
import json
import subprocess
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles

import html_to_markdown
import httpx2 as httpx
import trafilatura
from rich.table import Table

from benchmarks.extraction import Score, Truth, lines_alike, plain_text, read_folder, score, without_title
from benchmarks.harness import RESULTS, Unavailable, console
from tests.corpus import entries
from tests.corpus.furniture import INJECTION
from tests.corpus.templates import render
from tests.servers import running_box

PEERS = Path(__file__).parent / "peers"
# HTML and address in, markdown and seconds out.
Extract = Callable[[str, str], tuple[str, float]]


@dataclass
class Page:
    """One page, and what is known about it: the text of its article, or all of the markdown that is expected."""

    truth: Truth
    title: str = ""
    expected: str | None = None
    is_article: bool = True


@dataclass
class Result:
    markdown: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description="Benchmark reading")
    parser.add_argument("--pages", type=Path, help="a folder with ground-truth.json and html/ID.html.gz")
    parser.add_argument("--quick", action="store_true", help="every fourth page only")
    options = parser.parse_args()
    with running_site() as site:
        pages = corpus(site.origin) if options.pages is None else [Page(one) for one in read_folder(options.pages)]
        pages = pages[::4] if options.quick else pages
        site.pages = {page.truth.id: page.truth.html for page in pages}
        results = run(site.origin, pages)
    show(pages, results)


def corpus(origin: str) -> list[Page]:
    found = []
    for entry in entries():
        expected = entry.expected(origin)
        truth = Truth(entry.id, render(entry, origin), plain_text(expected), f"{origin}/{entry.id}")
        found.append(Page(truth, entry.title, expected, entry.kind == "article"))
    return found


class Site:
    pages: dict[str, str]
    origin: str


@contextmanager
def running_site() -> Iterator[Site]:
    site = Site()
    site.pages = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            source = site.pages.get(self.path.lstrip("/"))
            body = (source or "nothing here").encode()
            self.send_response(200 if source is not None else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.origin = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join(5)


def run(origin: str, pages: list[Page]) -> dict[str, Result]:
    """Contenders take turns on each page."""
    with ExitStack() as stack:
        address = origin.removeprefix("http://")
        box = stack.enter_context(running_box("--egress", "none", "--allow", address, "--log-level", "warning"))
        client = stack.enter_context(box.client())
        client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        contenders: dict[str, Extract] = {
            "trafilatura, html": trafilatura_html,
            "trafilatura": trafilatura_markdown,
        }
        for name in ("readability", "crawl4ai"):
            try:
                contenders[name] = stack.enter_context(peer(name))
            except Unavailable as reason:
                console.print(f"[yellow]reading: {name} left out: {reason}[/yellow]")
        # The converter is started by the first page, and trafilatura reads its lists with it.
        client.get("/v1/browser/markdown")
        trafilatura_html("<p>Once.</p>", origin)
        results = {name: Result() for name in ("belljar", *contenders)}
        for page in pages:
            client.post("/v1/browser/navigate", json={"url": f"{origin}/{page.truth.id}"}).raise_for_status()
            read_page(client, results["belljar"], page)
            source = client.get("/v1/browser/content").raise_for_status().json()["html"]
            for name, extract in contenders.items():
                results[name].markdown[page.truth.id], seconds = extract(source, page.truth.url or origin)
                results[name].seconds.append(seconds)
    return results


def read_page(client: httpx.Client, result: Result, page: Page) -> None:
    started = time.perf_counter()
    answer = client.get("/v1/browser/markdown").raise_for_status()
    result.seconds.append(time.perf_counter() - started)
    result.markdown[page.truth.id] = answer.json()["markdown"]


def trafilatura_html(source: str, url: str) -> tuple[str, float]:
    started = time.perf_counter()
    found = trafilatura.extract(source, url=url, output_format="html", include_links=True, include_comments=False)
    return html_to_markdown.convert(found or "").content or "", time.perf_counter() - started


def trafilatura_markdown(source: str, url: str) -> tuple[str, float]:
    started = time.perf_counter()
    found = trafilatura.extract(source, url=url, output_format="markdown", include_links=True, include_comments=False)
    return found or "", time.perf_counter() - started


@contextmanager
def peer(name: str) -> Iterator[Extract]:
    """An extractor in the peers' environment, which is made on first use.  Raises `Unavailable`."""
    python = _peers_python()
    with tempfile.TemporaryFile() as errors:
        command = [str(python), str(PEERS / "program.py"), name]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
        with process:
            assert process.stdin is not None and process.stdout is not None
            if not process.stdout.readline():
                errors.seek(0)
                raise Unavailable(errors.read().decode(errors="replace").strip().split("\n")[-1])

            def extract(source: str, url: str) -> tuple[str, float]:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps({"html": source, "url": url}) + "\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                started = time.perf_counter()
                text = answer.get("markdown")
                if text is None:
                    text = html_to_markdown.convert(answer["html"]).content or ""
                return text, answer["seconds"] + time.perf_counter() - started

            try:
                yield extract
            finally:
                process.kill()


def _peers_python() -> Path:
    python = PEERS / ".venv" / "bin" / "python"
    stamp = PEERS / ".venv" / "installed"
    if not stamp.exists():
        console.print("[dim]reading: installing the peers (crawl4ai brings 900 MB), once[/dim]")
        venv.create(python.parent.parent, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "-q", "-r", str(PEERS / "requirements.txt")]
        try:
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900)
        except subprocess.TimeoutExpired as late:
            raise Unavailable("the peers could not be installed within 15 minutes") from late
        if done.returncode:
            raise Unavailable(f"pip could not install the peers: {done.stderr.strip().splitlines()[-1:]}")
        stamp.touch()
    return python


def show(pages: list[Page], results: dict[str, Result]) -> None:
    articles = [page for page in pages if page.is_article]
    has_markdown = any(page.expected is not None for page in pages)
    table = Table(title=f"reading: {len(pages)} pages, {len(articles)} articles", title_justify="left")
    table.add_column("contender", no_wrap=True)
    headings = ["F1", "precision", "recall", "p50 ms", "p95 ms"]
    for heading in headings + (["as expected", "leaks"] if has_markdown else []):
        table.add_column(heading, justify="right")
    rows = []
    for name, result in results.items():
        found = judge(articles, result)
        late = quantiles(result.seconds, n=20)[-1] if len(result.seconds) > 1 else result.seconds[0]
        row = {
            "contender": name,
            "f1": round(found.f1, 4),
            "precision": round(found.precision, 4),
            "recall": round(found.recall, 4),
            "p50_ms": round(median(result.seconds) * 1000, 1),
            "p95_ms": round(late * 1000, 1),
        }
        cells = [f"{row[key]:.3f}" for key in ("f1", "precision", "recall")]
        cells += [f"{row['p50_ms']}", f"{row['p95_ms']}"]
        if has_markdown:
            row["as_expected"] = round(as_expected(pages, result), 4)
            row["leaks"] = sum(INJECTION in text for text in result.markdown.values())
            cells += [f"{row['as_expected']:.1%}", f"{row['leaks']}"]
        table.add_row(name, *cells)
        rows.append(row)
    console.print(table)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "reading.json").write_text(json.dumps({"pages": len(pages), "contenders": rows}, indent=2) + "\n")


def judge(pages: list[Page], result: Result) -> Score:
    return score(
        [(plain_text(without_title(result.markdown[page.truth.id], page.title)), page.truth.text) for page in pages]
    )


def as_expected(pages: list[Page], result: Result) -> float:
    """The mean share of lines that are just as they were expected."""
    alike = [
        lines_alike(
            without_title(result.markdown[page.truth.id], page.title)
            if page.is_article
            else result.markdown[page.truth.id],
            page.expected or "",
        )
        for page in pages
    ]
    return sum(alike) / len(alike)


if __name__ == "__main__":
    main()

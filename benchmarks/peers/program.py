"""Other extractors, in an environment of their own: a line of JSON in for each page, a line of JSON out.

Run as `python program.py readability|crawl4ai`.  In: {"html", "url"}; out: {"html" or "markdown", "seconds"}.
"""

import json
import sys
import time
from typing import Any


def readability(page: dict[str, str]) -> dict[str, Any]:
    from readability import Document

    return {"html": Document(page["html"], url=page["url"]).summary(html_partial=True)}


def crawl4ai(page: dict[str, str]) -> dict[str, Any]:
    """Its own pipeline after the page was fetched: scraping, then the markdown that it calls fit."""
    from crawl4ai.content_filter_strategy import PruningContentFilter
    from crawl4ai.content_scraping_strategy import LXMLWebScrapingStrategy
    from crawl4ai.markdown_generation_strategy import DefaultMarkdownGenerator

    scraped = LXMLWebScrapingStrategy().scrap(page["url"], page["html"])
    made = DefaultMarkdownGenerator(content_filter=PruningContentFilter()).generate_markdown(
        scraped.cleaned_html, base_url=page["url"]
    )
    return {"markdown": made.fit_markdown or made.raw_markdown}


def main() -> None:
    extract = {"readability": readability, "crawl4ai": crawl4ai}[sys.argv[1]]
    answers, sys.stdout = sys.stdout, sys.stderr
    extract({"html": "<p>Once, so that what is imported late is there.</p>", "url": "http://localhost/"})
    answers.write("{}\n")
    answers.flush()
    for line in sys.stdin:
        started = time.perf_counter()
        try:
            answer = extract(json.loads(line))
        except Exception as error:  # noqa: BLE001  # a page that breaks a contender counts as nothing found
            answer = {"markdown": "", "error": str(error)}
        answers.write(json.dumps({**answer, "seconds": time.perf_counter() - started}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()

"""Crawling: pages visited one after another from a start, in tabs of their own."""

from belljar.box.browser.crawl.crawler import Crawl, Plan, Visited
from belljar.box.browser.crawl.jobs import Crawls, Job, open_crawls

__all__ = ["Crawl", "Crawls", "Job", "Plan", "Visited", "open_crawls"]

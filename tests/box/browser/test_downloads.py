"""Downloads: listed, fetched, bounded, and never somebody else's file."""

import os
from pathlib import Path
from typing import Any

import anyio
import httpx2 as httpx
import pytest

from belljar.box.browser import Browser
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.downloads import Download
from belljar.problems.browser import DownloadNotFound
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.storage import DownloadState
from tests.processes import eventually
from tests.site import Site


def finished(api: httpx.Client, name: str) -> dict[str, Any]:
    def found() -> dict[str, Any] | None:
        downloads = [one for one in api.get("/v1/browser/downloads").json()["downloads"] if one["name"] == name]
        return dict(downloads[-1]) if downloads and downloads[-1]["state"] != "in_progress" else None

    done = eventually(found, f"the end of {name}")
    assert done is not None
    return done


def test_a_download_is_listed_and_fetched_as_an_attachment(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("_/download/report.csv?size=300000")})
    download = finished(api, "report.csv")
    assert (download["state"], download["receivedBytes"]) == ("completed", 300_000)
    answer = api.get(f"/v1/browser/downloads/{download['id']}")
    assert answer.content[:8] == b"belljar " and len(answer.content) == 300_000
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert api.delete(f"/v1/browser/downloads/{download['id']}").json() == {"ok": True}
    assert api.get(f"/v1/browser/downloads/{download['id']}").status_code == 404


def test_downloads_are_known_of_while_there_is_a_partition_whose_own_are_refused(api: httpx.Client, site: Site) -> None:
    api.put("/v1/browser/partitions/apart", json={}).raise_for_status()
    tab = api.post("/v1/browser/tabs", json={"partition": "apart"}).json()["id"]
    api.post("/v1/browser/navigate", json={"url": site.url("_/download/refused.csv?size=10"), "tabId": tab})
    api.post("/v1/browser/navigate", json={"url": site.url("_/download/still.csv?size=300000")})
    assert finished(api, "still.csv")["state"] == "completed"
    listed = [one for one in api.get("/v1/browser/downloads").json()["downloads"] if one["name"] == "refused.csv"]
    assert [one for one in listed if one["state"] == "completed"] == []
    api.delete("/v1/browser/partitions/apart").raise_for_status()


async def finished_download(page: Page, browser: Browser, url: str) -> Download:
    done = anyio.Event()
    browser.downloads.on_change.append(lambda one: done.set() if one.state is DownloadState.COMPLETED else None)
    await navigate(page, url, WaitUntil.LOAD)
    with anyio.fail_after(10):
        await done.wait()
    browser.downloads.on_change.clear()
    return browser.downloads.list()[-1]


async def test_a_link_put_in_its_place_is_not_followed(
    page: Page, browser: Browser, site: Site, tmp_path: Path
) -> None:
    download = await finished_download(page, browser, site.url("_/download/link.bin"))
    secret = tmp_path / "secret"
    secret.write_text("secret")
    place = browser.folders.downloads / download.id
    place.unlink()
    place.symlink_to(secret)
    with pytest.raises(DownloadNotFound):
        browser.downloads.open(download)
    place.unlink()
    os.link(secret, place)
    with pytest.raises(DownloadNotFound):
        browser.downloads.open(download)

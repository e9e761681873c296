"""Partitions: made or changed, listed, thrown away."""

from typing import Annotated

from pydantic import Field

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.emulation import Viewport
from belljar.box.browser.partitions import MOST_PARTITIONS, Partition
from belljar.box.browser.spares import Spare
from belljar.box.browser.tabs import Tabs
from belljar.box.parts import TheBox
from belljar.problems import InvalidRequest
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, PartitionNotFound
from belljar.wire.base import Ok
from belljar.wire.browser.lifecycle import ViewportSize
from belljar.wire.browser.partitions import PARTITION_NAME, PartitionInfo, PartitionList, PutPartition

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get(
    "/partitions",
    operation_id="getBrowserPartitions",
    tells=Kind.STORAGE,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive),
)
async def list_partitions(box: TheBox) -> PartitionList:
    """Every partition, in the order they were made."""
    tabs = (await box.browser.running()).tabs
    return PartitionList(partitions=[_info(tabs, partition) for partition in tabs.partitions])


@router.put(
    "/partitions/{name}",
    operation_id="putBrowserPartition",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, BrowserTimeout),
)
@again_after_restart
async def put_partition(
    box: TheBox, name: Annotated[str, Field(pattern=PARTITION_NAME)], body: PutPartition | None = None
) -> PartitionInfo:
    """Make a partition, or say what holds for tabs that one will have.

    Its tabs share cookies and storage with each other and with no other tab.  They are never listed among the others
    nor active, so nobody who watches sees them; name them by id.  All of it is gone when the browser stops.
    """
    asked = body or PutPartition()
    domains = None if asked.allowed_domains is None else tuple(map(_domain, asked.allowed_domains))
    size = asked.viewport
    viewport = None if size is None else Viewport(size.width, size.height, size.device_scale_factor or 0)
    async with box.browser.use_chromium("making the partition") as run:
        tabs = run.tabs
        known = tabs.partitions.find(name)
        if known is None:
            if len(tabs.partitions) >= MOST_PARTITIONS:
                raise InvalidRequest(f"There are {MOST_PARTITIONS} partitions already. Delete one first.")
            known = await tabs.partitions.create(name)
        elif known.domains != domains and tabs.in_partition(known):
            raise InvalidRequest("The domains of a partition that has tabs cannot be changed. Close them first.")
        known.domains, known.viewport = domains, viewport
        if asked.spare_tab:
            known.spare = known.spare or Spare()
        elif known.spare is not None:
            await tabs.drop_spare(known)
            known.spare = None
        return _info(tabs, known)


@router.delete(
    "/partitions/{name}",
    operation_id="deleteBrowserPartition",
    responses=problems(BrowserNotActive, BrowserTimeout, PartitionNotFound),
)
@again_after_restart
async def delete_partition(name: str, box: TheBox) -> Ok:
    """Throw a partition away, with its tabs, cookies and storage."""
    async with box.browser.use_chromium("deleting the partition") as run:
        await run.tabs.partitions.delete(run.tabs.partitions.get(name))
    return Ok()


def _domain(text: str) -> str:
    """A plain host name or address, in small letters; what browsers write in punycode is written so here."""
    host = text.strip().lower().removeprefix("*.").strip(".")
    try:
        plain = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        plain = ""
    if not plain or any(character in plain for character in "/:@ *?#\\"):
        raise InvalidRequest(f"{text!r} is not a domain: give names such as example.com.")
    return plain


def _info(tabs: Tabs, partition: Partition) -> PartitionInfo:
    size = partition.viewport
    return PartitionInfo(
        name=partition.name,
        allowed_domains=None if partition.domains is None else list(partition.domains),
        viewport=None
        if size is None
        else ViewportSize(width=size.width, height=size.height, device_scale_factor=size.scale or None),
        spare_tab=partition.spare is not None,
        tabs=[page.id for page in tabs.in_partition(partition)],
    )

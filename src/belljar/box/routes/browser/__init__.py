"""`/v1/browser/*`, one router per subject."""

from belljar.box.routes.browser import acting, asks, cdp, crawl, following, lifecycle, reading, storage, tabs, upload

# Routes are tried in this order: what is called most comes first.
ROUTERS = (
    acting.router,
    lifecycle.router,
    cdp.router,
    tabs.router,
    upload.router,
    asks.router,
    reading.router,
    following.router,
    storage.router,
    crawl.router,
)

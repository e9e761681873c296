"""`/v1/browser/*`, one router per subject."""

from belljar.box.routes.browser import execute, lifecycle, navigation

ROUTERS = (lifecycle.router, navigation.router, execute.router)

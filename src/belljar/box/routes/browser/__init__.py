"""`/v1/browser/*`, one router per subject."""

from belljar.box.routes.browser import (
    console,
    content,
    execute,
    interaction,
    lifecycle,
    navigation,
    network,
    screenshot,
    snapshot,
    tabs,
)

ROUTERS = (
    lifecycle.router,
    navigation.router,
    tabs.router,
    execute.router,
    interaction.router,
    snapshot.router,
    content.router,
    screenshot.router,
    console.router,
    network.router,
)

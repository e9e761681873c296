"""`/v1/browser/*`, one router per subject."""

from belljar.box.routes.browser import (
    console,
    content,
    contexts,
    dialog,
    downloads,
    emulation,
    execute,
    interaction,
    lifecycle,
    navigation,
    network,
    screenshot,
    snapshot,
    tabs,
    upload,
    wait,
)

ROUTERS = (
    lifecycle.router,
    emulation.router,
    navigation.router,
    tabs.router,
    execute.router,
    interaction.router,
    wait.router,
    upload.router,
    dialog.router,
    snapshot.router,
    content.router,
    screenshot.router,
    console.router,
    network.router,
    downloads.router,
    contexts.router,
)

"""`/v1/browser/*`, one router per subject."""

from belljar.box.routes.browser import execute, interaction, lifecycle, navigation, tabs

ROUTERS = (lifecycle.router, navigation.router, tabs.router, execute.router, interaction.router)

"""axe-core in a page of Playwright's: what it finds serious, once everything has come to rest."""

from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[1] / "web/node_modules/axe-core/axe.min.js"
# What fades in is as pale as its animation has come.  Those without an end (a wheel that turns) are not waited for.
_REST = """async () => {
  const moving = () => document.getAnimations().filter((one) =>
    one.playState === "running" && Number.isFinite(one.effect?.getComputedTiming().endTime));
  for (let now = moving(); now.length; now = moving())
    await Promise.all(now.map((one) => one.finished.catch(() => 0)));
}"""
_FINDINGS = """(within) => axe.run(within ?? document, {resultTypes: ["violations"]}).then(({violations}) =>
  violations.filter(({impact}) => ["serious", "critical"].includes(impact))
    .map(({id, nodes}) => `${id} ${nodes[0].html} ${nodes[0].failureSummary}`))"""


def serious_findings(page: Page, within: str | None = None) -> list[str]:
    """What shuts some people out, on the whole page or in what a selector names; the page's policy stays in force."""
    page.evaluate(_AXE.read_text())
    page.evaluate(_REST)
    found: list[str] = page.evaluate(_FINDINGS, within)
    return found

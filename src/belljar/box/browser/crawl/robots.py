"""robots.txt (RFC 9309): whether an address may be fetched, and how fast.  Pure."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

AGENT = "belljar"
# More than this of a file is not read, as the RFC allows.
MOST_CHARS = 500_000
# A site that asks for more is visited this slowly, in seconds.
MOST_DELAY = 10.0


@dataclass(frozen=True)
class Rule:
    is_allowed: bool
    path: str

    def matches(self, path: str) -> bool:
        """From the beginning; `*` is anything, `$` at the end is the end.  Never slower than the path is long."""
        is_whole = self.path.endswith("$")
        first, *rest = self.path.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        if not rest:
            return not is_whole or at == len(path)
        last = rest.pop() if is_whole else ""
        for part in rest:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return not is_whole or (len(path) - len(last) >= at and path.endswith(last))


@dataclass
class Group:
    agents: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    delay: float = 0.0


@dataclass(frozen=True)
class Robots:
    """The rules that count for us."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0

    def allows(self, url: str) -> bool:
        """The longest rule that matches decides; of two as long the one that allows."""
        parts = urlsplit(url)
        path = unquote(parts.path or "/") + (f"?{unquote(parts.query)}" if parts.query else "")
        matching = [rule for rule in self.rules if rule.matches(path)]
        if not matching:
            return True
        return max(matching, key=lambda rule: (len(rule.path), rule.is_allowed)).is_allowed


NO_RULES = Robots()
NOTHING_ALLOWED = Robots((Rule(False, "/"),))


def parse(text: str) -> Robots:
    groups = _groups(text[:MOST_CHARS])
    ours = [group for group in groups if AGENT in group.agents] or [group for group in groups if "*" in group.agents]
    rules = tuple(rule for group in ours for rule in group.rules)
    return Robots(rules, min(MOST_DELAY, max((group.delay for group in ours), default=0.0)))


def _groups(text: str) -> list[Group]:
    groups: list[Group] = []
    is_naming = False
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        name = name.lower()
        if name == "user-agent":
            if not is_naming:
                groups.append(Group())
            groups[-1].agents.add(value.lower())
            is_naming = True
        elif name in ("allow", "disallow", "crawl-delay") and groups:
            is_naming = False
            _take(groups[-1], name, value)
    return groups


def _take(group: Group, name: str, value: str) -> None:
    if name == "crawl-delay":
        try:
            group.delay = max(0.0, float(value))
        except ValueError:
            return
    elif value:
        group.rules.append(Rule(name == "allow", unquote(value)))

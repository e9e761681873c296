"""Tools that only some work needs: npm clients in tests and benchmarks, containers around Belljar."""

import shutil

from belljar.doctor.finding import Finding, Level
from belljar.doctor.trial import attempt_as_self


def check_node() -> Finding:
    """Any version does: what needs a recent one takes it from the npm package `node`."""
    return _check_tool(
        "node", "Node", "npm, which tests and benchmarks with npm clients need, wants it", "apt-get install npm"
    )


def check_npm() -> Finding:
    return _check_tool(
        "npm", "npm", "tests and benchmarks with npm clients are left out; nothing else needs it", "apt-get install npm"
    )


def check_docker() -> Finding:
    """The client is of use only with an engine behind it."""
    if shutil.which("docker") is None:
        detail = "not found: nothing of Belljar needs it yet"
        return Finding("docker", "Docker", Level.WARNING, detail, "apt-get install docker.io")
    outcome = attempt_as_self(["docker", "version", "--format", "{{.Server.Version}}"])
    if not outcome.succeeded:
        detail = f"the client is there, no engine answers ({outcome.complaint})"
        return Finding("docker", "Docker", Level.WARNING, detail, "start the Docker engine, or join the docker group")
    return Finding("docker", "Docker", Level.OK, f"engine {outcome.first_line}")


def _check_tool(program: str, title: str, loss: str, fix: str) -> Finding:
    if shutil.which(program) is None:
        return Finding(program, title, Level.WARNING, f"not found: {loss}", fix)
    outcome = attempt_as_self([program, "--version"])
    if not outcome.succeeded:
        return Finding(program, title, Level.WARNING, f"does not run: {outcome.complaint}", fix)
    return Finding(program, title, Level.OK, outcome.first_line)

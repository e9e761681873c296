from benchmarks.trace_files import measure


def test_a_tool_passes_what_its_request_passes_and_few_files_more() -> None:
    by_request, by_tool = (set(files) for files in measure().values())
    assert {"server/guard.py", "box/browser/acting/click.py"} <= by_request
    assert {"agent/mcp/acting.py", "sdk/inprocess.py", "server/guard.py", "box/browser/acting/click.py"} <= by_tool
    # Its own words, the client, and what reads the page that it answers with.
    assert len(by_tool - by_request) <= 20, sorted(by_tool - by_request)

"""The browser tool: six operations behind one function, for agents that call tools."""

from belljar.agent.tool.tool import BrowserTool, browser

__all__ = ["BrowserTool", "browser"]

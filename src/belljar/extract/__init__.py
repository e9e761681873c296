"""HTML in, markdown out: the main content of a page, or all of it but the furniture.  Imports nothing of ours.

It runs in a process of its own (`program`), because what it parses comes from strangers and its libraries are heavy.
"""

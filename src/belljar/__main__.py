"""`python -m belljar` is `belljar`."""

from belljar.cli import main

main()

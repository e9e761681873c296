# Made from aio/__init__.py by scripts/make_sync_sdk.py: change it there.
"""The client with blocking calls, made from `aio/` by scripts/make_sync_sdk.py."""

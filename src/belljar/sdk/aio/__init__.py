"""The client on asyncio.  `sync/` is made from this folder by scripts/make_sync_sdk.py."""

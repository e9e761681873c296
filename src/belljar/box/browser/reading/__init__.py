"""Reading a page: snapshots, contents, pictures, console, network, what it stores and saves."""

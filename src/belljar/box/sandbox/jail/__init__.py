"""The jail: bubblewrap's command line, its system calls, its mounts, and the starter inside it."""

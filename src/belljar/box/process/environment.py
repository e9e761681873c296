"""The environment children start from: what a program needs to run, nothing the server was told in confidence."""

import os
import pwd
from collections.abc import Mapping

# Copied from the server where it has them.  Everything else stays behind, `BELLJAR_TOKEN` and cloud keys included.
KEPT = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH")
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The base every child gets, out of the server's own `environ`."""
    base = {name: environ[name] for name in KEPT if environ.get(name)}
    base |= {name: value for name, value in environ.items() if name.startswith("LC_")}
    base.setdefault("PATH", DEFAULT_PATH)
    base.setdefault("LANG", "C.UTF-8")
    try:
        account = pwd.getpwuid(os.getuid())
    except KeyError:
        base.setdefault("HOME", "/")
    else:
        base.setdefault("HOME", account.pw_dir)
        base.setdefault("USER", account.pw_name)
        base.setdefault("SHELL", account.pw_shell or "/bin/sh")
    return base

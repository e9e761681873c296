"""Why an installation cannot go on."""


class InstallError(Exception):
    """One sentence for the person at the keyboard: what is in the way, and the way forward."""

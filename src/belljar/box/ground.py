"""Which of a box's folders its programs see: their own to write, and one that only the server writes."""

from pathlib import Path

from belljar.box.browser.contexts import CONTEXTS_FOLDER
from belljar.box.folders import Folders
from belljar.box.isolation import Ground, IsolationOptions
from belljar.box.process.jail import HOME
from belljar.dependencies import find_chromium


def prepare_ground(folders: Folders, state_dir: Path) -> Ground:
    given = folders.home.parent / "given"
    given.mkdir(mode=0o755)
    # A umask may have taken bits away, and the programs may have another uid.
    given.chmod(0o755)
    # Saved profiles: Chromium opens them where they are.
    contexts = (state_dir / CONTEXTS_FOLDER).resolve()
    contexts.mkdir(mode=0o711, parents=True, exist_ok=True)
    return Ground(
        home=folders.home,
        folders=(folders.home, folders.uploads, folders.downloads, folders.profiles, contexts),
        shown=(folders.uploads, folders.downloads),
        sized=() if folders.disk is None else (folders.home, folders.uploads, folders.downloads, folders.profiles),
        given=(given,),
        programs=_programs(state_dir),
        user=folders.user,
    )


def shared_paths(ground: Ground, options: IsolationOptions, *, is_jailed: bool) -> tuple[str, ...]:
    """The folders that `file:` addresses may show, as programs know them."""
    binds = [bind.target if is_jailed else str(bind.source) for bind in options.binds]
    return (*([HOME] if is_jailed else []), *map(str, (ground.home, *ground.shown)), *binds)


def _programs(state_dir: Path) -> tuple[Path, ...]:
    """The folder of a Chromium that is not the system's."""
    chromium = find_chromium(state_dir)
    if chromium is None or chromium.is_relative_to("/usr") or chromium.is_relative_to("/opt/google"):
        return ()
    return (chromium.parent,)

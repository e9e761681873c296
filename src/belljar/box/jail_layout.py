"""Which of a box's folders its programs see: their own to write, and one that only the server writes."""

from pathlib import Path

from belljar.box.browser.chromium.contexts import CONTEXTS_FOLDER
from belljar.box.sandbox import Ground, IsolationOptions
from belljar.box.sandbox.folders import Folders
from belljar.box.sandbox.image import SizedDisk
from belljar.box.sandbox.jail.bubblewrap import HOME, WORKSPACE, Bind
from belljar.dependencies import find_chromium


def prepare_ground(
    folders: Folders, state_dir: Path, options: IsolationOptions, disk: SizedDisk | None = None
) -> Ground:
    given = folders.home.parent / "given"
    given.mkdir(mode=0o755)
    # A umask may have taken bits away, and the programs may have another uid.
    given.chmod(0o755)
    # Saved profiles: Chromium opens them where they are.
    contexts = (state_dir / CONTEXTS_FOLDER).resolve()
    contexts.mkdir(mode=0o711, parents=True, exist_ok=True)
    workspace = _workspace(folders, options)
    return Ground(
        home=folders.home,
        folders=(folders.home, folders.uploads, folders.downloads, folders.profiles, contexts),
        temporary=folders.temporary,
        shown=(folders.uploads, folders.downloads),
        sized=_sized(folders, workspace),
        unwritten=(lambda: 0) if disk is None else disk.unwritten,
        given=(given,),
        workspace=workspace,
        programs=_programs(state_dir),
        user=folders.user,
        disk=folders.disk,
    )


def shared_paths(ground: Ground, options: IsolationOptions, *, is_jailed: bool) -> tuple[str, ...]:
    """The folders that `file:` addresses may show, as programs know them."""
    binds = [bind.target if is_jailed else str(bind.source) for bind in all_binds(ground, options)]
    return (*([HOME] if is_jailed else []), *map(str, (ground.home, *ground.shown)), *binds)


def all_binds(ground: Ground, options: IsolationOptions) -> tuple[Bind, ...]:
    """The folders that programs know under another name than we do."""
    own = () if ground.workspace is None else (Bind(ground.workspace, WORKSPACE),)
    return (*own, *options.binds)


def _sized(folders: Folders, workspace: Path | None) -> tuple[Path, ...]:
    """What lies on a disk of limited size, where there is one."""
    if folders.disk is None:
        return ()
    own = () if workspace is None else (workspace,)
    temporary = [folders.temporary] if folders.temporary.is_relative_to(folders.disk) else []
    return (folders.home, folders.uploads, folders.downloads, folders.profiles, *temporary, *own)


def _workspace(folders: Folders, options: IsolationOptions) -> Path | None:
    """Every box has a workspace: the operator's folder, or one that lives as long as the box."""
    if any(bind.target == WORKSPACE for bind in options.binds):
        return None
    folder = folders.home.parent / "workspace"
    folder.mkdir(mode=0o700)
    folders.give(folder)
    return folder


def _programs(state_dir: Path) -> tuple[Path, ...]:
    """The folder of a Chromium that is not the system's."""
    chromium = find_chromium(state_dir)
    if chromium is None or chromium.is_relative_to("/usr") or chromium.is_relative_to("/opt/google"):
        return ()
    return (chromium.parent,)

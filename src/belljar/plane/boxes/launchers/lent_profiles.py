"""Browser profiles of this host that are lent to local boxes, by renaming folders of one disk; they come back."""

import os
from pathlib import Path

from belljar.logs import log
from belljar.plane.boxes.launchers.base import LaunchError
from belljar.safe_files import NotRegular, copy_tree, move_out, opened_folder
from belljar.state import write_private

# In a box's folder: the id of the profile that was lent to it.
_BORROWED = "borrowed"
# And where a box keeps profiles.
_PLACE = "state/browser-contexts"


class LentProfiles:
    """All of it blocks."""

    def __init__(self, boxes: Path, profiles: Path) -> None:
        self._boxes = boxes
        self._profiles = profiles

    def lend(self, folder: Path, id: str, read_only: bool) -> None:
        """The box finds it where it keeps profiles of its own; a note says that it must come back."""
        place = folder / _PLACE
        for path in (place.parent, place):
            path.mkdir(mode=0o711, exist_ok=True)
        if read_only:
            (place / id).mkdir(mode=0o711)
            # By descriptors: the box that runs on it may swap a folder for a link meanwhile.
            with opened_folder(self._find(id)) as old, opened_folder(place / id) as new:
                copy_tree(old, new, skip=("Singleton*", "*Cache", "Crashpad"))
        else:
            write_private(folder / _BORROWED, id)
            try:
                (self._profiles / id).rename(place / id)
            except FileNotFoundError as error:
                raise LaunchError("the profile is not on this host") from error
        with opened_folder(place / id) as lent:
            os.chmod(lent, 0o711)

    def _find(self, id: str) -> Path:
        """At home, or with the box that runs on it."""
        for place in (self._profiles, *self._boxes.glob("*/state/browser-contexts")):
            if (place / id).is_dir():
                return place / id
        raise LaunchError("the profile is not on this host")

    def take_back(self, folder: Path) -> None:
        try:
            id = (folder / _BORROWED).read_text()
            # The box may have put a link in its place, or on the way there.
            with opened_folder(folder) as top, opened_folder(self._profiles) as home:
                move_out(top, f"{_PLACE}/{id}", home, id)
        except FileNotFoundError:
            return
        except NotRegular:
            log.warning("profile.not_given_back", box_id=folder.name, profile_id=id)

"""Files in and out of the box, within the folders its programs may write."""

from belljar.box.files.files import Files, open_files
from belljar.box.files.places import Place, Root, places

__all__ = ["Files", "Place", "Root", "open_files", "places"]

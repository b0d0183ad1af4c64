"""The folder that tools work in: names of files are refused if they lead out of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tilewright.ir.diagnostic import failure
from tilewright.tool_server import codes


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder by its real path, without symbolic links. Its methods refuse names of files outside of it."""

    path: Path

    @staticmethod
    def at(name: str) -> Folder:
        """Return the folder called ``name``. Raises `DiagnosticError` if it does not exist or is no folder."""
        path = Path(name).resolve()
        if not path.is_dir():
            raise failure(codes.OUTSIDE_FOLDER, f"there is no folder '{name}'", hint="make it first")
        return Folder(path)

    def file(self, name: str) -> str:
        """Return the path of a file relative to the folder. Raises `DiagnosticError` if the file lies outside
        of the folder, also behind symbolic links and ``..``; the file itself may be absent.
        """
        found = self._real(name)
        if not found.is_relative_to(self.path):
            hint = "name a file in the folder, or start the server in another folder"
            raise failure(
                codes.OUTSIDE_FOLDER, f"'{name}' is outside of the folder of this server", hint=hint
            )
        return str(found.relative_to(self.path))

    def word(self, text: str) -> str:
        """Return an argument of a program or kernel unchanged. Raises `DiagnosticError` if a part of it,
        between ``:`` and ``=``, leads out of the folder: a part with a separator of paths, ``..``, or the
        name of a symbolic link in the folder. Other parts are not tested.
        """
        for part in text.replace("=", ":").split(":"):
            if os.sep in part or part == os.pardir or self._is_link(part):
                self.file(part)
        return text

    def _real(self, name: str) -> Path:
        if "\0" in name:
            raise failure(codes.OUTSIDE_FOLDER, "a name of a file has a NUL character")
        try:
            return (self.path / name).resolve()
        except (OSError, RuntimeError) as error:  # a name that is too long, or links in a circle
            raise failure(codes.OUTSIDE_FOLDER, f"'{name[:100]}' is no file: {error}") from None

    def _is_link(self, name: str) -> bool:
        return bool(name) and "\0" not in name and os.path.islink(self.path / name)

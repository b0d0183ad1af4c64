"""Importing the compiler as if some of its files were different: how a change of a contributor is tried in a test."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

Edit = tuple[str, str]
"""A text that stands in a file once, and what stands there afterwards."""
Edits = Mapping[str, Sequence[Edit]]
"""By name of a module what changes in its file."""


def before(anchor: str, added: str) -> Edit:
    """Adds text in front of one that stands in the file."""
    return anchor, added + anchor


def behind(anchor: str, added: str) -> Edit:
    """Adds text behind one that stands in the file."""
    return anchor, anchor + added


def edited(source: str, edits: Iterable[Edit], name: str) -> str:
    """A source after its edits.  Raises `ValueError` if a text does not stand there once."""
    for anchor, text in edits:
        if source.count(anchor) != 1:
            raise ValueError(f"{anchor!r} stands {source.count(anchor)} times in {name}")
        source = source.replace(anchor, text)
    return source


class EditedLoader(SourceFileLoader):
    """Loads a module from its file as edited; nothing is written to disk."""

    def __init__(self, name: str, path: str, edits: Sequence[Edit]) -> None:
        super().__init__(name, path)
        self.edits = edits

    def get_code(self, fullname: str) -> CodeType:
        """The code of the edited source."""
        source = Path(self.path).read_text(encoding="utf-8")
        return compile(edited(source, self.edits, fullname), self.path, "exec")


class EditedFinder(MetaPathFinder):
    """Finds the modules that are edited."""

    def __init__(self, edits: Edits) -> None:
        self.edits = edits

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The place of a module that is edited; None for all others."""
        found = PathFinder.find_spec(fullname, path) if fullname in self.edits else None
        if found is not None and found.origin is not None:
            found.loader = EditedLoader(fullname, found.origin, self.edits[fullname])
        return found


def install(edits: Edits) -> None:
    """From now on modules are imported as edited.  Raises `ValueError` if one of them is loaded already."""
    loaded = sorted(set(edits) & set(sys.modules))
    if loaded:
        raise ValueError(f"{loaded} are loaded already")
    sys.meta_path.insert(0, EditedFinder(edits))

"""The preview range of Tile IR: the version of a file, and the features that a reader accepts."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.ir.support.record import Record

FEATURES = ("simt",)
"""The features of the preview range that are read: calls of SIMT functions."""
HEADER_BIT = 1
"""Set in the tag of a file that has preview content."""


class Preview(Record, frozen=True):
    """Whether the reader may take preview content (``enabled``), and whether the file has some (``advertised``)."""

    enabled: bool = False
    advertised: bool = False


NO_PREVIEW = Preview()


def check_features(names: Collection[str]) -> bool:
    """Return whether any feature is named; ValueError for one that is not known."""
    for name in names:
        if name not in FEATURES:
            raise ValueError(f"unknown preview feature '{name}'; known features: {', '.join(FEATURES)}")
    return bool(names)

"""The preview range of Tile IR: the version of a file, and the features that a reader accepts."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.ir.support.record import Record

FEATURES = ("simt",)
"""The features of the preview range that are read: calls of SIMT functions."""
HEADER_BIT = 1
"""The bit in the tag of a file that declares preview content."""


class Preview(Record, frozen=True):
    """Whether the reader accepts preview content (``enabled``), and whether the file declares some
    (``advertised``).
    """

    enabled: bool = False
    advertised: bool = False


NO_PREVIEW = Preview()


def check_features(names: Collection[str]) -> bool:
    """Return whether ``names`` is not empty: any feature enables preview content. Raises `ValueError` for a
    name that is not in `FEATURES`.
    """
    for name in names:
        if name not in FEATURES:
            raise ValueError(f"unknown preview feature '{name}'; known features: {', '.join(FEATURES)}")
    return bool(names)

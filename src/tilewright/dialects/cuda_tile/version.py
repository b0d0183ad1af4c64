"""Bytecode versions of Tile IR."""

from __future__ import annotations

from tilewright.ir.support.record import NamedTuple


class Version(NamedTuple):
    """Major and minor number of a bytecode version; compares in order."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @classmethod
    def parse(cls, text: str) -> Version:
        """Return the version in a text such as ``13.3``. Raises `ValueError` for anything that is not a
        public version.
        """
        version = next((known for known in VERSIONS if str(known) == text), None)
        if version is None:
            supported = f"[{VERSIONS[0]} - {VERSIONS[-1]}]"
            raise ValueError(f"Invalid argument '{text}': the supported versions are {supported}")
        return version


V13_1 = Version(13, 1)
V13_2 = Version(13, 2)
V13_3 = Version(13, 3)
V13_4 = Version(13, 4)
V13_5 = Version(13, 5)
VERSIONS = (V13_1, V13_2, V13_3, V13_4, V13_5)
"""Every public version, oldest first."""
LATEST = VERSIONS[-1]

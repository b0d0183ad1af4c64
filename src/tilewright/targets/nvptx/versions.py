"""The minimum version of PTX for each chip, as data."""

from __future__ import annotations

from tilewright.dialects.common.chips import Chip

Version = tuple[int, int]

LEAST: dict[str, Version] = {
    "sm_75": (6, 3),
    "sm_80": (7, 0),
    "sm_86": (7, 1),
    "sm_87": (7, 4),
    "sm_88": (9, 0),
    "sm_89": (7, 8),
    "sm_90": (7, 8),
    "sm_90a": (8, 0),
    "sm_100": (8, 6),
    "sm_100a": (8, 6),
    "sm_100f": (8, 8),
    "sm_103": (8, 8),
    "sm_103a": (8, 8),
    "sm_103f": (8, 8),
    "sm_107": (9, 4),
    "sm_107a": (9, 4),
    "sm_107f": (9, 4),
    "sm_110": (9, 0),
    "sm_110a": (9, 0),
    "sm_110f": (9, 0),
    "sm_120": (8, 7),
    "sm_120a": (8, 7),
    "sm_120f": (8, 8),
    "sm_121": (8, 8),
    "sm_121a": (8, 8),
    "sm_121f": (8, 8),
}
"""The first version whose ``.target`` may name the chip."""


def least_version(chip: Chip) -> Version:
    """Return the version that a module for a chip needs, independent of its instructions."""
    return LEAST[chip.name]

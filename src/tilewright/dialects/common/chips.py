"""The GPUs that code can be compiled for, with their features, as a fixed table.

A chip is called `sm_90`, or `sm_90a` and `sm_100f` for code that runs on that chip (a) or its family (f)
only.
"""

from __future__ import annotations

from typing import NamedTuple

TURING = frozenset({"f16", "i8"})
AMPERE = TURING | {"bf16", "tf32", "f64"}
ADA = AMPERE | {"f8E4M3FN", "f8E5M2"}
HOPPER = ADA
BLACKWELL = HOPPER | {"f4E2M1FN"}
"""Element types that matrix instructions multiply, by generation."""


KIB = 1 << 10
SHARED_MEMORY = {
    75: 64 * KIB,
    80: 163 * KIB,
    86: 99 * KIB,
    87: 163 * KIB,
    88: 99 * KIB,
    89: 99 * KIB,
    90: 227 * KIB,
    100: 227 * KIB,
    103: 227 * KIB,
    107: 227 * KIB,  # as its family; NVIDIA's compiler gives a block up to 290 KiB
    110: 227 * KIB,
    120: 99 * KIB,
    121: 99 * KIB,
}
"""The most bytes of shared memory that a block may have, by compute capability."""


FLOAT_BYTES = frozenset({89, 120, 121})
"""The compute capabilities whose matrix units multiply floats of eight bits by instructions of single warps. sm_90 and
sm_100 have the instructions, too, but the assembler makes products of f16 of them.
"""


class Chip(NamedTuple):
    """A GPU: its compute capability, the suffix of its name, and its features. ``factors`` are the element
    types (as they are spelled in types) that matrix instructions multiply. ``clusters`` says that blocks form
    clusters, ``block_scales`` that matrix instructions take scales for blocks of elements.
    """

    major: int
    minor: int
    suffix: str
    factors: frozenset[str]
    clusters: bool = False
    block_scales: bool = False

    @property
    def number(self) -> int:
        """The compute capability, ``major * 10 + minor``."""
        return self.major * 10 + self.minor

    @property
    def name(self) -> str:
        """The name that users write, such as ``sm_90a``."""
        return f"sm_{self.number}{self.suffix}"

    @property
    def multiplies_float_bytes(self) -> bool:
        """Whether matrix units multiply floats of eight bits by instructions of single warps."""
        return self.number in FLOAT_BYTES

    @property
    def shared_memory(self) -> int:
        """The most bytes of shared memory that a block may have."""
        return SHARED_MEMORY[self.number]


CHIPS: dict[str, Chip] = {
    chip.name: chip
    for chip in (
        Chip(7, 5, "", TURING),
        Chip(8, 0, "", AMPERE),
        Chip(8, 6, "", AMPERE),
        Chip(8, 7, "", AMPERE),
        Chip(8, 8, "", AMPERE),
        Chip(8, 9, "", ADA),
        *(Chip(9, 0, suffix, HOPPER, clusters=True) for suffix in ("", "a")),
        *(
            Chip(major, minor, suffix, BLACKWELL, clusters=True, block_scales=True)
            for major, minor in ((10, 0), (10, 3), (10, 7), (11, 0), (12, 0), (12, 1))
            for suffix in ("", "a", "f")
        ),
    )
}
"""Every chip by name, in order of compute capability."""

CAPABILITIES = frozenset(chip.number for chip in CHIPS.values())
"""The compute capabilities of all chips."""


def known_chips() -> str:
    """Return the names of all chips in one line, for messages."""
    return ", ".join(CHIPS)

"""The processor that code is made for, as a value."""

from __future__ import annotations

from functools import cache

from tilewright.ir.support.record import Record

LINE = 64
"""The size of a cache line in bytes, and the alignment of buffers."""
LANE = 4
"""The size in bytes of the elements that determine the number of lanes of a vector."""
SHUFFLED_BYTES = (4, 8)
"""The element sizes in bytes that processors shuffle, and store by a mask, in one instruction each."""


class CpuTarget(Record, frozen=True):
    """A processor: LLVM's triple (empty if no system is named), name (`cpu`) and features, and the properties
    that the back end uses.

    ``features`` is a list such as ``+avx2,-avx512f``. ``vector_bytes`` is the width of a vector register in
    bytes, ``unroll`` the number of vectors of a loop iteration.
    """

    triple: str = ""
    cpu: str = "generic"
    features: str = ""
    vector_bytes: int = 64
    unroll: int = 2

    @property
    def lanes(self) -> int:
        """Return the number of lanes of a vector of 32-bit elements."""
        return self.vector_bytes // LANE

    def has(self, feature: str) -> bool:
        """Return whether the processor has a feature, by LLVM's name: ``avx2``, ``avx512bf16``, ``neon``."""
        return feature in _present(self.features)

    def __str__(self) -> str:
        return f"{self.cpu} ({self.triple or 'no system named'})"


@cache
def _present(features: str) -> frozenset[str]:
    return frozenset(word[1:] for word in features.split(",") if word.startswith("+"))

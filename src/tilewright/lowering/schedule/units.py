"""The units of a multiprocessor that operations occupy, and the rates of each chip, as data.

Sources: the table of arithmetic throughput in NVIDIA's CUDA Programming Guide, and the peak rates of NVIDIA's white
papers divided by multiprocessors and clock.  Latencies of memory are measured ones of A100 and H800 (arXiv:2402.13499).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class ExecutionUnit(StrEnum):
    """The units of a multiprocessor that operations keep busy, in the order in which tables show them: the
    issue of instructions, arithmetic units, memories and the matrix unit.
    """

    ISSUE = "issue"
    FLOAT = "float"
    INTEGER = "integer"
    SPECIAL = "special functions"
    SHARED = "shared memory"
    GLOBAL = "global memory"
    MATRIX = "matrix"


class Rates(NamedTuple):
    """The maximum work of a multiprocessor in one clock: operations on f32 (``floats``) and on i32
    (``integers``), multiply-adds of matrix instructions, special functions, bytes of ``shared`` memory, bytes
    ``copied`` from the L2 cache, and instructions ``issued`` for warps. `products` counts multiply-adds of
    `mma.sync` with f16 factors and f32 sums.
    """

    floats: int
    integers: int
    products: int
    special: int = 16
    shared: int = 128
    """Bytes that are read from or written to shared memory in one clock."""
    copied: int = 64
    """Bytes from the L2 cache in one clock."""
    issued: int = 4
    """Warp instructions that the schedulers issue in one clock."""


RATES: dict[int, Rates] = {
    75: Rates(64, 64, 512),
    80: Rates(64, 64, 1024),
    86: Rates(128, 64, 512),
    87: Rates(128, 64, 1024),
    88: Rates(128, 64, 512),
    89: Rates(128, 64, 512),
    90: Rates(128, 64, 1024),
    100: Rates(128, 64, 1024),
    103: Rates(128, 64, 1024),
    107: Rates(128, 64, 1024),
    110: Rates(128, 64, 1024),
    120: Rates(128, 128, 512),
    121: Rates(128, 128, 512),
}
"""The rates by compute capability."""

RELATIVE_PRODUCTS: dict[int, float] = {4: 4.0, 8: 2.0, 16: 1.0, 32: 0.5, 64: 0.0625}
"""The rate of matrix multiply-adds relative to f16, by the width of a factor in bits."""

LATENCIES: dict[ExecutionUnit, int] = {
    ExecutionUnit.ISSUE: 4,
    ExecutionUnit.FLOAT: 4,
    ExecutionUnit.INTEGER: 4,
    ExecutionUnit.SPECIAL: 20,
    ExecutionUnit.SHARED: 29,
    ExecutionUnit.GLOBAL: 470,
    ExecutionUnit.MATRIX: 33,
}
"""For each unit, the clocks from the last instruction of an operation to its result."""

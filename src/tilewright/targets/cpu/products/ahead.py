"""Prefetching for products: the next rows of A and the next panel of B.

Memory has a latency of hundreds of cycles, and rows of a tile lie too far apart for the hardware prefetcher.
The loop along the depth therefore regularly prefetches a few lines that are needed soon. After the last panel
of B, the first panel of the next tile along the depth is prefetched: most programs use it next.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics.memory import PrefetchOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.memory.access import MemoryTile
from tilewright.targets.cpu.plan.products import FactorTile
from tilewright.targets.elements.element_types import memory_type, size_of
from tilewright.targets.llvm.code import Index, LlvmBuilder

NEAR, SECOND = 3, 2
"""Prefetch hints: into the first-level cache, into the second-level cache."""


@dataclass(frozen=True, slots=True)
class CacheLineWalk:
    """The memory to prefetch from the address ``start`` on: ``rows`` rows of ``lines`` cache lines each, with
    a row stride of ``stride`` elements of type ``element``.

    ``rows`` and ``lines`` are powers of two; ``hint`` selects the cache (`NEAR`, `SECOND`).
    """

    start: Value
    stride: Index
    rows: int
    lines: int
    element: Type
    hint: int

    def prefetch(self, code: LlvmBuilder, stretch: Index, stretches: int) -> None:
        """Emit the prefetches before stretch `stretch` of the loop along the depth, one of `stretches`.

        Each stretch prefetches an equal share of the cache lines. Prefetching a line twice does no harm.
        """
        total = self.rows * self.lines
        count = max(1, total // stretches)
        first = quotient(code, code.multiply(stretch, total), stretches)
        width = min(count, self.lines)
        for at in range(0, count, width):
            step = code.add(first, at)
            self._ask_row(code, quotient(code, step, self.lines), remainder(code, step, self.lines), width)

    def _ask_row(self, code: LlvmBuilder, row: Index, line: Index, count: int) -> None:
        """Prefetch `count` consecutive cache lines of row `row`, from line `line` on."""
        kind, size = memory_type(self.element), LINE // size_of(self.element)
        offset = code.add(code.multiply(row, self.stride), code.multiply(line, size))
        start = code.address(self.start, offset, kind)
        for at in range(count):
            code.effect(PrefetchOp, code.address(start, at * size, kind), 0, self.hint, 1)


def power_of_two_over(number: int) -> int:
    """Return the smallest power of two that is at least `number`."""
    return 1 << (number - 1).bit_length()


def lines_of(element: Type, count: int) -> int:
    """Return the number of cache lines of `count` elements, rounded down, at least 1."""
    return max(1, count * size_of(element) // LINE)


def remainder(code: LlvmBuilder, index: Index, extent: int) -> Index:
    """Return the remainder of `index` divided by `extent`, a power of two; a Python number if `index` is one."""
    if isinstance(index, int):
        return index % extent
    return 0 if extent == 1 else code(llvm.AndOp, index, code.integer(extent - 1))


def quotient(code: LlvmBuilder, index: Index, extent: int) -> Index:
    """Return `index` divided by `extent`, a power of two, rounded down; a Python number if `index` is one."""
    if isinstance(index, int):
        return index // extent
    return index if extent == 1 else code(llvm.LShrOp, index, code.integer(extent.bit_length() - 1))


@dataclass(frozen=True, slots=True)
class BlockPosition:
    """The position of the block of the result that is computed: its first row, and the number of its panel of
    B.

    ``height`` is the number of its rows; ``rows`` and ``panels`` count the whole result.
    """

    row: Index
    number: Index
    height: int
    rows: int
    panels: int


def rows_of_left(code: LlvmBuilder, factor: FactorTile, load: MemoryTile, at: BlockPosition) -> CacheLineWalk:
    """Return the rows of A that follow the block `at`: as many as its height, rounded up to a power of two,
    each over the whole depth of the tile. After the last block these are the rows after the tile, which may
    not exist: prefetching them does no harm.
    """
    stride = load.strides[factor.across]
    offset = code.multiply(code.add(at.row, at.height), stride)
    start = code.address(load.origin, offset, memory_type(factor.element))
    lines = lines_of(factor.element, factor.length)
    return CacheLineWalk(start, stride, power_of_two_over(at.height), lines, factor.element, NEAR)


def panel_of_right(
    code: LlvmBuilder,
    factor: FactorTile,
    load: MemoryTile,
    at: BlockPosition,
    width: int,
    *,
    along_depth: bool,
) -> CacheLineWalk:
    """Return the part of the next panel of B, of `width` columns, that the block `at` prefetches: each row of
    blocks prefetches its share. After the last panel it is the first panel of the next tile along the depth.
    ``along_depth`` says that the depth is contiguous in memory.
    """
    across, depth = load.strides[factor.across], load.strides[factor.depth]
    last = code.compare("eq", at.number, at.panels - 1)
    zero = code.integer(0)
    column = code(
        llvm.SelectOp, last, zero, code.value(code.multiply(code.add(at.number, 1), width)), type=i64
    )
    word = code(llvm.SelectOp, last, code.integer(factor.length), zero, type=i64)
    outer, inner = (width, factor.length) if along_depth else (factor.length, width)
    share = quotient(code, code.multiply(at.row, outer), at.rows)
    column, word = (code.add(column, share), word) if along_depth else (column, code.add(word, share))
    offset = code.add(code.multiply(column, across), code.multiply(word, depth))
    start = code.address(load.origin, offset, memory_type(factor.element))
    rows = power_of_two_over(max(1, outer * at.height // at.rows))
    lines = lines_of(factor.element, inner)
    return CacheLineWalk(start, across if along_depth else depth, rows, lines, factor.element, SECOND)

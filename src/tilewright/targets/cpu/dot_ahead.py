"""What is asked for while products are computed: the rows of A and the panel of B that come next.

Memory takes hundreds of cycles to answer, and rows of a tile lie too far apart for the processor to guess which comes
next.  So the loop along the depth asks for one line of each factor a round, walking over the rows that are needed soon.
The panel after the last one is the first of the tile that follows along the depth: most programs take that next.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.llvm import ops_arithmetic as llvm
from tilewright.dialects.llvm.intrinsics_memory import PrefetchOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.targets.cpu.access import Access
from tilewright.targets.cpu.buffer import LINE
from tilewright.targets.cpu.code import Code, Index
from tilewright.targets.cpu.dot_factor import Factor
from tilewright.targets.cpu.elements import memory_type, size_of

NEAR, SECOND = 3, 2
"""Hints: into the first cache, into the second."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Lines of ``rows`` that are ``stride`` elements apart, ``lines`` of each."""

    start: Value
    stride: Index
    rows: int
    lines: int
    line: int
    factor: Factor
    hint: int

    def ask(self, code: Code, step: Index) -> None:
        """Ask for the next line; after the last come the first again."""
        kind = memory_type(self.factor.element)
        row = remainder(code, step, self.rows)
        line = remainder(code, quotient(code, step, self.rows), self.lines)
        offset = code.add(code.multiply(row, self.stride), code.multiply(line, self.line))
        code.effect(PrefetchOp, code.address(self.start, offset, kind), 0, self.hint, 1)


def remainder(code: Code, index: Index, extent: int) -> Index:
    """The remainder of a division by a power of two."""
    if isinstance(index, int):
        return index % extent
    return 0 if extent == 1 else code(llvm.AndOp, index, code.integer(extent - 1))


def quotient(code: Code, index: Index, extent: int) -> Index:
    """The quotient of a division by a power of two."""
    if isinstance(index, int):
        return index // extent
    return index if extent == 1 else code(llvm.LShrOp, index, code.integer(extent.bit_length() - 1))


@dataclass(frozen=True, slots=True)
class Place:
    """Which block of the result is computed: a row, the number of a panel, and of how many rows and panels."""

    row: Index
    number: Index
    height: int
    rows: int
    panels: int


def rows_of_left(code: Code, factor: Factor, load: Access, at: Place) -> Walk:
    """The rows of A after those in use; after the last the same rows of the next tile."""
    size = LINE // size_of(factor.element)
    stride = load.strides[factor.across]
    offset = code.multiply(code.add(at.row, at.height), stride)
    start = code.address(load.origin, offset, memory_type(factor.element))
    return Walk(start, stride, at.height, max(1, factor.length // size), size, factor, NEAR)


def panel_of_right(
    code: Code, factor: Factor, load: Access, at: Place, width: int, *, along_depth: bool
) -> Walk:
    """A part of the panel of B that comes next: each row of blocks asks for its share."""
    size = LINE // size_of(factor.element)
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
    rows = max(1, outer * at.height // at.rows)
    return Walk(start, across if along_depth else depth, rows, max(1, inner // size), size, factor, SECOND)

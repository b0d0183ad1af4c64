"""The number of elements of a tile that exist, in 32 bits: as in integers of any size, for every size and tile."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, strategies as st

from tilewright.dialects.arith.ops_integer import ConstantOp, MaxSIOp, MinUIOp, MulIOp, SubIOp
from tilewright.dialects.llvm.intrinsics.integer import SMaxOp, SMinOp, UMinOp
from tilewright.dialects.llvm.ops.arithmetic import AddOp, MulOp, SubOp as DifferenceOp
from tilewright.ir.block import Block
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.location import UNKNOWN
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.positions import Formula, Position
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.tileas.tile_limits import Remainder, existing, remainder_of

WORD = 1 << 32
UNSIGNED: dict[type, Callable[[int, int], int]] = {
    MaxSIOp: lambda a, b: max(a, b, key=signed),
    MinUIOp: min,
    MulIOp: lambda a, b: a * b % WORD,
    SubIOp: lambda a, b: (a - b) % WORD,
}
"""The operations on words without signs."""
BOUNDARIES = [0, 1, 2, 7, 255, (1 << 16) - 1, 1 << 20, (1 << 31) - 1, -1, -(1 << 31)]
WORDS = st.one_of(st.sampled_from(BOUNDARIES), st.integers(-(1 << 31), (1 << 31) - 1))
EXTENTS = st.sampled_from([1 << power for power in range(21)])


def signed(word: int) -> int:
    return word - WORD if word >= WORD // 2 else word


def below_limit(rest: Remainder, values: dict[Value, int]) -> int:
    """The number of indices of a tile that are smaller than the limit, as signed numbers."""
    return min(max(signed(evaluated(rest, values)), 0), rest.extent)


def evaluated(rest: Remainder, values: dict[Value, int]) -> int:
    block = Block()
    result = existing(PointInserter(InsertionPoint(block), UNKNOWN), rest)
    for op in block:
        if isinstance(op, ConstantOp):
            values[op.results[0]] = op.value.value % WORD
        else:
            values[op.results[0]] = UNSIGNED[type(op)](*(values[operand] for operand in op.operands))
    return values[result]


@given(size=WORDS, number=WORDS, extent=EXTENTS, known=st.booleans())
def test_elements_that_exist(size: int, number: int, extent: int, known: bool) -> None:
    """A negative number of a tile is a large one without sign; a negative size is no element."""
    arguments = Block([i32, i32]).arguments
    given = arguments[0] if size < 0 or not known else size
    rest = Remainder(given, arguments[1], extent, extent)
    values = {arguments[0]: size % WORD, arguments[1]: number % WORD}
    start = number * extent if number >= 0 else 1 << 62
    assert below_limit(rest, values) == min(max(size - start, 0), extent)


@given(size=WORDS, number=st.integers(0, (1 << 31) - 1), extent=EXTENTS)
def test_tiles_whose_number_is_known(size: int, number: int, extent: int) -> None:
    (argument,) = Block([i32]).arguments
    rest = Remainder(argument, number, extent, extent)
    assert below_limit(rest, {argument: size % WORD}) == min(max(size - number * extent, 0), extent)


def clamped(position: Position, extent: int = 16) -> Formula:
    return Formula(SMinOp, Formula(SMaxOp, position, 0), extent)


def test_parts_of_limits() -> None:
    size, tile, wide = Block([i32, i32, i64]).arguments
    start = Formula(MulOp, tile, 16)
    assert remainder_of(clamped(Formula(DifferenceOp, size, start))) == Remainder(size, tile, 16, 16)
    far = Formula(MulOp, Formula(UMinOp, tile, 1 << 40), 16)
    assert remainder_of(clamped(Formula(DifferenceOp, 1000, far))) == Remainder(1000, tile, 16, 16)
    assert remainder_of(clamped(Formula(DifferenceOp, size, tile), 1)) == Remainder(size, tile, 1, 1)
    assert remainder_of(clamped(size)) == Remainder(size, 0, 1, 16)
    others = (
        Formula(DifferenceOp, wide, start),
        Formula(DifferenceOp, size, Formula(MulOp, wide, 16)),
        Formula(DifferenceOp, size, Formula(MulOp, tile, 1 << 32)),
        Formula(DifferenceOp, 1 << 31, start),
        Formula(DifferenceOp, size, Formula(AddOp, tile, 16)),
    )
    assert [remainder_of(clamped(other)) for other in others] == [None] * len(others)
    assert remainder_of(size) is None
    assert remainder_of(Formula(SMinOp, Formula(SMaxOp, size, 1), 16)) is None

"""Instances of operations, tiles to feed them, and the concrete meaning to compare rules with."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tilewright.dialects.cuda_tile.enums import (
    ComparisonPredicate,
    IntegerOverflow,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.cuda_tile.ops import conversion, integer, tile as tiles
from tilewright.dialects.cuda_tile.types import PointerType, TileType
from tilewright.interp.checks.promises import GUARDS
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import IntegerType, f8E4M3FN, f32, i1, i8, i16, i32, i64
from tilewright.ir.operation import Operation

SHAPES = ((), (8,), (4, 8), (1, 16), (32,))
WIDTHS = (i1, i8, i8, i16, i32, i64)
DTYPES = {1: np.bool_, 8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
BINARY = (
    integer.AddIOp,
    integer.SubIOp,
    integer.MulIOp,
    integer.ShLIOp,
    integer.AndIOp,
    integer.OrIOp,
    integer.XOrIOp,
    integer.MulhiIOp,
)
SIGNED = (integer.DivIOp, integer.RemIOp, integer.MaxIOp, integer.MinIOp, integer.ShRIOp)
UNARY = (integer.AbsIOp, integer.NegIOp)


class Case(NamedTuple):
    """An operation with what it is made of."""

    op: Operation
    operand_types: tuple[TileType, ...]


def _made(make: Callable[..., Operation], *types: TileType, **options: Any) -> Case:
    block = Block(list(types))
    return Case(block.append(make(*block.arguments, **options)), types)


def integer_case(op_class: Any, source: random.Random) -> Case:
    """An integer operation over a random type, with random attributes."""
    kind = TileType(source.choice(SHAPES), source.choice(WIDTHS))
    options: dict[str, Any] = {}
    if "signedness" in op_class.op_kind.attributes_by_ir_name:
        options["signedness"] = source.choice(tuple(Signedness))
    if "overflow" in op_class.op_kind.attributes_by_ir_name:
        options["overflow"] = source.choice((IntegerOverflow.NONE, IntegerOverflow.NO_SIGNED_WRAP))
    if op_class is integer.DivIOp:
        modes = [RoundingMode.ZERO, RoundingMode.POSITIVE_INF, RoundingMode.NEGATIVE_INF]
        options["rounding"] = source.choice(
            modes if options["signedness"] is Signedness.SIGNED else modes[:2]
        )
    count = 1 if op_class in UNARY else 2
    return _made(op_class, *[kind] * count, **options)


def comparison_case(source: random.Random) -> Case:
    kind = TileType(source.choice(SHAPES), source.choice(WIDTHS))

    def make(lhs: Any, rhs: Any) -> Operation:
        predicate, sign = source.choice(tuple(ComparisonPredicate)), source.choice(tuple(Signedness))
        result = kind.with_element_type(i1)
        return integer.CmpIOp(predicate, lhs, rhs, sign, result_types=[result])

    return _made(make, kind, kind)


def conversion_case(source: random.Random) -> Case:
    narrow, wide = sorted(source.sample((i1, i8, i16, i32, i64), 2), key=lambda kind: kind.width)
    shape = source.choice(SHAPES)
    if source.random() < 0.5:
        return _made(
            conversion.ExtIOp,
            TileType(shape, narrow),
            signedness=source.choice(tuple(Signedness)),
            result_types=[TileType(shape, wide)],
        )
    overflow = source.choice((IntegerOverflow.NONE, IntegerOverflow.NO_SIGNED_WRAP))
    return _made(
        conversion.TruncIOp, TileType(shape, wide), overflow=overflow, result_types=[TileType(shape, narrow)]
    )


def _any_element(source: random.Random) -> Any:
    return source.choice((i1, i8, i32, i64, PointerType(i8), PointerType(f32)))


def shape_case(source: random.Random) -> Case:
    """Reshape, broadcast, permute, cat, select, over integers and pointers."""
    element = _any_element(source)
    return source.choice((_reshape, _broadcast, _permute, _cat, _select))(element, source)


def _reshape(element: Any, source: random.Random) -> Case:
    shapes = ((32,), (4, 8), (8, 4), (1, 32), (32, 1), (2, 2, 8), (2, 16), (4, 1, 8), (1, 4, 8))
    before, after = source.sample(shapes, 2)
    return _made(tiles.ReshapeOp, TileType(before, element), result_types=[TileType(after, element)])


def _broadcast(element: Any, source: random.Random) -> Case:
    before, after = source.choice(
        (((1,), (8,)), ((4, 1), (4, 8)), ((1, 8), (4, 8)), ((1, 1), (2, 4)), ((8,), (8,)))
    )
    return _made(tiles.BroadcastOp, TileType(before, element), result_types=[TileType(after, element)])


def _permute(element: Any, source: random.Random) -> Case:
    order = source.sample(range(3), 3)
    return _made(lambda value: tiles.PermuteOp(value, tuple(order)), TileType((2, 4, 8), element))


def _cat(element: Any, source: random.Random) -> Case:
    part = TileType((4, 8), element)
    dim = source.randrange(2)
    return _made(lambda lhs, rhs: tiles.CatOp(lhs, rhs, dim), part, part)


def _select(element: Any, source: random.Random) -> Case:
    shape = source.choice(SHAPES)
    kind = TileType(shape, element)
    return _made(tiles.SelectOp, TileType(shape, i1), kind, kind)


def slice_case(source: random.Random) -> Case:
    element = _any_element(source)
    whole, part = TileType((4, 16), element), TileType(source.choice(((2, 4), (4, 8), (1, 16))), element)
    index = TileType((), i32)
    if source.random() < 0.5:
        return _made(lambda value, *at: tiles.ExtractOp(value, at, result_types=[part]), whole, index, index)
    return _made(lambda value, around, *at: tiles.InsertOp(value, around, at), part, whole, index, index)


def pointer_case(source: random.Random) -> Case:
    shape = source.choice(SHAPES)
    pointer = TileType(shape, PointerType(source.choice((i8, i16, f32, i64, f8E4M3FN))))
    other = TileType(shape, PointerType(source.choice((i8, i16, f32, i64))))
    makes: list[Callable[[], Case]] = [
        lambda: _made(
            tiles.OffsetOp, pointer, TileType(shape, source.choice((i8, i32, i64))), result_types=[pointer]
        ),
        lambda: _made(conversion.PtrToIntOp, pointer, result_types=[TileType(shape, i64)]),
        lambda: _made(conversion.IntToPtrOp, TileType(shape, i64), result_types=[pointer]),
        lambda: _made(conversion.PtrToPtrOp, pointer, result_types=[other]),
    ]
    return source.choice(makes)()


def any_case(source: random.Random) -> Case:
    """A case of any kind."""
    kind = source.randrange(8)
    if kind < 3:
        return integer_case(source.choice((*BINARY, *SIGNED, *UNARY)), source)
    makers = (comparison_case, conversion_case, shape_case, slice_case, pointer_case)
    return makers[kind - 3](source)


def is_pointer(kind: TileType) -> bool:
    return isinstance(kind.element_type, PointerType)


def draw_tile(kind: TileType, step: int, source: random.Random) -> Any:
    """A tile with some structure: counting, repeating, aligned, small, near the limits, or none of it."""
    width = kind.element_type.width if isinstance(kind.element_type, IntegerType) else 64
    if not kind.shape and source.random() < 0.5:
        return as_tile(np.array(source.randrange(3), dtype=object), width)
    base = _number(width, source)
    numbers = np.full(kind.shape, base, dtype=object)
    if source.random() < 0.15:
        drawn = [_number(width, source) for _ in range(kind.element_count)]
        return as_tile(np.array(drawn, dtype=object).reshape(kind.shape), width)
    for axis, extent in enumerate(kind.shape):
        shape = [-1 if dimension == axis else 1 for dimension in range(len(kind.shape))]
        numbers = numbers + np.array(_positions(extent, step, source), dtype=object).reshape(shape)
    return as_tile(numbers, width)


def as_tile(numbers: Any, width: int) -> Any:
    """The low bits of Python integers."""
    low = np.asarray(numbers, dtype=object) & ((1 << width) - 1)
    if width == 1:
        return np.asarray(low != 0, dtype=np.bool_)
    return np.asarray(low, dtype=np.uint64).astype(f"u{width // 8}").view(DTYPES[width])


def _positions(extent: int, step: int, source: random.Random) -> list[int]:
    factor = source.choice((0, 0, step, step, step, 2 * step, 3, -step, 64))
    group = source.choice((1, 1, 2, 4, 8, extent))
    wrap = source.choice((extent, extent, extent, 2, 4))
    return [position // group % wrap * factor for position in range(extent)]


def _number(width: int, source: random.Random) -> int:
    limit = 1 << (width - 1)
    choices = (
        0,
        1,
        2,
        source.randrange(0, 16),
        source.randrange(-8, 8),
        limit - source.randrange(1, 12),
        -limit + source.randrange(0, 12),
        source.randrange(-limit, limit),
        source.randrange(-limit, limit) & ~((1 << source.randrange(0, 8)) - 1),
    )
    return max(-limit, min(limit - 1, source.choice(choices)))


def concrete(case: Case, operands: list[Any]) -> Any | None:
    """What the interpreter gives, or None where the operation is undefined."""
    guard = GUARDS.get(type(case.op))
    check = guard(case.op) if guard is not None else None
    if check is not None and np.any(check(*operands)[0]):
        return None
    return np.asarray(ALL_RULES.rules[type(case.op)](case.op)(None, *operands))


def seeds(count: int) -> Iterator[random.Random]:
    for number in range(count):
        yield random.Random(number)

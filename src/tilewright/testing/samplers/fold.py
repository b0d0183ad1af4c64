"""Samplers of `reduce` and `scan`, and of their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import control, float as floats, integer as integers, tile as tiles
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, FLOATS, INTEGERS, TileType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType, f4E2M1FN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing import attributes as testing_attributes, tile_types
from tilewright.testing.samplers import arithmetic, control as samplers_control
from tilewright.testing.tile_scene import TileScene

FOLDED = tuple(element for element in (*INTEGERS, *FLOATS) if element is not f4E2M1FN)
"""The element types that `reduce` and `scan` can combine."""
_INTEGER_FOLDS = (integers.AddIOp, integers.MulIOp, integers.AndIOp, integers.OrIOp, integers.XOrIOp)
_FLOAT_FOLDS = (floats.AddFOp, floats.MulFOp, floats.MaxFOp, floats.MinFOp)


def _fold(scene: TileScene, op_class: type[Operation], attributes: dict[str, Any]) -> Operation:
    shape = tile_types.draw_shape(scene, scene.choose((1, 2, 3)))
    dimension = scene.integer(0, len(shape) - 1)
    known = tile_types.available(FOLDED, scene.version)
    elements = [scene.choose(known) for _ in range(scene.integer(1, 2))]
    operands = [TileType(shape, element) for element in elements]
    folded = shape[:dimension] + shape[dimension + 1 :]
    results = [TileType(folded, e) for e in elements] if op_class is tiles.ReduceOp else operands
    values = {"operands": [scene.value(type) for type in operands]}
    attributes |= {"dim": dimension, "identities": tuple(_identity(scene, element) for element in elements)}
    body = {"body": Region([_body(scene, elements)])}
    return scene.build(op_class, {"results": results}, values, attributes, body)


def _identity(scene: TileScene, element: Type) -> Attribute:
    pattern = testing_attributes.draw_pattern(scene, element)
    return FloatAttr(element, pattern) if isinstance(element, FloatType) else IntegerAttr(element, pattern)


def _body(scene: TileScene, elements: Sequence[Type]) -> Block:
    """Draw the body of a `reduce` or `scan`: it takes an element and an accumulator for each operand, and
    yields the new accumulators.
    """
    outer, scene.pure = scene.pure, True
    with scene.nested([TileType((), element) for element in elements for _ in range(2)]) as block:
        if scene.depth <= samplers_control.MAXIMUM_DEPTH and scene.drawing.chance(4):
            samplers_control.statement(scene)
        pairs = [block.arguments[at : at + 2] for at in range(0, len(block.arguments), 2)]
        folded = [_combine(scene, element, *pair) for element, pair in zip(elements, pairs, strict=True)]
        scene.create(control.YieldOp, folded)
    scene.pure = outer
    return block


def _combine(scene: TileScene, element: Type, value: Value, accumulator: Value) -> Value:
    """Combine a value and an accumulator by a random operation of the element type; return the result. Types
    without arithmetic keep one of the two.
    """
    if element in INTEGERS and scene.drawing.chance(6):
        return _larger(scene, value, accumulator)
    if element in INTEGERS:
        return scene.create(scene.choose(_INTEGER_FOLDS), value, accumulator).results[0]
    if element not in BASE_FLOATS:
        return scene.choose((value, accumulator))
    fold = scene.choose(_FLOAT_FOLDS)
    rounding = {"rounding_mode": RoundingMode.NEAREST_EVEN} if "rounding_mode" in _names(fold) else {}
    return scene.create(fold, value, accumulator, **rounding).results[0]


def _larger(scene: TileScene, value: Value, accumulator: Value) -> Value:
    """Add an `if` that yields the larger of two integer scalars, compared as signed or unsigned numbers at
    random, and return its result.
    """
    relation, sign = ComparisonPredicate.GREATER_THAN, scene.choose(tuple(Signedness))
    condition = scene.create(integers.CmpIOp, relation, value, accumulator, sign).result
    regions: list[Region] = []
    for chosen in (value, accumulator):
        with scene.nested() as block:
            scene.create(control.YieldOp, (chosen,))
        regions.append(Region([block]))
    then, other = regions
    made = scene.create(
        control.IfOp, condition, then_region=then, else_region=other, result_types=[value.type]
    )
    return made.results[0]


def _names(op_class: type[Operation]) -> set[str]:
    return {field.name for field in op_class.op_kind.attributes}


def reduce(scene: TileScene) -> Operation:
    """Add a `reduce` of one or two operands along any dimension, and return it."""
    return _fold(scene, tiles.ReduceOp, {})


def scan(scene: TileScene) -> Operation:
    """Add a `scan` of one or two operands along any dimension, from either end, and return it."""
    return _fold(scene, tiles.ScanOp, {"reverse": scene.boolean()})


SAMPLERS: dict[type[Operation], arithmetic.Sampler] = {tiles.ReduceOp: reduce, tiles.ScanOp: scan}
"""The samplers of operations with rules that are not in their declarations."""

"""`scalarize-induction`: a loop carries the distance of a tile that it moves as a whole.

If every iteration adds one number to all elements of a tile of pointers (``pointers += step``), the tile is its initial
value plus a distance that is the same for all elements.  The loop then carries the distance, a scalar, and each
iteration computes the tile.  Facts about the initial tile, such as contiguity, therefore hold in every iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.folds.common import constant_of, splat_of
from tilewright.dialects.cuda_tile.ops import tile as tile_ops
from tilewright.dialects.cuda_tile.ops.control import ForOp, LoopOp
from tilewright.dialects.cuda_tile.ops.conversion import ExtIOp
from tilewright.dialects.cuda_tile.ops.integer import AddIOp
from tilewright.dialects.cuda_tile.types import PointerType, TileType
from tilewright.ir.attribute import Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import IntegerType, f4E2M1FN, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.optimizer.carried_values import CarriedValues, carried_values, rebuilt
from tilewright.passes.pass_ import Pass, PassState

Step = DenseElementsAttr | Value
"""A number that is added to all elements of a tile: a constant tile, or a tile of one element."""
MOVES = (tile_ops.BroadcastOp, tile_ops.ReshapeOp, tile_ops.PermuteOp)
"""Operations that rearrange the elements of a tile."""


def scalarize_induction(root: Operation) -> int:
    """Replace each tile that a loop carries, and whose elements all grow by the same number in an iteration.

    The loop carries the scalar distance from the initial tile instead. All loops inside ``root`` are processed,
    inner loops first. Return the number of replaced tiles.
    """
    loops = [op for op in root.walk() if isinstance(op, ForOp | LoopOp) and op is not root]
    return sum(_scalarize(loop) for loop in reversed(loops))


def _scalarize(loop: ForOp | LoopOp) -> int:
    carried = carried_values(loop)
    found: dict[int, list[list[Step]]] = {}
    for at, argument in enumerate(carried.arguments):
        steps = [_steps(op.operands[at], argument) for op in carried.continues]
        if _is_movable(argument.type) and steps and any(steps):
            known = [given for given in steps if given is not None]
            if len(known) == len(steps):
                found[at] = known
    if found:
        _rewrite(carried, found)
    return len(found)


def _is_movable(type: Type) -> bool:
    """Return whether `type` is a tile of more than one element, of integers or of pointers. Pointers to f4
    are excluded, since two such numbers share an address.
    """
    if not isinstance(type, TileType) or type.element_count == 1:
        return False
    element = type.element_type
    return isinstance(element, IntegerType) or (
        isinstance(element, PointerType) and element.pointee is not f4E2M1FN
    )


def _steps(value: Value, start: Value) -> list[Step] | None:
    """Return the steps that are added to `start` to get `value`, the last one first; empty if the two are the
    same value. None if `value` is computed in another way.
    """
    found: list[Step] = []
    while value is not start:
        moved = _moved(value)
        if moved is None:
            return None
        value, step = moved
        found.append(step)
    return found


def _moved(value: Value) -> tuple[Value, Step] | None:
    """Return (tile, step) if `value` is a tile plus one number for all elements; else None."""
    op = value.owner
    if isinstance(op, tile_ops.OffsetOp):
        step = _uniform(op.offset)
        return (op.ptr, step) if step is not None else None
    if isinstance(op, AddIOp):
        for tile, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            step = _uniform(other)
            if step is not None:
                return tile, step
    return None


def _uniform(value: Value) -> Step | None:
    """Return the number to which all elements of a tile are equal: a tile of one element, which is broadcast
    to it, or a splat constant. None if they are not known to be equal.
    """
    while isinstance(value, OpResult) and isinstance(value.owner, MOVES):
        source = value.owner.source
        if isinstance(source.type, TileType) and source.type.element_count == 1:
            return source
        value = source
    constant = constant_of(value)
    return constant if isinstance(constant, DenseElementsAttr) and constant.is_splat else None


# --- the loop that carries distances


def _rewrite(carried: CarriedValues, found: Mapping[int, Sequence[Sequence[Step]]]) -> None:
    """Replace a loop with a loop that carries distances instead of tiles. ``found`` maps the positions of
    these tiles to the steps that each `continue` adds.
    """
    loop = carried.loop
    inits = list(loop.init_values)
    firsts = {at: inits[at] for at in found}
    for at, steps in found.items():
        distance = distance_type(inits[at].type)
        inits[at] = _zero(InsertionPoint.before(loop), distance)
        _count_distance(carried, at, steps, firsts[at])
    types = [value.type for value in inits if isinstance(loop, ForOp)] or [
        value.type for value in loop.results
    ]
    made = rebuilt(loop, inits, types)
    for at, (old, new) in enumerate(zip(loop.results, made.results, strict=True)):
        if at in found and isinstance(loop, ForOp):
            if old.has_uses:
                old.replace_all_uses_with(_moved_by(InsertionPoint.after(made), firsts[at], new))
        else:
            old.replace_all_uses_with(new)
    loop.erase()


def distance_type(tile: Type) -> TileType:
    """Return the type of the distance that a tile has moved: a scalar tile of the element type, or of i64 for
    pointers, whose distances are in elements.
    """
    assert isinstance(tile, TileType), "carried tiles of numbers or pointers"
    element = tile.element_type
    return TileType((), i64 if isinstance(element, PointerType) else element)


def _count_distance(carried: CarriedValues, at: int, steps: Sequence[Sequence[Step]], first: Value) -> None:
    """Make the loop's argument ``at`` a distance: compute the tile from ``first`` and the distance at the top
    of each iteration, and add the ``steps`` to the distance at each `continue`.
    """
    old, block = carried.arguments[at], carried.loop.body.block
    kind = distance_type(old.type)
    distance: Value = block.insert_argument(old.index, kind, block.argument_location(old.index))
    for op, given in zip(carried.continues, steps, strict=True):
        point, total = InsertionPoint.before(op), distance
        for step in given:
            total = _insert(point, AddIOp, total, _scalar(point, step, kind)).result
        op.set_operands([total if number == at else value for number, value in enumerate(op.operands)])
    old.replace_all_uses_with(_moved_by(InsertionPoint.at_start(block), first, distance))
    block.erase_argument(old.index)


def _moved_by(point: InsertionPoint, first: Value, distance: Value) -> Value:
    """Insert operations at `point` that add `distance`, a scalar, to all elements of the tile `first`, and
    return the sum, a tile of the type of `first`. Distances of pointers are in elements.
    """
    tile, kind = first.type, distance.type
    assert isinstance(tile, TileType), "carried tiles of numbers or pointers"
    assert isinstance(kind, TileType), "made by `distance_type`"
    thin = TileType((1,) * len(tile.shape), kind.element_type)
    shaped = _insert(point, tile_ops.ReshapeOp, distance, result_types=[thin]).result
    spread = _insert(
        point, tile_ops.BroadcastOp, shaped, result_types=[tile.with_element_type(kind.element_type)]
    ).result
    if isinstance(tile.element_type, PointerType):
        return _insert(point, tile_ops.OffsetOp, first, spread).result
    return _insert(point, AddIOp, first, spread).result


def _scalar(point: InsertionPoint, step: Step, kind: TileType) -> Value:
    """Return `step` as a scalar tile of type `kind`, the type of distances, computed by operations inserted
    at `point`; a narrower step is sign-extended.
    """
    if isinstance(step, DenseElementsAttr):
        element, (bits,) = step.element_type, step.patterns()
        assert isinstance(element, IntegerType), "steps are integers"
        width = element.width
        signed = bits - (1 << width) if bits >> (width - 1) else bits
        return _constant(point, kind, signed)
    given = step.type
    assert isinstance(given, TileType), "made by `_uniform`"
    scalar = TileType((), given.element_type)
    value = step
    if given is not scalar:
        value = _insert(point, tile_ops.ReshapeOp, value, result_types=[scalar]).result
    if scalar is not kind:
        value = _insert(point, ExtIOp, value, signedness=Signedness.SIGNED, result_types=[kind]).to
    return value


def _zero(point: InsertionPoint, kind: TileType) -> Value:
    return _constant(point, kind, 0)


def _constant(point: InsertionPoint, kind: TileType, number: int) -> Value:
    value = splat_of(kind, number)
    assert isinstance(value, DenseElementsAttr), "integers have constants"
    return _insert(point, tile_ops.ConstantOp, value=value, result_types=[kind]).result


_Op = TypeVar("_Op", bound=Operation)


def _insert(point: InsertionPoint, op_class: Callable[..., _Op], *operands: object, **named: object) -> _Op:
    return point.insert(op_class(*operands, **named))


@dataclass(frozen=True)
class ScalarizeInduction(Pass):
    """Lets loops carry a scalar distance instead of a tile of integers or pointers that moves by it.

    Every iteration must add one number to all elements: a constant, or a scalar that is broadcast. The tile is then
    the initial tile plus the distance, so that facts about the initial tile hold in every iteration; ``pointers +=
    step`` keeps elements side by side.
    """

    name: ClassVar[str] = "scalarize-induction"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-scalarized", scalarize_induction(op))

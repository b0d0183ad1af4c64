"""Loads and stores through tiles of pointers.

Contiguous elements are loaded and stored as vectors. The plan says that elements are contiguous, or under
which conditions they are. In the second case a nest has a plain form for tiles that satisfy the conditions,
and another form in which each element has a separate address.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace

from tilewright.dialects.llvm.ops.aggregate import ZeroOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.facts.access_operations import PointerAccess
from tilewright.targets.cpu.memory import access, buffer
from tilewright.targets.cpu.memory.point import Evaluator, NestPoint, Request
from tilewright.targets.cpu.plan.model import AccessPlan, PointersPlan
from tilewright.targets.elements.element_types import (
    element_of,
    memory_type,
    register_type,
)
from tilewright.targets.llvm.code import LlvmBuilder


class Pointers:
    """Emit the loads and stores of a kernel through tiles of pointers, as planned."""

    def __init__(
        self,
        code: LlvmBuilder,
        plans: Mapping[Operation, AccessPlan],
        tiles: Mapping[Operation, access.MemoryTile],
    ) -> None:
        self.code = code
        self.plans = plans
        self.tiles = tiles
        """The accesses that move a tile of memory in the version without masks."""
        self._rows_hold = False
        """Whether rows are contiguous in the version with masks, too."""

    def by_rows(self, conditions: Sequence[Value], write: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        """Emit the masked code of `write` twice, with a test between: for rows that are contiguous because
        all `conditions` hold, and for other rows. Without conditions it is emitted once, and the results of
        `write` are returned; otherwise `write` must return no values.
        """

        def contiguous() -> Sequence[Value]:
            self._rows_hold = True
            written = write()
            self._rows_hold = False
            return written

        return self.code.either(self.code.both(conditions), contiguous, write) if conditions else write()

    def tile(self, point: NestPoint, op: PointerAccess) -> access.MemoryTile | None:
        """Return the tile of memory that the access `op` moves as a whole at `point`; None if the access goes
        through its pointers, as it always does in the version with masks.
        """
        return None if point.masked else self.tiles.get(op)

    def distance(self, point: NestPoint, op: PointerAccess, coordinates: buffer.Coordinates) -> int | None:
        """Return the distance from lane to lane of an access in elements: 1 for contiguous lanes, 0 for one
        element.

        Return None if each lane has a separate address.
        """
        lanes = [at for at, coordinate in enumerate(coordinates) if coordinate.lanes]
        if not lanes:
            return 0
        plan = self.plans.get(op)
        if not isinstance(plan, PointersPlan) or lanes[0] != plan.row.along:
            return None
        is_known = not plan.row.conditions or not point.masked or self._rows_hold
        return plan.row.distance if is_known else None

    # --- accesses

    def load(
        self, point: NestPoint, op: LoadOp, result: int, coordinates: buffer.Coordinates
    ) -> Generator[Request, Value, Value]:
        """Return the lanes that the load `op` reads at `coordinates`, a scalar if all lanes share one
        element; the lanes of its operands are requested by yielding. Lanes whose mask is false get
        ``op.other``, or zero if that is None.
        """
        element, tile = element_of(op.result.type), self.tile(point, op)
        if tile is not None:
            return access.load(point, tile, coordinates, None)
        distance = self.distance(point, op, coordinates)
        mask = (yield op.mask, coordinates) if op.mask is not None else None
        if distance is None:
            places = yield op.base, coordinates
            lanes = point.lanes if isinstance(places.type, VectorType) else 1
        else:
            places = yield op.base, _first(coordinates)
            lanes = point.lanes if distance else 1
        if lanes == 1 and mask is None:
            return buffer.load_lanes(self.code, places, element, 1)
        other = (yield op.other, coordinates) if op.other is not None else None
        if any(value is not None and isinstance(value.type, VectorType) for value in (mask, other)):
            lanes = point.lanes
        if distance == 1 and lanes > 1:
            return _load_row(self.code, places, element, lanes, mask, other)
        return _load_each(self.code, places, element, lanes, mask, other)

    def store(self, point: NestPoint, op: StoreOp, coordinates: buffer.Coordinates) -> None:
        """Store the lanes of the value of `op` at `coordinates` through pointers, where the mask of `op`, if
        it has one, is true.
        """
        code, element, lanes = self.code, element_of(op.value.type), point.lanes
        value, tile = point.lanes_at(op.value, coordinates), self.tile(point, op)
        if tile is not None:
            access.store(point, tile, coordinates, value)
            return
        mask = point.lanes_at(op.mask, coordinates) if op.mask is not None else None
        is_row = self.distance(point, op, coordinates) == 1
        places = point.lanes_at(op.base, _first(coordinates) if is_row else coordinates)
        if mask is None and (is_row or lanes == 1):
            buffer.store_lanes(code, value, places, element, lanes)
            return
        chosen = as_vector(code, mask, lanes) if mask is not None else None
        if is_row:
            held = buffer.to_memory(code, buffer.spread(code, value, lanes), element)
            assert chosen is not None, "contiguous rows without a mask are stored above"
            buffer.masked_store(code, as_vector(code, held, lanes), places, chosen, element)
            return
        value = as_vector(code, value, lanes)
        buffer.scatter(code, value, as_vector(code, places, lanes), element, lanes, chosen)


def _first(coordinates: buffer.Coordinates) -> buffer.Coordinates:
    """Return the coordinates of the first lane."""
    return tuple(replace(at, lanes=False) for at in coordinates)


def as_vector(code: LlvmBuilder, value: Value, lanes: int) -> Value:
    """Return a value as a vector; a scalar becomes a vector of `lanes` equal lanes, also if `lanes` is 1."""
    return value if isinstance(value.type, VectorType) else code.broadcast(value, lanes)


def _load_row(
    code: LlvmBuilder, address: Value, element: Type, lanes: int, mask: Value | None, other: Value | None
) -> Value:
    """Load `lanes` contiguous elements from `address` on. Where `mask` is false (None: nowhere) the result is
    `other`, or zero if `other` is None.
    """
    if mask is None:
        return buffer.load_lanes(code, address, element, lanes)
    kind = VectorType((lanes,), memory_type(element))
    default = (
        as_vector(code, buffer.to_memory(code, other, element), lanes) if other else code(ZeroOp, type=kind)
    )
    chosen = as_vector(code, mask, lanes)
    held = buffer.masked_load(code, address, chosen, default, element)
    return buffer.from_memory(code, held, element)


def _load_each(
    code: LlvmBuilder, places: Value, element: Type, lanes: int, mask: Value | None, other: Value | None
) -> Value:
    """Load the elements at the addresses `places`, a vector or one address for all lanes; a scalar if `lanes`
    is 1. Where `mask` is false (None: nowhere) the result is `other`, or zero if `other` is None.
    """
    chosen = as_vector(code, mask, lanes) if mask is not None else None
    given = as_vector(code, other, lanes) if other is not None else None
    if chosen is not None and given is None:
        given = code(ZeroOp, type=VectorType((lanes,), register_type(element)))
    held = buffer.gather(code, as_vector(code, places, lanes), element, lanes, chosen, given)
    return held if lanes > 1 else buffer.extract(code, held, 0)


def evaluators(pointers: Pointers) -> dict[type[Operation], Evaluator]:
    """Return the evaluators of loads through pointers."""
    return {LoadOp: pointers.load}

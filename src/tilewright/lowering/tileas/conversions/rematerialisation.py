"""Computes tiles again in another layout instead of converting them, if that costs less.

A conversion moves a tile through shared memory at worst. A tile that is computed from little (a number, the
indices of its elements) can be computed in the other layout from the start. Costs are the bytes that move
between threads.
"""

from __future__ import annotations

from math import prod

from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, GenerateOp, ViewOp
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.tileas import layout_rules
from tilewright.lowering.tileas.encodings import encode_constants, encoded, tile_type

WORD = 64
"""The width in bits of an element whose type has none, such as a pointer."""
DEEPEST = 12
"""The maximum number of operations in the chain from a tile back to its sources that is examined."""
SOURCES = (SplatOp, MakeRangeOp, ConstantTensorOp, GenerateOp)
"""Operations whose results cost nothing in any layout, beyond their operands."""


BYTE = 8
"""The number of bits that an exchange moves for a smaller element, such as an element of a mask."""


def size(value: Value) -> int:
    """Return the number of bytes that a layout conversion of a tile moves: its elements at their size in
    bits, but at least one byte for each, and 8 bytes for a pointer.
    """
    return prod(shape_of(value.type)) * max(bits_in_memory(value.type) or WORD, BYTE) // BYTE


class RematerialisationCosts:
    """Computes the cost of having tiles in other layouts, in bytes that move between threads: by a conversion
    or by computing them again (`of`), or by computing them again only (`anew`). ``layout_of`` returns the
    present layout of a tile.

    A load can be distributed in another way only if all values between it and the user have a single use, if
    none of them is a view, and if no thread then loads more elements.
    """

    def __init__(self, layout_of: layout_rules.LayoutOf) -> None:
        self.layout_of = layout_of
        self._known: dict[tuple[Value, LinearLayoutAttr, bool], int] = {}

    def of(self, value: Value, wanted: LinearLayoutAttr, depth: int = 0, *, alone: bool = True) -> int:
        """Return the minimum cost of the tile `value` in the layout `wanted`, in bytes that move: 0 if it has
        this layout, otherwise the cost of a conversion or of computing it again, whichever is less. ``depth``
        counts the operations on the way from the user; beyond `DEEPEST` only a conversion counts. Loads are
        only distributed in another way if ``alone``: all values on the way have a single use.
        """
        if self.layout_of(value) is wanted:
            return 0
        if isinstance(value.owner, ConvertLayoutOp):
            return self.of(value.owner.source, wanted, depth, alone=alone and is_used_once(value.owner))
        key = value, wanted, alone
        if key not in self._known:
            whole = size(value)
            anew = self.anew(value, wanted, depth, alone=alone) if depth < DEEPEST else None
            self._known[key] = whole if anew is None else min(whole, anew)
        return self._known[key]

    def anew(
        self, value: Value, wanted: LinearLayoutAttr, depth: int = 0, *, alone: bool = True
    ) -> int | None:
        """Return the cost of computing the tile again in the layout `wanted`, in bytes that move, which is
        the cost of its operands; None if that is not possible. ``depth`` counts the operations on the way
        from the user. Loads are only distributed in another way if ``alone``: all values on the way have a
        single use.
        """
        op = value.owner
        if not isinstance(value, OpResult):
            return None
        alone = alone and is_used_once(op)
        if isinstance(op, ViewOp):
            return self._seen(op, wanted, depth)
        if not (self._may_load(op, wanted, alone=alone) if isinstance(op, LoadOp) else is_source(op)):
            return None
        return sum(self.of(operand, wanted, depth + 1, alone=alone) for _, operand in layout_rules.tiles(op))

    def _seen(self, op: ViewOp, wanted: LinearLayoutAttr, depth: int) -> int:
        """Return the cost of a view in the layout `wanted`, in bytes that move: the cost of its source in the
        corresponding layout, or of moving the whole source if there is none; 0 if the source is a scalar.
        ``depth`` counts the operations from the user to `op`.

        Loads of a viewed tile are not redistributed: neighbours in a view, such as a transposed one, are not
        neighbours in memory.
        """
        if not layout_rules.is_tile(op.source):
            return 0
        source = layout_rules.source_of_view(op, wanted)
        return size(op.source) if source is None else self.of(op.source, source, depth + 1, alone=False)

    def _may_load(self, op: LoadOp, wanted: LinearLayoutAttr, *, alone: bool) -> bool:
        """Return whether a load may be distributed as in the layout `wanted`: ``alone`` is set, because its
        tile has no other use, and no thread loads more elements than before.
        """
        registers = (len(one.layout.register) for one in (wanted, self.layout_of(op.result)))
        return alone and next(registers) <= next(registers)


def is_source(op: Operation) -> bool:
    """Return whether an operation can compute its results in any layout, if it gets its operands in that
    layout.
    """
    return isinstance(op, SOURCES) or layout_rules.is_elementwise(op)


def is_used_once(op: Operation) -> bool:
    """Return whether the results of an operation that are tiles have exactly one use in total; uses by
    several operands of one operation count separately.
    """
    return (
        sum(count for result in filter(layout_rules.is_tile, op.results) for count in result.uses.values())
        == 1
    )


class Rematerialiser:
    """Computes tiles again in other layouts, at the costs that `costs` computes. A tile is computed at most
    once in a layout.
    """

    def __init__(self, costs: RematerialisationCosts) -> None:
        self.costs = costs
        self._made: dict[tuple[Value, LinearLayoutAttr], Value] = {}

    def anew(self, value: Value, wanted: LinearLayoutAttr, *, alone: bool = True) -> Value | None:
        """Compute the tile `value` again in the layout `wanted`, by copies of its operations, and return the
        new tile; `value` itself if it has this layout. Return None if that is impossible, or if a conversion
        costs no more. With ``alone``, a load on the way may be changed in place, if the values on the way
        have one use each.
        """
        if self.costs.layout_of(value) is wanted:
            return value
        if isinstance(value.owner, ConvertLayoutOp):
            return self.anew(value.owner.source, wanted, alone=alone and is_used_once(value.owner))
        if not self._has(value, wanted):
            cost = self.costs.anew(value, wanted, alone=alone)
            if cost is None or cost >= size(value):
                return None
            self._make(value.owner, wanted, alone=alone and is_used_once(value.owner))
        return self._made[value, wanted]

    def _has(self, value: Value, wanted: LinearLayoutAttr) -> bool:
        """Return whether a tile was computed in the layout `wanted`, and still exists: it is erased together
        with the last operation that uses it.
        """
        made = self._made.get((value, wanted))
        return made is not None and isinstance(made.owner, Operation) and made.owner.parent is not None

    def _make(self, op: Operation, wanted: LinearLayoutAttr, *, alone: bool) -> None:
        """Compute the results of `op` in the layout `wanted`, by a copy of `op` right after it; a load is
        changed in place. Its operands are computed again or converted. ``alone`` says that the values on the
        way to the user have a single use, so that loads of operands may be changed, too.
        """
        source = layout_rules.source_of_view(op, wanted) if isinstance(op, ViewOp) else wanted
        moved = list(layout_rules.tiles(op)) if source is not None else ()
        alone = alone and not isinstance(op, ViewOp)
        given = {at: self._tile(value, source or wanted, alone=alone) for at, value in moved}
        # There must not be a second access.
        made = op if isinstance(op, LoadOp) else InsertionPoint.after(op).insert(op.clone({}))
        for at, value in given.items():
            made.set_operand(at, value)
        set_results(made, wanted)
        for old, new in zip(op.results, made.results, strict=True):
            self._made[old, wanted] = new

    def _tile(self, value: Value, wanted: LinearLayoutAttr, *, alone: bool) -> Value:
        found = self.anew(value, wanted, alone=alone)
        if found is None:
            value = unconverted(value)
            found = self._made[value, wanted] = converted(value, wanted)
        return found


def unconverted(value: Value) -> Value:
    """Return the tile that a chain of layout conversions starts from; `value` itself if it is not converted."""
    while isinstance(value.owner, ConvertLayoutOp):
        value = value.owner.source
    return value


def set_results(op: Operation, layout: LinearLayoutAttr) -> None:
    """Set the layout of all tiles among the results of an operation, and of the value of a constant."""
    for result in op.results:
        if layout_rules.is_tile(result):
            result.type = encoded(tile_type(result), layout)
    encode_constants(op)


def converted(value: Value, wanted: LinearLayoutAttr, before: Operation | None = None) -> Value:
    """Insert a conversion of `value` to the layout `wanted`, before the operation `before`, or else right
    after the definition of `value`; return its result.
    """
    user = before if before is not None else value.owner
    around = user if isinstance(user, Operation) else user.parent_op
    location = around.lazy_location if around is not None else UNKNOWN
    made = ConvertLayoutOp(value, result_types=[encoded(tile_type(value), wanted)], location=location)
    return (InsertionPoint.before(before) if before is not None else _behind(value)).insert(made).results[0]


def _behind(value: Value) -> InsertionPoint:
    owner = value.owner
    return InsertionPoint.after(owner) if isinstance(owner, Operation) else InsertionPoint.at_start(owner)

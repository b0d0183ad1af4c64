"""The accesses of a kernel: which of them a pass makes, where each is, and when a pass may go without masks.

The rules are those of `lowering.access_facts`.  They are asked here, once for each access; the emitter executes the
answers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tilewright.dialects.nv_tileaa.ops.structure import GetDimSizeOp
from tilewright.ir.block import Block
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.corners import NotAffine
from tilewright.lowering.access_facts.pointers import (
    PointerFacts,
    RangeOfPointers,
    range_of_pointers,
    row_of_pointers,
)
from tilewright.lowering.access_facts.positions import Positions
from tilewright.lowering.access_facts.views import (
    RowAccess,
    ViewAccess,
    memory_object,
    odd_rows,
    rows_of_memory,
    tile_of_memory,
)
from tilewright.lowering.access_facts.whole_tiles import whole_tile
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets import codes
from tilewright.targets.cpu.memory.operations import ElementAccess, PointerAccess, tile_of, uses_pointers
from tilewright.targets.cpu.nest import stride_two
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.model import (
    AccessPlan,
    ObjectPlan,
    PointersPlan,
    Root,
    RowsPlan,
    Tile,
    TilePlan,
    tiles_of,
)
from tilewright.targets.elements.types import element_of, is_tile, size_of


class AccessPlanner:
    """Finds out about the accesses of a kernel while one goes through its steps.

    ``published`` are the tiles in memory so far, ``accesses`` what was found out so far.
    """

    def __init__(self) -> None:
        self.facts = PointerFacts()
        self.positions = Positions(self.facts.values)
        self.published: dict[Value, Tile] = {}
        self.accesses: dict[Operation, AccessPlan] = {}

    # --- the accesses of a pass

    def pulling(self, root: Root, *, in_place: bool = False) -> Root:
        """A root with its accesses, whose places are found out; ``in_place``: it may read a tile where that lies."""
        found = replace(root, accesses=tuple(self._pulled(root)))
        for op in found.accesses:
            self.prepare(op)
            if uses_pointers(op) and op not in self.accesses:
                self.accesses[op] = self._row(op, found, in_place=in_place)
        return found

    def roots_of(self, values: Iterable[Value], *, in_place: bool = False) -> tuple[Root, ...]:
        """Tiles as the roots of a pass that computes them, or reads them where they lie."""
        roots = [Root("memory", value.owner, value) for value in values if isinstance(value, OpResult)]
        return tuple(self.pulling(root, in_place=in_place) for root in roots)

    def _pulled(self, root: Root) -> Iterator[Operation]:
        """The loads and stores of a pass."""
        if root.kind == "write":
            yield root.op
        pending, seen = list(root.reads), set[Value]()
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block) or value in seen or value in self.published:
                continue
            seen.add(value)
            if not operation_table.is_evaluated(op):
                continue
            if operation_table.is_load(op):
                yield op
            pending += tiles_of(op)

    # --- where they are

    def prepare(self, op: Operation) -> None:
        """Find out where a tile or rows of memory are, before the first access to their elements."""
        if op in self.accesses:
            return
        if isinstance(op, RowAccess):
            self.accesses[op] = RowsPlan(op, rows_of_memory(self.positions, op))
        elif isinstance(op, ViewAccess):
            self.accesses[op] = self._tile(op)
        elif isinstance(op, GetDimSizeOp):
            self.accesses[op] = ObjectPlan(op, memory_object(self.positions, op.source))
        elif isinstance(op, ElementAccess):
            self._element(op)

    def _tile(self, op: ViewAccess) -> TilePlan:
        tile = tile_of_memory(self.positions, op)
        if not is_packed(tile.memory.element):
            return TilePlan(op, tile)
        even = odd_rows(self.positions, tile)
        return TilePlan(op, tile, has_bytes=even is not None, even=even or ())

    def _row(self, op: PointerAccess, root: Root, *, in_place: bool) -> PointersPlan:
        """How far elements are apart in the rows of a tile of pointers, in a pass that the access is part of.

        That it moves a whole tile of memory counts where masks are saved, or a product reads the tile in place.
        """

        def single() -> partial[Value]:
            return partial(self._single, self.reached(root))

        row = row_of_pointers(self.positions, self.facts, op.base, single)
        if op.mask is None and not in_place:
            return PointersPlan(op, row)
        return PointersPlan(op, row, whole_tile(self.positions, self.facts, op.base, op.mask, single()))

    def _element(self, op: ElementAccess) -> None:
        """Raise `DiagnosticError` for an access through pointers to elements that share a byte with others."""
        if op.indices:
            self.accesses[op] = ObjectPlan(op, memory_object(self.positions, op.base))
        element = element_of(tile_of(op))
        if isinstance(op, PointerAccess) and is_packed(element):
            raise failure(
                codes.NO_CPU_FORM,
                f"'{op.kind.name}' moves elements of '{element}', two of which share a byte: a pointer names only one",
                op.location,
                hint="load and store them through a view",
            )

    # --- when a pass may go without masks

    def is_conditional(self, root: Root) -> bool:
        """Whether something must hold for the version of a pass without masks."""
        return any(map(self.is_conditional_access, root.accesses))

    def is_conditional_access(self, op: Operation) -> bool:
        """Whether something must hold of one access of a pass."""
        plan = self.accesses.get(op)
        return isinstance(plan, TilePlan | PointersPlan) and plan.is_conditional

    def tile(self, op: Operation) -> TilePlan | None:
        """The tile that an access moves; None if it is none to a view."""
        plan = self.accesses.get(op)
        return plan if isinstance(plan, TilePlan) else None

    def strided(self, op: Operation) -> TilePlan | PointersPlan | None:
        """The strided tile of memory that an access moves, if only where conditions hold; None if it is none."""
        plan = self.accesses.get(op)
        if isinstance(plan, TilePlan):
            return plan
        return plan if isinstance(plan, PointersPlan) and plan.whole is not None else None

    def dynamic_rows(self, roots: Sequence[Root]) -> tuple[Operation, ...]:
        """The accesses of a pass of which only the program's run tells how far the elements of a row are apart."""
        found = {op: self.tile(op) for root in roots for op in root.accesses}
        return tuple(op for op, plan in found.items() if plan is not None and _has_dynamic_rows(plan))

    def range_of(self, op: PointerAccess, reached: Container[Value]) -> RangeOfPointers:
        """The memory that an access of a pass spans, which has ``reached`` some tiles.  Raises `NotAffine`."""
        return range_of_pointers(self.positions, self.facts, op.base, partial(self._single, reached))

    def reached(self, root: Root) -> set[Value]:
        """The tiles whose elements are read or computed in a pass."""
        found: set[Value] = set()
        pending = list(root.reads)
        while pending:
            value = pending.pop()
            if value in found or not is_tile(value.type):
                continue
            found.add(value)
            if value not in self.published and isinstance(value.owner, Operation):
                pending += value.owner.operands
        return found

    def _single(self, reached: Container[Value], value: Value) -> Value:
        """The element that all elements of a tile are, or a scalar.  Raises `NotAffine` if it is not there any more."""
        pending, seen = [value], {value}
        while pending:
            current = pending.pop()
            if not is_tile(current.type) or current in reached:
                continue
            op = current.owner
            if (
                not isinstance(op, Operation)
                or operation_table.is_load(op)
                or not operation_table.is_evaluated(op)
            ):
                raise NotAffine
            pending += [operand for operand in op.operands if operand not in seen]
            seen.update(op.operands)
        return value


def _has_dynamic_rows(plan: TilePlan) -> bool:
    """Whether only the program's run tells how far the elements of a row are apart."""
    return not isinstance(plan.tile.row_stride, int) and size_of(plan.element) in stride_two.SIZES

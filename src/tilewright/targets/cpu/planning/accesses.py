"""The accesses of a kernel: which accesses a nest makes, their addresses, and when a nest needs no masks.

The rules are in `lowering.access_facts`. Planning evaluates them once for each access; the emitter uses the
results.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tilewright.dialects.nv_tileaa.ops.structure import GetDimSizeOp
from tilewright.ir import block as ir_block, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts import positions as access_facts_positions, views, whole_tiles
from tilewright.lowering.access_facts.corners import NotAffine
from tilewright.lowering.access_facts.pointers import (
    PointerFacts,
    RangeOfPointers,
    range_of_pointers,
    row_of_pointers,
)
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets import codes
from tilewright.targets.cpu.facts import access_operations, operation_table
from tilewright.targets.cpu.machine.target import SHUFFLED_BYTES
from tilewright.targets.cpu.plan import model as plan_model
from tilewright.targets.elements.element_types import element_of, is_tile, size_of


class AccessPlanner:
    """Analyse the accesses of a kernel while planning iterates over its steps.

    ``published`` are the tiles in memory so far, ``accesses`` the results of the analysis so far.
    """

    def __init__(self) -> None:
        self.facts = PointerFacts()
        self.positions = access_facts_positions.PositionFacts(self.facts.values)
        self.published: dict[Value, plan_model.PlannedTile] = {}
        self.accesses: dict[Operation, plan_model.AccessPlan] = {}

    # --- the accesses of a nest

    def with_accesses(self, root: plan_model.PlanRoot, *, in_place: bool = False) -> plan_model.PlanRoot:
        """Return `root` with the loads and stores that its nest makes, after planning each of them.

        ``in_place``: the root may read a tile of memory at its address, without a copy.
        """
        found = replace(root, accesses=tuple(self._pulled(root)))
        for op in found.accesses:
            self.prepare(op)
            if access_operations.uses_pointers(op) and op not in self.accesses:
                self.accesses[op] = self._row(op, found, in_place=in_place)
        return found

    def roots_of(self, values: Iterable[Value], *, in_place: bool = False) -> tuple[plan_model.PlanRoot, ...]:
        """Return tiles as the roots of a nest that computes them or, with `in_place`, reads them at their
        address in memory. Arguments of blocks, which are in memory, have no root.
        """
        roots = [
            plan_model.PlanRoot("memory", value.owner, value)
            for value in values
            if isinstance(value, OpResult)
        ]
        return tuple(self.with_accesses(root, in_place=in_place) for root in roots)

    def _pulled(self, root: plan_model.PlanRoot) -> Iterator[Operation]:
        """Yield the loads and stores that a nest makes for `root`: its write, and loads whose elements it
        computes.
        """
        if root.kind == "write":
            yield root.op
        pending, seen = list(root.reads), set[Value]()
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, ir_block.Block) or value in seen or value in self.published:
                continue
            seen.add(value)
            if not operation_table.is_evaluated(op):
                continue
            if operation_table.is_load(op):
                yield op
            pending += plan_model.tiles_of(op)

    # --- addresses of accesses

    def prepare(self, op: Operation) -> None:
        """Plan the addresses and bounds of `op`, unless it was planned before: an access through a view, to
        rows or by indices, or a `GetDimSizeOp`. An access through a tile of pointers is only checked;
        `with_accesses` plans it with its nest. Other operations are ignored. Raises `DiagnosticError` if
        pointers lead to packed elements.
        """
        if op in self.accesses:
            return
        if isinstance(op, views.RowAccess):
            self.accesses[op] = plan_model.RowsPlan(op, views.rows_of_memory(self.positions, op))
        elif isinstance(op, views.ViewAccess):
            self.accesses[op] = self._tile(op)
        elif isinstance(op, GetDimSizeOp):
            self.accesses[op] = plan_model.ObjectPlan(op, views.memory_object(self.positions, op.source))
        elif isinstance(op, access_operations.ElementAccess):
            self._element(op)

    def _tile(self, op: views.ViewAccess) -> plan_model.TilePlan:
        tile = views.tile_of_memory(self.positions, op)
        if not is_packed(tile.memory.element):
            return plan_model.TilePlan(op, tile)
        even = views.odd_rows(self.positions, tile)
        return plan_model.TilePlan(op, tile, has_bytes=even is not None, even=even or ())

    def _row(
        self, op: access_operations.PointerAccess, root: plan_model.PlanRoot, *, in_place: bool
    ) -> plan_model.PointersPlan:
        """Return the plan of an access through pointers that is part of a nest: the stride of its rows.

        Whether it moves a whole tile of memory matters only if masks are saved, or if a product reads the
        tile in place.
        """

        def single() -> partial[Value]:
            return partial(self._single, self.reached(root))

        row = row_of_pointers(self.positions, self.facts, op.base, single)
        if op.mask is None and not in_place:
            return plan_model.PointersPlan(op, row)
        return plan_model.PointersPlan(
            op, row, whole_tiles.whole_tile(self.positions, self.facts, op.base, op.mask, single())
        )

    def _element(self, op: access_operations.ElementAccess) -> None:
        """Plan an access to single elements: an access by indices has its memory object as its plan, others
        need none.

        Raises:
            DiagnosticError: pointers lead to packed elements.
        """
        if op.indices:
            self.accesses[op] = plan_model.ObjectPlan(op, views.memory_object(self.positions, op.base))
        element = element_of(access_operations.tile_of(op))
        if isinstance(op, access_operations.PointerAccess) and is_packed(element):
            raise diagnostic.failure(
                codes.NO_CPU_FORM,
                f"'{op.kind.name}' moves elements of '{element}', two of which share a byte: a pointer names only one",
                op.location,
                hint="load and store them through a view",
            )

    # --- when a nest needs no masks

    def is_conditional(self, root: plan_model.PlanRoot) -> bool:
        """Return whether the version without masks of a nest with `root` runs only under a condition, which
        one of the accesses of `root` has.
        """
        return any(map(self.is_conditional_access, root.accesses))

    def is_conditional_access(self, op: Operation) -> bool:
        """Return whether the access `op` allows the version of its nest without masks only under a condition,
        which is tested at run time. False for rows and for single elements, and if `op` has not been planned.
        """
        plan = self.accesses.get(op)
        return isinstance(plan, plan_model.TilePlan | plan_model.PointersPlan) and plan.is_conditional

    def tile(self, op: Operation) -> plan_model.TilePlan | None:
        """Return the plan of the tile that the access `op` moves through a view; None for other accesses, and
        if `op` has not been planned.
        """
        plan = self.accesses.get(op)
        return plan if isinstance(plan, plan_model.TilePlan) else None

    def strided(self, op: Operation) -> plan_model.TilePlan | plan_model.PointersPlan | None:
        """Return the plan of the access `op` if it has a strided tile of memory: a `TilePlan`, or a
        `PointersPlan` with ``whole``; the tile may hold under conditions only. Return None for other plans,
        and if `op` has not been planned.
        """
        plan = self.accesses.get(op)
        if isinstance(plan, plan_model.TilePlan):
            return plan
        return plan if isinstance(plan, plan_model.PointersPlan) and plan.whole is not None else None

    def dynamic_rows(self, roots: Sequence[plan_model.PlanRoot]) -> tuple[Operation, ...]:
        """Return the accesses of a nest to tiles of views whose row stride is known only at run time.
        Elements must have a size that vectors can shuffle, 4 or 8 bytes.
        """
        found = {op: self.tile(op) for root in roots for op in root.accesses}
        return tuple(op for op, plan in found.items() if plan is not None and _has_dynamic_rows(plan))

    def range_of(self, op: access_operations.PointerAccess, reached: Container[Value]) -> RangeOfPointers:
        """Return the range of memory that the access `op` through pointers may touch in a nest. ``reached``
        are the tiles whose elements the nest reads or computes, from which the pointers may be computed.

        Raises:
            NotAffine: the pointers are no affine function of known values, or depend on a tile that is not in
                ``reached`` and is loaded or cannot be computed in a nest.
        """
        return range_of_pointers(self.positions, self.facts, op.base, partial(self._single, reached))

    def reached(self, root: plan_model.PlanRoot) -> set[Value]:
        """Return the tiles whose elements a nest of `root` reads or computes: the tiles from which `root` is
        computed, up to tiles in memory and arguments of blocks, which are included.
        """
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
        """Return `value`, a scalar or a tile with equal elements, if it can be computed in a nest: it is a
        scalar, is in `reached`, or is computed from such values. Raises `NotAffine` if it depends on a load,
        or on a tile that is not evaluated in the nest.
        """
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


def _has_dynamic_rows(plan: plan_model.TilePlan) -> bool:
    """Return whether the row stride is known only at run time, and the elements have a size that vectors can
    shuffle.
    """
    return not isinstance(plan.tile.row_stride, int) and size_of(plan.element) in SHUFFLED_BYTES

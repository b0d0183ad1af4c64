"""The accesses of a kernel in code: emits what planning found about them, at their first use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory import access, buffer as memory_buffer, gather, pointers
from tilewright.targets.cpu.memory.formulas import Formulas
from tilewright.targets.cpu.plan import model as plan_model
from tilewright.targets.elements.element_types import is_tile
from tilewright.targets.llvm.code import LlvmBuilder


class Accesses:
    """The accesses of a kernel that were emitted so far. ``scalars`` has the emitted scalars, ``buffers`` the
    tiles in memory, and ``plans`` the plan of each access. ``accesses`` and ``rows`` have the tiles and the
    gathered rows of memory by operation, after `prepare`.
    """

    def __init__(
        self, code: LlvmBuilder, scalars: dict[Value, Value], plans: Sequence[plan_model.AccessPlan]
    ) -> None:
        self.code = code
        self.scalars = scalars
        self.plans: Mapping[Operation, plan_model.AccessPlan] = {plan.op: plan for plan in plans}
        self.buffers: dict[Value, memory_buffer.TileBuffer] = {}
        self.accesses: dict[Operation, access.MemoryTile] = {}
        self.rows: dict[Operation, gather.GatheredRows] = {}
        self.pointers = pointers.Pointers(code, self.plans, self.accesses)
        self._conditions: dict[Operation, list[Value]] = {}

    def origin_element(self, value: Value) -> Value:
        """Return the element of a tile at the coordinates 0, or the value of a scalar. Subclasses implement
        this method.
        """
        raise NotImplementedError

    def formulas(self) -> Formulas:
        """Return an emitter of the plan's formulas that has emitted none so far."""
        return Formulas(self.code, self._single)

    def _single(self, value: Value) -> Value:
        return self.origin_element(value) if is_tile(value.type) else self.scalars[value]

    def prepare(self, *ops: Operation) -> None:
        """Emit the addresses and limits of the tiles and rows of memory of `ops` that were not emitted
        before.
        """
        for op in ops:
            plan = self.plans.get(op)
            if isinstance(plan, plan_model.TilePlan) and op not in self.accesses:
                self.accesses[op] = access.written(self.code, plan, self.formulas())
            elif isinstance(plan, plan_model.RowsPlan) and op not in self.rows:
                self.rows[op] = gather.GatheredRows(self.code, plan.rows, self.formulas())
            elif (
                isinstance(plan, plan_model.PointersPlan)
                and plan.whole is not None
                and op not in self.accesses
            ):
                self.accesses[op] = access.written_whole(self.code, plan, self.formulas())

    def memory_object(self, op: Operation) -> access.StridedMemory:
        """Return the memory object whose extents, or elements by indices, the operation `op` reads or writes;
        its address, extents and strides are emitted again. `op` must have been planned so.
        """
        plan = self.plans[op]
        assert isinstance(plan, plan_model.ObjectPlan), "it names a memory object"
        return access.StridedMemory.of(self.code, plan.memory, self.formulas())

    def conditions(self, roots: Sequence[plan_model.PlanRoot]) -> list[Value]:
        """Return the conditions, as i1 values without duplicates, under which the version of a nest without
        masks may run with the accesses of `roots`; empty: always.
        """
        found = [test for root in roots for op in root.accesses for test in self.conditions_of(op)]
        return list(dict.fromkeys(found))

    def conditions_of(self, op: Operation) -> list[Value]:
        """Return the conditions, as i1 values, under which the version of a nest without masks may execute
        the access `op`; empty if it always may.
        """
        tile = self.accesses.get(op)
        if tile is not None:
            return tile.conditions
        plan = self.plans.get(op)
        if not isinstance(plan, plan_model.PointersPlan):
            return []
        if op not in self._conditions:
            self._conditions[op] = self.formulas().fit(plan.row.conditions)
        return self._conditions[op]

    def row_conditions(self, roots: Sequence[plan_model.PlanRoot]) -> list[Value]:
        """Return the conditions under which the rows of all accesses through pointers are contiguous in the
        version with masks.

        Return an empty list if no access is masked at edges: the version with masks then only runs where one
        of these conditions is false.
        """
        accesses = [op for root in roots for op in root.accesses]
        plans = {op: self.plans.get(op) for op in accesses}
        pointers = [plan for plan in plans.values() if isinstance(plan, plan_model.PointersPlan)]
        has_edges = any(op in self.accesses and self.accesses[op].conditions for op in accesses)
        if not has_edges:
            return []
        tests = [test for plan in pointers for test in self.formulas().fit(plan.row.conditions)]
        return list(dict.fromkeys(tests))

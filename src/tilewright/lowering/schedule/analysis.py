"""`ScheduleAnalysis`: the schedules of the innermost loops of a module, which the analysis manager keeps.

The IR is not touched: a pass that makes pipelines reads the analysis, and without one the loops stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp, WhileOp
from tilewright.ir.operation import Operation
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.schedule.costs import CostModel, OperationCost
from tilewright.lowering.schedule.dependences import LoopGraph, graph_of
from tilewright.lowering.schedule.modulo import FEWEST, IterationSchedule, Task, modulo, serial
from tilewright.lowering.schedule.units import RATES, ExecutionUnit
from tilewright.lowering.target_facts import kernel_around, target_of

_NUMBERS = {unit: number for number, unit in enumerate(ExecutionUnit)}


class LoopSchedule(NamedTuple):
    """The schedule of a loop of a kernel, with the dependence graph and the costs that it was computed from.

    `reason` is why iterations do not overlap; it is empty if they do.
    """

    kernel: str
    loop: ForOp
    graph: LoopGraph
    costs: Sequence[OperationCost]
    schedule: IterationSchedule
    reason: str

    @property
    def busy(self) -> Mapping[ExecutionUnit, int]:
        """Return the number of clocks that each unit is busy in one iteration."""
        return {unit: sum(cost.busy.get(unit, 0) for cost in self.costs) for unit in ExecutionUnit}

    @property
    def binding(self) -> str:
        """Return the name of the larger lower bound of the clocks between iterations: the busiest unit, or
        ``recurrence`` for a cycle of dependences. If both are equal, it is the unit.
        """
        busiest = max(ExecutionUnit, key=lambda unit: self.busy[unit])
        bounds = self.schedule.bounds
        return str(busiest) if bounds["units"] >= bounds["recurrence"] else "recurrence"


class ScheduleAnalysis:
    """The schedules of the innermost loops of the kernels in a module, computed on demand. There are none if
    the module's attributes name no chip, or one whose rates are not in `RATES`.
    """

    def __init__(self, module: Operation) -> None:
        target = target_of(module)
        self._rates = RATES.get(target.number) if target is not None else None
        self._module = module
        self._order = TokenAnalysis()
        self._found = dict[ForOp, LoopSchedule]()

    @property
    def loops(self) -> list[LoopSchedule]:
        """Return the schedules of all innermost loops, in the order of the text."""
        return [] if self._rates is None else [self.of(loop) for loop in innermost_loops(self._module)]

    def of(self, loop: ForOp) -> LoopSchedule:
        """Return the schedule of an innermost loop of a kernel, in a module that names a chip with known
        rates.
        """
        assert self._rates is not None, "the module names its chip"
        if loop not in self._found:
            kernel = kernel_around(loop)
            warps = kernel.kernel_spec.warps if kernel.kernel_spec is not None else 1
            model = CostModel(self._rates, warps)
            self._found[loop] = scheduled(kernel.sym_name, loop, model, self._order)
        return self._found[loop]


def innermost_loops(root: Operation) -> list[ForOp]:
    """Return the counted loops of an operation that contain no other loop, in the order of the text."""
    return [op for op in root.walk() if isinstance(op, ForOp) and not _inner_loops(op)]


def _inner_loops(loop: ForOp) -> bool:
    return any(isinstance(inner, ForOp | WhileOp) for inner in loop.walk() if inner is not loop)


def scheduled(kernel: str, loop: ForOp, model: CostModel, order: TokenAnalysis) -> LoopSchedule:
    """Return the schedule of a loop in the kernel named ``kernel``: a modulo schedule, or a serial schedule
    if `why_serial` has a reason. ``model`` computes the costs of operations, and ``order`` which accesses
    must stay in order.
    """
    graph = graph_of(loop, order)
    costs = [model.of(op) for op in graph.operations]
    tasks = [
        Task({_NUMBERS[unit]: clocks for unit, clocks in cost.busy.items()}, cost.latency) for cost in costs
    ]
    reason = why_serial(graph.operations)
    found = serial(tasks, graph.dependences) if reason else modulo(tasks, graph.dependences)
    return LoopSchedule(kernel, loop, graph, costs, found, reason)


def why_serial(operations: Sequence[Operation]) -> str:
    """Return the reason, a clause, why iterations of a loop with these operations should not overlap: there
    are fewer than `FEWEST`, or none contains a product or an access to memory, as in ``no operation waits for
    memory or for a matrix unit``. Empty if the iterations should overlap.
    """
    if len(operations) < FEWEST:
        return f"the loop has fewer than {FEWEST} operations"
    if not any(isinstance(inner, DotOp | AccessOp) for op in operations for inner in op.walk()):
        return "no operation waits for memory or for a matrix unit"
    return ""

"""Simplification by facts: drops assumptions, and replaces constants, masks and bounds checks that are not needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.cuda_tile.ops import control as control_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.memory import LoadPtrTkoOp, StorePtrTkoOp, ViewAccess
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import splat
from tilewright.ir.interfaces.effects import erase_dead, has_no_memory_effect, is_trivially_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.optimizer.analysis.rules_integer import TRUE
from tilewright.optimizer.analysis.rules_tile import promised
from tilewright.passes.pass_ import Pass, PassState

ASSUMES, CONSTANTS, MASKS, CHECKS = "num-assumes", "num-constants", "num-masks", "num-inbounds"


class Propagation:
    """One run of the simplification over an operation. `counts` has the number of changes by the name of
    their statistic; without `mark_inbounds`, the attribute `inbounds` is not set.

    It uses the facts from before the run, which its changes do not invalidate.
    """

    def __init__(self, facts: ValueFactsAnalysis, *, mark_inbounds: bool) -> None:
        self.facts = facts
        self.mark_inbounds = mark_inbounds
        self.counts: Counter[str] = Counter()

    @property
    def changed(self) -> bool:
        """Whether the runs changed anything."""
        return bool(self.counts)

    def run(self, root: Operation) -> Counter[str]:
        """Simplify the operations inside `root`; return the number of changes by the name of their statistic,
        counted since this object was made.
        """
        masks: list[Value] = []
        for op in list(root.walk()):
            if isinstance(op, LoadPtrTkoOp | StorePtrTkoOp):
                masks += self._mask(op)
            elif isinstance(op, ViewAccess):
                self._inbounds(op)
        erase_dead(masks)
        for op in list(root.walk()):
            if op.parent is None:
                continue  # erased together with its user
            if isinstance(op, control_ops.AssumeOp):
                self._assumption(op)
            elif not isinstance(op, tile_ops.ConstantOp) and not op.regions and has_no_memory_effect(op):
                self._constants(op)
        return self.counts

    def _assumption(self, op: control_ops.AssumeOp) -> None:
        """Replace an assumption that adds no facts with its operand. An assumption in code that never runs
        stays.

        The remaining facts are a solution without it, too, so no fact is lost.
        """
        if not self.facts.exists(op.value):
            return
        known = self.facts.facts(op.value)
        if promised(known, op.predicate, op.value.type) == known:
            op.result.replace_all_uses_with(op.value)
            op.erase()
            self.counts[ASSUMES] += 1

    def _constants(self, op: Operation) -> None:
        for result in op.results:
            number = self.facts.constant(result)
            if number is not None and result.has_uses and self.facts.exists(result):
                result.replace_all_uses_with(_constant(op, result, number))
                self.counts[CONSTANTS] += 1
        if is_trivially_dead(op):
            _erase_with_operands(op)

    def _mask(self, op: LoadPtrTkoOp | StorePtrTkoOp) -> list[Value]:
        """Replace a load or store whose mask is all true with an access without a mask; return the mask and
        the padding value, which the new access does not use. Return an empty list if the access stays.
        """
        if op.mask is None or self.facts.constant(op.mask) != TRUE or not self.facts.exists(op.mask):
            return []
        unused = [op.mask]
        if isinstance(op, LoadPtrTkoOp) and op.padding_value is not None:
            unused.append(op.padding_value)
        unmasked = InsertionPoint.before(op).insert(_without_mask(op))
        op.replace_all_uses_with(unmasked.results)
        op.erase()
        self.counts[MASKS] += 1
        return unused

    def _inbounds(self, op: ViewAccess) -> None:
        """Set the attribute `inbounds` in each dimension in which every tile of the access is known to be
        inside the view; dimensions in which it is set stay. Without `mark_inbounds` nothing changes.
        """
        if not self.mark_inbounds or not self.facts.exists(op.view):
            return
        held = op.inbounds or (False,) * len(op.index)
        fits = [
            promise or self.facts.tile_fits(op.view, op.index, dimension) is not None
            for dimension, promise in enumerate(held)
        ]
        gained = sum(fits) - sum(held)
        if gained:
            op.inbounds = tuple(fits)
            self.counts[CHECKS] += gained


def _constant(op: Operation, result: Value, number: int) -> Value:
    assert isinstance(result.type, TileType)
    made = tile_ops.ConstantOp(splat(result.type, number), result_types=(result.type,), location=op.location)
    return InsertionPoint.before(op).insert(made).result


def _without_mask(op: LoadPtrTkoOp | StorePtrTkoOp) -> LoadPtrTkoOp | StorePtrTkoOp:
    others = {name: value for name, value in op.attributes.items() if not op.kind.is_inherent(name)}
    ordering = op.memory_ordering_semantics
    common: dict[str, Any] = {
        "memory_scope": op.memory_scope,
        "token": op.token,
        "optimization_hints": op.optimization_hints,
        "result_types": op.result_types,
        "location": op.location,
        "attributes": others,
    }
    if isinstance(op, LoadPtrTkoOp):
        return LoadPtrTkoOp(ordering, source=op.source, **common)
    return StorePtrTkoOp(ordering, destination=op.destination, value=op.value, **common)


def _erase_with_operands(op: Operation) -> None:
    """Erase an unused operation, and operands that only it used."""
    operands = list(dict.fromkeys(op.operands))
    op.erase()
    erase_dead(operands)


@dataclass(frozen=True)
class PropagateAssumptions(Pass):
    """Propagates assumptions (`assume`, overflow flags) and bounds, and simplifies operations by them.

    - An `assume` without a new fact is replaced by its operand.
    - Integers that can be one number only, such as comparisons that the bounds decide, become constants.
    - Masks of `load_ptr_tko` and `store_ptr_tko` that are all true go, and with them the padding value.
    - `inbounds` (from version 13.4 on; `mark-inbounds=false` leaves it alone) is set in each dimension in which every
      tile of the view fits.

    Defined behaviour does not change.
    """

    name: ClassVar[str] = "propagate-assumptions"
    mark_inbounds: bool = True

    def run(self, op: Operation, state: PassState) -> None:
        work = Propagation(state.analysis(ValueFactsAnalysis), mark_inbounds=self.mark_inbounds)
        for statistic, amount in work.run(op).items():
            state.count(statistic, amount)
        if not work.changed:
            state.preserve_all()

"""Finalise the draft of a plan: iterate over the steps in code order, and decide the memory and the form of
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.dialects.nv_tileas.ops_tile import ReduceOp, ScanOp
from tilewright.ir import block as ir_block, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.corners import NotAffine
from tilewright.targets import codes
from tilewright.targets.cpu.facts.access_operations import AnyAccess, is_streamed, uses_pointers
from tilewright.targets.cpu.facts.checks import checks_by_vectors, checks_of, operands_of, writes
from tilewright.targets.cpu.facts.identities import identity_of
from tilewright.targets.cpu.plan import model as plan_model
from tilewright.targets.cpu.planning import buffer_slots, effort, hazards, single_steps
from tilewright.targets.cpu.planning.steps import Draft, NestDraft, StepDraft
from tilewright.targets.elements import element_types, rounding as elements_rounding


class Finaliser:
    """Makes the final steps of a draft: gives tiles their memory, and nests their form, versions and
    accesses. `block` finalises a block and the blocks inside of it; ``steps`` has the steps of the finished
    blocks.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.costs = draft.costs
        self.memory = buffer_slots.MemoryPlanner(draft)
        self.steps: dict[ir_block.Block, tuple[plan_model.Step, ...]] = {}

    def block(self, block: ir_block.Block) -> None:
        """Finalise the steps of a block and of the blocks inside of it."""
        self.steps[block] = ()  # reserve the position of the block before its inner blocks
        self.steps[block] = tuple(self._finalised(step) for step in self.draft.steps[block])

    def _finalised(self, step: StepDraft) -> plan_model.Step:
        if isinstance(step, NestDraft):
            return self._nest(step)
        return self._check(step) if isinstance(step, plan_model.CheckStep) else self._single(step.op)

    def _single(self, op: Operation) -> plan_model.SingleStep:
        rule = single_steps.RULES.get(op.__class__)
        return plan_model.SingleStep(op, rule(self, op) if rule is not None else None)

    def _check(self, step: plan_model.CheckStep) -> plan_model.CheckStep:
        """Return the check `step` with the accesses that determine its addresses; if it goes through pointers
        also with the access as a root, and with whether there are two versions. A check after an access, or
        of nothing, is returned unchanged.
        """
        op, memory = step.op, self.memory
        if step.after or not checks_of(op):
            return step
        memory.prepare(op)
        roots = memory.roots_of(value for value in operands_of(op) if element_types.is_tile(value.type))
        step = replace(step, accesses=tuple(access for root in roots for access in root.accesses))
        if not checks_by_vectors(op):
            return step
        root = memory.with_accesses(access_root(op))
        accesses = (*step.accesses, *root.accesses)
        return replace(step, accesses=accesses, root=root, is_masked=memory.is_conditional(root))

    # --- nests

    def _nest(self, nest: NestDraft) -> plan_model.NestStep:
        guards = tuple(self._check(plan_model.CheckStep(op)) for op in nest.guards)
        roots = tuple(map(self.memory.with_accesses, nest.roots))
        made = [(root, tile) for root in roots for tile in self._tiles(root)]
        memory = self.memory
        whole = {op for root in roots for op in root.accesses if uses_pointers(op) and memory.strided(op)}
        form = effort.form_of(nest.shape, roots, memory.published, self.costs, whole)
        combining = tuple(self._combining(root) for root in roots)
        versions = self._versions(roots)
        for root, tile in made:
            if element_types.is_tile(tile.value.type):
                self.memory.publish(tile, is_overwritable=root.kind == "memory")
        return plan_model.NestStep(roots, guards, form, versions, combining, nest.apart)

    def _tiles(self, root: plan_model.PlanRoot) -> Sequence[plan_model.PlannedTile]:
        """Plan the values that `root` stores in memory, and return them; empty for writes and checks. The
        tiles are not published. Results of rank 0 need memory only until the nest ends.
        """
        if root.value is not None:
            return [self._put(root.value)]
        if root.kind == "reduce":
            return [self.memory.own(value) for value in root.op.results]
        if root.kind == "scan":
            return [self.memory.own(value) for value in root.op.results if value in self.draft.in_memory]
        return ()

    def _put(self, value: Value) -> plan_model.PlannedTile:
        """Plan a tile with memory of its own, or with the memory of a tile that dies when this tile is
        computed.
        """
        dying = self.draft.takes_over.get(value)
        if dying is not None and self.memory.is_overwritable(dying):
            return self.memory.replacing(value, dying)
        return self.memory.own(value)

    def _combining(self, root: plan_model.PlanRoot) -> plan_model.Combining | None:
        if root.kind not in ("reduce", "scan"):
            return None
        combining = combining_of(root.op)
        if root.kind == "scan":
            check_scan(root.op, combining)
        return combining

    # --- versions

    def _versions(self, roots: Sequence[plan_model.PlanRoot]) -> plan_model.Versions:
        """Return which versions of the code of a nest its `roots` need, with the accesses that are the
        reason: accesses that may be out of bounds, pointers, rows of stride 2, streamed stores, and overlap.
        """
        memory = self.memory
        accesses = dict.fromkeys(op for root in roots for op in root.accesses)
        conditional = list(filter(memory.is_conditional_access, accesses))
        edges = [op for op in conditional if memory.strided(op) is not None]
        contiguous = [op for op in conditional if memory.strided(op) is None]
        versions = plan_model.Versions(
            edges=tuple(edges),
            contiguous=tuple(contiguous),
            stride_two=memory.dynamic_rows(roots),
            streamed=tuple(root.op for root in roots if is_streamed(root.op)),
        )
        found = hazards.hazards(memory, roots)
        return self._with_overlap(versions, roots, found) if found else versions

    def _with_overlap(
        self,
        versions: plan_model.Versions,
        roots: Sequence[plan_model.PlanRoot],
        found: tuple[plan_model.Hazard, ...],
    ) -> plan_model.Versions:
        """Return `versions` of a nest with the hazards `found`, stores that may overwrite elements that are
        still to be loaded: with the overlap policy, the memory ranges of pointers, and memory for the tiles
        that are stored late or loaded first.
        """
        memory, writes = self.memory, [root.op for root in roots if root.kind == "write"]
        versions = replace(versions, hazards=found)
        values = [load.results[0] for load in versions.late_loads]
        try:
            ranges = hazards.ranges(memory, roots, found)
        except NotAffine:
            kind, keeps, ranges = plan_model.OverlapPolicy.ALWAYS_LOAD_FIRST, False, ()
        else:
            can_wait = hazards.can_wait(memory, writes)
            kind = plan_model.OverlapPolicy.STORE_LATE if can_wait else plan_model.OverlapPolicy.LOAD_FIRST
            values = [op.value for op in writes] if can_wait else values
            have_edges = (memory.strided(op) is not None for root in roots for op in root.accesses)
            keeps = not can_wait and any(have_edges)
        loaded = {*memory.published, *(load.results[0] for load in versions.late_loads)}
        late = effort.form_of(roots[0].shape, roots, loaded, self.costs)
        return replace(
            versions,
            overlap=kind,
            ranges=ranges,
            slots=memory.overlap_slots(values),
            keeps_edges=keeps,
            late_form=late if kind is not plan_model.OverlapPolicy.STORE_LATE else None,
        )


def access_root(op: AnyAccess) -> plan_model.PlanRoot:
    """Return the checked access `op` as the root of a nest of its own: a write for a store, else its first
    result in memory.
    """
    return (
        plan_model.PlanRoot("write", op) if writes(op) else plan_model.PlanRoot("memory", op, op.results[0])
    )


# --- how elements are combined


def combining_of(op: ReduceOp | ScanOp) -> plan_model.Combining:
    """Return how an operation combines elements: by partial results in lanes if each input is combined by one
    operation that has an identity element, else as neighbours, left before right.
    """
    own = _own_operations(op)
    if own is None:
        return plan_model.Combining(plan_model.CombinationOrder.NEIGHBOURS, (), (None,) * len(op.inputs))
    return plan_model.Combining(
        plan_model.CombinationOrder.PARTIAL,
        tuple(own),
        tuple(elements_rounding.narrow_format(made) for made in own),
    )


def _own_operations(op: ReduceOp | ScanOp) -> list[Operation] | None:
    """Return the operation that combines the elements of each input; None unless each input has an operation
    with an identity.

    Such operations commute. Only with them, partial results may be kept for strided subsets of the elements.
    """
    (block,) = op.body.blocks
    count = len(op.inputs)
    found: list[Operation] = []
    for at, yielded in enumerate(list(block)[-1].operands):
        made = yielded.owner
        if isinstance(made, ir_block.Block) or set(made.operands) != {
            block.arguments[at],
            block.arguments[count + at],
        }:
            return None
        if identity_of(made.__class__, element_types.element_of(yielded.type)) is None:
            return None
        found.append(made)
    return found


def check_scan(op: ScanOp, plan: plan_model.Combining) -> None:
    """Raise `DiagnosticError` if `op` is an exclusive scan that combines neighbours by `plan`: there is no
    identity for its first element.
    """
    if plan.order is plan_model.CombinationOrder.NEIGHBOURS and not op.inclusive:
        raise diagnostic.failure(
            codes.NO_CPU_FORM,
            "an exclusive scan needs an operation that has an identity",
            op.location,
            hint="scan inclusively, or combine by one addition, multiplication, minimum, maximum or bit operation",
        )

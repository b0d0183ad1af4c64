"""Emit the code of a kernel by executing its plan step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.func.ops import ReturnOp
from tilewright.dialects.nv_tileaa.ops import program as ops_program
from tilewright.dialects.nv_tileas import ops_memory as tileas_memory, ops_tile as tileas_tile
from tilewright.ir import block as ir_block, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.support.option_spelling import option
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.cpu.facts.access_operations import is_streamed
from tilewright.targets.cpu.kernel import control_flow, prints, single_steps
from tilewright.targets.cpu.memory import access, gather, pointers, stride_two
from tilewright.targets.cpu.memory.buffer import Coordinates
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest import combine, elementwise, generate, overlap, shape, transpose
from tilewright.targets.cpu.nest.block_code import BlockCode, BlockSurroundings
from tilewright.targets.cpu.nest.nest import Effect, Nest, NestReduction, RootEffect as NestRoot, StoreRoot
from tilewright.targets.cpu.nest.scan import NestScan, ScanEmitter, made_scan
from tilewright.targets.cpu.plan import model as plan_model
from tilewright.targets.elements.element_types import element_of, is_tile
from tilewright.targets.llvm.code import LlvmBuilder

EmittableRoot = NestRoot | NestReduction | NestScan
"""A root of a nest with its buffers, as the emitter of nests needs it."""


class KernelEmitter(BlockCode):
    """Emit the code of one tile block, step by step."""

    def __init__(self, code: LlvmBuilder, plan: plan_model.KernelPlan, frame: BlockSurroundings) -> None:
        super().__init__(code, plan, frame)
        self.steps = {block.block: block.steps for block in plan.blocks}
        self._streamed = False
        """Whether stores that request it bypass the caches."""
        self.evaluators |= {
            **shape.EVALUATORS,
            **transpose.EVALUATORS,
            **elementwise.EVALUATORS,
            **generate.evaluators(self),
            **pointers.evaluators(self.pointers),
            tileas_memory.TiledLoadOp: self._tiled_load,
            tileas_memory.GatherLoadOp: self._gather,
        }

    # --- steps

    def block(self, block: ir_block.Block) -> None:
        """Emit the steps of a block as the plan has them, with the checks before them."""
        for step in self.steps[block]:
            if isinstance(step, plan_model.NestStep):
                for guard in step.guards:
                    self._check(guard)
                self.nest(step)
            elif isinstance(step, plan_model.CheckStep):
                self._check(step)
            else:
                self.single(step)

    def _check(self, step: plan_model.CheckStep) -> None:
        """Emit the check before the access of `step`, or, for ``step.after``, the code of an acquire after
        the access.
        """
        assert self.checks is not None, "the plan has a check"
        self.code.location = step.op.lazy_location
        check = self.checks.after if step.after else self.checks.before
        check(self, step)

    def single(self, step: plan_model.SingleStep) -> None:
        """Emit an operation that the plan executes as a whole, outside of nests.

        Raises `DiagnosticError` for an operation that the CPU back end does not support.
        """
        op = step.op
        self.code.location = op.lazy_location
        rule = SINGLE_STEPS.get(op.__class__)
        if rule is not None and step.detail is not None:
            rule(self, op, step.detail)
        elif rule is not None:
            rule(self, op)
        elif op.__class__ in elementwise.RULES:
            operands = [self.scalars[operand] for operand in op.operands]
            self.scalars[op.results[0]] = elementwise.apply(self.code, op, operands, 1)
        else:
            raise diagnostic.failure(
                codes.NO_CPU_FORM,
                f"operation '{op.kind.name}' has no form on the CPU",
                op.location,
                hint=f"run the kernel on the interpreter: {option('target', 'interp')}",
            )

    # --- passes

    def nest(self, step: plan_model.NestStep) -> None:
        """Emit one nest with all versions of the plan, and mark its results as computed."""
        for root in step.roots:
            self.prepare(*root.accesses)
        pairs = zip(step.roots, step.combining, strict=True)
        made = [self._root(root, combining) for root, combining in pairs]
        emit = self._passes(step.shape, step.form, made)

        def write(masked: bool) -> Sequence[Value]:
            if masked:
                emit(True)
                return ()
            return self._by_stride_two(
                step.versions, lambda: self._past_caches(step.versions, lambda: emit(False))
            )

        self._unless_overlapping(step, write, made)
        self._publish(step.roots, made)

    def _unless_overlapping(
        self,
        step: plan_model.NestStep,
        write: Callable[[bool], Sequence[Value]],
        made: Sequence[EmittableRoot],
    ) -> None:
        """Emit a nest as the overlap policy of its versions says: the plain code of `write` alone, code that
        loads whole tiles first alone, or both, with a test at run time whether a store overwrites an element
        that is still to be loaded. At edges of views, the same masked code serves delayed and direct stores.
        """
        versions, roots = step.versions, step.roots
        if versions.overlap is plan_model.OverlapPolicy.NONE:
            self.masked_at_edges(roots, write, is_masked=versions.is_masked)
            return
        if versions.overlap is plan_model.OverlapPolicy.ALWAYS_LOAD_FIRST:
            self._load_first(step, made)
            return
        apart = self.code.both(overlap.conditions(self, versions))
        inside = self.conditions(roots)

        def late() -> Sequence[Value]:
            self._late(step, write, made, apart)
            return ()

        if versions.keeps_edges:
            self.code.either(
                apart, lambda: self.masked_at_edges(roots, write, is_masked=versions.is_masked), late
            )
        else:
            self.code.either(self.code.both([apart, *inside]), lambda: write(False), late)

    def _late(
        self,
        step: plan_model.NestStep,
        write: Callable[[bool], Sequence[Value]],
        made: Sequence[EmittableRoot],
        apart: Value,
    ) -> None:
        """Emit a nest for the case that a store may overwrite elements that are still to be loaded. By the
        overlap policy of `step`, it loads whole tiles first, or runs `write` with masks and stores its tiles
        to memory of the tile block unless `apart` holds, from which they are copied at the end.
        """
        if step.versions.overlap is plan_model.OverlapPolicy.LOAD_FIRST:
            self._load_first(step, made)
            return
        writes = [root.op for root in step.roots if root.kind == "write"]
        overlap.store_late(self, writes, step.versions.slots, apart, lambda: write(True))

    def _load_first(self, step: plan_model.NestStep, made: Sequence[EmittableRoot]) -> None:
        """Emit a nest that first loads the elements that its stores may overwrite into memory of the tile
        block.
        """
        form = step.versions.late_form
        assert form is not None, "the plan has loads that go first"
        versions = step.versions
        overlap.load_first(
            self, versions.late_loads, versions.slots, lambda: self._passes(step.shape, form, made)(True)
        )

    def _by_stride_two(
        self, versions: plan_model.Versions, write: Callable[[], Sequence[Value]]
    ) -> Sequence[Value]:
        """Emit `write()` twice if the plan has accesses whose rows may have stride 2: for the case that the
        rows of all of them have it, and for other cases. Otherwise emit it once. Return the results of
        `write`.
        """
        apart = {op: self.accesses[op] for op in versions.stride_two}
        if not apart:
            return write()
        distances = dict.fromkeys(access.row_distance(tile) for tile in apart.values())
        tests = [self.code.compare("eq", distance, stride_two.STRIDE) for distance in distances]

        def write_stride_two() -> Sequence[Value]:
            self.accesses.update({op: access.with_stride_two(tile) for op, tile in apart.items()})
            written = write()
            self.accesses.update(apart)
            return written

        return self.code.either(self.code.both(tests), write_stride_two, write)

    def _past_caches(self, versions: plan_model.Versions, emit: Callable[[], None]) -> Sequence[Value]:
        """Emit `emit()` twice if the plan has streamed stores: with non-temporal stores, if all their rows
        begin at cache lines, and with usual stores, since partial lines would be written one by one.
        Otherwise emit it once.
        """
        begins = [access.begins_lines(self.code, self.accesses[op]) for op in versions.streamed]

        def write(streamed: bool) -> Sequence[Value]:
            self._streamed = streamed
            emit()
            self._streamed = False
            return ()

        if not begins:
            return write(False)
        return self.code.either(self.code.both(begins), lambda: write(True), lambda: write(False))

    def _passes(
        self, shape: tuple[int, ...], form: plan_model.NestForm, made: Sequence[EmittableRoot]
    ) -> Callable[[bool], None]:
        """Return the function that emits the loops of a nest for the roots `made`; its argument says whether
        elements outside of the tiles are masked.
        """
        effects = _with_checks_first(
            [root for root in made if not isinstance(root, NestReduction | NestScan)]
        )
        reductions = [root for root in made if isinstance(root, NestReduction)]
        nest = Nest(shape, form, effects, reductions)
        scan = made[0] if made else None
        if not isinstance(scan, NestScan):
            return lambda masked: self.emit_nest(nest, masked=masked)
        return lambda masked: ScanEmitter(
            self.code, nest, scan, form.masked, lambda lanes: self.point(lanes, masked=masked)
        ).emit()

    def _root(self, root: plan_model.PlanRoot, combining: plan_model.Combining | None) -> EmittableRoot:
        if root.value is not None:
            return StoreRoot(root.value, self.buffer_for(root.value))
        if combining is not None:
            return self._combining(root.op, combining)
        if root.kind == "check":
            return prints.TileChecks(self, (root.op,))
        if isinstance(root.op, tileas_memory.ScatterStoreOp):
            return gather.ScatterEffect(root.op, self.rows[root.op])
        is_tiled = isinstance(root.op, tileas_memory.TiledStoreOp)
        return Effect(root.op, self._tiled_store if is_tiled else self.pointers.store)

    def _combining(self, op: combine.Aggregate, plan: plan_model.Combining) -> NestReduction | NestScan:
        if isinstance(op, tileas_tile.ScanOp):
            return made_scan(self, op, plan)
        results = tuple(self.buffer_for(value) for value in op.results)
        how = combine.combination(self, op, plan)
        return NestReduction(tuple(op.inputs), op.axis, how.combine, results, how.identities, how.narrow)

    def _publish(self, roots: Sequence[plan_model.PlanRoot], made: Sequence[EmittableRoot]) -> None:
        """Mark the computed tiles as stored in memory. Results of rank 0 become scalars again."""
        for root, done in zip(roots, made, strict=True):
            if isinstance(done, StoreRoot):
                self.buffers[done.value] = done.buffer
            elif isinstance(done, NestReduction | NestScan):
                buffers = done.buffers if isinstance(done, NestScan) else done.results
                for value, buffer in zip(root.op.results, buffers, strict=True):
                    if buffer is None:
                        continue
                    if is_tile(value.type):
                        self.buffers[value] = buffer
                    else:
                        self.scalars[value] = buffer.load(self.code, (), 1)

    # --- accesses

    def _gather(
        self, point: NestPoint, op: tileas_memory.GatherLoadOp, result: int, coordinates: Coordinates
    ) -> Value:
        place = gather.place(point, op, self.rows[op], coordinates)
        other = access.padding(self.code, op.padding_value, element_of(op.result.type))
        return access.load_at(point, place, element_of(op.result.type), other)

    def _tiled_load(
        self, point: NestPoint, op: tileas_memory.TiledLoadOp, result: int, coordinates: Coordinates
    ) -> Value:
        tile = self.accesses[op]
        other = access.padding(self.code, op.padding_value, tile.element) if point.masked else None
        return access.load(point, tile, coordinates, other)

    def _tiled_store(
        self, point: NestPoint, op: tileas_memory.TiledStoreOp, coordinates: Coordinates
    ) -> None:
        streamed = self._streamed and is_streamed(op)
        lanes = point.lanes_at(op.value, coordinates)
        access.store(point, self.accesses[op], coordinates, lanes, streamed=streamed)


def _with_checks_first(made: Sequence[NestRoot]) -> list[NestRoot]:
    """Return the roots of a nest with all checks merged into a single root before the writes."""
    checks = [root for root in made if isinstance(root, prints.TileChecks)]
    others = [root for root in made if not isinstance(root, prints.TileChecks)]
    if not checks:
        return others
    return [prints.TileChecks(checks[0].emit, tuple(op for root in checks for op in root.ops)), *others]


def _return(emit: KernelEmitter, op: ReturnOp | ops_program.ReturnOp) -> None:
    emit.code.jump(emit.next)


SINGLE_STEPS: dict[type[Operation], Any] = {
    **control_flow.RULES,
    **single_steps.RULES,
    ops_program.ReturnOp: _return,
    ReturnOp: _return,
}
"""The functions that emit operations outside of nests, by class of operation."""

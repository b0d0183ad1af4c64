"""The code of a kernel: executes a plan step by step."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tilewright.dialects.func.ops import ReturnOp
from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.intrinsics_memory import MemcpyOp
from tilewright.dialects.llvm.ops_aggregate import AddressOfOp
from tilewright.dialects.llvm.ops_memory import FenceOp
from tilewright.dialects.nv_tileaa import ops_program
from tilewright.dialects.nv_tileas.ops_memory import GatherLoadOp, ScatterStoreOp, TiledLoadOp, TiledStoreOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.runtime.context import Site
from tilewright.targets import codes
from tilewright.targets.cpu.kernel import control, whole
from tilewright.targets.cpu.kernel.prints import Checks
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.memory import access, gather, pointers
from tilewright.targets.cpu.memory.affine import NotAffine
from tilewright.targets.cpu.memory.buffer import LINE, Buffer, Coordinates, row_major
from tilewright.targets.cpu.memory.operations import PointerAccess, RowAccess, ViewAccess
from tilewright.targets.cpu.nest import elementwise, generate, overlap, pairs, shape, transpose
from tilewright.targets.cpu.nest.combine import combination
from tilewright.targets.cpu.nest.nest import Copy, Effect, Materialise, Nest, NestEmitter, Reduction
from tilewright.targets.cpu.nest.nest import Root as NestRoot
from tilewright.targets.cpu.nest.point import Evaluator, Point
from tilewright.targets.cpu.nest.scan import Scan, ScanEmitter, made_scan
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.effort import is_light
from tilewright.targets.cpu.plan.steps import CheckStep, NestStep, Plan, Root, SingleStep
from tilewright.targets.elements.types import element_of, is_tile, memory_type, shape_of, size_of
from tilewright.targets.llvm.code import POINTER, Code

if TYPE_CHECKING:
    from tilewright.targets.cpu.checks.accesses import KernelChecks

SMALL = 4096
"""Tiles of up to so many bytes lie on the stack, where LLVM may keep them in registers."""
LONGEST = 1024
"""Steps after which a block of straight code ends: what LLVM does with a block grows with the square of its length."""
WIDEST = 64
"""Bytes of vectors that are not always the fastest: caches deliver them no sooner than two halves."""

Made = NestRoot | Reduction | Scan
"""What is done in a pass."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a tile block: scratch memory, its place in the grid, and where it ends.

    ``next`` is the way to the next tile block of the thread's share, ``abandon`` gives the rest of that share up.

    ``context`` is what the launch shares with the kernel, ``number`` that of the tile block; places of the kernel that
    report or print are added to ``sites``.
    """

    scratch: Value
    grid: tuple[Value, ...]
    position: tuple[Value, ...]
    constants: Callable[[DenseElementsAttr], str]
    next: Block
    abandon: Block
    context: Value
    number: Value
    sites: list[Site]
    checks: KernelChecks | None = None


class KernelEmitter:
    """Writes the code of one tile block: values of the program, by what holds them."""

    def __init__(self, code: Code, plan: Plan, target: CpuTarget, frame: Frame) -> None:
        self.code = code
        self.plan = plan
        self.target = target
        self.scratch = frame.scratch
        self.grid = frame.grid
        self.grid_position = frame.position
        self.constants = frame.constants
        self.next = frame.next
        self.abandon = frame.abandon
        self.context = frame.context
        self.number = frame.number
        self.sites = frame.sites
        self.checks = frame.checks
        self.scratch_bytes = 0
        self.scalars: dict[Value, Value] = {}
        self.buffers: dict[Value, Buffer] = {}
        self.overwritable: set[Value] = set()
        """Tiles in memory that may be changed when they were used for the last time."""
        self.accesses: dict[Operation, access.Access] = {}
        self.loaded_first: dict[Hashable, Buffer] = {}
        """Memory for tiles that are loaded as a whole because a store may overwrite them."""
        self._straight, self._steps = code.block, 0
        """The block that is being written, and how many steps are in it."""
        self._cuts = 0
        """How many long blocks were ended; no tile block has the number that each of them compares with."""
        self._streamed = False
        """Whether stores that ask for it write past the caches."""
        self.rows: dict[Operation, gather.Rows] = {}
        self.pointers = pointers.Pointers(code)
        self.evaluators: dict[type[Operation], Evaluator] = {
            **shape.EVALUATORS,
            **transpose.EVALUATORS,
            **elementwise.EVALUATORS,
            **generate.evaluators(self),
            **pointers.evaluators(self.pointers),
            TiledLoadOp: self._tiled_load,
            GatherLoadOp: self._gather,
        }

    # --- memory

    def allocate(self, shape: Sequence[int], element: Any, alignment: int = LINE) -> Buffer:
        """Memory for a tile, for the life of the kernel."""
        count = 1
        for extent in shape:
            count *= extent
        size = count * size_of(element)
        if size <= SMALL:
            address = self.code.stack(count, memory_type(element), alignment)
        else:
            address = self.code.address(self.scratch, self.scratch_bytes)
            self.scratch_bytes += (size + alignment - 1) // alignment * alignment
        return Buffer(address, tuple(shape), row_major(shape), element)

    def buffer_for(self, value: Value) -> Buffer:
        """Memory for the elements of a tile."""
        return self.allocate(shape_of(value.type), element_of(value.type))

    def may_overwrite(self, value: Value, user: Operation) -> bool:
        """Whether a tile in memory is used for the last time, in the block where it was made."""
        home = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return value in self.overwritable and value.has_one_use and home is user.parent

    def copy(self, source: Buffer, target: Buffer) -> None:
        """Copy the elements of a tile."""
        if source.strides == target.strides == row_major(source.shape):
            size = self.code.integer(target.bytes)
            self.code.effect(MemcpyOp, target.address, source.address, size, False)
            return
        self.emit_nest(Nest(source.shape, [Copy(source, target)]), masked=False)

    def contiguous(self, value: Value) -> Buffer:
        """The elements of a tile one after the other: where they are, or a copy."""
        held = self.buffers[value]
        if held.strides == row_major(held.shape):
            return held
        copy = self.buffer_for(value)
        self.copy(held, copy)
        return copy

    def constant_data(self, attribute: DenseElementsAttr) -> Value:
        """The address of constant elements in memory."""
        return self.code(AddressOfOp, self.constants(attribute), type=POINTER)

    # --- steps

    def block(self, block: Block) -> None:
        """The code of a block, without what its terminator does."""
        for step in self.plan.steps[block]:
            self._cut()
            if isinstance(step, NestStep):
                for store in step.guards:
                    self._check(CheckStep(store))
                self.nest(step.shape, step.roots)
            elif isinstance(step, CheckStep):
                self._check(step)
            else:
                self.single(step)

    def _cut(self) -> None:
        """End a long block, by a detour that nobody takes: LLVM would join the two parts without one.

        Both ways lead to the second part, or LLVM would move there what the first part computes.
        """
        if self.code.block is not self._straight:
            self._straight, self._steps = self.code.block, 0
        self._steps += 1
        if self._steps < LONGEST:
            return
        self._cuts += 1
        never = self.code.compare("eq", self.number, -self._cuts)
        self.code.either(never, self._detour, lambda: ())

    def _detour(self) -> Sequence[Value]:
        """Something that LLVM leaves where it is; where nothing stood, it would join the blocks again."""
        self.code.effect(FenceOp, AtomicOrdering.ACQUIRE)
        return ()

    def _check(self, step: CheckStep) -> None:
        """Look at the memory that an access will touch."""
        assert self.checks is not None, "something is noted on an access"
        self.code.location = step.op.lazy_location
        check = self.checks.after if step.after else self.checks.before
        check(self, step.op)

    def single(self, step: SingleStep) -> None:
        """An operation as a whole."""
        op: Any = step.op
        self.code.location = op.lazy_location
        rule = WHOLE.get(op.__class__)
        if rule is not None:
            rule(self, op)
        elif op.__class__ in elementwise.RULES:
            operands = [self.scalars[operand] for operand in op.operands]
            self.scalars[op.results[0]] = elementwise.apply(self.code, op, operands, 1)
        elif op.__class__ in self.evaluators and not is_tile(op.results[0].type):
            point = self.point(1, masked=True)
            self.scalars[op.results[0]] = self.evaluators[op.__class__](point, op, 0, ())
        else:
            raise failure(
                codes.NO_CPU_FORM,
                f"operation '{op.kind.name}' has no form on the CPU",
                op.location,
                hint='run the kernel on the interpreter: target="interp"',
            )

    # --- passes

    def point(self, lanes: int, *, masked: bool) -> Point:
        """Where elements can be computed."""
        return Point(self.code, lanes, self.evaluators, self.scalars, self.buffers, masked=masked)

    def nest(self, shape: tuple[int, ...], roots: Sequence[Root]) -> None:
        """One pass: without masks where all tiles of memory are inside, with masks elsewhere."""
        for root in roots:
            self._prepare(root)
        made = [self._root(root) for root in roots]
        emit = self._passes(shape, roots, made)

        def write(masked: bool) -> Sequence[Value]:
            if masked:
                emit(True)
                return ()
            return self._in_pairs(roots, lambda: self._past_caches(roots, lambda: emit(False)))

        self._unless_overlapping(roots, write, lambda: self._passes(shape, roots, made)(True))
        self._publish(roots, made)

    def _unless_overlapping(
        self, roots: Sequence[Root], write: Callable[[bool], Sequence[Value]], masked: Callable[[], None]
    ) -> None:
        """The plain code for stores that hit nothing that is still to be loaded; else code that makes them wait.

        Where views end, the same code with masks serves stores that wait and others.
        """
        found = overlap.hazards(self, roots)
        if not found.loads:
            self.masked_at_edges(roots, write)
            return
        if found.conditions is None:
            overlap.load_first(self, found.loads, masked)
            return
        apart = self.code.both(found.conditions)
        inside = dict.fromkeys(test for root in roots for test in self._conditions(root))
        writes = [root.op for root in roots if root.kind == "write"]

        def late() -> Sequence[Value]:
            if overlap.can_wait(self, writes):
                overlap.store_late(self, writes, apart, lambda: write(True))
            else:
                overlap.load_first(self, found.loads, masked)
            return ()

        has_views = any(op in self.accesses for root in roots for op in self._pulled_accesses(root))
        if has_views and not overlap.can_wait(self, writes):
            self.code.either(apart, lambda: self.masked_at_edges(roots, write), late)
        else:
            self.code.either(self.code.both([apart, *inside]), lambda: write(False), late)

    def _in_pairs(self, roots: Sequence[Root], write: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        """Code for rows of elements that are two apart where all that are not known to lie side by side are so."""
        found = {op: self.accesses.get(op) for root in roots for op in self._pulled_accesses(root)}
        apart = {op: tile for op, tile in found.items() if tile is not None and _is_apart(tile)}
        if not apart:
            return write()
        distances = dict.fromkeys(access.row_distance(tile) for tile in apart.values())
        tests = [self.code.compare("eq", distance, pairs.DISTANCE) for distance in distances]

        def write_pairs() -> Sequence[Value]:
            self.accesses.update({op: access.in_pairs(tile) for op, tile in apart.items()})
            written = write()
            self.accesses.update(apart)
            return written

        return self.code.either(self.code.both(tests), write_pairs, write)

    def _past_caches(self, roots: Sequence[Root], emit: Callable[[], None]) -> Sequence[Value]:
        """Code that writes past the caches where a store asks for it and all rows begin cache lines: parts of lines
        would be written one by one.
        """
        stores = [self.accesses[root.op] for root in roots if access.is_streamed(root.op)]
        begins = [access.begins_lines(self.code, store) for store in stores]

        def write(streamed: bool) -> Sequence[Value]:
            self._streamed = streamed
            emit()
            self._streamed = False
            return ()

        if not begins:
            return write(False)
        return self.code.either(self.code.both(begins), lambda: write(True), lambda: write(False))

    def masked_at_edges(
        self, roots: Sequence[Root], write: Callable[[bool], Sequence[Value]], types: Sequence[Type] = ()
    ) -> tuple[Value, ...]:
        """Code without masks where all tiles that roots load and store are inside of their memory, else with masks."""
        inside = [condition for root in roots for condition in self._conditions(root)]
        if not inside:
            return tuple(write(False))
        condition = self.code.both(list(dict.fromkeys(inside)))
        return self.code.either(condition, lambda: write(False), lambda: write(True), types)

    def _passes(
        self, shape: tuple[int, ...], roots: Sequence[Root], made: Sequence[Made]
    ) -> Callable[[bool], None]:
        """What writes a pass, with masks or without."""
        scan = made[0] if made else None
        if isinstance(scan, Scan):
            lanes = self.target.vector_bytes // transpose.WORD
            others = Nest(shape, [root for root in made if not isinstance(root, Reduction | Scan)])
            return lambda masked: ScanEmitter(
                self.code, others, scan, lanes, lambda lanes: self.point(lanes, masked=masked)
            ).emit()
        nest = self._made_nest(shape, roots, made)
        return lambda masked: self.emit_nest(nest, masked=masked)

    def _made_nest(self, shape: tuple[int, ...], roots: Sequence[Root], made: Sequence[Made]) -> Nest:
        """The nest of some roots; one that turns tiles goes through squares."""
        effects = _with_checks_first([root for root in made if not isinstance(root, Reduction | Scan)])
        nest = Nest(shape, effects, [root for root in made if isinstance(root, Reduction)])
        if not nest.reductions:
            values = [value for root in roots for value in root.reads if shape_of(value.type) == shape]
            found = transpose.turned_dimension(
                values, shape, nest.vector_dimension, self.buffers.__contains__
            )
            if found is not None:
                dimension, size = found
                extent = transpose.square_extent(self.target.vector_bytes // transpose.WORD, size)
                nest.rows = (dimension, min(extent, shape[dimension], shape[nest.vector_dimension]))
        nest.is_light = nest.rows[0] < 0 and is_light(roots, self.buffers)
        return nest

    def emit_nest(self, nest: Nest, *, masked: bool) -> None:
        """Several vectors to a round where that pays: what edges need is rare, and only reductions depend on it."""
        turns = nest.rows[0] >= 0
        lanes = nest.rows[1] if turns else self.target.vector_bytes // transpose.WORD
        unroll = self.target.unroll if nest.reductions or not masked else 1
        parts = 2 if nest.is_light and not masked and self.target.vector_bytes == WIDEST else 1
        NestEmitter(
            self.code,
            nest,
            lanes // parts,
            unroll * parts,
            lambda lanes: self.point(lanes, masked=masked),
        ).emit()

    def _root(self, root: Root) -> Made:
        if root.kind == "memory":
            assert root.value is not None
            return Materialise(root.value, self._room(root.value))
        if root.kind == "scan":
            return made_scan(self, root.op)
        if root.kind == "reduce":
            results = tuple(self.buffer_for(value) for value in root.op.results)
            inputs, how = tuple(root.op.inputs), combination(self, root.op)
            return Reduction(inputs, root.op.axis, how.combine, results, how.identities, how.narrow)
        if root.kind == "check":
            return Checks(self, (root.op,))
        if isinstance(root.op, ScatterStoreOp):
            return gather.ScatterEffect(root.op, self.rows[root.op])
        is_tiled = isinstance(root.op, TiledStoreOp)
        return Effect(root.op, self._tiled_store if is_tiled else self.pointers.store)

    def _room(self, value: Value) -> Buffer:
        """Memory for a tile: its own, or that of a tile which dies as this one is computed."""
        dying = self.plan.takes_over.get(value)
        if dying is not None and dying in self.overwritable:
            return self.buffers[dying]
        return self.buffer_for(value)

    def _publish(self, roots: Sequence[Root], made: Sequence[Made]) -> None:
        """From here on what was computed is in memory; results of rank 0 are scalars again."""
        for root, done in zip(roots, made, strict=True):
            if isinstance(done, Materialise):
                self.buffers[done.value] = done.buffer
                self.overwritable.add(done.value)
            elif isinstance(done, Reduction | Scan):
                buffers = done.buffers if isinstance(done, Scan) else done.results
                for value, buffer in zip(root.op.results, buffers, strict=True):
                    if buffer is None:
                        continue
                    if is_tile(value.type):
                        self.buffers[value] = buffer
                    else:
                        self.scalars[value] = buffer.load(self.code, (), 1)

    # --- accesses

    def _pulled_accesses(self, root: Root) -> list[Operation]:
        """The loads and stores of a pass."""
        found: list[Operation] = [root.op] if root.kind == "write" else []
        pending = list(root.reads)
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block) or (value in self.buffers):
                continue
            if operation_table.is_load(op):
                found.append(op)
            if operation_table.is_evaluated(op):
                pending += [operand for operand in op.operands if is_tile(operand.type)]
        return found

    def prepare_tile(self, value: Value) -> None:
        """Find out where all memory is that the elements of a tile are loaded from."""
        if isinstance(value.owner, Operation):
            self._prepare(Root("memory", value.owner, value))

    def _prepare(self, root: Root) -> None:
        for op in self._pulled_accesses(root):
            self.prepare(op)

    def prepare(self, op: Operation) -> None:
        """Find out where a view or rows of memory begin, before the first access to their elements."""
        if isinstance(op, RowAccess):
            if op not in self.rows:
                self.rows[op] = gather.rows_access(self.code, op, self.scalars.__getitem__)
        elif isinstance(op, ViewAccess):
            if op not in self.accesses:
                self.accesses[op] = access.tiled_access(self.code, op, self.scalars.__getitem__)
        elif isinstance(op, PointerAccess):
            pointers.check_element(op)

    def _conditions(self, root: Root) -> list[Value]:
        found: list[Value] = []
        for op in self._pulled_accesses(root):
            tile = self.accesses.get(op)
            if tile is not None:
                found += tile.conditions
            elif pointers.uses_pointers(op):
                found += self.pointers.conditions(op, partial(self.only_element, self.reached(root)))
        return found

    def reached(self, root: Root) -> set[Value]:
        """The tiles whose elements are read or computed in a pass."""
        found: set[Value] = set()
        pending = list(root.reads)
        while pending:
            value = pending.pop()
            if value in found or not is_tile(value.type):
                continue
            found.add(value)
            if value not in self.buffers and isinstance(value.owner, Operation):
                pending += value.owner.operands
        return found

    def only_element(self, reached: Container[Value], value: Value) -> Value:
        """The element that all elements of a tile are, or a scalar.  Raises `NotAffine` if it is not there any more."""
        if not self._is_there(reached, value):
            raise NotAffine
        origin = (shape.ORIGIN,) * len(shape_of(value.type))
        return self.point(1, masked=True).lanes_at(value, origin)

    def _is_there(self, reached: Container[Value], value: Value) -> bool:
        """Whether a tile is one of those that a pass has reached, or is computed from scalars only."""
        if not is_tile(value.type) or value in reached:
            return True
        op = value.owner
        if (
            not isinstance(op, Operation)
            or operation_table.is_load(op)
            or not operation_table.is_evaluated(op)
        ):
            return False
        return all(self._is_there(reached, operand) for operand in op.operands)

    def _gather(self, point: Point, op: GatherLoadOp, result: int, coordinates: Coordinates) -> Value:
        place = gather.place(point, op, self.rows[op], coordinates)
        other = access.padding(self.code, op.padding_value, element_of(op.result.type))
        return access.load_at(point, place, element_of(op.result.type), other)

    def _tiled_load(self, point: Point, op: TiledLoadOp, result: int, coordinates: Coordinates) -> Value:
        tile = self.accesses[op]
        other = access.padding(self.code, op.padding_value, tile.element) if point.masked else None
        return access.load(point, tile, coordinates, other)

    def _tiled_store(self, point: Point, op: TiledStoreOp, coordinates: Coordinates) -> None:
        streamed = self._streamed and access.is_streamed(op)
        lanes = point.lanes_at(op.value, coordinates)
        access.store(point, self.accesses[op], coordinates, lanes, streamed=streamed)


def _is_apart(tile: access.Access) -> bool:
    """Whether only the program's run tells how far the elements of a row are apart."""
    return isinstance(access.row_distance(tile), Value) and size_of(tile.element) in pairs.SIZES


def _with_checks_first(made: Sequence[NestRoot]) -> list[NestRoot]:
    """What is done in a pass, with all checks as one in front of what is written."""
    checks = [root for root in made if isinstance(root, Checks)]
    others = [root for root in made if not isinstance(root, Checks)]
    if not checks:
        return others
    return [Checks(checks[0].emit, tuple(op for root in checks for op in root.ops)), *others]


def _return(emit: KernelEmitter, op: ReturnOp | ops_program.ReturnOp) -> None:
    emit.code.jump(emit.next)


WHOLE: dict[type[Operation], Any] = {
    **control.RULES,
    **whole.RULES,
    ops_program.ReturnOp: _return,
    ReturnOp: _return,
}
"""Operations that are executed as a whole."""

"""Checks of memory accesses (`memcheck`, `racecheck`): the code before an access, and after an acquiring
access.

A check is a separate step: it iterates over the region that the access will touch and calls check functions
(`functions.py`) for contiguous elements. The access itself is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.intrinsics.memory import MemsetOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, control as llvm_control
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, AtomicRMWOp
from tilewright.dialects.nv_tileas.ops_memory import TiledLoadOp, TiledStoreOp
from tilewright.ir.builtin_types import i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.views import RowAccess
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.lowering.memory_order.memory_roots import parameter_of
from tilewright.runtime import context as runtime_context
from tilewright.targets.cpu.checks import pointers, regions
from tilewright.targets.cpu.checks.findings import emit_report, stop_if
from tilewright.targets.cpu.checks.state import WORD, ThreadState, load_word, name_of
from tilewright.targets.cpu.facts import access_operations, checks
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.memory import buffer as memory_buffer, point as memory_point
from tilewright.targets.cpu.nest import atomics, each as nest_each
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.plan.model import CheckStep
from tilewright.targets.elements.element_types import shape_of, size_of
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder


class KernelChecks:
    """Emit the checks of the accesses of one kernel, and hold the state that they share. The constructor
    appends a `ReportSite` for each checked access of ``function`` to ``sites``.
    """

    def __init__(
        self,
        code: LlvmBuilder,
        facts: checks.AccessSummary,
        function: Operation,
        sites: list[runtime_context.ReportSite],
    ) -> None:
        self.code = code
        self.facts = facts
        self.sites = {op: len(sites) + at for at, op in enumerate(_checked(function))}
        self.locals: dict[Operation, int] = {}
        sites += [_site(op) for op in self.sites]
        for op in function.walk():
            if isinstance(op, AllocaOp):
                self.locals[op] = len(self.locals)
        rows = max(1, len(self.locals))
        self.state = code.stack(ThreadState.LOCALS + rows * runtime_context.KnownMemoryOffset.BYTES, i8, LINE)

    # --- where the kernel and its tile blocks begin

    def begin_kernel(self, context: Value, count: Value, scratch: Value) -> None:
        """Initialise the state that all tile blocks of a thread share, for a launch of `count` tile blocks.

        The clock of a thread lies directly before its scratch memory (address `scratch`).
        """
        code = self.code
        self._put(ThreadState.CONTEXT, context)
        self._put(ThreadState.STORES, load_word(code, context, runtime_context.STORE_NUMBER))
        self._put(ThreadState.STAMP, code.integer(0))
        self._put(ThreadState.LOCAL_COUNT, code.integer(len(self.locals)))
        self._put(ThreadState.LAST, code.address(self.state, ThreadState.LOCALS))
        code.effect(
            MemsetOp,
            code.address(self.state, ThreadState.LOCALS),
            code.integer(0, i8),
            code.integer(runtime_context.KnownMemoryOffset.BYTES),
            False,
        )
        first = load_word(code, context, runtime_context.FIRST_NUMBER)
        several = code.add(first, code.minimum(count, self._most_numbers))
        self._put(ThreadState.LEAST, self._cell(first))
        self._put(ThreadState.SEVERAL, self._cell(several))
        if self.facts.clocks:
            self._put(ThreadState.CLOCK, code.address(scratch, code.subtract(0, self._clock_bytes(count))))

    def end_kernel(self, context: Value) -> None:
        """Write the number of the last store to the context, so that the next launch continues with larger
        numbers.
        """
        place = self.code.address(context, runtime_context.STORE_NUMBER)
        stores = load_word(self.code, self.state, ThreadState.STORES)
        self.code(AtomicRMWOp, AtomicBinaryOperation.UMAX, place, stores, AtomicOrdering.MONOTONIC)

    @property
    def _most_numbers(self) -> int:
        """Return how many numbers of tile blocks fit into a cell: into the 32 bits without the bits of the
        site.
        """
        return (1 << (32 - self.facts.site_bits)) - runtime_context.NUMBERS_KEPT

    def _cell(self, number: Index) -> Value:
        """Return the value that accesses of tile block `number` write to cells, with 0 in the bits of the
        site.
        """
        return self.code.value(self.code.multiply(number, 1 << self.facts.site_bits))

    def begin_block(self, number: Value, count: Value) -> None:
        """Reset the state for tile block `number` of `count`: its memory is empty, and its clock is zero, so
        that no access of another tile block happens before.
        """
        code, facts = self.code, self.facts
        self._put(ThreadState.BLOCK, number)
        place = self._cell(code(llvm.URemOp, number, code.integer(self._most_numbers)))
        cell = code.add(load_word(code, self.state, ThreadState.LEAST), place)
        self._put(ThreadState.CELL, code.value(code.add(cell, 1 << 32) if facts.clocks else cell))
        rows = code.address(self.state, ThreadState.LOCALS)
        size = code.integer(len(self.locals) * runtime_context.KnownMemoryOffset.BYTES)
        if self.locals:
            code.effect(MemsetOp, rows, code.integer(0, i8), size, False)
        if facts.clocks:
            clock = load_word(code, self.state, ThreadState.CLOCK, POINTER)
            code.effect(MemsetOp, clock, code.integer(0, i8), code.value(self._clock_bytes(count)), False)

    def _clock_bytes(self, count: Value) -> Index:
        """Return the size of a clock in bytes: 32 bits for each of `count` tile blocks, rounded up to cache
        lines.
        """
        lines = self.code(llvm.LShrOp, self.code.value(self.code.add(count, 15)), self.code.integer(4))
        return self.code.multiply(lines, LINE)

    def add_local(self, op: Operation, address: Value, size: int) -> None:
        """Emit the registration of `size` bytes at `address`, memory that the alloca `op` of the tile block
        allocated.
        """
        code = self.code
        row = ThreadState.LOCALS + self.locals[op] * runtime_context.KnownMemoryOffset.BYTES
        start = code(PtrToIntOp, address, type=i64)
        self._put(row + runtime_context.KnownMemoryOffset.START, start)
        self._put(row + runtime_context.KnownMemoryOffset.END, code.value(code.add(start, size)))
        self._put(row + runtime_context.KnownMemoryOffset.WRITEABLE, code.integer(1))

    def _put(self, offset: int, value: Value) -> None:
        self.code.store(value, self.code.address(self.state, offset), WORD)

    # --- accesses

    def before(self, emit: BlockCode, step: CheckStep) -> None:
        """Emit the checks of the access of `step`, directly before the code of the access. For an ordered
        access the code first ends the tile block if the launch was stopped; for a releasing access under
        racecheck it also reports the release.
        """
        op = step.op
        if access_operations.needs_order(op):
            self._leave_if_stopped(emit)
        if not checks.checks_of(op):
            return
        emit.prepare(op, *step.accesses)
        if checks.RACECHECK in checks.checks_of(op) and access_operations.semantic_of(op) in checks.RELEASES:
            self._release(emit, op)
        if checks.kind_of(op) is checks.CheckedAccessKind.WEAK_WRITE:
            self._stamp(regions.may_write_twice(emit, op))
        self._go_through(emit, step)

    def after(self, emit: BlockCode, step: CheckStep) -> None:
        """Emit calls that report an acquire at each address of the access of `step`, directly after its code.

        What other tile blocks released at these addresses happens before all later accesses of this tile
        block.
        """
        op = step.op
        clock = load_word(self.code, self.state, ThreadState.CLOCK, POINTER)
        self._each_spot(
            emit,
            op,
            lambda address, _: self._tell(emit, op, runtime_context.CheckEvent.ACQUIRE, address, clock),
        )

    def _go_through(self, emit: BlockCode, step: CheckStep) -> None:
        """Call check functions for all elements of an access: by tiles or rows if its kind and order allow
        it, otherwise element by element.
        """
        op = step.op
        if access_operations.needs_order(op) or is_packed(checks.accessed(op)):
            self._elements(emit, op)
        elif isinstance(op, TiledLoadOp | TiledStoreOp):
            regions.check_tile(self, emit, op)
        elif isinstance(op, RowAccess) and op.mask is None:
            regions.check_rows(self, emit, op)
        elif access_operations.uses_pointers(op):
            assert step.root is not None, "planned as an access through a tile of pointers"
            pointers.check_pointers(self, emit, op, step.root, is_masked=step.is_masked)
        else:
            self._elements(emit, op)

    def _leave_if_stopped(self, emit: BlockCode) -> None:
        """End the tile block if the launch was stopped: a tile block that it waits for may never run."""
        code = self.code
        place = code.address(emit.context, runtime_context.COUNTER)
        counter = code.load(place, i64, WORD, ordering=AtomicOrdering.MONOTONIC)
        go_on = code.new_block()
        code.fork(code.compare("sge", counter, runtime_context.STOP), emit.abandon, go_on)
        code.enter(go_on)

    # --- numbers of stores

    def _stamp(self, needed: Value | bool) -> None:
        """Store the number of the store that follows in the state if `needed`, otherwise 0.

        A cell that already has this number shows that the store writes an address twice.
        """
        code = self.code
        if needed is False:
            self._put(ThreadState.STAMP, code.integer(0))
            return
        number = code.value(code.add(load_word(code, self.state, ThreadState.STORES), 1))
        self._put(ThreadState.STORES, number)
        if needed is not True:
            number = code(llvm.SelectOp, needed, number, code.integer(0), type=i64)
        self._put(ThreadState.STAMP, number)

    # --- order between tile blocks

    def _release(self, emit: BlockCode, op: access_operations.AnyAccess) -> None:
        """Emit calls that report a release at each address of the access, and begin the next epoch.

        Earlier accesses of this tile block happen before an access of another tile block that acquires there.
        """
        code = self.code
        clock = load_word(code, self.state, ThreadState.CLOCK, POINTER)
        cell = load_word(code, self.state, ThreadState.CELL)
        epoch = code(llvm.LShrOp, cell, code.integer(32))
        self._each_spot(
            emit,
            op,
            lambda address, _: self._tell(
                emit, op, runtime_context.CheckEvent.RELEASE, address, clock, epoch
            ),
        )
        self._put(ThreadState.CELL, code.value(code.add(cell, 1 << 32)))

    def _tell(
        self,
        emit: BlockCode,
        op: access_operations.AnyAccess,
        event: runtime_context.CheckEvent,
        address: Value,
        *more: Value,
    ) -> None:
        code = self.code
        details = [address, *[code(PtrToIntOp, at, type=i64) if at.type is POINTER else at for at in more]]
        memory = code.address(self.state, ThreadState.DETAILS)
        stop_if(emit, emit_report(code, emit.context, event, self.site(op), emit.number, memory, details))

    # --- ways through the elements of an access

    def site(self, op: access_operations.AnyAccess) -> Value:
        """Return the number of an access in the kernel's list of `ReportSite`, as a 64-bit constant."""
        return self.code.integer(self.sites[op])

    def call(
        self, emit: BlockCode, function: str, op: access_operations.AnyAccess, *arguments: Value
    ) -> None:
        """Emit a call of the check function ``function`` for the kind of the access `op`, with the state of
        the thread and ``arguments``. The tile block and the launch end if its result is not 0.
        """
        callee = name_of(function, checks.kind_of(op))
        answer = self.code(llvm_control.CallOp, (), (self.state, *arguments), callee=callee, type=i64)
        stop_if(emit, answer)

    def _elements(self, emit: BlockCode, op: access_operations.AnyAccess) -> None:
        """Emit a check call for each element of an access."""
        code = self.code
        size = code.integer(size_of(checks.accessed(op)))

        def one(address: Value, element: Index) -> None:
            zero = code.integer(0)
            self.call(emit, "run", op, address, size, size, self.site(op), code.value(element), zero)

        self._each_spot(emit, op, one)

    def _each_spot(
        self, emit: BlockCode, op: access_operations.AnyAccess, use: Callable[[Value, Index], None]
    ) -> None:
        """Emit a nest over the active elements of an access; `use` emits code for one of them, given its
        address and its row-major number.
        """
        code, shape = self.code, shape_of(access_operations.tile_of(op))

        def body(point: memory_point.NestPoint, at: memory_buffer.Coordinates) -> None:
            spot = atomics.spot(emit, point, op, checks.accessed(op), at)
            address = code(PtrToIntOp, spot.address, type=i64)

            def yes() -> Sequence[Value]:
                use(address, memory_buffer.element_number(code, shape, at))
                return ()

            code.either(spot.mask if spot.mask is not None else code.true(), yes, lambda: ())

        nest_each.each(emit, shape, body)


def _checked(function: Operation) -> list[access_operations.AnyAccess]:
    return [op for op in function.walk() if checks.is_checked(op)]


def _site(op: access_operations.AnyAccess) -> runtime_context.ReportSite:
    """Return the `ReportSite` of an access: element type, element size in bytes, dimension of the rows, and
    parameter number.
    """
    shape, element = shape_of(access_operations.tile_of(op)), checks.accessed(op)
    along = regions.row_dimension(shape, regions.known_strides(op))
    source = parameter_of(op)
    words = [str(element), str(size_of(element)), *("" if at is None else str(at) for at in (along, source))]
    return runtime_context.ReportSite("access", checks.verb_of(op), op.location, tuple(words), (shape,))

"""Kernels as functions: `void kernel(ptr arguments, ptr grid, ptr counter, i64 count, ptr scratch)`.

``arguments`` are slots of eight bytes, ``grid`` three 32-bit extents. A call takes numbers of tile blocks
from ``counter`` until it reaches ``count``, and runs the tile blocks in order. Any number of threads may call
concurrently, each with ``scratch`` memory of its own. Between two tile blocks a call tests whether it has to
return early (`context`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.func.ops import FuncOp
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering, Linkage
from tilewright.dialects.llvm.ops import arithmetic as llvm, control as llvm_control
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import AtomicRMWOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp, LLVMFuncOp
from tilewright.dialects.llvm.types import VOID, LLVMArrayType, LLVMFunctionType
from tilewright.dialects.nv_tileaa.discardable import DECLARED
from tilewright.dialects.nv_tileaa.ops import program as ops_program, structure as ops_structure
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import DenseElementsAttr, DictionaryAttr, TypeAttr
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.memory_order.memory_roots import written_parameters
from tilewright.lowering.target_facts import KERNEL
from tilewright.runtime import context as runtime_context, description
from tilewright.targets.cpu.checks.accesses import KernelChecks
from tilewright.targets.cpu.checks.functions import functions
from tilewright.targets.cpu.facts.checks import AccessSummary, facts_of
from tilewright.targets.cpu.kernel import function as kernel_function, recording, stopping, waiting
from tilewright.targets.cpu.kernel.program_memory import GLOBAL
from tilewright.targets.cpu.machine.costs import costs_of
from tilewright.targets.cpu.machine.instructions import instructions_of
from tilewright.targets.cpu.machine.target import LINE, CpuTarget
from tilewright.targets.cpu.plan.model import KernelPlan
from tilewright.targets.cpu.planning.planner import make_plan
from tilewright.targets.elements.element_types import element_of, memory_type, register_type, size_of
from tilewright.targets.elements.lanes import in_memory, in_program_memory
from tilewright.targets.elements.math.library import link
from tilewright.targets.llvm.code import POINTER, LlvmBuilder


def begin_note(code: LlvmBuilder, context: Value, grid: Value) -> Value:
    """Emit the stores of a note about the running launch to the stack, and return the address of the note.

    If the process crashes, the note is found on the stack and names the launch and the tile block. Its stores
    are volatile because nothing in the kernel reads them.
    """
    note = code.stack(description.NOTE_WORDS, i64, description.WORD)
    tag = code(llvm.XOrOp, code(PtrToIntOp, note, type=i64), code.integer(description.TAG_BITS))
    for value, offset in ((context, description.CONTEXT), (grid, description.GRID), (tag, 0)):
        code.store(value, code.address(note, offset), description.WORD, volatile_=True)
    return note


def note_block(code: LlvmBuilder, note: Value, number: Value) -> None:
    """Emit the store of `number`, the number of the tile block that begins, to the note at the address `note`
    (`begin_note`).
    """
    code.store(number, code.address(note, description.NUMBER), description.WORD, volatile_=True)


def end_note(code: LlvmBuilder, note: Value) -> None:
    """Emit the store that clears the tag of the note, so that a crash handler does not find it any more."""
    code.store(code.integer(0), note, description.WORD, volatile_=True)


MAXIMUM_SHARE, SHARES = 8, 6
"""The maximum number of tile blocks that a thread takes at once; the base-2 logarithm of the number of
shares.

A share is a 64th of the tile blocks of a launch, at least 1 and at most ``MAXIMUM_SHARE`` tile blocks.
"""
SLOT = 8
"""The size of an argument in bytes."""
SIGNATURE = LLVMFunctionType(VOID, (POINTER, POINTER, POINTER, i64, POINTER))


@dataclass(frozen=True, slots=True)
class EmittedKernel:
    """A kernel of the generated module: its name, the types of its arguments, and its requirements at run
    time. ``scratch_bytes`` is the scratch memory of a thread. ``checks`` is the work of launchers for checks,
    if there are any. ``written`` are the numbers of the parameters whose memory the kernel may change; None
    if it may change any memory. ``user_name`` is the name of the function in the program, if that is another
    name and the kernel reports.
    """

    name: str
    arguments: tuple[Type, ...]
    scratch_bytes: int
    sites: tuple[runtime_context.ReportSite, ...] = ()
    checks: runtime_context.CheckRequirements | None = None
    written: frozenset[int] | None = None
    user_name: str = ""


class KernelModuleEmitter:
    """Builds a module of the `llvm` dialect from planned kernels. `add` emits a kernel, `add_global` a global
    of the program. ``module`` is the module so far, and ``kernels`` describes its kernels.
    """

    def __init__(self, target: CpuTarget, *, records_times: bool = False) -> None:
        self.target = target
        self.records_times = records_times
        self.module = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
        self.kernels: list[EmittedKernel] = []
        self._constants: dict[DenseElementsAttr, str] = {}
        self.facts: AccessSummary | None = None
        """The facts about checked accesses to memory, or None without checks."""
        self.globals: tuple[runtime_context.ProgramGlobal, ...] = ()
        """The globals of the program. Launchers need them if accesses are checked."""

    def add(self, plan: KernelPlan) -> None:
        """Emit the function of the kernel that `plan` describes into the module, and append its
        `EmittedKernel` to ``kernels``.
        """
        function: Any = plan.function
        written = written_parameters(function)
        body = Region([Block(list(SIGNATURE.arguments))])
        code = LlvmBuilder(body)
        made = _Function(self, code, plan)
        made.emit()
        op = LLVMFuncOp(sym_name=function.sym_name, function_type=SIGNATURE, body=body, no_unwind=True)
        self.module.regions[0].block.append(op)
        types = tuple(element_of(type) for type in declared_types(function))
        sites = tuple(made.sites)
        checks = self._checks(sites)
        name: str = function.sym_name
        known = function_name(function.location, name)
        # Only sites report; without them, code does not depend on debug information.
        user_name = known if sites and known != name else ""
        self.kernels.append(EmittedKernel(name, types, plan.scratch_bytes, sites, checks, written, user_name))

    def _checks(
        self, sites: Sequence[runtime_context.ReportSite]
    ) -> runtime_context.CheckRequirements | None:
        """Return the data that a launcher needs for the checks of a kernel with these report sites; None if
        neither accesses to memory nor any of `sites` are checked. Assertions and prints are no checks.
        """
        facts = self.facts
        if facts is not None:
            granule = facts.granule if facts.racecheck else 0
            return runtime_context.CheckRequirements(
                granule, facts.cell_bytes, facts.site_bits, facts.clocks, self.globals
            )
        return (
            runtime_context.CheckRequirements()
            if any(site.kind in runtime_context.FINDINGS for site in sites)
            else None
        )

    def constant(self, attribute: DenseElementsAttr) -> str:
        """Return the name of a global of the module with the elements `attribute`, which is added at the
        first call.
        """
        name = self._constants.get(attribute)
        if name is None:
            name = self._constants[attribute] = f"constant_{len(self._constants)}"
            self._add_data(name, attribute, constant=True, alignment=LINE)
        return name

    def add_global(self, op: ops_structure.GlobalOp) -> None:
        """Add a global of the program, which lives as long as the loaded code. Its symbol is ``global.`` and
        its name; launchers can find it if accesses are checked.
        """
        alignment = max(op.alignment or 1, size_of(op.value.element_type))
        value = in_program_memory(op.value)
        data = self._add_data(GLOBAL + op.sym_name, value, constant=op.constant, alignment=alignment)
        if self.facts is not None:  # the launcher looks it up
            data.linkage = Linkage.EXTERNAL

    def _add_data(
        self, name: str, attribute: DenseElementsAttr, *, constant: bool, alignment: int
    ) -> GlobalOp:
        type = LLVMArrayType(memory_type(attribute.element_type), attribute.count)
        op = GlobalOp(
            type,
            name,
            Linkage.PRIVATE if constant else Linkage.INTERNAL,
            constant=constant,
            value=in_memory(attribute),
            alignment=alignment,
            initializer=Region(),
        )
        self.module.regions[0].block.append(op)
        return op


class _Function:
    """One kernel: the loop over tile blocks around the code of a tile block."""

    def __init__(self, module: KernelModuleEmitter, code: LlvmBuilder, plan: KernelPlan) -> None:
        self.module = module
        self.code = code
        self.plan = plan
        self.function: Any = plan.function
        self.sites: list[runtime_context.ReportSite] = []

    def emit(self) -> None:
        """Emit the function of the kernel: loads of its arguments, and the loop over tile blocks around the
        code of a tile block.
        """
        code = self.code
        arguments, grid, counter, count, scratch = code.entry.arguments
        extents = tuple(code.load(code.address(grid, axis, i32), i32, 4) for axis in range(3))
        (block,) = self.function.body.blocks
        values = {
            value: self._argument(arguments, at, value)
            for at, value in enumerate(block.arguments)
            if value.has_uses
        }
        note = begin_note(code, counter, grid)
        asked = count
        wanted = self._wanted(asked)
        count = code(llvm.AndOp, asked, code.integer(runtime_context.COUNTS))
        share = self._share(counter, count)
        fetch, abandon, body, following, done = (code.new_block() for _ in range(5))
        header = code.new_block((i64, i64))
        recorder = recording.begin_kernel(code, counter) if self.module.records_times else None
        facts = self.module.facts
        checks = KernelChecks(code, facts, self.function, self.sites) if facts is not None else None
        if checks is not None:
            checks.begin_kernel(counter, count, scratch)
        with code.inside(self._begin(counter, wanted, header)):
            code.enter(header)
            number, stop = header.arguments
            code.fork(code.compare("ult", number, stop), body, fetch)
            code.enter(fetch)
            self._fetch(counter, asked, count, share, header, done)
            code.enter(abandon)
            code.jump(header, self._nothing())
            code.enter(body)
            note_block(code, note, number)
            record = recorder.begin_block(number) if recorder is not None else None
            position = self._position(number, extents)
            if checks is not None:
                checks.begin_block(number, count)
            frame = kernel_function.BlockSurroundings(
                scratch,
                extents,
                position,
                self.module.constant,
                following,
                abandon,
                counter,
                number,
                wanted,
                self.sites,
                checks,
            )
            emitter = kernel_function.KernelEmitter(code, self.plan, frame)
            emitter.scalars.update(values)
            emitter.block(block)
            code.enter(following)
            if recorder is not None and record is not None:
                recorder.end_block(*record)
            successor = code.value(code.add(number, 1))
            self._leave_if(counter, wanted, (successor, stop), done)
            code.jump(header, (successor, stop))
        code.enter(done)
        if checks is not None:
            checks.end_kernel(counter)
        end_note(code, note)
        code.effect(llvm_control.ReturnOp)

    def _wanted(self, count: Value) -> Value:
        """Return the bits of `ATTENTION` at which this call returns early: always `END`, and bit 0 (a pause)
        if bit 63 of the argument `count` is set.
        """
        return self.code(
            llvm.OrOp,
            self.code(llvm.LShrOp, count, self.code.integer(63)),
            self.code.integer(runtime_context.END),
        )

    def _begin(self, context: Value, wanted: Value, header: Block) -> Operation:
        """Enter the loop over tile blocks, and return the jump to `header`. Start with the tile blocks that a
        paused call left over, if there are any.

        The header is the only entry of the loop, and this is the only jump to it from outside: LLVM hoists
        constants out of natural loops only.
        """
        code = self.code
        left, more = (
            code.address(context, runtime_context.LEFT),
            code.address(context, runtime_context.LEFT_END),
        )
        start = code.new_block((i64, i64))
        resumes = code.new_block()
        code.fork(code.compare("eq", wanted, runtime_context.END), start, resumes, self._nothing())
        code.enter(resumes)
        resumed = code.load(left, i64, SLOT), code.load(more, i64, SLOT)
        code.store(code.integer(0), more, SLOT)
        code.jump(start, resumed)
        code.enter(start)
        return code.jump(header, start.arguments)

    def _fetch(
        self, context: Value, asked: Value, count: Value, share: Value, header: Block, done: Block
    ) -> None:
        """Take the next `share` tile blocks, and branch to `header` with their range; branch to `done` if
        none is left. The bits `FRONT` and `BACK` of `asked` choose where the range lies: at the first or the
        last tile blocks that such calls have not taken. Without them, ranges follow the common counter.
        """
        code = self.code
        taken = self._taken(context, share)
        some, from_end = code.new_block(), code.new_block()
        code.fork(code.compare("ult", taken, count), some, done)
        code.enter(some)
        stop = code.value(code.minimum(code.add(taken, share), count))
        ends = code(llvm.LShrOp, asked, code.integer(runtime_context.BACK.bit_length() - 2))
        either = code(llvm.AndOp, ends, code.integer(3))
        code.fork(code.compare("eq", either, 0), header, from_end, [taken, stop])
        code.enter(from_end)
        size = code(llvm.SubOp, stop, taken)
        is_back = code.compare("ne", code(llvm.AndOp, asked, code.integer(runtime_context.BACK)), 0)
        place = code(
            llvm.SelectOp,
            is_back,
            code.address(context, runtime_context.FROM_BACK),
            code.address(context, runtime_context.FROM_FRONT),
            type=POINTER,
        )
        before = self._taken(place, size)
        after = code.value(code.add(before, size))
        first = code(llvm.SelectOp, is_back, code(llvm.SubOp, count, after), before, type=i64)
        code.jump(header, [first, code.value(code.add(first, size))])

    def _taken(self, place: Value, size: Value) -> Value:
        """Emit an atomic addition of `size` to the 64-bit number at the address `place`; return the previous
        number.
        """
        return self.code(AtomicRMWOp, AtomicBinaryOperation.ADD, place, size, AtomicOrdering.MONOTONIC)

    def _nothing(self) -> tuple[Value, Value]:
        """Return an empty range of tile blocks: the constants 0 and 0."""
        zero = self.code.integer(0)
        return zero, zero

    def _leave_if(self, context: Value, wanted: Value, left: tuple[Value, Value], done: Block) -> None:
        """Branch to `done` if `ATTENTION` has a bit of `wanted`.

        A call that may be paused first stores the range `left` of tile blocks that have not begun.
        """
        code = self.code
        attention = code.load(
            code.address(context, runtime_context.ATTENTION), i64, SLOT, ordering=AtomicOrdering.MONOTONIC
        )
        leaving, pausing, going_on = (code.new_block() for _ in range(3))
        code.fork(code.compare("eq", code(llvm.AndOp, attention, wanted), 0), going_on, leaving)
        code.enter(leaving)
        code.fork(code.compare("eq", wanted, runtime_context.END), done, pausing)
        code.enter(pausing)
        for value, offset in zip(left, (runtime_context.LEFT, runtime_context.LEFT_END), strict=True):
            code.store(value, code.address(context, offset), SLOT)
        code.jump(done)
        code.enter(going_on)

    def _share(self, context: Value, count: Value) -> Value:
        """Return how many tile blocks a thread takes at once: 1 if tile blocks of this kernel wait for each
        other.

        Otherwise it is a 64th of the `count` tile blocks, from 1 to `MAXIMUM_SHARE`, or the number in the
        context of the launch if that is larger.
        """
        code = self.code
        if waiting.waits(self.function):
            return code.integer(1)
        given = code.load(code.address(context, runtime_context.SHARE), i64, SLOT)
        share = code.minimum(MAXIMUM_SHARE, code(llvm.LShrOp, count, code.integer(SHARES)))
        return code.value(code.maximum(given, code.maximum(1, share)))

    def _argument(self, arguments: Value, at: int, value: Value) -> Value:
        held = register_type(element_of(value.type))
        place = self.code.address(arguments, at * SLOT)
        return self.code.load(place, held, SLOT)

    def _position(self, number: Value, extents: Sequence[Value]) -> tuple[Value, ...]:
        """Return the coordinates of a tile block in the grid, as three i32; the first dimension is fastest."""
        code = self.code
        wide = [code(ZExtOp, extent, type=i64) for extent in extents[:2]]
        rest = code(llvm.UDivOp, number, wide[0])
        places = (
            code(llvm.URemOp, number, wide[0]),
            code(llvm.URemOp, rest, wide[1]),
            code(llvm.UDivOp, rest, wide[1]),
        )
        return tuple(code(TruncOp, place, type=i32) for place in places)


def is_kernel(op: Operation) -> bool:
    """Return whether an operation is a kernel: a function of tiles, before or after the conversion of its
    boundary.
    """
    return isinstance(op, ops_program.FuncOp) or (isinstance(op, FuncOp) and KERNEL in op.held_attributes)


def declared_types(function: Any) -> list[Type]:
    """Return the types of the arguments of a kernel in the tile dialects. A converted function has them in
    the attributes of its arguments.
    """
    types: list[Type] = [value.type for value in function.body.blocks[0].arguments]
    attributes: Sequence[DictionaryAttr] = function.arg_attrs or ()
    for at, given in enumerate(attributes):
        declared = given.get(DECLARED)
        types[at] = declared.type if isinstance(declared, TypeAttr) else types[at]
    return types


def _known(op: ops_structure.GlobalOp) -> runtime_context.ProgramGlobal:
    """Return the name, the symbol, the size in bytes and the constancy of a global, for launchers that check
    accesses.
    """
    value = in_program_memory(op.value)
    return runtime_context.ProgramGlobal(
        op.sym_name, GLOBAL + op.sym_name, value.count * size_of(value.element_type), op.constant
    )


def plan_module(module: Operation, target: CpuTarget) -> tuple[KernelPlan, ...]:
    """Return the plans of all kernels of a module, in order. Raises `DiagnosticError` for an operation that
    has no form on the CPU.
    """
    return tuple(make_plan(op, costs_of(target)) for op in module.regions[0].block if is_kernel(op))


def emit_module(
    module: Operation,
    target: CpuTarget,
    plans: Sequence[KernelPlan] | None = None,
    *,
    records_times: bool = False,
) -> KernelModuleEmitter:
    """Emit code for all kernels of a module according to `plans`, by default the result of `plan_module`.
    Return the emitter, which has the generated module and its kernels. ``records_times`` makes each tile
    block record when and on which thread it ran.
    """
    plans = plan_module(module, target) if plans is None else plans
    emitter = KernelModuleEmitter(target, records_times=records_times)
    emitter.facts = facts_of(module)
    emitter.globals = tuple(
        _known(op) for op in module.regions[0].block if isinstance(op, ops_structure.GlobalOp)
    )
    of_kernel = {plan.function: plan for plan in plans}
    for op in list(module.regions[0].block):
        if is_kernel(op):
            emitter.add(of_kernel[op])
        elif isinstance(op, ops_structure.GlobalOp):
            emitter.add_global(op)
    if any(site.kind == waiting.KIND for kernel in emitter.kernels for site in kernel.sites):
        emitter.module.regions[0].block.append(waiting.declaration())
    if any(site.kind == stopping.KIND for kernel in emitter.kernels for site in kernel.sites):
        emitter.module.regions[0].block.append(stopping.function())
    for declared in recording.declarations() if records_times else ():
        emitter.module.regions[0].block.append(declared)
    if emitter.facts is not None and emitter.facts.looks_at_memory:
        for function in functions(emitter.facts, target.vector_bytes):
            emitter.module.regions[0].block.append(function)
    link(emitter.module, instructions_of(target))
    return emitter

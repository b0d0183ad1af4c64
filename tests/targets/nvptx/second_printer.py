"""LLVM's back end as a second printer: the PTX that it makes of a module in the dialects `llvm` and `nvvm`.

Operations of `nvvm` become calls of the intrinsic functions that LLVM has for them; accesses under a predicate become
masked ones, for which LLVM writes branches.  LLVM is for comparison only: code for
GPUs is made without it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from llvmlite import binding

import tilewright
from tests.targets.cpu.elementwise.elementwise_harness import Array, Case, format_of
from tests.targets.cpu.programs.generated_programs import (
    SIMULATED_RACE,
    MachineCode,
    Variant,
    agree,
    defined,
    excuse,
    excuse_of_race,
    launchpads,
    pointees,
)
from tests.targets.nvptx.elementwise_in_simulator import Simulated
from tests.targets.nvptx.test_gpu_elements import are_same
from tilewright.dialects.common.chips import CHIPS, Chip
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.llvm.enums import AtomicOrdering, CallingConvention, Linkage
from tilewright.dialects.llvm.intrinsics.vector import MaskedLoadOp, MaskedStoreOp
from tilewright.dialects.llvm.ops import arithmetic, memory, symbol
from tilewright.dialects.llvm.ops.aggregate import ConstantOp, ExtractElementOp, InsertElementOp, PoisonOp
from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.dialects.nvvm.enums.barriers import GridDepActionKind
from tilewright.dialects.nvvm.enums.mma import MMALayout
from tilewright.dialects.nvvm.ops import barrier, mma, predicated
from tilewright.driver.artifact import Artifact
from tilewright.ir.attribute import Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import ArrayAttr, IntegerAttr, StringAttr
from tilewright.ir.builtin_types import VectorType, i1, i32, i64
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter
from tilewright.runtime.image import Image
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.llvm import translate
from tilewright.targets.nvptx.nvvm_to_ptx import translate as translate_ptx
from tilewright.targets.nvptx.nvvm_to_ptx.function import is_kernel
from tilewright.targets.nvptx.nvvm_to_ptx.module import fitting
from tilewright.testing.execution import Launchpad
from tilewright.testing.strategies import sample_module

TRIPLE = "nvptx64-nvidia-cuda"
FEATURES = "+ptx90"
"""The newest PTX that LLVM 22 writes."""
FLOAT_PARAMETERS = re.compile(r"\.param \.f(\d+)")
"""Launches pass the bits of numbers."""
WORD = 4
"""Bytes of what is swapped."""
UPDATES = (memory.AtomicRMWOp, memory.AtomicCmpXchgOp)
THREADS = "nvvm.reqntid"
READS = "nvvm.read.ptx.sreg."
Call = tuple[str, tuple[Value, ...]]
"""The name of an intrinsic function behind ``llvm.nvvm.``, and what it is called with."""


class NoPrinterError(Exception):
    """LLVM has no form for an operation, or another one than the operation means."""


def _barrier(op: barrier.Barrier0Op) -> Call:
    whole = PointInserter.before(op)(ConstantOp, IntegerAttr(i32, 0), type=i32)
    return "barrier.cta.sync.aligned.all", (whole,)


def _fence(op: barrier.FenceProxyOp) -> Call:
    return f"fence.proxy.{op.kind_.spelling}", ()


def _grid(op: barrier.GriddepcontrolOp) -> Call:
    waits = op.kind_ is GridDepActionKind.WAIT
    return f"griddepcontrol.{'wait' if waits else 'launch.dependents'}", ()


def _shuffle(op: barrier.ShflOp) -> Call:
    kind = "f32" if op.val.type != i32 else "i32"
    return f"shfl.sync.{op.kind_.spelling}.{kind}", (op.thread_mask, op.val, op.offset, op.mask_and_clamp)


def _load(op: mma.LdMatrixOp) -> Call:
    words = f"m{op.shape.m}n{op.shape.n}.x{op.num}{'.trans' * (op.layout is MMALayout.COL)}"
    return f"ldmatrix.sync.aligned.{words}.{op.eltType.spelling}.p3", (op.ptr,)


def _product(op: mma.MmaOp) -> Call:
    """LLVM names products of f16 by their sums, those of f8 by all types, and others by their factors."""
    kinds = [kind.spelling for kind in (op.multiplicandAPtxType, op.multiplicandBPtxType) if kind is not None]
    sums = str(op.operandC[0].type).removeprefix("vector<2x").removesuffix(">")
    if kinds[0] == "f16":
        kinds = [sums, sums]
    elif kinds[0] in ("e4m3", "e5m2"):
        kinds = [sums, *kinds, sums]
    elif kinds[0] == kinds[1]:
        kinds.pop()
    words = f"m{op.shape.m}n{op.shape.n}k{op.shape.k}.{op.layoutA.spelling}.{op.layoutB.spelling}"
    return f"mma.{words}.{'.'.join(kinds)}", (*op.operandA, *op.operandB, *op.operandC)


CALLS: dict[type[Operation], Callable[[Any], Call]] = {
    barrier.Barrier0Op: _barrier,
    barrier.FenceProxyOp: _fence,
    barrier.GriddepcontrolOp: _grid,
    barrier.ShflOp: _shuffle,
    mma.LdMatrixOp: _load,
    mma.MmaOp: _product,
}
"""The intrinsic function of each operation, but for those that read registers, which are called alike."""
ORDERED = frozenset(
    {
        AtomicOrdering.ACQUIRE,
        AtomicOrdering.RELEASE,
        AtomicOrdering.ACQ_REL,
        AtomicOrdering.SEQ_CST,
    }
)


def by_llvm(module: Operation, chip: Chip) -> str:
    """The PTX of LLVM.  Raises `NoPrinterError`."""
    copy = module.clone()
    for op in [op for op in copy.walk() if op.kind.name.startswith("nvvm.")]:
        _call_intrinsic(op)
    for op in list(copy.walk()):
        if isinstance(op, memory.AtomicRMWOp) and op.ordering in ORDERED:
            raise NoPrinterError("LLVM 22 drops the order of 'llvm.atomicrmw'")
        if isinstance(op, arithmetic.ShlOp | arithmetic.LShrOp) and op.lhs.type == i64:
            _hold_result(op)
        if isinstance(op, symbol.LLVMFuncOp) and op.body.blocks:
            _define(op)
    machine = _machine(chip.name)
    try:
        ir = translate(copy, triple=TRIPLE, data_layout=str(machine.target_data))
    except DiagnosticError as error:
        raise NoPrinterError(error.diagnostics[0].message) from error
    parsed = binding.parse_assembly(ir)
    parsed.verify()
    return FLOAT_PARAMETERS.sub(r".param .b\1", machine.emit_assembly(parsed))


@cache
def _machine(chip: str) -> binding.TargetMachine:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(TRIPLE).create_target_machine(cpu=chip, features=FEATURES, opt=2)


def _masked(
    op: predicated.PredicatedLoadOp | predicated.PredicatedStoreOp, values: Sequence[Value]
) -> tuple[PointInserter, Value, Value]:
    """Where code for an access stands, its values as a vector, and a mask in which the predicate is every bit."""
    emit, type = PointInserter.before(op), values[0].type
    if isinstance(type, VectorType):
        (vector,) = values
        mask = _vector(emit, VectorType(type.shape, i1), [op.predicate] * type.shape[0])
        return emit, vector, mask
    shape = (len(values),)
    mask = _vector(emit, VectorType(shape, i1), [op.predicate] * len(values))
    return emit, _vector(emit, VectorType(shape, type), values), mask


def _vector(emit: PointInserter, type: VectorType, values: Sequence[Value]) -> Value:
    made = emit(PoisonOp, type=type)
    for at, value in enumerate(values):
        made = emit(InsertElementOp, made, value, emit(ConstantOp, IntegerAttr(i32, at), type=i32))
    return made


def _masked_load(op: predicated.PredicatedLoadOp) -> None:
    emit, other, mask = _masked(op, op.otherwise)
    loaded = emit(MaskedLoadOp, op.addr, mask, op.alignment, other, type=other.type)
    for at, value in enumerate(op.res):
        found = loaded
        if value.type is not loaded.type:
            place = emit(ConstantOp, IntegerAttr(i32, at), type=i32)
            found = emit(ExtractElementOp, loaded, place)
        value.replace_all_uses_with(found)
    op.erase()


def _masked_store(op: predicated.PredicatedStoreOp) -> None:
    emit, values, mask = _masked(op, op.value)
    emit.insert(MaskedStoreOp, values, op.addr, mask, op.alignment)
    op.erase()


def _call_intrinsic(op: Operation) -> None:
    """Let an intrinsic function stand for an operation of `nvvm`."""
    if isinstance(op, predicated.PredicatedLoadOp):
        return _masked_load(op)
    if isinstance(op, predicated.PredicatedStoreOp):
        return _masked_store(op)
    rule = CALLS.get(type(op))
    if rule is None and not op.kind.name.startswith(READS):
        raise NoPrinterError(f"there is no intrinsic function for '{op.kind.name}'")
    name, operands = rule(op) if rule is not None else (op.kind.name.removeprefix("nvvm."), ())
    called: Operation = PointInserter.before(op).insert(
        CallIntrinsicOp,
        f"llvm.nvvm.{name}",
        (),
        operands,
        result_types=[result.type for result in op.results],
    )
    for before, after in zip(op.results, called.results, strict=True):
        before.replace_all_uses_with(after)
    op.erase()


def _hold_result(shift: arithmetic.ShlOp | arithmetic.LShrOp) -> None:
    """Let LLVM see no choice round a shift: it drops one for a shift by 64 or more, and looks at 32 bits of the amount."""
    held = arithmetic.FreezeOp(shift.res, location=shift.lazy_location)
    shift.res.replace_all_uses_with(held.res)
    held.set_operand(0, shift.res)
    InsertionPoint.after(shift).insert(held)


def _define(function: symbol.LLVMFuncOp) -> None:
    """A kernel as LLVM knows one, and other functions under whatever name LLVM chooses."""
    if not is_kernel(function):
        function.linkage = Linkage.INTERNAL
        return
    function.sym_name = fitting(function.sym_name)
    function.CConv = CallingConvention.PTX_KERNELCC
    threads: Any = function.attributes.get(THREADS)
    if threads is not None:
        shape = ",".join(map(str, threads.values))
        function.passthrough = (ArrayAttr((StringAttr(THREADS), StringAttr(shape))),)


class BySecondPrinter(MachineCode):
    """Code for the simulation of a GPU whose PTX LLVM writes."""

    @cached_property
    def _made(self) -> Image | DiagnosticError:
        try:
            image = self._artifact.loader().image()
        except DiagnosticError as error:
            return error
        return second_image(image, self._artifact.module("llvm"), str(self.target.capability))

    @cached_property
    def _artifact(self) -> Artifact:
        return tilewright.compile(self.module, target=self.target, options=self.options)

    def why_it_races(self, error: DiagnosticError) -> str:
        """Why code of LLVM may race where ours does not; empty if it must not.

        LLVM makes an update of less than 32 bits a loop that swaps the word around it, and reads that word first by a
        load without an order.
        """
        if SIMULATED_RACE not in str(error):
            return ""
        updates = [op for op in self._artifact.module("llvm").walk() if isinstance(op, UPDATES)]
        if all(size_of(op.val.type) >= WORD for op in updates):
            return ""
        return "not by LLVM: it reads the word around a narrow update by a weak load"


def second_image(image: Image, module: Operation, chip: str) -> Image:
    """The kernels of an image with the PTX of LLVM.  Raises `NoPrinterError`."""
    return Image(by_llvm(module, CHIPS[chip]).encode(), image.kernels)


def compare_elements(case: Case, result: Type, operands: Sequence[Array], chip: str) -> tuple[str, str]:
    """What becomes of an operation on elements by both printers: in a word, and where the results differ; NaNs are alike."""
    try:
        ours, theirs = (
            Simulated([case], chip, printer).run(case.name, result, *operands)
            for printer in (translate_ptx, by_llvm)
        )
    except NoPrinterError as error:
        return f"not by LLVM: {error}", ""
    wrong = np.flatnonzero(~are_same(ours, theirs, format_of(result)))
    if not wrong.size:
        return "same", ""
    given = [operand[wrong[0]] for operand in operands]
    what = f"{wrong.size} of {ours.size}, first {given} gives {ours[wrong[0]]} and by LLVM {theirs[wrong[0]]}"
    return "different", f"{case.name}: {what}"


def compare(seed: str, number: int, chip: str, tally: Counter[str]) -> Iterator[str]:
    """The kernels of a generated module that do something else as LLVM prints them; ``tally`` counts what became of all."""
    module = sample_module(number, seed=seed, past_edges=Variant.of(number).past_edges)
    pads = launchpads(module, number, f"{seed}/{number}")
    outcomes = defined([pad for _, pad in pads], module, tally)
    ours, theirs = MachineCode(module, name=f"sim:{chip}"), BySecondPrinter(module, name=f"sim:{chip}")
    for (kernel, pad), wanted in zip(pads, outcomes, strict=True):
        kind, what = ("undefined", "") if wanted.problem is not None else _judged(ours, theirs, kernel, pad)
        tally[kind] += 1
        if what:
            yield f"module {number} of seed '{seed}', kernel '{kernel.sym_name}': {what}"


def _judged(ours: MachineCode, theirs: BySecondPrinter, kernel: EntryOp, pad: Launchpad) -> tuple[str, str]:
    """What became of a kernel in a word, and how it differs."""
    if ours.refusal() is not None:
        return "refused", ""
    try:
        first = ours.run(pad)
    except DiagnosticError as error:
        return _excused(excuse_of_race(str(error), pad, ours.module), str(error))
    try:
        second = theirs.run(pad)
    except NoPrinterError as error:
        return f"not by LLVM: {error}", ""
    except DiagnosticError as error:
        return _excused(
            excuse_of_race(str(error), pad, ours.module) or theirs.why_it_races(error), str(error)
        )
    if first.printed == second.printed and agree(
        pointees(kernel), pad.addresses, first.buffers, second.buffers
    ):
        return "same", ""
    return _excused(excuse(kernel, pad, ours.module), "other bits")


def _excused(reason: str, what: str) -> tuple[str, str]:
    """A difference that counts unless there is a reason why it does not."""
    return (reason, "") if reason else ("different", what)

"""The spelling of instructions in LLVM IR; intrinsic functions are in `intrinsics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops import aggregate, arithmetic, control, conversion, memory
from tilewright.ir.attribute import SharedAttributes, Type
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.llvm.identifiers import escaped, quoted
from tilewright.targets.llvm.spelling import Rule, Spelling

# --- flags

FAST_MATH_WORDS = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
"""Fast-math flags, in LLVM's order of printing."""
FAST_MATH_TEXT = {
    llvm_enums.FastMathFlags(bits): "fast "
    if llvm_enums.FastMathFlags(bits) is llvm_enums.FastMathFlags.FAST
    else "".join(
        f"{word} " for word in FAST_MATH_WORDS if bits & llvm_enums.FastMathFlags[word.upper()].value
    )
    for bits in range(llvm_enums.FastMathFlags.FAST.value + 1)
}
OVERFLOW_TEXT = {
    llvm_enums.IntegerOverflowFlags(bits): "nuw " * (bits >> 1) + "nsw " * (bits & 1) for bits in range(4)
}
WRAP_TEXT = {
    llvm_enums.PointerWrapFlags(bits): {0: "", 1: "inbounds ", 2: "nusw ", 3: "inbounds "}[bits & 3]
    + ("nuw " if bits & 4 else "")
    for bits in range(8)
}
ORDERINGS = {
    llvm_enums.AtomicOrdering.UNORDERED: "unordered",
    llvm_enums.AtomicOrdering.MONOTONIC: "monotonic",
    llvm_enums.AtomicOrdering.ACQUIRE: "acquire",
    llvm_enums.AtomicOrdering.RELEASE: "release",
    llvm_enums.AtomicOrdering.ACQ_REL: "acq_rel",
    llvm_enums.AtomicOrdering.SEQ_CST: "seq_cst",
}
CONVENTIONS = {
    llvm_enums.CallingConvention.CCC: "",
    llvm_enums.CallingConvention.FASTCC: "fastcc ",
    llvm_enums.CallingConvention.COLDCC: "coldcc ",
    llvm_enums.CallingConvention.PTX_KERNELCC: "ptx_kernel ",
    llvm_enums.CallingConvention.PTX_DEVICECC: "ptx_device ",
}
TAIL_CALLS = {
    llvm_enums.TailCallKind.NONE: "",
    llvm_enums.TailCallKind.TAIL: "tail ",
    llvm_enums.TailCallKind.MUSTTAIL: "musttail ",
    llvm_enums.TailCallKind.NOTAIL: "notail ",
}


def convention(value: llvm_enums.CallingConvention) -> str:
    """Return a calling convention followed by a blank; empty for C's. A convention without a keyword is
    written with its number, such as ``cc 10``.
    """
    return CONVENTIONS.get(value, f"cc {value.value} ")


# --- arithmetic and conversions


def _binary(word: str, flags: Callable[[Any], str] | None = None) -> Rule:
    """Return the rule of the instruction `word` on two operands of equal type. `flags` returns the flags of
    an operation as text, each followed by a blank; None: the instruction has no flags.
    """

    def rule(emit: Spelling, op: Operation) -> str:
        left, right = op.operands
        prefix = flags(op) if flags is not None else ""
        return f"{word} {prefix}{emit.type(left.type)} {emit.value(left)}, {emit.value(right)}"

    return rule


class FastMath(Protocol):
    """An instruction with fast-math flags, `fastmathFlags`."""

    fastmathFlags: llvm_enums.FastMathFlags


def _fast(op: FastMath) -> str:
    return FAST_MATH_TEXT[op.fastmathFlags]


class OverflowingInstruction(Protocol):
    """An instruction with the overflow flags `nsw` and `nuw`, in `overflowFlags`."""

    overflowFlags: llvm_enums.IntegerOverflowFlags


def _overflow(op: OverflowingInstruction) -> str:
    return OVERFLOW_TEXT[op.overflowFlags]


def _exact(op: arithmetic.ExactIntegerOp) -> str:
    return "exact " if op.isExact else ""


def _comparison(word: str, flags: Callable[[Any], str] | None = None) -> Rule:
    def rule(emit: Spelling, op: arithmetic.FCmpOp | arithmetic.ICmpOp) -> str:
        left, right = op.operands
        prefix = flags(op) if flags is not None else ""
        relation = op.predicate.name.lower()
        return f"{word} {prefix}{relation} {emit.type(left.type)} {emit.value(left)}, {emit.value(right)}"

    return rule


def _conversion(word: str, flags: Callable[[Any], str] | None = None) -> Rule:
    def rule(emit: Spelling, op: Operation) -> str:
        prefix = flags(op) if flags is not None else ""
        return f"{word} {prefix}{emit.typed(op.operands[0])} to {emit.type(op.results[0].type)}"

    return rule


def _non_negative(op: conversion.UIToFPOp | conversion.ZExtOp) -> str:
    return "nneg " if op.nonNeg else ""


def _negation(emit: Spelling, op: arithmetic.FNegOp) -> str:
    return f"fneg {_fast(op)}{emit.typed(op.operand)}"


def _select(emit: Spelling, op: arithmetic.SelectOp) -> str:
    return f"select {_fast(op)}{', '.join(map(emit.typed, op.operands))}"


def _freeze(emit: Spelling, op: arithmetic.FreezeOp) -> str:
    return f"freeze {emit.typed(op.val)}"


# --- aggregates


def _extract_element(emit: Spelling, op: aggregate.ExtractElementOp) -> str:
    return f"extractelement {emit.typed(op.vector)}, {emit.typed(op.position)}"


def _insert_element(emit: Spelling, op: aggregate.InsertElementOp) -> str:
    return f"insertelement {emit.typed(op.vector)}, {emit.typed(op.value)}, {emit.typed(op.position)}"


def _shuffle(emit: Spelling, op: aggregate.ShuffleVectorOp) -> str:
    mask = op.mask
    scalable = "vscale x " if any(getattr(op.res.type, "scalable", ())) else ""
    words = (f"i32 {position}" if position >= 0 else "i32 poison" for position in mask)
    text = f"<{', '.join(words)}>" if any(mask) else "zeroinitializer"
    return f"shufflevector {emit.typed(op.v1)}, {emit.typed(op.v2)}, <{scalable}{len(mask)} x i32> {text}"


def _extract_value(emit: Spelling, op: aggregate.ExtractValueOp) -> str:
    return f"extractvalue {emit.typed(op.container)}, {', '.join(map(str, op.position))}"


def _insert_value(emit: Spelling, op: aggregate.InsertValueOp) -> str:
    positions = ", ".join(map(str, op.position))
    return f"insertvalue {emit.typed(op.container)}, {emit.typed(op.value)}, {positions}"


# --- memory


def _access_text(emit: Spelling, op: memory.LoadOp | memory.StoreOp) -> tuple[str, str]:
    """Return the text before and after the operands of a load or store, which depends on its attributes only."""
    held = op.held_attributes
    if not isinstance(held, SharedAttributes):
        return _access_words(op), _access_tail(emit, op)
    known = emit.module.accesses.get(held)
    if known is None:
        known = emit.module.accesses[held] = _access_words(op), _access_tail(emit, op)
    return known


def _access_tail(emit: Spelling, op: memory.LoadOp | memory.StoreOp) -> str:
    """Return ordering, alignment and metadata at the end of a load or store."""
    atomic = op.ordering is not llvm_enums.AtomicOrdering.NOT_ATOMIC
    order = f"{_scope(op)} {ORDERINGS[op.ordering]}" if atomic else ""
    alignment = f", align {op.alignment}" if op.alignment else ""
    hint = f", !nontemporal {emit.module.metadata.nontemporal()}" if op.nontemporal else ""
    group = ", !invariant.group !{}" if op.invariantGroup else ""
    return f"{order}{alignment}{hint}{group}{emit.access_metadata(op)}"


class ScopedAtomic(Protocol):
    """An atomic instruction with a synchronisation scope, `syncscope`; None or an empty name is the scope of
    the system.
    """

    syncscope: str | None


def _scope(op: ScopedAtomic) -> str:
    return f' syncscope("{escaped(op.syncscope)}")' if op.syncscope else ""


def _access_words(op: memory.LoadOp | memory.StoreOp) -> str:
    atomic = "atomic " if op.ordering is not llvm_enums.AtomicOrdering.NOT_ATOMIC else ""
    return f"{atomic}{'volatile ' if op.volatile_ else ''}"


def _load(emit: Spelling, op: memory.LoadOp) -> str:
    result = emit.type(op.res.type)
    invariant = ", !invariant.load !{}" if op.invariant else ""
    words, tail = _access_text(emit, op)
    return f"load {words}{result}, {emit.typed(op.addr)}{tail}{invariant}"


def _store(emit: Spelling, op: memory.StoreOp) -> str:
    words, tail = _access_text(emit, op)
    return f"store {words}{emit.typed(op.value)}, {emit.typed(op.addr)}{tail}"


def _alloca(emit: Spelling, op: memory.AllocaOp) -> str:
    alignment = f", align {op.alignment}" if op.alignment else ""
    space = checked_type(op.res).address_space
    where = f", addrspace({space})" if space else ""
    kind = "inalloca " if op.inalloca else ""
    return f"alloca {kind}{emit.type(op.elem_type)}, {emit.typed(op.arraySize)}{alignment}{where}"


def _address(emit: Spelling, op: memory.GEPOp) -> str:
    dynamic = iter(op.dynamicIndices)
    indices = ", ".join(
        emit.typed(next(dynamic)) if index == llvm_types.DYNAMIC_POSITION else f"i32 {index}"
        for index in op.rawConstantIndices
    )
    flags = WRAP_TEXT[op.noWrapFlags]
    return f"getelementptr {flags}{emit.type(op.elem_type)}, {emit.typed(op.base)}, {indices}"


def _read_modify_write(emit: Spelling, op: memory.AtomicRMWOp) -> str:
    volatile = "volatile " if op.volatile_ else ""
    operation = op.bin_op.name.lower()
    alignment = f", align {op.alignment}" if op.alignment else ""
    order = f"{_scope(op)} {ORDERINGS[op.ordering]}{alignment}"
    operands = f"{emit.typed(op.ptr)}, {emit.typed(op.val)}"
    return f"atomicrmw {volatile}{operation} {operands}{order}{emit.access_metadata(op)}"


def _compare_exchange(emit: Spelling, op: memory.AtomicCmpXchgOp) -> str:
    words = f"{'weak ' if op.weak else ''}{'volatile ' if op.volatile_ else ''}"
    orders = f"{_scope(op)} {ORDERINGS[op.success_ordering]} {ORDERINGS[op.failure_ordering]}"
    alignment = f", align {op.alignment}" if op.alignment else ""
    operands = ", ".join(map(emit.typed, op.operands))
    return f"cmpxchg {words}{operands}{orders}{alignment}{emit.access_metadata(op)}"


def _fence(emit: Spelling, op: memory.FenceOp) -> str:
    return f"fence{_scope(op)} {ORDERINGS[op.ordering]}"


def _variable_argument(emit: Spelling, op: memory.VaArgOp) -> str:
    return f"va_arg {emit.typed(op.arg)}, {emit.type(op.res.type)}"


# --- control


def _return(emit: Spelling, op: control.ReturnOp) -> str:
    return f"ret {emit.typed(op.arg)}" if op.arg is not None else "ret void"


def _loop(emit: Spelling, op: control.BrOp | control.CondBrOp) -> str:
    return f", !llvm.loop {emit.module.metadata.loop(op.loop_annotation)}" if op.loop_annotation else ""


def _branch(emit: Spelling, op: control.BrOp) -> str:
    return f"br label {emit.label(op.dest)}{_loop(emit, op)}"


def _weights(emit: Spelling, op: control.CondBrOp | control.SwitchOp) -> str:
    if not op.branch_weights:
        return ""
    weights = ", ".join(f"i32 {weight}" for weight in op.branch_weights)
    node = emit.module.metadata.add(f'!{{!"branch_weights", {weights}}}')
    return f", !prof {node}"


def _conditional_branch(emit: Spelling, op: control.CondBrOp) -> str:
    yes, no = emit.successor_labels(op)
    condition = emit.typed(op.condition)
    return f"br {condition}, label {yes}, label {no}{_weights(emit, op)}{_loop(emit, op)}"


def _switch(emit: Spelling, op: control.SwitchOp) -> str:
    default, *labels = emit.successor_labels(op)
    values: list[int] = op.case_values.patterns() if op.case_values is not None else []
    type: Any = op.value.type
    values *= len(labels) if len(values) == 1 and len(labels) > 1 else 1
    cases = "".join(
        f"\n    {emit.type(type)} {emit.module.constant.number(type, value)}, label {label}"
        for value, label in zip(values, labels, strict=True)
    )
    return f"switch {emit.typed(op.value)}, label {default} [{cases}\n  ]{_weights(emit, op)}"


def _call(emit: Spelling, op: control.CallOp) -> str:
    operands = list(op.callee_operands)
    callee = f"@{quoted(op.callee)}" if op.callee is not None else emit.value(operands.pop(0))
    result: Type | None = op.result.type if op.result is not None else None
    if op.var_callee_type is not None and op.var_callee_type.variadic:
        type_text = emit.type(op.var_callee_type)
    else:
        type_text = emit.type(result) if result is not None else "void"
    arguments = emit.arguments(operands, op.arg_attrs)
    words = f"{TAIL_CALLS[op.TailCallKind]}call {_fast(op)}{convention(op.CConv)}"
    attributes = "".join(f" {word}" for name, word in CALL_FLAGS if getattr(op, name))
    bundles = emit.bundles(op)
    return f"{words}{emit.result_attributes(op)}{type_text} {callee}({arguments}){attributes}{bundles}" + (
        emit.access_metadata(op)
    )


CALL_FLAGS = (
    ("convergent", "convergent"),
    ("no_unwind", "nounwind"),
    ("will_return", "willreturn"),
    ("no_inline", "noinline"),
    ("always_inline", "alwaysinline"),
    ("inline_hint", "inlinehint"),
)


def _assembly(emit: Spelling, op: control.InlineAsmOp) -> str:
    flags = "sideeffect " * op.has_side_effects + "alignstack " * op.is_align_stack
    flags += "inteldialect " if op.asm_dialect is not None and op.asm_dialect.name == "INTEL" else ""
    result = emit.type(op.res.type) if op.res is not None else "void"
    code = f'asm {flags}"{escaped(op.asm_string)}", "{escaped(op.constraints)}"'
    arguments = ", ".join(map(emit.typed, op.operands_))
    return f"{TAIL_CALLS[op.tail_call_kind]}call {result} {code}({arguments})"


# --- constants: no instruction, but a text at every use


def _constant(emit: Spelling, op: aggregate.ConstantOp) -> str:
    return emit.module.constant(op.value, op.res.type)


def _zero(emit: Spelling, op: aggregate.ZeroOp) -> str:
    return emit.module.constant.zero(None, op.res.type)


def _symbol(name: str) -> Rule:
    return lambda emit, op: f"@{quoted(getattr(op, name))}"


def _local_equivalent(emit: Spelling, op: aggregate.DSOLocalEquivalentOp) -> str:
    return f"dso_local_equivalent @{quoted(op.function_name)}"


CONSTANTS: dict[type[Operation], Rule] = {
    aggregate.ConstantOp: _constant,
    aggregate.UndefOp: lambda emit, op: "undef",
    aggregate.PoisonOp: lambda emit, op: "poison",
    aggregate.ZeroOp: _zero,
    aggregate.NoneTokenOp: lambda emit, op: "none",
    aggregate.AddressOfOp: _symbol("global_name"),
    aggregate.DSOLocalEquivalentOp: _local_equivalent,
}
"""Operations that are written as text at each use."""

INSTRUCTIONS: dict[type[Operation], Rule] = {
    arithmetic.AddOp: _binary("add", _overflow),
    arithmetic.SubOp: _binary("sub", _overflow),
    arithmetic.MulOp: _binary("mul", _overflow),
    arithmetic.ShlOp: _binary("shl", _overflow),
    arithmetic.UDivOp: _binary("udiv", _exact),
    arithmetic.SDivOp: _binary("sdiv", _exact),
    arithmetic.URemOp: _binary("urem"),
    arithmetic.SRemOp: _binary("srem"),
    arithmetic.AndOp: _binary("and"),
    arithmetic.OrOp: _binary("or", lambda op: "disjoint " if op.isDisjoint else ""),
    arithmetic.XOrOp: _binary("xor"),
    arithmetic.LShrOp: _binary("lshr", _exact),
    arithmetic.AShrOp: _binary("ashr", _exact),
    arithmetic.FAddOp: _binary("fadd", _fast),
    arithmetic.FSubOp: _binary("fsub", _fast),
    arithmetic.FMulOp: _binary("fmul", _fast),
    arithmetic.FDivOp: _binary("fdiv", _fast),
    arithmetic.FRemOp: _binary("frem", _fast),
    arithmetic.FNegOp: _negation,
    arithmetic.ICmpOp: _comparison("icmp"),
    arithmetic.FCmpOp: _comparison("fcmp", _fast),
    arithmetic.SelectOp: _select,
    arithmetic.FreezeOp: _freeze,
    conversion.TruncOp: _conversion("trunc", _overflow),
    conversion.ZExtOp: _conversion("zext", _non_negative),
    conversion.SExtOp: _conversion("sext"),
    conversion.UIToFPOp: _conversion("uitofp", _non_negative),
    conversion.SIToFPOp: _conversion("sitofp"),
    conversion.FPToUIOp: _conversion("fptoui"),
    conversion.FPToSIOp: _conversion("fptosi"),
    conversion.FPTruncOp: _conversion("fptrunc"),
    conversion.FPExtOp: _conversion("fpext"),
    conversion.BitcastOp: _conversion("bitcast"),
    conversion.AddrSpaceCastOp: _conversion("addrspacecast"),
    conversion.PtrToIntOp: _conversion("ptrtoint"),
    conversion.IntToPtrOp: _conversion("inttoptr"),
    aggregate.ExtractElementOp: _extract_element,
    aggregate.InsertElementOp: _insert_element,
    aggregate.ShuffleVectorOp: _shuffle,
    aggregate.ExtractValueOp: _extract_value,
    aggregate.InsertValueOp: _insert_value,
    memory.AllocaOp: _alloca,
    memory.LoadOp: _load,
    memory.StoreOp: _store,
    memory.GEPOp: _address,
    memory.AtomicRMWOp: _read_modify_write,
    memory.AtomicCmpXchgOp: _compare_exchange,
    memory.FenceOp: _fence,
    memory.VaArgOp: _variable_argument,
    control.BrOp: _branch,
    control.CondBrOp: _conditional_branch,
    control.SwitchOp: _switch,
    control.ReturnOp: _return,
    control.UnreachableOp: lambda emit, op: "unreachable",
    control.CallOp: _call,
    control.InlineAsmOp: _assembly,
}
"""The spelling of each instruction, without the name of its result."""


def successor_operands(op: Operation) -> list[tuple[Block, tuple[Value, ...]]]:
    """Return the successors of a terminator in order, each with the values of its block arguments; empty for
    a terminator without successors.
    """
    match op:
        case control.BrOp():
            return [(op.dest, tuple(op.destOperands))]
        case control.CondBrOp():
            return [
                (op.trueDest, tuple(op.trueDestOperands)),
                (op.falseDest, tuple(op.falseDestOperands)),
            ]
        case control.SwitchOp():
            cases = zip(op.caseDestinations, map(tuple, op.case_operands()), strict=True)
            return [(op.defaultDestination, tuple(op.defaultOperands)), *cases]
        case _:
            return []

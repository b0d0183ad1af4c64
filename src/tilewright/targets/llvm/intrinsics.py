"""The spelling of calls of LLVM's intrinsic functions: the types in their names, and their arguments.

``Signature.name`` has a character for each type in the name: ``r`` for the result, ``m`` for its members,
``n`` for a constant length, a digit for an operand. ``Signature.arguments`` are operands by digit, attributes
by name with their type, or fixed texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.llvm.intrinsics import (
    float as intrinsics_float,
    integer as intrinsics_integer,
    memory as intrinsics_memory,
    vector as intrinsics_vector,
)
from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.operation import Operation
from tilewright.targets.llvm import instructions as llvm_instructions, spelling, type_spelling


@dataclass(frozen=True, slots=True)
class Signature:
    """How a call of an intrinsic is written. `name` has a character for each type in its name: ``r`` for the
    type of the result, ``m`` for the types of the result's members, ``n`` for the type of the attribute
    ``len``, a digit for the type of an operand. `arguments` are indices of operands, or attributes as
    ``name:type``; None: the operands in order. `aligned` is the index of the argument that gets an alignment.
    """

    name: str = "r"
    arguments: tuple[int | str, ...] | None = None
    aligned: int | None = None


SAME = Signature("r")
REDUCTION = Signature("0")
ORDERED_REDUCTION = Signature("1")
BY_RESULT_AND_OPERAND = Signature("r0")
MASKED_RESULT = Signature("r0", (0, 1, "pass_thru"), 0)
COPY = Signature("012", (0, 1, 2, "isVolatile:i1"))
POINTER = Signature("0")
PLAIN = Signature("")

SIGNATURES: dict[str, Signature] = {
    "abs": Signature("r", (0, "is_int_min_poison:i1")),
    "ctlz": Signature("r", (0, "is_zero_poison:i1")),
    "cttz": Signature("r", (0, "is_zero_poison:i1")),
    "scmp": BY_RESULT_AND_OPERAND,
    "ucmp": BY_RESULT_AND_OPERAND,
    "ldexp": Signature("r1"),
    "powi": Signature("r1"),
    "frexp": Signature("m"),
    "sincos": POINTER,
    "is.fpclass": Signature("0", (0, "bit:i32")),
    "lrint": BY_RESULT_AND_OPERAND,
    "llrint": BY_RESULT_AND_OPERAND,
    "lround": BY_RESULT_AND_OPERAND,
    "llround": BY_RESULT_AND_OPERAND,
    "sadd.with.overflow": POINTER,
    "uadd.with.overflow": POINTER,
    "ssub.with.overflow": POINTER,
    "usub.with.overflow": POINTER,
    "smul.with.overflow": POINTER,
    "umul.with.overflow": POINTER,
    "vector.reduce.add": REDUCTION,
    "vector.reduce.mul": REDUCTION,
    "vector.reduce.and": REDUCTION,
    "vector.reduce.or": REDUCTION,
    "vector.reduce.xor": REDUCTION,
    "vector.reduce.smax": REDUCTION,
    "vector.reduce.smin": REDUCTION,
    "vector.reduce.umax": REDUCTION,
    "vector.reduce.umin": REDUCTION,
    "vector.reduce.fmax": REDUCTION,
    "vector.reduce.fmin": REDUCTION,
    "vector.reduce.fmaximum": REDUCTION,
    "vector.reduce.fminimum": REDUCTION,
    "vector.reduce.fadd": ORDERED_REDUCTION,
    "vector.reduce.fmul": ORDERED_REDUCTION,
    "masked.load": MASKED_RESULT,
    "masked.gather": MASKED_RESULT,
    "masked.store": Signature("01", (0, 1, 2), 1),
    "masked.scatter": Signature("01", (0, 1, 2), 1),
    "masked.expandload": Signature("r"),
    "masked.compressstore": Signature("0"),
    "vector.insert": Signature("r1", (0, 1, "pos:i64")),
    "vector.extract": Signature("r0", (0, "pos:i64")),
    "vector.interleave2": SAME,
    "vector.deinterleave2": POINTER,
    "vscale": SAME,
    "stepvector": SAME,
    "get.active.lane.mask": BY_RESULT_AND_OPERAND,
    "matrix.column.major.load": Signature("r1", (0, 1, "isVolatile:i1", "rows:i32", "columns:i32"), 0),
    "matrix.column.major.store": Signature("02", (0, 1, 2, "isVolatile:i1", "rows:i32", "columns:i32"), 1),
    "matrix.multiply": Signature("r01", (0, 1, "lhs_rows:i32", "lhs_columns:i32", "rhs_columns:i32")),
    "matrix.transpose": Signature("r", (0, "rows:i32", "columns:i32")),
    "memcpy": COPY,
    "memmove": COPY,
    "memcpy.inline": Signature("01n", (0, 1, "len", "isVolatile:i1")),
    "memset": Signature("02", (0, 1, 2, "isVolatile:i1")),
    "memset.inline": Signature("0n", (0, 1, "len", "isVolatile:i1")),
    "lifetime.start": POINTER,
    "lifetime.end": POINTER,
    "invariant.start": Signature("0", ("size:i64", 0)),
    "invariant.end": Signature("1", (0, "size:i64", 1)),
    "launder.invariant.group": POINTER,
    "strip.invariant.group": POINTER,
    "prefetch": Signature("0", (0, "rw:i32", "hint:i32", "cache:i32")),
    "stacksave": SAME,
    "stackrestore": POINTER,
    "threadlocal.address": POINTER,
    "ptrmask": Signature("01"),
    "assume": Signature("", (0,)),
    "is.constant": POINTER,
    "ubsantrap": Signature("", ("failureKind:i8",)),
    "trap": PLAIN,
    "debugtrap": PLAIN,
    "va_start": POINTER,
    "va_copy": POINTER,
    "va_end": POINTER,
}
"""Intrinsics with other types in their names than the result's, or other arguments than their operands."""

LEFT_OUT = {
    "llvm.intr.experimental.noalias.scope.decl": "declarations of alias scopes in the middle of a function",
    "llvm.intr.expect.with.probability": "likely values with a probability",
    "llvm.intr.annotation": "annotations of the source",
    "llvm.intr.ptr.annotation": "annotations of the source",
    "llvm.intr.var.annotation": "annotations of the source",
}
"""Intrinsics that no lowering creates; they are refused."""

SPELLED_APART = {"vastart": "va_start", "vacopy": "va_copy", "vaend": "va_end"}
"""Intrinsics with different names in LLVM IR and in the dialect."""
MODULES = (intrinsics_float, intrinsics_integer, intrinsics_memory, intrinsics_vector)
OPERATIONS: tuple[type[Operation], ...] = tuple(op for module in MODULES for op in module.OPERATIONS)


def _spelled(name: str) -> str:
    """Return the name of an intrinsic, without ``llvm.`` and types, from the name of its operation:
    ``llvm.intr.fma`` is ``fma``.
    """
    word = name.removeprefix("llvm.intr.")
    return SPELLED_APART.get(word, word)


INTRINSICS: dict[type[Operation], tuple[str, Signature]] = {
    op: (_spelled(op.op_kind.name), SIGNATURES.get(_spelled(op.op_kind.name), SAME))
    for op in OPERATIONS
    if op.op_kind.name.startswith("llvm.intr.") and op.op_kind.name not in LEFT_OUT
}
"""For each class of operation the name of the intrinsic without its types, and its signature."""


def intrinsic_call(emit: spelling.Spelling, op: Operation) -> str:
    """Return the text of the call of an intrinsic, and record its declaration in the module."""
    word, signature = INTRINSICS[op.__class__]
    result = op.results[0].type if op.results else None
    name = f"llvm.{word}{_suffix(op, signature, result)}"
    positions = signature.arguments if signature.arguments is not None else range(len(op.operands))
    arguments = [_argument(emit, op, position) for position in positions]
    emit.module.declare(name, result, [type for type, _ in arguments])
    texts = [f"{emit.spelled(type)} {text}" for type, text in arguments]
    if signature.aligned is not None:
        type, text = arguments[signature.aligned]
        texts[signature.aligned] = f"{emit.spelled(type)} align {_alignment(op)} {text}"
    liberties = getattr(op, "fastmathFlags", None)
    flags = llvm_instructions.FAST_MATH_TEXT[liberties] if liberties is not None else ""
    result_text = emit.type(result) if result is not None else "void"
    return f"call {flags}{result_text} @{name}({', '.join(texts)}){emit.access_metadata(op)}"


def _alignment(op: Operation) -> int:
    """Return the stated alignment of an operation, or the alignment of an element of the matrix, in bytes."""
    stated = getattr(op, "alignment", None)
    if stated is not None:
        return stated
    matrix: Any = op.results[0].type if op.results else op.operands[0].type
    return max(matrix.element_type.width // 8, 1)


def _suffix(op: Operation, signature: Signature, result: Type | None) -> str:
    """Return the types at the end of an intrinsic's name, such as ``.v4f32.i32``, as `signature` lists them;
    `result` is the type of the result, None without one.
    """
    types = (type for letter in signature.name for type in _named_types(op, letter, result))
    return "".join(f".{type_spelling.mangled(type)}" for type in types)


def _named_types(op: Operation, letter: str, result: Any) -> Sequence[Type]:
    match letter:
        case "r":
            return (result,)
        case "m":
            return result.body
        case "n":
            length = op.held_attributes["len"]
            assert isinstance(length, IntegerAttr), "the verifier asks for a constant length"
            return (length.type,)
        case _:
            return (op.operands[int(letter)].type,)


def _argument(emit: spelling.Spelling, op: Operation, position: int | str) -> tuple[Type | str, str]:
    """Return the type and text of an argument: an operand by its index, or an attribute as ``name:type``.
    ``pass_thru`` is the third operand, or poison if there is none.
    """
    if isinstance(position, int):
        value = op.operands[position]
        return value.type, emit.value(value)
    name, _, type = position.partition(":")
    if name == "pass_thru":
        return op.results[0].type, emit.value(op.operands[2]) if len(op.operands) > 2 else "poison"
    value: Any = getattr(op, name)
    if isinstance(value, IntegerAttr):
        return value.type, emit.module.constant(value, value.type)
    return type, str(value).lower() if isinstance(value, bool) else str(value)


def named_call(emit: spelling.Spelling, op: CallIntrinsicOp) -> str:
    """Return the text of the call of `llvm.call_intrinsic`, with the name of the intrinsic unchanged, and
    record its declaration.
    """
    result = op.results_.type if op.results_ is not None else None
    emit.module.declare(op.intrin, result, [value.type for value in op.args])
    arguments = emit.arguments(list(op.args), op.arg_attrs)
    result_text = emit.type(result) if result is not None else "void"
    flags = llvm_instructions.FAST_MATH_TEXT[op.fastmathFlags]
    return f"call {flags}{result_text} @{op.intrin}({arguments}){emit.bundles(op)}"

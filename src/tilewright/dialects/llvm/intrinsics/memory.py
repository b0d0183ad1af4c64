"""Intrinsic functions on memory, and hints to the optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import SameTypeOp, StandardOp
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.common.short_kinds import StrippedKind
from tilewright.dialects.common.traits import SameOperandsAndResultType, same_type
from tilewright.dialects.llvm import base as llvm_base, constraints as llvm_constraints
from tilewright.dialects.llvm.attributes import AliasScopeAttr
from tilewright.dialects.llvm.kinds import BIT
from tilewright.dialects.llvm.rules.common import check_bundles
from tilewright.dialects.llvm.syntax.custom import DIRECTIVES, parse_trap, print_trap
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseArrayAttr, DictionaryAttr, IntegerAttr
from tilewright.ir.builtin_types import f64, i8, i32
from tilewright.ir.declaration.attribute_kind import (
    ArrayKind,
    DenseArrayKind,
    FloatKind,
    InstanceKind,
    IntegerKind,
)
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

SAME_INTEGER = TypeVariable("T", llvm_constraints.INTEGER)
SAME_POINTER = TypeVariable("T", llvm_constraints.POINTER)
SAME_POINTER_OR_VECTOR = TypeVariable("T", llvm_constraints.POINTER_OR_VECTOR)
SAME_POINTER_U = TypeVariable("U", llvm_constraints.POINTER)
LEN_DOC = "How many bytes."
PTR_DOC = "The address."
ANNOTATION_DOC = "The annotation."
DST_DOC = "The destination."
ARG_LIST_DOC = "The list of variable arguments."
RES_DOC = "The result."
FILE_NAME_DOC = "The source file."
LINE_DOC = "The source line."
VAL_DOC = "The value."
IS_VOLATILE_DOC = "Whether the access may not be moved, merged or dropped."


class MemoryIntrinsicOp(llvm_base.MemoryAccessOp):
    """The base of operations that copy or fill memory."""

    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )


class CopyMemoryOp(MemoryIntrinsicOp):
    """The base of operations that copy `len` bytes from `src` to `dst`."""

    dst: Value = operand_def(llvm_constraints.POINTER, DST_DOC)
    src: Value = operand_def(llvm_constraints.POINTER, "The source.")
    len: Value = operand_def(llvm_constraints.INTEGER, LEN_DOC)
    isVolatile: bool = attr_def(BIT, IS_VOLATILE_DOC)


class MemcpyOp(CopyMemoryOp, name="llvm.intr.memcpy"):
    """Copies `len` bytes from `src` to `dst`; the source and the destination must not overlap, unless they
    are equal.
    """


class MemcpyInlineOp(MemoryIntrinsicOp, name="llvm.intr.memcpy.inline"):
    """Copies the constant number of `len` bytes from `src` to `dst` without a call; the source and the
    destination must not overlap.
    """

    dst: Value = operand_def(llvm_constraints.POINTER, DST_DOC)
    src: Value = operand_def(llvm_constraints.POINTER, "The source.")
    len: IntegerAttr = attr_def(InstanceKind(IntegerAttr, "arbitrary integer attribute"), LEN_DOC)
    isVolatile: bool = attr_def(BIT, IS_VOLATILE_DOC)


class MemmoveOp(CopyMemoryOp, name="llvm.intr.memmove"):
    """Copies `len` bytes from `src` to `dst`; the source and the destination may overlap."""


class MemsetOp(MemoryIntrinsicOp, name="llvm.intr.memset"):
    """Sets each of `len` bytes from `dst` on to the byte `val`."""

    dst: Value = operand_def(llvm_constraints.POINTER, DST_DOC)
    val: Value = operand_def(llvm_constraints.INT8, VAL_DOC)
    len: Value = operand_def(llvm_constraints.INTEGER, LEN_DOC)
    isVolatile: bool = attr_def(BIT, IS_VOLATILE_DOC)


class MemsetInlineOp(MemoryIntrinsicOp, name="llvm.intr.memset.inline"):
    """Sets each of the constant number of `len` bytes from `dst` on to the byte `val`, without a call."""

    dst: Value = operand_def(llvm_constraints.POINTER, DST_DOC)
    val: Value = operand_def(llvm_constraints.INT8, VAL_DOC)
    len: IntegerAttr = attr_def(InstanceKind(IntegerAttr, "arbitrary integer attribute"), LEN_DOC)
    isVolatile: bool = attr_def(BIT, IS_VOLATILE_DOC)


class LifetimeOp(StandardOp):
    """The base of operations that mark the begin or the end of a stack object's lifetime."""

    ptr: Value = operand_def(llvm_constraints.POINTER, PTR_DOC)
    assembly_format = "$ptr attr-dict `:` qualified(type($ptr))"


class LifetimeStartOp(LifetimeOp, name="llvm.intr.lifetime.start"):
    """Marks the begin of the lifetime of a stack object: before it, the contents are undefined."""


class LifetimeEndOp(LifetimeOp, name="llvm.intr.lifetime.end"):
    """Marks the end of the lifetime of a stack object: after it, the contents are undefined."""


class InvariantStartOp(StandardOp, name="llvm.intr.invariant.start"):
    """Marks the point from which on `size` bytes of memory do not change. The result is an operand of
    `llvm.intr.invariant.end`, which ends this.
    """

    size: int = attr_def(IntegerKind(), LEN_DOC)
    ptr: Value = operand_def(llvm_constraints.POINTER, PTR_DOC)
    res: Value = result_def(llvm_constraints.GENERIC_POINTER, RES_DOC)
    assembly_format = "$size `,` $ptr attr-dict `:` qualified(type($ptr))"


class InvariantEndOp(StandardOp, name="llvm.intr.invariant.end"):
    """Marks the point from which on the `size` bytes at `ptr` may change again; `start` is the result of
    `llvm.intr.invariant.start`.
    """

    start: Value = operand_def(llvm_constraints.GENERIC_POINTER, "What `invariant.start` gave.")
    size: int = attr_def(IntegerKind(), LEN_DOC)
    ptr: Value = operand_def(llvm_constraints.POINTER, PTR_DOC)
    assembly_format = "$start `,` $size `,` $ptr attr-dict `:` qualified(type($ptr))"


class InvariantGroupOp(SameTypeOp):
    """The base of operations that return the same address as a pointer with other invariant-group
    information.
    """

    ptr: Value = operand_def(llvm_constraints.POINTER, PTR_DOC)
    res: Value = result_def(llvm_constraints.POINTER, RES_DOC)
    assembly_format = "$ptr attr-dict `:` qualified(type($ptr))"
    traits = (SameOperandsAndResultType(),)


class LaunderInvariantGroupOp(InvariantGroupOp, name="llvm.intr.launder.invariant.group"):
    """Returns the pointer in a new invariant group."""


class StripInvariantGroupOp(InvariantGroupOp, name="llvm.intr.strip.invariant.group"):
    """Returns the pointer without its invariant group."""


class PrefetchOp(StandardOp, name="llvm.intr.prefetch"):
    """Prefetches the memory at `addr` into the data cache or the instruction cache, to be read or written.
    `hint` is the expected locality, from 0 (none) to 3 (keep near).
    """

    addr: Value = operand_def(llvm_constraints.POINTER, PTR_DOC)
    rw: int = attr_def(IntegerKind(i32), "0 to read, 1 to write.")
    hint: int = attr_def(IntegerKind(i32), "From 0, no locality, to 3, keep near.")
    cache: int = attr_def(IntegerKind(i32), "0 for instructions, 1 for data.")


class StackSaveOp(StandardOp, name="llvm.intr.stacksave"):
    """Returns the stack pointer, for `llvm.intr.stackrestore`."""

    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "attr-dict `:` qualified(type($res))"


class StackRestoreOp(StandardOp, name="llvm.intr.stackrestore"):
    """Frees all stack memory allocated since the stack pointer was saved."""

    ptr: Value = operand_def(llvm_constraints.POINTER, PTR_DOC)
    assembly_format = "$ptr attr-dict `:` qualified(type($ptr))"


class ThreadlocalAddressOp(StandardOp, name="llvm.intr.threadlocal.address"):
    """Returns the address of a thread-local variable in the current thread."""

    global_: Value = operand_def(llvm_constraints.POINTER, "The thread-local variable.")
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    traits = (Pure(),)


class PtrMaskOp(StandardOp, name="llvm.intr.ptrmask"):
    """Clears the bits of the address of `ptr` that are 0 in `mask`."""

    ptr: Value = operand_def(SAME_POINTER_OR_VECTOR, PTR_DOC)
    mask: Value = operand_def(llvm_constraints.ANY_INTEGER_OR_VECTOR, "The bits that stay.")
    res: Value = result_def(SAME_POINTER_OR_VECTOR, RES_DOC)
    assembly_format = "$ptr `,` $mask attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)


class NoAliasScopeDeclOp(StandardOp, name="llvm.intr.experimental.noalias.scope.decl"):
    """Declares an alias scope at this point of the program."""

    scope: AliasScopeAttr = attr_def(StrippedKind(AliasScopeAttr, "LLVM dialect alias scope"), "The scope.")
    assembly_format = "$scope attr-dict"


class AssumeOp(StandardOp, name="llvm.intr.assume"):
    """States that the i1 `cond` is true, and that the assumptions in the operand bundles hold; otherwise the
    behaviour is undefined.
    """

    cond: Value = operand_def(llvm_constraints.BOOL, "The condition.")
    op_bundle_sizes: tuple[int, ...] = attr_def(DenseArrayKind(), "How many operands each bundle has.")
    op_bundle_operands: tuple[Value, ...] = variadic_operand_def(
        llvm_constraints.LLVM_TYPE, "The operands of all bundles.", default=()
    )
    op_bundle_tags: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    assembly_format = (
        "$cond ( custom<OpBundles>($op_bundle_operands, type($op_bundle_operands), $op_bundle_tags)^ "
        ")? `:` type($cond) attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    format_defaults: ClassVar[dict[str, Attribute]] = {"op_bundle_sizes": DenseArrayAttr(i32, ())}
    format_implied: ClassVar[tuple[str, ...]] = ("op_bundle_sizes",)

    def verify_(self) -> None:
        check_bundles(self.op_bundle_sizes, self.op_bundle_operands, self.op_bundle_tags)


class ExpectOp(SameTypeOp, name="llvm.intr.expect"):
    """Returns the operand, and states that it probably equals `expected`."""

    val: Value = operand_def(llvm_constraints.INTEGER, VAL_DOC)
    expected: Value = operand_def(llvm_constraints.INTEGER, "The likely value.")
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "$val `,` $expected attr-dict `:` type($val)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class ExpectWithProbabilityOp(SameTypeOp, name="llvm.intr.expect.with.probability"):
    """Returns the operand, and states that it equals `expected` with the probability `prob`."""

    val: Value = operand_def(llvm_constraints.INTEGER, VAL_DOC)
    expected: Value = operand_def(llvm_constraints.INTEGER, "The likely value.")
    prob: float = attr_def(FloatKind(f64), "The probability of the likely value.")
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "$val `,` $expected `,` $prob attr-dict `:` type($val)"
    traits = (
        Pure(),
        same_type("val", "expected", "res"),
    )


class IsConstantOp(StandardOp, name="llvm.intr.is.constant"):
    """Tests whether the operand is known to be constant at compile time."""

    val: Value = operand_def(llvm_constraints.LLVM_TYPE, VAL_DOC)
    res: Value = result_def(llvm_constraints.BOOL, RES_DOC)
    traits = (Pure(),)


class SSACopyOp(SameTypeOp, name="llvm.intr.ssa.copy"):
    """Returns the operand as a new SSA value."""

    operand: Value = operand_def(ANY_TYPE, "The operand.")
    res: Value = result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "$operand attr-dict `:` type($operand)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class AnnotationOp(StandardOp, name="llvm.intr.annotation"):
    """Returns an integer, and attaches a source annotation to it."""

    integer: Value = operand_def(SAME_INTEGER, "The integer.")
    annotation: Value = operand_def(SAME_POINTER_U, ANNOTATION_DOC)
    fileName: Value = operand_def(SAME_POINTER_U, FILE_NAME_DOC)
    line: Value = operand_def(llvm_constraints.INT32, LINE_DOC)
    res: Value = result_def(SAME_INTEGER, RES_DOC)


class PtrAnnotationOp(StandardOp, name="llvm.intr.ptr.annotation"):
    """Returns a pointer, and attaches a source annotation to it."""

    ptr: Value = operand_def(SAME_POINTER, "The pointer.")
    annotation: Value = operand_def(SAME_POINTER_U, ANNOTATION_DOC)
    fileName: Value = operand_def(SAME_POINTER_U, FILE_NAME_DOC)
    line: Value = operand_def(llvm_constraints.INT32, LINE_DOC)
    attr: Value = operand_def(SAME_POINTER_U, "Further arguments of the annotation.")
    res: Value = result_def(SAME_POINTER, RES_DOC)


class VarAnnotationOp(StandardOp, name="llvm.intr.var.annotation"):
    """Attaches a source annotation to the variable at an address."""

    val: Value = operand_def(llvm_constraints.POINTER, "The address of the variable.")
    annotation: Value = operand_def(SAME_POINTER, ANNOTATION_DOC)
    fileName: Value = operand_def(SAME_POINTER, FILE_NAME_DOC)
    line: Value = operand_def(llvm_constraints.INT32, LINE_DOC)
    attr: Value = operand_def(SAME_POINTER, "Further arguments of the annotation.")


class TrapOp(StandardOp, name="llvm.intr.trap"):
    """Stops the program abnormally."""

    assembly_format = "attr-dict"


class DebugTrapOp(StandardOp, name="llvm.intr.debugtrap"):
    """Stops the program in the debugger."""

    assembly_format = "attr-dict"


class UBSanTrapOp(StandardOp, name="llvm.intr.ubsantrap"):
    """Stops the program; `failureKind` is the number of the sanitizer check that failed."""

    failureKind: int = attr_def(IntegerKind(i8), "Which check failed.")
    assembly_format = "prop-dict attr-dict"

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_trap(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return parse_trap(cls.op_kind, parser)


class VaStartOp(StandardOp, name="llvm.intr.vastart"):
    """Initializes a `va_list`, from which variable arguments are read."""

    arg_list: Value = operand_def(llvm_constraints.POINTER, ARG_LIST_DOC)
    assembly_format = "$arg_list attr-dict `:` qualified(type($arg_list))"


class VaCopyOp(StandardOp, name="llvm.intr.vacopy"):
    """Copies a `va_list`, with its position in the variable arguments."""

    dest_list: Value = operand_def(llvm_constraints.POINTER, "The copy.")
    src_list: Value = operand_def(llvm_constraints.POINTER, ARG_LIST_DOC)
    assembly_format = "$src_list `to` $dest_list attr-dict `:` type(operands)"


class VaEndOp(StandardOp, name="llvm.intr.vaend"):
    """Ends the use of a `va_list`."""

    arg_list: Value = operand_def(llvm_constraints.POINTER, ARG_LIST_DOC)
    assembly_format = "$arg_list attr-dict `:` qualified(type($arg_list))"


OPERATIONS: tuple[type[Operation], ...] = (
    MemcpyOp,
    MemcpyInlineOp,
    MemmoveOp,
    MemsetOp,
    MemsetInlineOp,
    LifetimeStartOp,
    LifetimeEndOp,
    InvariantStartOp,
    InvariantEndOp,
    LaunderInvariantGroupOp,
    StripInvariantGroupOp,
    PrefetchOp,
    StackSaveOp,
    StackRestoreOp,
    ThreadlocalAddressOp,
    PtrMaskOp,
    NoAliasScopeDeclOp,
    AssumeOp,
    ExpectOp,
    ExpectWithProbabilityOp,
    IsConstantOp,
    SSACopyOp,
    AnnotationOp,
    PtrAnnotationOp,
    VarAnnotationOp,
    TrapOp,
    DebugTrapOp,
    UBSanTrapOp,
    VaStartOp,
    VaCopyOp,
    VaEndOp,
)
"""The operations of this module."""

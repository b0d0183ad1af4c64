"""Branches, calls and inline assembly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.control_flow import check_branch
from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.common.traits import ReturnLike
from tilewright.dialects.llvm.attributes import (
    MemoryEffectsAttr,
)
from tilewright.dialects.llvm.base import MemoryAccessOp
from tilewright.dialects.llvm.constraints import BOOL, INTEGER, LLVM_TYPE
from tilewright.dialects.llvm.enums import AsmDialect, CallingConvention, FastMathFlags, TailCallKind
from tilewright.dialects.llvm.kinds import (
    ASM_DIALECT,
    CALLING_CONVENTION,
    CASE_VALUES,
    FAST_MATH,
    FUNCTION_TYPE,
    LOOP_ANNOTATION,
    MEMORY_EFFECTS,
    TAIL_CALL,
)
from tilewright.dialects.llvm.loop_attributes import LoopAnnotationAttr
from tilewright.dialects.llvm.roles import ExceptionRole
from tilewright.dialects.llvm.rules.common import check_bundles
from tilewright.dialects.llvm.rules.control import (
    check_assembly,
    check_call,
    check_intrinsic,
    check_return,
    check_switch,
    check_weights,
)
from tilewright.dialects.llvm.syntax.call import (
    parse_call,
    parse_intrinsic_call,
    print_call,
    print_intrinsic_call,
)
from tilewright.dialects.llvm.syntax.custom import DIRECTIVES
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr, DictionaryAttr
from tilewright.ir.declaration.attribute_kind import ArrayKind, DenseArrayKind, StringKind, SymbolRefKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_result_def,
    successor_def,
    variadic_operand_def,
    variadic_successor_def,
)
from tilewright.ir.declaration.traits import Pure, Terminator
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

ARG_ATTRS_DOC = "Attributes of the arguments, one dictionary each."
RES_ATTRS_DOC = "Attributes of the results, one dictionary each."


class BrOp(StandardOp, name="llvm.br"):
    """Branches to a block."""

    destOperands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The arguments of the block.", default=()
    )
    loop_annotation: LoopAnnotationAttr | None = optional_attr_def(
        LOOP_ANNOTATION, "Advice on the loop that the branch closes.", default=None
    )
    dest: Block = successor_def("The block.")
    assembly_format = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict"
    traits = (
        Pure(),
        Terminator(),
    )

    def verify_(self) -> None:
        check_branch(self, [self.destOperands])


class CondBrOp(StandardOp, name="llvm.cond_br"):
    """Branches to one of two blocks, by a condition."""

    condition: Value = operand_def(BOOL, "The condition.")
    trueDestOperands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for true.", default=()
    )
    falseDestOperands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for false.", default=()
    )
    branch_weights: tuple[int, ...] | None = optional_attr_def(
        DenseArrayKind(), "How often each way is taken, relatively.", default=None
    )
    loop_annotation: LoopAnnotationAttr | None = optional_attr_def(
        LOOP_ANNOTATION, "Advice on the loop that the branch closes.", default=None
    )
    trueDest: Block = successor_def("The block for true.")
    falseDest: Block = successor_def("The block for false.")
    assembly_format = (
        "$condition ( `weights` `(` $branch_weights^ `)` )? `,` $trueDest (`(` $trueDestOperands^ "
        "`:` type($trueDestOperands) `)`)? `,` $falseDest (`(` $falseDestOperands^ `:` "
        "type($falseDestOperands) `)`)? attr-dict"
    )
    traits = (
        Pure(),
        Terminator(),
    )

    def verify_(self) -> None:
        check_branch(self, [self.trueDestOperands, self.falseDestOperands])
        check_weights(self.branch_weights, self.successors)


class SwitchOp(StandardOp, name="llvm.switch"):
    """Branches to the block of the case that equals a value, or to the default block."""

    value: Value = operand_def(INTEGER, "The value.")
    case_operand_segments: tuple[int, ...] = attr_def(DenseArrayKind(), "How many arguments each case has.")
    defaultOperands: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE, "The arguments of the default block.", default=()
    )
    caseOperands: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE, "The arguments of the blocks of all cases.", default=()
    )
    case_values: DenseElementsAttr | None = optional_attr_def(
        CASE_VALUES, "The value of each case.", default=None
    )
    branch_weights: tuple[int, ...] | None = optional_attr_def(
        DenseArrayKind(), "How often each way is taken, relatively.", default=None
    )
    defaultDestination: Block = successor_def("The default block.")
    caseDestinations: tuple[Block, ...] = variadic_successor_def("The block of each case.", default=())
    assembly_format = (
        "$value `:` type($value) `,` $defaultDestination (`(` $defaultOperands^ `:` "
        "type($defaultOperands) `)`)? custom<SwitchOpCases>(ref(type($value)), $case_values, "
        "$caseDestinations, $caseOperands, type($caseOperands)) attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    format_implied: ClassVar[tuple[str, ...]] = ("case_operand_segments",)
    traits = (
        Pure(),
        Terminator(),
    )

    def case_operands(self) -> list[Sequence[Value]]:
        """Return the operands of the block of each case."""
        groups: list[Sequence[Value]] = []
        start = 0
        for size in self.case_operand_segments:
            groups.append(self.caseOperands[start : start + size])
            start += size
        return groups

    def verify_(self) -> None:
        check_switch(self)


class ReturnOp(StandardOp, name="llvm.return"):
    """Returns from the function."""

    arg: Value | None = optional_operand_def(LLVM_TYPE, "The operand.", default=None)
    assembly_format = "attr-dict ($arg^ `:` type($arg))?"
    traits = (
        Pure(),
        ReturnLike(),
    )

    def verify_(self) -> None:
        check_return(self)


class UnreachableOp(StandardOp, name="llvm.unreachable"):
    """Marks a point that is never reached."""

    assembly_format = "attr-dict"
    traits = (Terminator(),)


class CallOp(MemoryAccessOp, name="llvm.call"):
    """Calls a function, by name or through a pointer (then the first operand)."""

    op_bundle_sizes: tuple[int, ...] = attr_def(DenseArrayKind(), "How many operands each bundle has.")
    callee_operands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The pointer, if there is no name, and the arguments.", default=()
    )
    op_bundle_operands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The operands of all bundles.", default=()
    )
    var_callee_type: LLVMFunctionType | None = optional_attr_def(
        FUNCTION_TYPE, "The type of a callee that takes variable arguments.", default=None
    )
    callee: str | None = optional_attr_def(
        SymbolRefKind(), "The name of the function; absent for a call through a pointer.", default=None
    )
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE)
    CConv: CallingConvention = attr_def(
        CALLING_CONVENTION, "The calling convention.", default=CallingConvention.CCC
    )
    TailCallKind: TailCallKind = attr_def(
        TAIL_CALL, "Whether the stack frame is reused.", default=TailCallKind.NONE
    )
    memory_effects: MemoryEffectsAttr | None = optional_attr_def(
        MEMORY_EFFECTS, "The memory effects of the function.", default=None
    )
    convergent: bool = flag_def("Whether threads that run together must call it together.", default=False)
    no_unwind: bool = flag_def("Whether it never throws.", default=False)
    will_return: bool = flag_def("Whether it always returns or throws.", default=False)
    op_bundle_tags: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, ARG_ATTRS_DOC, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, RES_ATTRS_DOC, default=None
    )
    no_inline: bool = flag_def("Keep the call; do not put the body in its place.", default=False)
    always_inline: bool = flag_def("Put the body in place of the call.", default=False)
    inline_hint: bool = flag_def("Putting the body in place of the call is worth it.", default=False)
    result: Value | None = optional_result_def(LLVM_TYPE, "What is returned.")
    traits = (VerifiesSymbolUses(),)

    def print_custom(self, printer: Printer) -> None:
        print_call(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_call(cls.op_kind, parser)

    def verify_(self) -> None:
        check_bundles(self.op_bundle_sizes, self.op_bundle_operands, self.op_bundle_tags)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the callee's symbol fits the call."""
        check_call(self, symbols)


class CallIntrinsicOp(StandardOp, name="llvm.call_intrinsic"):
    """Calls an LLVM intrinsic by its name."""

    intrin: str = attr_def(StringKind(), "The name of the intrinsic.")
    op_bundle_sizes: tuple[int, ...] = attr_def(DenseArrayKind(), "How many operands each bundle has.")
    args: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, "The arguments.", default=())
    op_bundle_operands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The operands of all bundles.", default=()
    )
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE)
    op_bundle_tags: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, ARG_ATTRS_DOC, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, RES_ATTRS_DOC, default=None
    )
    results_: Value | None = optional_result_def(LLVM_TYPE, "What is returned.")

    def print_custom(self, printer: Printer) -> None:
        print_intrinsic_call(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_intrinsic_call(cls.op_kind, parser)

    def verify_(self) -> None:
        check_bundles(self.op_bundle_sizes, self.op_bundle_operands, self.op_bundle_tags)
        check_intrinsic(self)


class InlineAsmOp(StandardOp, name="llvm.inline_asm"):
    """A piece of assembly."""

    asm_string: str = attr_def(StringKind(), "The assembly, with ``$0`` and so on for the operands.")
    constraints: str = attr_def(StringKind(), "The constraint of each operand.")
    operands_: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, "The operands.", default=())
    has_side_effects: bool = flag_def("Whether it does more than compute its result.", default=False)
    is_align_stack: bool = flag_def("Whether it needs an aligned stack.", default=False)
    tail_call_kind: TailCallKind = attr_def(
        TAIL_CALL, "Whether the stack frame is reused.", default=TailCallKind.NONE
    )
    asm_dialect: AsmDialect | None = optional_attr_def(
        ASM_DIALECT, "The syntax of the assembly.", default=None
    )
    operand_attrs: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "Attributes of the operands.", default=None
    )
    res: Value | None = optional_result_def(LLVM_TYPE, "The result.")
    assembly_format = (
        "(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)? "
        "(`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)? "
        "(`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints operands `:` "
        "functional-type(operands, results)"
    )

    def verify_(self) -> None:
        check_assembly(self)


class ResumeOp(ExceptionRole, name="llvm.resume"):
    """Continues unwinding with an exception."""

    value: Value = operand_def(LLVM_TYPE, "The value.")
    assembly_format = "$value attr-dict `:` type($value)"
    traits = (Terminator(),)


OPERATIONS: tuple[type[Operation], ...] = (
    BrOp,
    CondBrOp,
    SwitchOp,
    ReturnOp,
    UnreachableOp,
    CallOp,
    CallIntrinsicOp,
    InlineAsmOp,
    ResumeOp,
)
"""The operations of this module."""

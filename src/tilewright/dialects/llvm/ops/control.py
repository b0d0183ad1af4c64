"""Branches, calls and inline assembly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import control_flow as common_control_flow, traits as common_traits
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.llvm import attributes as llvm_attributes, kinds as llvm_kinds
from tilewright.dialects.llvm.base import MemoryAccessOp
from tilewright.dialects.llvm.constraints import BOOL, INTEGER, LLVM_TYPE
from tilewright.dialects.llvm.enums import AsmDialect, CallingConvention, FastMathFlags, TailCallKind
from tilewright.dialects.llvm.loop_attributes import LoopAnnotationAttr
from tilewright.dialects.llvm.roles import ExceptionRole
from tilewright.dialects.llvm.rules import common as common_rules, control as control_rules
from tilewright.dialects.llvm.syntax import call as call_syntax, custom as llvm_custom_syntax
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr, DictionaryAttr
from tilewright.ir.declaration import constraint as declaration_constraint, fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import ArrayKind, DenseArrayKind, StringKind, SymbolRefKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

ARG_ATTRS_DOC = "Attributes of the arguments, one dictionary each."
RES_ATTRS_DOC = "Attributes of the results, one dictionary each."


class BrOp(StandardOp, name="llvm.br"):
    """Branches to the block `dest`, whose arguments become `destOperands`."""

    destOperands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The arguments of the block.", default=()
    )
    loop_annotation: LoopAnnotationAttr | None = fields.optional_attr_def(
        llvm_kinds.LOOP_ANNOTATION, "Advice on the loop that the branch closes.", default=None
    )
    dest: Block = fields.successor_def("The block.")
    assembly_format = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict"
    traits = (
        ir_traits.Pure(),
        ir_traits.Terminator(),
    )

    def verify_(self) -> None:
        common_control_flow.check_branch(self, [self.destOperands])


class CondBrOp(StandardOp, name="llvm.cond_br"):
    """Branches to the block `trueDest` if the i1 `condition` is true, else to `falseDest`, each with its
    operands as arguments. `branch_weights` are the relative frequencies of the two.
    """

    condition: Value = fields.operand_def(BOOL, "The condition.")
    trueDestOperands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for true.", default=()
    )
    falseDestOperands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for false.", default=()
    )
    branch_weights: tuple[int, ...] | None = fields.optional_attr_def(
        DenseArrayKind(), "How often each way is taken, relatively.", default=None
    )
    loop_annotation: LoopAnnotationAttr | None = fields.optional_attr_def(
        llvm_kinds.LOOP_ANNOTATION, "Advice on the loop that the branch closes.", default=None
    )
    trueDest: Block = fields.successor_def("The block for true.")
    falseDest: Block = fields.successor_def("The block for false.")
    assembly_format = (
        "$condition ( `weights` `(` $branch_weights^ `)` )? `,` $trueDest (`(` $trueDestOperands^ "
        "`:` type($trueDestOperands) `)`)? `,` $falseDest (`(` $falseDestOperands^ `:` "
        "type($falseDestOperands) `)`)? attr-dict"
    )
    traits = (
        ir_traits.Pure(),
        ir_traits.Terminator(),
    )

    def verify_(self) -> None:
        common_control_flow.check_branch(self, [self.trueDestOperands, self.falseDestOperands])
        control_rules.check_weights(self.branch_weights, self.successors)


class SwitchOp(StandardOp, name="llvm.switch"):
    """Branches to the block of the case whose value equals `value`, or else to the default block, each with
    its own arguments.
    """

    value: Value = fields.operand_def(INTEGER, "The value.")
    case_operand_segments: tuple[int, ...] = fields.attr_def(
        DenseArrayKind(), "How many arguments each case has."
    )
    defaultOperands: tuple[Value, ...] = fields.variadic_operand_def(
        declaration_constraint.ANY_TYPE, "The arguments of the default block.", default=()
    )
    caseOperands: tuple[Value, ...] = fields.variadic_operand_def(
        declaration_constraint.ANY_TYPE, "The arguments of the blocks of all cases.", default=()
    )
    case_values: DenseElementsAttr | None = fields.optional_attr_def(
        llvm_kinds.CASE_VALUES, "The value of each case.", default=None
    )
    branch_weights: tuple[int, ...] | None = fields.optional_attr_def(
        DenseArrayKind(), "How often each way is taken, relatively.", default=None
    )
    defaultDestination: Block = fields.successor_def("The default block.")
    caseDestinations: tuple[Block, ...] = fields.variadic_successor_def("The block of each case.", default=())
    assembly_format = (
        "$value `:` type($value) `,` $defaultDestination (`(` $defaultOperands^ `:` "
        "type($defaultOperands) `)`)? custom<SwitchOpCases>(ref(type($value)), $case_values, "
        "$caseDestinations, $caseOperands, type($caseOperands)) attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = llvm_custom_syntax.DIRECTIVES
    format_implied: ClassVar[tuple[str, ...]] = ("case_operand_segments",)
    traits = (
        ir_traits.Pure(),
        ir_traits.Terminator(),
    )

    def case_operands(self) -> list[Sequence[Value]]:
        """Return the block operands of each case, in the order of the cases."""
        groups: list[Sequence[Value]] = []
        start = 0
        for size in self.case_operand_segments:
            groups.append(self.caseOperands[start : start + size])
            start += size
        return groups

    def verify_(self) -> None:
        control_rules.check_switch(self)


class ReturnOp(StandardOp, name="llvm.return"):
    """Returns from the function, with `arg` as its result if it has one."""

    arg: Value | None = fields.optional_operand_def(LLVM_TYPE, "The operand.", default=None)
    assembly_format = "attr-dict ($arg^ `:` type($arg))?"
    traits = (
        ir_traits.Pure(),
        common_traits.ReturnLike(),
    )

    def verify_(self) -> None:
        control_rules.check_return(self)


class UnreachableOp(StandardOp, name="llvm.unreachable"):
    """Marks a point that is never reached; the behaviour is undefined if it is."""

    assembly_format = "attr-dict"
    traits = (ir_traits.Terminator(),)


class CallOp(MemoryAccessOp, name="llvm.call"):
    """Calls the function with the name `callee` or, without a name, the function at the pointer that is the
    first of `callee_operands`. The other operands are the arguments. A function that takes variable arguments
    needs its type, `var_callee_type`.
    """

    op_bundle_sizes: tuple[int, ...] = fields.attr_def(DenseArrayKind(), "How many operands each bundle has.")
    callee_operands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The pointer, if there is no name, and the arguments.", default=()
    )
    op_bundle_operands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The operands of all bundles.", default=()
    )
    var_callee_type: LLVMFunctionType | None = fields.optional_attr_def(
        llvm_kinds.FUNCTION_TYPE, "The type of a callee that takes variable arguments.", default=None
    )
    callee: str | None = fields.optional_attr_def(
        SymbolRefKind(), "The name of the function; absent for a call through a pointer.", default=None
    )
    fastmathFlags: FastMathFlags = fields.attr_def(
        llvm_kinds.FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE
    )
    CConv: CallingConvention = fields.attr_def(
        llvm_kinds.CALLING_CONVENTION, "The calling convention.", default=CallingConvention.CCC
    )
    TailCallKind: TailCallKind = fields.attr_def(
        llvm_kinds.TAIL_CALL, "Whether the stack frame is reused.", default=TailCallKind.NONE
    )
    memory_effects: llvm_attributes.MemoryEffectsAttr | None = fields.optional_attr_def(
        llvm_kinds.MEMORY_EFFECTS, "The memory effects of the function.", default=None
    )
    convergent: bool = fields.flag_def(
        "Whether threads that run together must call it together.", default=False
    )
    no_unwind: bool = fields.flag_def("Whether it never throws.", default=False)
    will_return: bool = fields.flag_def("Whether it always returns or throws.", default=False)
    op_bundle_tags: tuple[Attribute, ...] | None = fields.optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, ARG_ATTRS_DOC, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, RES_ATTRS_DOC, default=None
    )
    no_inline: bool = fields.flag_def("Keep the call; do not put the body in its place.", default=False)
    always_inline: bool = fields.flag_def("Put the body in place of the call.", default=False)
    inline_hint: bool = fields.flag_def("Putting the body in place of the call is worth it.", default=False)
    result: Value | None = fields.optional_result_def(LLVM_TYPE, "What is returned.")
    traits = (VerifiesSymbolUses(),)

    def print_custom(self, printer: text_printer.Printer) -> None:
        call_syntax.print_call(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return call_syntax.parse_call(cls.op_kind, parser)

    def verify_(self) -> None:
        common_rules.check_bundles(self.op_bundle_sizes, self.op_bundle_operands, self.op_bundle_tags)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the name is a function or ifunc whose type fits the arguments and the
        result. For a call through a pointer, the first operand must be a pointer, and ``var_callee_type``, if
        present, must fit.
        """
        control_rules.check_call(self, symbols)


class CallIntrinsicOp(StandardOp, name="llvm.call_intrinsic"):
    """Calls the LLVM intrinsic with the name `intrin`, which begins with ``llvm.``, with the operands `args`."""

    intrin: str = fields.attr_def(StringKind(), "The name of the intrinsic.")
    op_bundle_sizes: tuple[int, ...] = fields.attr_def(DenseArrayKind(), "How many operands each bundle has.")
    args: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, "The arguments.", default=())
    op_bundle_operands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The operands of all bundles.", default=()
    )
    fastmathFlags: FastMathFlags = fields.attr_def(
        llvm_kinds.FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE
    )
    op_bundle_tags: tuple[Attribute, ...] | None = fields.optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, ARG_ATTRS_DOC, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, RES_ATTRS_DOC, default=None
    )
    results_: Value | None = fields.optional_result_def(LLVM_TYPE, "What is returned.")

    def print_custom(self, printer: text_printer.Printer) -> None:
        call_syntax.print_intrinsic_call(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return call_syntax.parse_intrinsic_call(cls.op_kind, parser)

    def verify_(self) -> None:
        common_rules.check_bundles(self.op_bundle_sizes, self.op_bundle_operands, self.op_bundle_tags)
        control_rules.check_intrinsic(self)


class InlineAsmOp(StandardOp, name="llvm.inline_asm"):
    """Executes the inline assembly `asm_string`; `constraints` say how operands and results are passed.
    Without `has_side_effects` it only computes its result. The tail-call kind `musttail` is refused.
    """

    asm_string: str = fields.attr_def(StringKind(), "The assembly, with ``$0`` and so on for the operands.")
    constraints: str = fields.attr_def(StringKind(), "The constraint of each operand.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, "The operands.", default=())
    has_side_effects: bool = fields.flag_def("Whether it does more than compute its result.", default=False)
    is_align_stack: bool = fields.flag_def("Whether it needs an aligned stack.", default=False)
    tail_call_kind: TailCallKind = fields.attr_def(
        llvm_kinds.TAIL_CALL, "Whether the stack frame is reused.", default=TailCallKind.NONE
    )
    asm_dialect: AsmDialect | None = fields.optional_attr_def(
        llvm_kinds.ASM_DIALECT, "The syntax of the assembly.", default=None
    )
    operand_attrs: tuple[Attribute, ...] | None = fields.optional_attr_def(
        ArrayKind(), "Attributes of the operands.", default=None
    )
    res: Value | None = fields.optional_result_def(LLVM_TYPE, "The result.")
    assembly_format = (
        "(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)? "
        "(`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)? "
        "(`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints operands `:` "
        "functional-type(operands, results)"
    )

    def verify_(self) -> None:
        control_rules.check_assembly(self)


class ResumeOp(ExceptionRole, name="llvm.resume"):
    """Continues unwinding with an exception, the `value` that a landing pad returned."""

    value: Value = fields.operand_def(LLVM_TYPE, "The value.")
    assembly_format = "$value attr-dict `:` type($value)"
    traits = (ir_traits.Terminator(),)


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

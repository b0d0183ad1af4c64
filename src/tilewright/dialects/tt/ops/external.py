"""Code that Triton does not see into: functions of libraries and inline assembly."""

from __future__ import annotations

from tilewright.dialects.common.traits import ElementwiseMappable
from tilewright.dialects.tt.attributes import INT32
from tilewright.dialects.tt.constraints import VALUE
from tilewright.dialects.tt.traits import TENSOR_SIZE, SameEncoding, TritonOp
from tilewright.dialects.tt.types import element_count
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.declaration import constraint as declaration_constraint, fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import BoolKind, StringKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def check_packed_elements(op: Operation, packed: int) -> None:
    """Raise `VerifyError` unless `packed` is positive and divides the number of elements of the first
    operand. A scalar counts as 0 elements, as does a missing operand.
    """
    first = op.operands[0].type if op.operands else None
    count = element_count(first) if isinstance(first, RankedTensorType) else 0
    if packed <= 0 or count % packed:
        raise ir_traits.VerifyError(
            f"number of input elements {count} must be a multiple of the op's packed_element attribute, {packed}",
            prefix=False,
        )


class ExternalOp(TritonOp):
    """The base of operations with external code, which has side effects unless `pure` is set."""

    pure: bool = fields.attr_def(BoolKind(), "Whether the code has no effect but its results.", kw_only=True)

    def writes_memory(self) -> bool:
        return not self.pure


class ExternElementwiseOp(ExternalOp, name="tt.extern_elementwise"):
    """Calls the function `symbol` of the library `libname`, in the file `libpath`, for each element of the
    operands.
    """

    srcs: tuple[Value, ...] = fields.variadic_operand_def(VALUE, "The arguments.")
    libname: str = fields.attr_def(StringKind(), "The name of the library.")
    libpath: str = fields.attr_def(StringKind(), "The file of the library.")
    symbol: str = fields.attr_def(StringKind(), "The name of the function.")
    result: Value = fields.result_def(VALUE, "The results of the function.")
    assembly_format = "operands attr-dict `:` functional-type(operands, $result)"
    traits = (ElementwiseMappable(), SameEncoding(), TENSOR_SIZE)


class ElementwiseInlineAsmOp(ExternalOp, name="tt.elementwise_inline_asm"):
    """Runs assembly text once for every `packed_element` elements of the operands."""

    asm_string: str = fields.attr_def(StringKind(), "The text.")
    constraints: str = fields.attr_def(
        StringKind(), "The registers that the text reads and writes, in LLVM's notation."
    )
    packed_element: int = fields.attr_def(INT32, "How many elements of each tensor one run gets.")
    args: tuple[Value, ...] = fields.variadic_operand_def(declaration_constraint.ANY_TYPE, "The arguments.")
    result_: tuple[Value, ...] = fields.variadic_result_def(VALUE, "The values that the text writes.")
    assembly_format = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)"
    traits = (ElementwiseMappable(), SameEncoding(), TENSOR_SIZE)

    def verify_(self) -> None:
        check_packed_elements(self, self.packed_element)


OPERATIONS = (ExternElementwiseOp, ElementwiseInlineAsmOp)

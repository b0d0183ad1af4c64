"""The program's index in the launch grid, its output and its assertions."""

from __future__ import annotations

from tilewright.dialects.tt import attributes as tt_attributes, enums as tt_enums
from tilewright.dialects.tt.constraints import CONDITION, I32, VALUE
from tilewright.dialects.tt.traits import TENSOR_SIZE, TritonOp, WritesMemory
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import attribute_kind, traits as ir_traits
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def, variadic_operand_def
from tilewright.ir.value import Value

AXIS_DOC = "The dimension of the grid."
FORMAT = "$axis attr-dict `:` type($result)"


class GetProgramIdOp(TritonOp, name="tt.get_program_id"):
    """Returns the index of the program along one dimension of the grid."""

    axis: tt_enums.ProgramIDDim = attr_def(tt_attributes.PROGRAM_DIM, AXIS_DOC)
    result: Value = result_def(I32, "The position, from 0.")
    assembly_format = FORMAT
    traits = (ir_traits.Pure(), TENSOR_SIZE)


class GetNumProgramsOp(TritonOp, name="tt.get_num_programs"):
    """Returns the number of programs along one dimension of the grid."""

    axis: tt_enums.ProgramIDDim = attr_def(tt_attributes.PROGRAM_DIM, AXIS_DOC)
    result: Value = result_def(I32, "The number.")
    assembly_format = FORMAT
    traits = (ir_traits.Pure(), TENSOR_SIZE)


class PrintOp(TritonOp, name="tt.print"):
    """Prints the text `prefix`, followed by the values `args`, in hexadecimal if `hex`. `isSigned` has 1 for
    each value that is read as a signed number.
    """

    prefix: str = attr_def(attribute_kind.StringKind(), "The text.")
    hex: bool = attr_def(attribute_kind.BoolKind(), "Whether numbers are printed in hexadecimal.")
    args: tuple[Value, ...] = variadic_operand_def(VALUE, "The values.")
    isSigned: tuple[int, ...] = attr_def(
        attribute_kind.DenseArrayKind(i32), "For each value, 1 if it is printed as a signed number."
    )
    assembly_format = "$prefix attr-dict (`:` $args^ `:` type($args))?"
    traits = (WritesMemory(), TENSOR_SIZE)


class AssertOp(TritonOp, name="tt.assert"):
    """Ends the launch with a message unless a condition holds."""

    condition: Value = operand_def(CONDITION, "The condition, or one for each element.")
    message: str = attr_def(attribute_kind.StringKind(), "The message.")
    assembly_format = "$condition `,` $message attr-dict `:` type($condition)"
    traits = (WritesMemory(), TENSOR_SIZE)


OPERATIONS = (GetProgramIdOp, GetNumProgramsOp, PrintOp, AssertOp)

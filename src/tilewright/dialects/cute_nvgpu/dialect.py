"""The declaration of the ``cute_nvgpu`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.interfaces import PointerTypeInterface, concept
from tilewright.dialects.cute_nvgpu.copy_types import LdsmType
from tilewright.dialects.cute_nvgpu.mma_types import MmaAtomType
from tilewright.dialects.cute_nvgpu.types import TYPES, parse_type
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType, i32
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.declaration.constraint import IsClass, OneOf, Satisfies
from tilewright.ir.declaration.traits import Pure, VerifyError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

REGISTER = IsClass((IntegerType, FloatType, VectorType), "register: integer, float or vector")
POINTER = Satisfies(lambda type: concept(type, PointerTypeInterface) is not None, "pointer of cute")
WORD = OneOf((i32,), "32-bit signless integer")


class MmaSM80Op(StandardOp, name="cute_nvgpu.arch.mma.SM80"):
    """Multiplies a row-major matrix A by a column-major matrix B and adds C. Each lane of a warp has a
    fragment of each matrix in its registers; the registers of the sum have the types of the registers of C.
    """

    a: tuple[Value, ...] = fields.variadic_operand_def(REGISTER, "The registers of A.")
    b: tuple[Value, ...] = fields.variadic_operand_def(REGISTER, "The registers of B.")
    c: tuple[Value, ...] = fields.variadic_operand_def(REGISTER, "The registers of the accumulator.")
    atom: Type = fields.attr_def(
        attribute_kind.TypeKind(MmaAtomType), "The matrix instruction: shape, and types of elements."
    )
    d: tuple[Value, ...] = fields.variadic_result_def(REGISTER, "The registers of the sum.")
    assembly_format = (
        "$atom `A` `[` $a `]` `B` `[` $b `]` `C` `[` $c `]` attr-dict `:` "
        "`(` type($a) `)` `,` `(` type($b) `)` `,` `(` type($c) `)` `->` type($d)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        given, made = ([value.type for value in values] for values in (self.c, self.d))
        if given != made:
            raise VerifyError("expects result registers of the types of the accumulator's registers")


class LoadMatrixOp(StandardOp, name="cute_nvgpu.arch.copy.ldsm"):
    """Loads matrices from shared memory to registers that are spread over a warp (`ldmatrix`). The atom
    states the number and the shape of the matrices. Each lane has the address of a row, and gets one or more
    words of 32 bits.
    """

    ptr: Value = fields.operand_def(POINTER, "The address of the row that this lane is asked for.")
    atom: Type = fields.attr_def(
        attribute_kind.TypeKind(LdsmType), "The copy instruction: how many matrices, and how they lie."
    )
    registers: tuple[Value, ...] = fields.variadic_result_def(WORD, "A word of each matrix.")
    assembly_format = "$ptr `by` $atom attr-dict `:` type($ptr) `->` type($registers)"

    def verify_(self) -> None:
        assert isinstance(self.atom, LdsmType), "verified"
        words = self.atom.copied_bits() // i32.width
        if len(self.registers) != words:
            raise VerifyError(f"has {len(self.registers)} registers, but the copy fills {words}")


OPERATIONS: tuple[type[Operation], ...] = (MmaSM80Op, LoadMatrixOp)
"""The operations of this module."""


CUTE_NVGPU = Dialect(
    "cute_nvgpu",
    doc="Copy and matrix instructions of NVIDIA GPUs as atoms.",
    operations=OPERATIONS,
    types=TYPES,
    parse_type=parse_type,
    depends_on=("cutlass",),
)

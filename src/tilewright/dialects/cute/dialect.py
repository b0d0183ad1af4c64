"""The declaration of the ``cute`` dialect: its operations, types and attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.cute.types import TYPES, PtrType
from tilewright.dialects.cute_nvgpu import mma_types as cute_nvgpu_mma_types, types as cute_nvgpu_types
from tilewright.dialects.cute_nvgpu.copy_types import UniversalCopyType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, i1
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.declaration.constraint import IsClass, OneOf, Satisfies
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser

POINTER = IsClass(PtrType, "pointer of cute")
REGISTER = Satisfies(lambda type: isinstance(type, IntegerType | FloatType), "integer or float")
PREDICATE = OneOf((i1,), "1-bit signless integer")
PREDICATE_DOC = "Whether anything is copied; absent: always."
ATOM_DOC = "The copy instruction, which says how many bits it moves."
PTR_DOC = "The address of the first element; its type has the alignment."


class PtrLoadOp(StandardOp, name="cute.ptr.load"):
    """Loads adjacent elements from memory to registers by one copy. If the predicate is false, nothing is
    read, and the registers are the values of `otherwise`, one for each register. Without a predicate there
    are no such values.
    """

    ptr: Value = fields.operand_def(POINTER, PTR_DOC)
    atom: Type = fields.attr_def(attribute_kind.TypeKind(UniversalCopyType), ATOM_DOC)
    predicate: Value | None = fields.optional_operand_def(PREDICATE, PREDICATE_DOC, default=None)
    otherwise: tuple[Value, ...] = fields.variadic_operand_def(
        REGISTER, "The contents of the registers if the predicate is false.", default=()
    )
    registers: tuple[Value, ...] = fields.variadic_result_def(
        REGISTER, "The elements, in the order of their addresses."
    )
    assembly_format = (
        "$ptr `by` $atom (`if` $predicate^ `else` $otherwise `:` type($otherwise))? attr-dict "
        "`:` type($ptr) `->` type($registers)"
    )

    def verify_(self) -> None:
        types = [value.type for value in self.registers]
        check_copy(self.atom, self.ptr.type, types)
        if [value.type for value in self.otherwise] != (types if self.predicate is not None else []):
            raise VerifyError("expects another value for each register if it has a predicate, and none else")


class PtrStoreOp(StandardOp, name="cute.ptr.store"):
    """Stores registers to adjacent elements in memory by one copy; if the predicate is false, nothing is
    written.
    """

    registers: tuple[Value, ...] = fields.variadic_operand_def(
        REGISTER, "The elements, in the order of their addresses."
    )
    ptr: Value = fields.operand_def(POINTER, PTR_DOC)
    atom: Type = fields.attr_def(attribute_kind.TypeKind(UniversalCopyType), ATOM_DOC)
    predicate: Value | None = fields.optional_operand_def(PREDICATE, PREDICATE_DOC, default=None)
    assembly_format = (
        "$registers `to` $ptr `by` $atom (`if` $predicate^)? attr-dict `:` type($registers) `to` type($ptr)"
    )

    def verify_(self) -> None:
        check_copy(self.atom, self.ptr.type, [value.type for value in self.registers])


def check_copy(atom: Type, pointer: Type, registers: Sequence[Type]) -> None:
    """Raise `VerifyError` unless `pointer` and all `registers` have the element type of the copy `atom`, the
    registers have as many bits as the copy moves, and the alignment of the pointer, which is in bytes, is at
    least the size of the copy.
    """
    assert isinstance(atom, UniversalCopyType), "verified"
    assert isinstance(pointer, PtrType), "verified"
    element = atom.value_type
    if any(type is not element for type in (pointer.element_type, *registers)):
        raise VerifyError(f"expects an address and registers of {element}, which the copy moves")
    moved = len(registers) * cute_nvgpu_mma_types.bits(element)
    if moved != atom.copied_bits():
        raise VerifyError(f"has registers of {moved} bits, but the copy moves {atom.copied_bits()}")
    if 8 * pointer.alignment < moved:
        raise VerifyError(f"moves {moved} bits at an address that is a multiple of {pointer.alignment} bytes")


OPERATIONS: tuple[type[Operation], ...] = (PtrLoadOp, PtrStoreOp)
"""The operations of this module."""


_INTEGER = re.compile(r"i(\d{1,4})", re.ASCII)


def parse_type(parser: AttributeParser, mnemonic: str) -> Type | None:
    """Parse the parameters of a type whose mnemonic is ``i`` and a width, such as ``!cute.i32<divby 4>``, and
    return the integer type of ``cute_nvgpu`` with this width. Return None for another mnemonic.
    """
    found = _INTEGER.fullmatch(mnemonic)
    return cute_nvgpu_types.ConstrainedIntType.parse_with_width(parser, int(found[1])) if found else None


CUTE = Dialect(
    "cute",
    doc="Layouts, coordinates and tensors over them.",
    operations=OPERATIONS,
    types=TYPES,
    parse_type=parse_type,
    depends_on=("nv_tileaa", "nv_tileas", "cutlass", "cute_nvgpu"),
)

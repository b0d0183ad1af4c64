"""The LLVM types of elements and pointers at run time, which differ between targets.

An element type has up to three LLVM types:

- The **form** is the result of the type converter that all targets share: the type of scalars, of arguments
  and of the lanes of vectors. It is as wide as the element.
- In a **register** of a kernel, an element has its form; or an integer type with its bits, if kernels compute
  with the format by formulas.
- In **memory**, an element has whole bytes.

Forms and registers differ on purpose. Functions beside kernels are converted by patterns that all targets
share. These patterns use operations of LLVM, which need the type of the element: `llvm.fadd` takes no i16.
Kernels compute with bits by formulas (`targets/elements`).
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.cuda_tile.types import PointerType
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, i8, i64
from tilewright.lowering.llvm_types.address_spaces import LlvmAddressSpace

LLVM_FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
"""The floating-point formats that LLVM IR has a type for."""
WIDER_FLOATS = {"tf32": "f32"}
"""For each format that is held in a wider format, that format. Formats that are neither here nor in LLVM are
held as integers.
"""

PACKED_BITS = 4
"""The width in bits of elements that share a byte in pairs in memory of the program."""


def is_packed(element: Type) -> bool:
    """Return whether elements of this type have `PACKED_BITS` bits, so that two of them share a byte in
    memory of the program.
    """
    return isinstance(element, IntegerType | FloatType) and element.width == PACKED_BITS


@dataclass(frozen=True, slots=True)
class ElementForms:
    """The LLVM types that represent elements on a target.

    - ``flat``: whether all pointers have address space 0.
    - ``as_bits``: formats of LLVM that registers hold as integers.
    - ``least_bits``: the minimum width in bits of the integer that holds a format which LLVM lacks.
    """

    flat: bool = False
    as_bits: frozenset[str] = frozenset()
    least_bits: int = 1

    def space(self, number: int) -> int:
        """Return the address space of a pointer into memory space `number`: 0 if the target has one address
        space only.
        """
        return 0 if self.flat else number

    def form(self, element: Type) -> Type:
        """Return the LLVM type of an element. A format of floats that LLVM lacks becomes its format in
        `WIDER_FLOATS`, or an integer of its width; `index` becomes i64, and a pointer of the tile dialects
        gets the address space of the target. Other types are returned unchanged.
        """
        match element:
            case IntegerType():
                return IntegerType(element.width)
            case FloatType():
                return self._float(element)
            case IndexType():
                return i64
            case PtrType() | LLVMPointerType():
                return LLVMPointerType(self.space(element.address_space))
            case PointerType():
                return LLVMPointerType(self.space(LlvmAddressSpace.GLOBAL.value))
            case _:
                return element

    def register(self, element: Type) -> Type:
        """Return the LLVM type that holds an element in a register of a kernel: the type of `form`, but an
        integer of the same width for the formats ``as_bits``, and an integer of at least ``least_bits`` for
        formats that LLVM lacks.
        """
        form = self.form(element)
        if isinstance(form, FloatType):
            return IntegerType(form.width) if form.spelling in self.as_bits else form
        if isinstance(form, IntegerType) and isinstance(element, FloatType):
            return IntegerType(max(form.width, self.least_bits))
        return form

    def memory(self, element: Type) -> Type:
        """Return the LLVM type of an element in memory: the type of `register`, but i8 for an integer of
        fewer bits.
        """
        held = self.register(element)
        return i8 if isinstance(held, IntegerType) and held.width < i8.width else held

    def _float(self, type: FloatType) -> Type:
        if type.spelling in LLVM_FLOATS:
            return type
        wider = WIDER_FLOATS.get(type.spelling)
        return FloatType(wider) if wider is not None else IntegerType(type.width)


TYPED = ElementForms()
"""The representation on GPUs: a format that LLVM has keeps LLVM's type, and pointers have address spaces."""
HOST = ElementForms(flat=True, as_bits=frozenset({"bf16"}), least_bits=i8.width)
"""The representation on the host processor.

Registers hold a bf16 as an integer: to copy a `bfloat`, LLVM may convert it to f32 and back, which flushes
subnormal numbers on processors with AVX512-BF16.
"""

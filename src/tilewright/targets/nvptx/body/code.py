"""Where patterns write operations of `llvm` and `nvvm`: in front of the operation that they replace."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.aggregate import ConstantOp, ZeroOp
from tilewright.dialects.llvm.ops.conversion import BitcastOp, IntToPtrOp, PtrToIntOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp, LoadOp, StoreOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nvvm.ops.register import ThreadIdXOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import dense_integers
from tilewright.ir.builtin_types import FloatType, IntegerType, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.targets.elements.in_memory import from_memory, to_memory
from tilewright.targets.elements.types import memory_type, register_type, size_of
from tilewright.targets.llvm.code import DYNAMIC, Code


class PatternCode(Code):
    """Code in front of an operation, through the rewriter; equal operations are left to `cse`."""

    def __init__(self, op: Operation, rewriter: ConversionRewriter) -> None:
        block = op.parent
        assert block is not None, "operations that are lowered stand in blocks"
        assert block.parent is not None, "blocks of operations that are lowered stand in regions"
        super().__init__(block.parent)
        self.block = block
        self.location = op.lazy_location
        self.rewriter = rewriter

    def _place(self, op: Operation, depth: int) -> Operation:
        return self.rewriter.insert(op)

    def __call__(self, op_class: Any, *arguments: Any, type: Type | None = None, **named: Any) -> Value:
        """The result of a new operation, of ``type`` unless that follows from the operands."""
        if type is not None:
            named["result_types"] = (type,)
        return self.rewriter.insert(op_class(*arguments, location=self.location, **named)).results[0]

    def constant(self, value: Attribute, type: Type) -> Value:
        """A constant, in front of the operation."""
        return self(ConstantOp, value, type=type)

    def zero(self, type: Type) -> Value:
        """Zero of any type."""
        return self(ZeroOp, type=type)

    # --- registers

    def in_form(self, value: Value, type: Type) -> Value:
        """A value as another type that holds it: integers are cut off or filled with zeros, others keep their bits."""
        if value.type is type:
            return value
        source, target = value.type, type
        if isinstance(source, IntegerType) and isinstance(target, IntegerType):
            return self(ZExtOp if target.width > source.width else TruncOp, value, type=target)
        return self(BitcastOp, value, type=target)

    def bits(self, value: Value) -> Value:
        """What a register holds as an integer of as many bits."""
        type = value.type
        if isinstance(type, LLVMPointerType):
            return self(PtrToIntOp, value, type=IntegerType(64))
        return self(BitcastOp, value, type=IntegerType(type.width)) if isinstance(type, FloatType) else value

    def of_bits(self, bits: Value, type: Type) -> Value:
        """The opposite of `bits`."""
        if isinstance(type, LLVMPointerType):
            return self(IntToPtrOp, bits, type=type)
        return self(BitcastOp, bits, type=type) if isinstance(type, FloatType) else bits

    # --- memory

    def read(self, place: Value, element: Type, **named: Any) -> Value:
        """The element at an address, as registers hold it."""
        found = self(LoadOp, place, alignment=size_of(element), type=stored_type(element), **named)
        return found if isinstance(found.type, LLVMPointerType) else from_memory(self, found, element)

    def write(self, value: Value, place: Value, element: Type, **named: Any) -> None:
        """Write an element, as registers hold it, to an address."""
        held = value if isinstance(value.type, LLVMPointerType) else to_memory(self, value, element)
        self.effect(StoreOp, held, place, alignment=size_of(element), **named)

    # --- places

    def pointer(self, base: Value, offset: Value | int, element: Type) -> Value:
        """The address ``offset`` elements behind another one, in the same address space."""
        known = isinstance(offset, int)
        positions = dense_integers((offset if known else DYNAMIC,))
        further = () if known else (offset,)
        return self(GEPOp, base, positions, element, further, PointerWrapFlags.NONE, type=base.type)

    def thread(self) -> Value:
        """The number of this thread in its block."""
        return self(ThreadIdXOp, type=i32)

    def offset(self, layout: Layout, number: Value) -> Value:
        """What a layout of powers of two maps a number to, as 32-bit integers; its modes are bit fields."""
        total, shift = self.integer(0, i32), 0
        for extent, stride in layout.leaves:
            if stride and extent > 1:
                total = self.plus(total, self._field(number, shift, extent, stride))
            shift += extent.bit_length() - 1
        return total

    def _field(self, number: Value, shift: int, extent: int, stride: int) -> Value:
        return self.times(self.bit_field(number, shift, extent), stride)

    def times(self, value: Value, factor: int) -> Value:
        """An integer times a known number."""
        return self(llvm.MulOp, value, self.integer(factor, value.type)) if factor != 1 else value

    def bit_field(self, number: Value, shift: int, extent: int) -> Value:
        """The bits of a number from one place on, which count up to a power of two."""
        if extent == 1:
            return self.integer(0, i32)
        return self(llvm.AndOp, self.bits_from(number, shift), self.integer(extent - 1, i32))

    def bits_from(self, number: Value, shift: int) -> Value:
        """All bits of a number from one place on."""
        return self(llvm.LShrOp, number, self.integer(shift, i32)) if shift else number

    def plus(self, left: Value, right: Value | int) -> Value:
        """The sum of integers of one type."""
        if isinstance(right, int):
            if not right:
                return left
            right = self.integer(right, left.type)
        return self(llvm.AddOp, left, right)


def held_type(element: Type) -> Type:
    """What a register of a GPU holds an element as: pointers keep their address space."""
    space = getattr(element, "address_space", None)
    return register_type(element) if space is None else LLVMPointerType(space)


def stored_type(element: Type) -> Type:
    """What memory holds an element as."""
    held = held_type(element)
    return held if isinstance(held, LLVMPointerType) else memory_type(element)

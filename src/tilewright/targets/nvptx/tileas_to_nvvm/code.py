"""The builder with which patterns emit operations of `llvm` and `nvvm` before the operation that they
replace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.cute.dialect import PtrLoadOp, PtrStoreOp
from tilewright.dialects.cute.types import MemorySpace, PtrType
from tilewright.dialects.cute_nvgpu.copy_types import LdsmType, UniversalCopyType
from tilewright.dialects.cute_nvgpu.dialect import LoadMatrixOp
from tilewright.dialects.cute_nvgpu.enums import MatrixMode
from tilewright.dialects.gpu import enums as gpu_enums, ops_index as gpu_index
from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import BitcastOp, IntToPtrOp, PtrToIntOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp, LoadOp, StoreOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.scf.ops_loop import ConditionOp, ForOp, WhileOp, YieldOp
from tilewright.ir import block as ir_block, builder, builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts import bits as layouts_bits, layout as layouts_layout, linear
from tilewright.lowering.llvm_types import address_spaces, converter as llvm_types_converter
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.targets.elements.atomics import AtomicAccessOrder
from tilewright.targets.elements.convert import from_memory, to_memory
from tilewright.targets.elements.element_types import memory_type, register_type, size_of
from tilewright.targets.llvm.code import DYNAMIC, LlvmBuilder

CUTE_SPACES: Mapping[int, MemorySpace] = {
    address_spaces.LlvmAddressSpace.GLOBAL.value: MemorySpace.GMEM,
    address_spaces.LlvmAddressSpace.SHARED.value: MemorySpace.SMEM,
    address_spaces.LlvmAddressSpace.LOCAL.value: MemorySpace.RMEM,
}
"""The memory space of copies, by the address space of a pointer."""
ROW_BYTES = 16
"""The size in bytes of a row of the matrices that a warp loads from shared memory."""


class PatternCode(LlvmBuilder):
    """Emit code before an operation, through the rewriter. Equal operations of one pattern in a block are
    emitted once.
    """

    one_nan: ClassVar[frozenset[builtin_types.FloatType]] = frozenset(
        {builtin_types.f16, builtin_types.bf16, builtin_types.f32, builtin_types.f64}
    )

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

    def _home(self, depth: int) -> ir_block.Block:
        return self.rewriter.point.block

    def constant(self, value: Attribute, type: Type) -> Value:
        """Return the constant `value` of the LLVM type `type`, emitted before the operation."""
        return self(llvm_aggregate.ConstantOp, value, type=type)

    def zero(self, type: Type) -> Value:
        """Return the zero of the LLVM type `type`: a number, or a null pointer."""
        return self(llvm_aggregate.ZeroOp, type=type)

    def until(self, first: Value, round: Callable[[Value], tuple[Value, Value]]) -> Value:
        """Emit a loop, and return the last value that `round` computes. `round` emits an iteration for the
        value of the iteration before, at first ``first``, and returns the next value and whether the loop
        ends.
        """
        before, after = ir_block.Block([first.type]), ir_block.Block([first.type])
        loop = WhileOp(
            (first,),
            before=ir_block.Region([before]),
            after=ir_block.Region([after]),
            result_types=[first.type],
            location=self.location,
        )
        made = self.rewriter.insert(loop)
        with self.rewriter.at(builder.InsertionPoint(before)):
            found, is_done = round(before.arguments[0])
            goes_on = self(llvm.XOrOp, is_done, self.true())
            self.effect(ConditionOp, goes_on, (found,))
        with self.rewriter.at(builder.InsertionPoint(after)):
            self.effect(YieldOp, (after.arguments[0],))
        return made.results[0]

    def repeated(
        self,
        count: int,
        carried: Sequence[Value],
        round: Callable[[Value, Sequence[Value]], Sequence[Value]],
    ) -> Sequence[Value]:
        """Emit a loop of `count` iterations, at least 1, and return its results. `round` emits the iteration
        for its number, an i32, and the values of the previous iteration, and returns the next values;
        `carried` are the first values. One iteration needs no loop.
        """
        if count == 1:
            return round(self.integer(0, builtin_types.i32), carried)
        types = [value.type for value in carried]
        body = ir_block.Block([builtin_types.i32, *types])
        begin, end, step = (self.integer(number, builtin_types.i32) for number in (0, count, 1))
        loop = ForOp(
            begin,
            end,
            step,
            tuple(carried),
            unsignedCmp=False,
            region=ir_block.Region([body]),
            result_types=types,
            location=self.location,
        )
        self.rewriter.insert(loop)
        with self.rewriter.at(builder.InsertionPoint(body)):
            counter, *values = body.arguments
            self.effect(YieldOp, tuple(round(counter, values)))
        return loop.results

    # --- registers

    def in_form(self, value: Value, type: Type) -> Value:
        """Return a value converted to another type that holds it: integers are truncated or zero-extended,
        others keep their bits.
        """
        if value.type is type:
            return value
        source, target = value.type, type
        if isinstance(source, builtin_types.IntegerType) and isinstance(target, builtin_types.IntegerType):
            return self(ZExtOp if target.width > source.width else TruncOp, value, type=target)
        return self(BitcastOp, value, type=target)

    def bits(self, value: Value) -> Value:
        """Return the bits of `value`, a float or a pointer in a register, as an integer of the same width; a
        value of any other type is returned unchanged.
        """
        type = self.bits_type(value.type)
        if type is value.type:
            return value
        return self(PtrToIntOp if isinstance(value.type, LLVMPointerType) else BitcastOp, value, type=type)

    def bits_type(self, type: Type) -> Type:
        """Return the integer type with the width of `type`, a float or pointer type (i64); any other type is
        returned unchanged.
        """
        if isinstance(type, LLVMPointerType):
            return builtin_types.i64
        return builtin_types.IntegerType(type.width) if isinstance(type, builtin_types.FloatType) else type

    def of_bits(self, bits: Value, type: Type) -> Value:
        """Return a register of the float or pointer type `type` with the bits `bits`: the inverse of `bits`.
        For any other type `bits` is returned unchanged.
        """
        if isinstance(type, LLVMPointerType):
            return self(IntToPtrOp, bits, type=type)
        return self(BitcastOp, bits, type=type) if isinstance(type, builtin_types.FloatType) else bits

    # --- memory

    def read(self, place: Value, element: Type) -> Value:
        """Read the element of type `element` at the address `place`, and return it in its register type."""
        return self.read_all(place, element, 1)[0]

    def read_all(
        self,
        place: Value,
        element: Type,
        count: int,
        alignment: int = 0,
        predicate: Value | None = None,
        otherwise: Sequence[Value] = (),
    ) -> list[Value]:
        """Read `count` contiguous elements by one copy. ``alignment`` is the alignment of the address in
        bytes; 0 means the size of one element. If ``predicate`` is false nothing is read, and the results are
        ``otherwise``. Both are given, or none.
        """
        source, atom = self._copy(place, element, count, alignment)
        types = [atom.value_type] * count
        others = tuple([self._as_stored(value, element) for value in otherwise])
        made = PtrLoadOp(source, atom, predicate, others, result_types=types, location=self.location)
        copy = self.rewriter.insert(made)
        return [self._as_held(value, element, place) for value in copy.results]

    def write(self, value: Value, place: Value, element: Type) -> None:
        """Write `value`, an element of type `element` in its register type, to the address `place`."""
        self.write_all([value], place, element)

    def write_all(
        self,
        values: Sequence[Value],
        place: Value,
        element: Type,
        alignment: int = 0,
        predicate: Value | None = None,
    ) -> None:
        """Write `values`, elements of type `element`, to consecutive elements of memory from `place` on by
        one copy, unless ``predicate`` is false at run time. ``alignment`` is the alignment of the address in
        bytes; 0 means the size of one element.
        """
        target, atom = self._copy(place, element, len(values), alignment)
        stored = tuple([self._as_stored(value, element) for value in values])
        self.effect(PtrStoreOp, stored, target, atom, predicate)

    def read_matrices(
        self, place: Value, element: Type, count: int, *, transposed: bool
    ) -> list[Sequence[Value]]:
        """Emit one `ldmatrix` of `count` 8x8 matrices; `transposed` transposes each.

        Each lane passes one row address and receives one 32-bit word per matrix. Return the elements of the
        word for each matrix.
        """
        moved = copied_type(element)
        pointer = self(UnrealizedConversionCastOp, (place,), type=PtrType(moved, MemorySpace.SMEM, ROW_BYTES))
        atom = LdsmType(builtin_types.f16, count, MatrixMode.MT88 if transposed else MatrixMode.M88)
        copy = LoadMatrixOp(pointer, atom, result_types=[builtin_types.i32] * count, location=self.location)
        return [
            [self._as_held(value, element, place) for value in self.elements(word, moved)]
            for word in self.rewriter.insert(copy).results
        ]

    def elements(self, word: Value, type: Type) -> list[Value]:
        """Return the elements of `type`, which has at most 32 bits, in a word of 32 bits, lowest first.
        Return the word as a single element if the type has 32 bits, or is neither an integer nor a float.
        """
        count = (
            builtin_types.i32.width // type.width
            if isinstance(type, builtin_types.IntegerType | builtin_types.FloatType)
            else 1
        )
        if count == 1:
            return [self.in_form(word, type)]
        vector = self(BitcastOp, word, type=builtin_types.VectorType((count,), type))
        return [
            self(llvm_aggregate.ExtractElementOp, vector, self.integer(at, builtin_types.i32))
            for at in range(count)
        ]

    def _copy(
        self, place: Value, element: Type, count: int, alignment: int
    ) -> tuple[Value, UniversalCopyType]:
        """Return the address `place` as a pointer of `cute`, aligned to `alignment` bytes (0: the size of one
        element), and the copy atom that moves `count` elements there.
        """
        moved, size, type = copied_type(element), size_of(element), place.type
        assert isinstance(type, LLVMPointerType), "elements have addresses"
        pointer = PtrType(moved, CUTE_SPACES[type.address_space], alignment or size)
        atom = UniversalCopyType(moved, 8 * size * count if count > 1 else None)
        return self(UnrealizedConversionCastOp, (place,), type=pointer), atom

    def read_in_order(self, place: Value, element: Type, order: AtomicAccessOrder) -> Value:
        """Read the element at the address `place` with the ordering and scope of `order`, and return it in
        its register type.
        """
        named = {"ordering": order.ordering, "syncscope": order.scope, "alignment": size_of(element)}
        return self._as_held(self(LoadOp, place, type=copied_type(element), **named), element, place)

    def write_in_order(self, value: Value, place: Value, element: Type, order: AtomicAccessOrder) -> None:
        """Write `value`, an element in its register type, to the address `place` with the ordering and scope
        of `order`.
        """
        named = {"ordering": order.ordering, "syncscope": order.scope, "alignment": size_of(element)}
        self.effect(StoreOp, self._as_stored(value, element), place, **named)

    def _as_held(self, value: Value, element: Type, place: Value) -> Value:
        """Return an element of memory at `place`, converted from its memory type to its register type. A tf32
        in memory of the program may have any bits, so it is converted; in shared and local memory the bits
        are those that threads wrote, and stay.
        """
        held, type = held_type(element), place.type
        if element is builtin_types.tf32 and isinstance(type, LLVMPointerType) and type.address_space in OWN:
            return self.in_form(value, held)
        if isinstance(held, LLVMPointerType):
            return self.of_bits(value, held)
        return from_memory(self, value, element)

    def _as_stored(self, value: Value, element: Type) -> Value:
        """Return `value`, a register that holds an element of type `element`, as it is stored in memory; a
        pointer as an integer.
        """
        return (
            self.bits(value) if isinstance(value.type, LLVMPointerType) else to_memory(self, value, element)
        )

    def joined(self, values: Sequence[Value]) -> Value:
        """Return values of one type as a vector."""
        type = builtin_types.VectorType((len(values),), values[0].type)
        found = self(llvm_aggregate.PoisonOp, type=type)
        for at, value in enumerate(values):
            found = self(llvm_aggregate.InsertElementOp, found, value, self.integer(at, builtin_types.i32))
        return found

    # --- addresses and numbers

    def pointer(self, base: Value, offset: Value | int, element: Type) -> Value:
        """Return the address ``offset`` elements after `base`, in the same address space."""
        known = isinstance(offset, int)
        positions = builtin_attributes.dense_integers((offset if known else DYNAMIC,))
        further = () if known else (offset,)
        return self(GEPOp, base, positions, element, further, PointerWrapFlags.NONE, type=base.type)

    def thread(self) -> Value:
        """Return the number of this thread in its block."""
        return self.number(gpu_index.ThreadIdOp)

    def number(self, register: type[gpu_index.DimensionIndexOp], dimension: int = 0) -> Value:
        """Return the result of an index operation of `gpu`, such as `gpu.block_id`, in a dimension, as a
        32-bit integer.
        """
        found = self(register, gpu_enums.Dimension(dimension))
        return self(
            TruncOp,
            self(UnrealizedConversionCastOp, (found,), type=builtin_types.i64),
            type=builtin_types.i32,
        )

    def offset(self, layout: layouts_layout.Layout, number: Value) -> Value:
        """Return the image of `number` under a layout of powers of two, as a 32-bit integer; the modes of the
        layout are bit fields.
        """
        total, shift = self.integer(0, builtin_types.i32), 0
        for extent, stride in layout.leaves:
            if stride and extent > 1:
                total = self.plus(total, self._field(number, shift, extent, stride))
            shift += extent.bit_length() - 1
        return total

    def mapped(self, matrix: layouts_bits.BitMatrix, number: Value) -> Value:
        """Return the image of `number` under a bit matrix, as a 32-bit integer."""
        found: Value | None = None
        for shift, extent, column in _fields(matrix):
            field = self._field(number, shift, extent, column)
            found = field if found is None else self(llvm.XOrOp, found, field)
        return self.integer(0, builtin_types.i32) if found is None else found

    def _field(self, number: Value, shift: int, extent: int, stride: int) -> Value:
        return self.times(self.bit_field(number, shift, extent), stride)

    def times(self, value: Value, factor: int) -> Value:
        """Return `value` times the constant `factor`; `value` itself if the factor is 1."""
        return self(llvm.MulOp, value, self.integer(factor, value.type)) if factor != 1 else value

    def bit_field(self, number: Value, shift: int, extent: int) -> Value:
        """Return the bits of an i32 from bit `shift` on, of a field with `extent` values (a power of two), as
        an i32.
        """
        if extent == 1:
            return self.integer(0, builtin_types.i32)
        return self(llvm.AndOp, self.bits_from(number, shift), self.integer(extent - 1, builtin_types.i32))

    def bits_from(self, number: Value, shift: int) -> Value:
        """Return ``number >> shift`` for an i32, with zeros shifted in."""
        return self(llvm.LShrOp, number, self.integer(shift, builtin_types.i32)) if shift else number

    def plus(self, left: Value, right: Value | int) -> Value:
        """Return the sum of integers of one type. `right` may be a Python number: then a constant is added,
        and `left` itself is returned for 0.
        """
        if isinstance(right, int):
            if not right:
                return left
            right = self.integer(right, left.type)
        return self(llvm.AddOp, left, right)


def _fields(matrix: layouts_bits.BitMatrix) -> list[tuple[int, int, int]]:
    """Return ranges of bits of the operand that `matrix`, a linear function over bits, multiplies by a
    number: the first bit of each range, its extent (two to the number of bits), and the factor. The function
    is the XOR of all products; ranges that are mapped to zero are left out.
    """
    found: list[tuple[int, int, int]] = []
    for at, column in enumerate(matrix.columns):
        if not column:
            continue
        shift, extent, factor = found[-1] if found else (0, 1, 0)
        follows = shift + linear.log2(extent) == at and factor * extent == column
        if follows and not column & factor * (extent - 1):  # otherwise multiples would carry
            found[-1] = shift, 2 * extent, factor
        else:
            found.append((at, 2, column))
    return found


OWN = frozenset({address_spaces.LlvmAddressSpace.SHARED.value, address_spaces.LlvmAddressSpace.LOCAL.value})
"""Memory in which only threads of the block write."""


def held_type(element: Type) -> Type:
    """Return the type of a register that holds an element: pointers keep their address space, tokens become
    i32.
    """
    if isinstance(element, llvm_types_converter.TOKENS):
        return builtin_types.i32
    space = getattr(element, "address_space", None)
    return register_type(element) if space is None else LLVMPointerType(space)


def copied_type(element: Type) -> Type:
    """Return the type in which copies move an element: pointers move as their bits."""
    stored = stored_type(element)
    return builtin_types.i64 if isinstance(stored, LLVMPointerType) else stored


def stored_type(element: Type) -> Type:
    """Return the type of an element in memory."""
    held = held_type(element)
    return held if isinstance(held, LLVMPointerType) else memory_type(element)

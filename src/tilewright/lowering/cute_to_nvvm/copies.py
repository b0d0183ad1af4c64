"""Copies between memory and registers: one load or store of the widest width of the chip.

Copies with a predicate become accesses of `nvvm`, which have one, too; others become accesses of `llvm`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.cute.dialect import PtrLoadOp, PtrStoreOp
from tilewright.dialects.cute.types import PtrType
from tilewright.dialects.cute_nvgpu.copy_types import UniversalCopyType
from tilewright.dialects.cute_nvgpu.mma_types import bits
from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate
from tilewright.dialects.llvm.ops.memory import GEPOp, LoadOp, StoreOp
from tilewright.dialects.nvvm.ops.predicated import PredicatedLoadOp, PredicatedStoreOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import IntegerAttr, dense_integers
from tilewright.ir.builtin_types import VectorType, i32
from tilewright.ir.value import Value
from tilewright.lowering.inserting import RewritingInserter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite import pattern as rewrite_pattern, pattern_set
from tilewright.rewrite.conversion.pattern import Adaptor, ClosurePattern, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter

WIDEST = 128
"""The maximum number of bits that one access of a thread moves."""
_Copy = TypeVar("_Copy", PtrLoadOp, PtrStoreOp)
Emit = RewritingInserter[ConversionRewriter]


def vector_of(element: Type, count: int) -> Type:
    """Return the type of a vector of `count` elements; a scalar for 1."""
    return element if count == 1 else VectorType((count,), element)


def position(emit: Emit, at: int) -> Value:
    """Emit the constant `at`, the index of an element of a vector, and return it."""
    return emit(llvm_aggregate.ConstantOp, IntegerAttr(i32, at), type=i32)


class OneAccess(ClosurePattern[_Copy]):
    """The base of patterns for a copy whose bits one instruction of the chip moves. A copy matches if the
    test that the constructor gets accepts the number of its bits.
    """

    def subject(self, op: _Copy) -> int:
        assert isinstance(op.atom, UniversalCopyType), "verified"
        return op.atom.copied_bits()


class LoadAtOnce(OneAccess[PtrLoadOp]):
    """Converts a copy from memory to a load of a vector with one element for each register; with a predicate,
    to the load of `nvvm`, whose results are the registers.
    """

    def rewrite(self, op: PtrLoadOp, adaptor: Adaptor, rewriter: ConversionRewriter) -> None:
        emit = RewritingInserter(rewriter, op.lazy_location)
        types, place, alignment = [value.type for value in op.registers], adaptor.ptr, alignment_of(op)
        if op.predicate is not None:
            given = adaptor.predicate, adaptor.otherwise
            made = emit.insert(PredicatedLoadOp, place, *given, alignment, result_types=types)
            rewriter.replace(op, made.results)
            return
        loaded = emit(LoadOp, place, alignment=alignment, type=vector_of(types[0], len(types)))
        rewriter.replace(op, elements_of(emit, loaded, len(types)))


def elements_of(emit: Emit, value: Value, count: int) -> Sequence[Value]:
    """Return the elements of a vector of `count` elements; the value itself for 1."""
    if count == 1:
        return [value]
    return [emit(llvm_aggregate.ExtractElementOp, value, position(emit, at)) for at in range(count)]


class StoreAtOnce(OneAccess[PtrStoreOp]):
    """Converts a copy to memory to a store of a vector of the registers; with a predicate, the registers are
    stored by an operation of `nvvm`.
    """

    def rewrite(self, op: PtrStoreOp, adaptor: Adaptor, rewriter: ConversionRewriter) -> None:
        emit = RewritingInserter(rewriter, op.lazy_location)
        place, alignment = adaptor.ptr, alignment_of(op)
        if op.predicate is not None:
            emit.insert(PredicatedStoreOp, adaptor.registers, place, adaptor.predicate, alignment)
        else:
            emit.insert(StoreOp, vector_from(emit, adaptor.registers), place, alignment=alignment)
        rewriter.replace(op, [])


def vector_from(emit: Emit, values: Sequence[Value]) -> Value:
    """Return a vector of the elements `values`; a single element is returned as it is."""
    if len(values) == 1:
        return values[0]
    made = emit(llvm_aggregate.PoisonOp, type=vector_of(values[0].type, len(values)))
    for at, value in enumerate(values):
        made = emit(llvm_aggregate.InsertElementOp, made, value, position(emit, at))
    return made


def alignment_of(op: PtrLoadOp | PtrStoreOp) -> int:
    """Return the alignment of the address of a copy, in bytes."""
    return pointer_of(op).alignment


def pointer_of(op: PtrLoadOp | PtrStoreOp) -> PtrType:
    """Return the type of the address of a copy."""
    assert isinstance(op.ptr.type, PtrType), "verified"
    return op.ptr.type


class SplitCopyConversion(ConversionPattern[_Copy]):
    """The base of patterns that replace a copy of more bits than an instruction moves by two copies of half
    the bits.
    """

    has_bounded_recursion = True

    def parts(self, op: _Copy, adaptor: Adaptor, emit: Emit) -> tuple[Any, tuple[Value, Value]]:
        """Return the atom of a copy of half of the bits, a `UniversalCopyType`, and the addresses in memory
        of the lower and of the upper half. The lower address is `op.ptr`; the upper one is computed by
        operations that `emit` inserts.
        """
        element, half = op.registers[0].type, len(op.registers) // 2
        atom = UniversalCopyType(element, half * bits(element))
        steps = dense_integers((half,))
        upper = emit(GEPOp, adaptor.ptr, steps, element, (), PointerWrapFlags.NONE, type=adaptor.ptr.type)
        pointer = PtrType(element, pointer_of(op).space, half * bits(element) // 8)
        behind = emit(UnrealizedConversionCastOp, (upper,), type=pointer)
        return atom, (op.ptr, behind)


class LoadHalves(SplitCopyConversion[PtrLoadOp]):
    """Splits a load into two loads. A load of a single register does not match."""

    def match_and_rewrite(
        self, op: PtrLoadOp, adaptor: Adaptor, rewriter: ConversionRewriter
    ) -> rewrite_pattern.NoMatch | None:
        if len(op.registers) == 1:
            return rewrite_pattern.NoMatch("a single element has no halves")
        emit = RewritingInserter(rewriter, op.lazy_location)
        atom, places = self.parts(op, adaptor, emit)
        half = len(op.registers) // 2
        types = [value.type for value in op.registers[:half]]
        others = op.otherwise[:half], op.otherwise[half:]
        made = [
            emit.insert(PtrLoadOp, place, atom, op.predicate, other, result_types=types)
            for place, other in zip(places, others, strict=True)
        ]
        rewriter.replace(op, [value for half in made for value in half.results])
        return None


class StoreHalves(SplitCopyConversion[PtrStoreOp]):
    """Splits a store into two stores. A store of a single register does not match."""

    def match_and_rewrite(
        self, op: PtrStoreOp, adaptor: Adaptor, rewriter: ConversionRewriter
    ) -> rewrite_pattern.NoMatch | None:
        if len(op.registers) == 1:
            return rewrite_pattern.NoMatch("a single element has no halves")
        emit = RewritingInserter(rewriter, op.lazy_location)
        atom, places = self.parts(op, adaptor, emit)
        half = len(op.registers) // 2
        for place, registers in zip(places, (op.registers[:half], op.registers[half:]), strict=True):
            emit.insert(PtrStoreOp, registers, place, atom, op.predicate)
        rewriter.replace(op, [])
        return None


def fits(widest: int) -> Callable[[int], bool]:
    """Return a function that returns whether a number of bits is at most ``widest``, the most that one
    instruction moves.
    """
    return lambda moved: moved <= widest


def populate_copies(patterns: pattern_set.RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns for loads and stores. The patterns for copies of at most `WIDEST` bits precede the
    patterns that split.
    """
    for pattern in (LoadAtOnce, StoreAtOnce):
        patterns.add(pattern(fits(WIDEST), converter, benefit=2))
    patterns.add(LoadHalves(converter), StoreHalves(converter))

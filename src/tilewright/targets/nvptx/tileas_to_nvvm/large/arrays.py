"""Large tiles: every thread has its elements in an array in local memory, in the order of its registers.

A slice whose start is a multiple of the distributed group is a contiguous range of the array. Other slices
have elements of other threads: the array goes through shared memory in slices, and each thread takes the
elements that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from tilewright.dialects.llvm.ops import arithmetic as llvm, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas.attributes import ARRAY_VECTOR_WIDTH, ThreadArraysAttr, row_major
from tilewright.dialects.nv_tileas.ops_tile import (
    AllocTensorOp,
    ExpandDimsOp,
    ExtractSliceOp,
    InsertSliceOp,
    ViewOp,
)
from tilewright.ir.attribute import Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import RankedTensorType, i8, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types import address_spaces, converter as llvm_types_converter
from tilewright.lowering.tileas.conversions.movements import ElementMovement, moves_of
from tilewright.lowering.tileas.distribution import Distribution, blocked
from tilewright.lowering.tileas.layout_rules import is_in_arrays
from tilewright.optimizer.analysis import query, rules_tileas
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, shape_of, size_of
from tilewright.targets.nvptx.tileas_to_nvvm import exchange, program as tileas_to_nvvm_program
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution
from tilewright.targets.nvptx.tileas_to_nvvm.slices import as_word, number_of, place_in_part, starts_of

LOCAL = address_spaces.LlvmAddressSpace.LOCAL.value
ALIGNMENT = 16
"""The alignment of arrays in bytes, which is also the maximum size of an access."""
EXCHANGED = 1 << 12
"""The number of elements of an array that go through shared memory at a time; at least
`ARRAY_VECTOR_WIDTH` elements for each thread.
"""
ELSEWHERE = "the tiles are in registers"


@dataclass(frozen=True)
class LocalArray:
    """A tile in local memory: its address, its element type, its number of elements, and the number of
    threads.
    """

    code: PatternCode
    base: Value
    element: Type
    elements: int
    threads: int

    @classmethod
    def of(cls, code: PatternCode, base: Value, type: Type) -> LocalArray:
        """Return the array at the address `base` that holds a tile of the type `type`."""
        assert isinstance(type, RankedTensorType)
        assert isinstance(type.encoding, ThreadArraysAttr)
        return cls(code, base, element_of(type), prod(type.shape), type.encoding.threads)

    @property
    def stored(self) -> Type:
        """Return the type of an element in memory."""
        return stored_type(self.element)

    @property
    def vector_width(self) -> int:
        """Return the number of elements that an access moves, at most 16 bytes."""
        return min(ARRAY_VECTOR_WIDTH, ALIGNMENT // size_of(self.element))

    def run(self, elements: int) -> Distribution:
        """Return the distribution of `elements` consecutive elements of the array over the threads: each
        thread in turn has `ARRAY_VECTOR_WIDTH` consecutive elements, and thread 0 follows the last thread.
        """
        return blocked(elements, self.threads, ARRAY_VECTOR_WIDTH)

    def read(self, first: Value, count: int) -> Registers:
        """Read `count` elements of this thread from the index `first` of its array. Both are multiples of the
        vector width.
        """
        found: list[Value] = []
        for place in self._places(first, count):
            size = size_of(self.element)
            found += self.code.read_all(place, self.element, self.vector_width, self.vector_width * size)
        return found

    def write(self, first: Value, values: Registers) -> None:
        """Write `values` to the array of this thread in local memory, from the element with the index `first`
        on.
        """
        for at, place in enumerate(self._places(first, len(values))):
            some = values[at * self.vector_width : (at + 1) * self.vector_width]
            self.code.write_all(some, place, self.element, self.vector_width * size_of(self.element))

    def _places(self, first: Value, count: int) -> Iterator[Value]:
        code, stored = self.code, self.stored
        begin = code.pointer(self.base, code.index(first), stored)
        return (code.pointer(begin, at, stored) for at in range(0, count, self.vector_width))

    @property
    def exchanged(self) -> int:
        """Return the number of elements of the tile that are exchanged through shared memory at once."""
        return min(max(EXCHANGED, ARRAY_VECTOR_WIDTH * self.threads), self.elements)


class LocalArrayLowering(ThreadPattern[AllocTensorOp]):
    """Lower the allocation of a large tile to local memory of each thread, for the lifetime of the kernel.
    Tiles in registers do not match.
    """

    def lower(self, op: AllocTensorOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        type = op.result.type
        return [[allocated(code, op, type)]] if is_in_arrays(type) else NoMatch(ELSEWHERE)


def allocated(code: PatternCode, op: Operation, type: Type) -> Value:
    """Return the address of a new array in the local memory of each thread for a tile of the type `type`,
    allocated at the start of the kernel around `op`.
    """
    assert isinstance(type, RankedTensorType), "arrays hold tiles"
    assert isinstance(type.encoding, ThreadArraysAttr), "the tiles are in arrays"
    size = prod(type.shape) // type.encoding.threads * size_of(type.element_type)
    function = next(one for one in op.ancestors() if isinstance(one, FuncOp | llvm_symbol.LLVMFuncOp))
    with code.rewriter.at(InsertionPoint.at_start(function.regions[0].blocks[0])):
        room = code.integer(size, i32)
        return code(AllocaOp, room, elem_type=i8, alignment=ALIGNMENT, type=LLVMPointerType(LOCAL))


class Rename(ThreadPattern[ViewOp | ExpandDimsOp]):
    """Replace a view of an array by the array itself: the elements keep their numbers, so nothing moves.
    Views of tiles in registers do not match.
    """

    def lower(
        self, op: ViewOp | ExpandDimsOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers] | NoMatch:
        return [at.source] if is_in_arrays(op.result.type) else NoMatch(ELSEWHERE)


class TakePart(ThreadPattern[ExtractSliceOp]):
    """Read a slice of a tile in local memory into registers: directly if it is in `runs`, the slices that are
    contiguous ranges of the arrays of all threads, otherwise through shared memory.
    """

    def __init__(self, converter: llvm_types_converter.LLVMTypeConverter, runs: frozenset[Operation]) -> None:
        super().__init__(converter, benefit=2)
        self.runs = runs

    def lower(self, op: ExtractSliceOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if not is_in_arrays(op.source.type):
            return NoMatch(ELSEWHERE)
        array, whole = LocalArray.of(code, at.source[0], op.source.type), shape_of(op.source.type)
        wanted = distribution(op.result.type)
        start = as_word(code, number_of(code, starts_of(code, at.offsets, op.sizes, whole), whole))
        if op in self.runs:
            held = array.run(prod(op.sizes))
            values = array.read(_in_array(code, start, array), len(held.offsets))
            return [rearranged(op, array, values, held, wanted)]
        moves = moves_of(op.sizes, row_major(whole))
        own = code.plus(code.offset(moves, code.offset(wanted.threads, code.thread())), start)
        return [taken(op, array, [code.plus(own, moves(offset)) for offset in wanted.offsets])]


def _in_array(code: PatternCode, number: Value, array: LocalArray) -> Value:
    """Return the index, in the array of each thread, of a range of the tile's elements that begins with
    element `number`.
    """
    return code.bits_from(number, array.threads.bit_length() - 1)


def rearranged(
    op: Operation, array: LocalArray, values: Registers, held: Distribution, wanted: Distribution
) -> Registers:
    """Return the registers of a range of elements of an array in the distribution `wanted`; `values` has them
    in the distribution `held`. The elements move by registers, shuffles or shared memory.
    """
    return exchange.moved(
        array.code, op, ElementMovement(held, wanted, size_of(array.element)), values, array.element
    )


def taken(op: Operation, array: LocalArray, numbers: Sequence[Value]) -> Registers:
    """Return the elements of an array with the row-major `numbers`, which differ between threads: slice by
    slice through shared memory.
    """
    code, element, count = array.code, array.element, array.exchanged
    held = array.run(count)
    base = exchange.scratch(code, op, count * size_of(element))

    def round(number: Value, before: Registers) -> Registers:
        exchange.synchronize_block(code)
        first = code.times(number, count // array.threads)
        exchange.write_tile(code, base, held, array.read(first, len(held.offsets)), element)
        exchange.synchronize_block(code)
        found: list[Value] = []
        for wanted, other in zip(numbers, before, strict=True):
            is_here = code.compare_integers("eq", code.bits_from(wanted, count.bit_length() - 1), number)
            place = code.bit_field(wanted, 0, count)
            read = exchange.read_element(code, base, place, 0, element)
            found.append(code(llvm.SelectOp, is_here, read, other, type=other.type))
        return found

    nothing = [code.zero(held_type(element))] * len(numbers)
    return code.repeated(array.elements // count, nothing, round)


class PutPart(ThreadPattern[InsertSliceOp]):
    """Write registers to a slice of a tile in local memory, in place: directly if it is in `runs`, the slices
    that are contiguous ranges of the arrays of all threads, otherwise through shared memory.
    """

    def __init__(self, converter: llvm_types_converter.LLVMTypeConverter, runs: frozenset[Operation]) -> None:
        super().__init__(converter, benefit=2)
        self.runs = runs

    def lower(self, op: InsertSliceOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if not is_in_arrays(op.result.type):
            return NoMatch(ELSEWHERE)
        array, whole = LocalArray.of(code, at.destination[0], op.result.type), shape_of(op.result.type)
        held, starts = distribution(op.source.type), starts_of(code, at.offsets, op.sizes, whole)
        values = [code.in_form(value, held_type(array.element)) for value in at.source]
        if op in self.runs:
            place = _in_array(code, as_word(code, number_of(code, starts, whole)), array)
            array.write(place, rearranged(op, array, values, held, array.run(prod(op.sizes))))
            return [at.destination]
        base = exchange.shared(code, op, held, values, array.element)
        distributed = array.run(ARRAY_VECTOR_WIDTH * array.threads)
        own = code.offset(distributed.threads, code.thread())

        def round(number: Value, before: Registers) -> Registers:
            first = code.times(number, ARRAY_VECTOR_WIDTH)
            begin = code.plus(own, code.times(number, ARRAY_VECTOR_WIDTH * array.threads))
            made: list[Value] = []
            for offset, old in zip(distributed.offsets, array.read(first, ARRAY_VECTOR_WIDTH), strict=True):
                places = tileas_to_nvvm_program.places_in(code, whole, code.plus(begin, offset))
                exists, place = place_in_part(op, code, places, starts)
                read = exchange.read_element(code, base, place, 0, array.element)
                made.append(read if exists is None else code(llvm.SelectOp, exists, read, old, type=old.type))
            array.write(first, made)
            return before

        code.repeated(array.elements // (ARRAY_VECTOR_WIDTH * array.threads), [], round)
        return [at.destination]


def runs_of_arrays(module: Operation) -> frozenset[Operation]:
    """Return the extractions and insertions of slices that are contiguous ranges of the arrays of all
    threads. Such a slice is known to begin at a multiple of its extents, has extent 1 before the dimension
    that it cuts and the whole extents after it, and has at least a vector for each thread.
    """
    facts = query.FactsOnDemand(rules_tileas.rule_of)
    return frozenset(
        op for op in module.walk() if isinstance(op, ExtractSliceOp | InsertSliceOp) and _is_run(facts, op)
    )


def _is_run(facts: query.FactsOnDemand, op: ExtractSliceOp | InsertSliceOp) -> bool:
    type = op.source.type if isinstance(op, ExtractSliceOp) else op.result.type
    if not isinstance(type, RankedTensorType) or not isinstance(type.encoding, ThreadArraysAttr):
        return False
    if prod(op.sizes) < ARRAY_VECTOR_WIDTH * type.encoding.threads:
        return False
    begun = False  # after a dimension that is cut, all others must be whole
    for size, extent, offset in zip(op.sizes, type.shape, op.offsets, strict=True):
        if begun and size != extent:
            return False
        begun = begun or size > 1
        if size < extent and facts.facts(offset).divisor % size:
            return False
    return True


def populate_arrays(
    patterns: RewritePatternSet, converter: llvm_types_converter.LLVMTypeConverter, runs: frozenset[Operation]
) -> None:
    """Add the patterns of this file; ``runs`` are the slices that are contiguous ranges of arrays."""
    patterns.add(
        LocalArrayLowering(converter, benefit=2),
        TakePart(converter, runs),
        PutPart(converter, runs),
        *(Rename(converter, root=root, benefit=2) for root in (ViewOp, ExpandDimsOp)),
    )

"""Elements that go from one thread to another, through shared memory.

All threads write their elements to the place of their number, meet, and read those that they need.  They also meet before
they write, because others may still read what was exchanged before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cutlass.ops import ArriveAndWaitOp
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from tilewright.dialects.nv_tileas.attributes import row_major, view_strides
from tilewright.dialects.nv_tileas.ops_tile import ExpandDimsOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import RankedTensorType, i8
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.address_spaces import AddressSpace
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.lowering.upstream_to_llvm.symbols import add_symbol, enclosing_table, find_symbol
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.types import element_of, size_of
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.body.accesses import guarded, is_first_holder
from tilewright.targets.nvptx.body.code import PatternCode, stored_type
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern, distribution

SCRATCH = "tilewright_scratch"
"""The shared memory through which elements go."""
ALIGNMENT = 16
EVERYONE = 0
"""The named barrier at which all threads of a block meet."""
MAXIMUM_SCRATCH = 48 << 10
"""Bytes of shared memory that a module may declare on every GPU."""


def scratch(code: PatternCode, op: Operation, size: int) -> Value:
    """The address of shared memory of at least so many bytes, which all exchanges of a module use in turn.

    Raises `DiagnosticError` for more than every GPU has without being asked.
    """
    if size > MAXIMUM_SCRATCH:
        message = (
            f"'{op.name}' moves {size} bytes through shared memory, of which there are {MAXIMUM_SCRATCH}"
        )
        raise failure(codes.TOO_MUCH_SHARED_MEMORY, message, op.location, hint="use smaller tiles")
    table = enclosing_table(op)
    known: Any = find_symbol(table, SCRATCH)
    space = AddressSpace.SHARED.value
    if known is None:
        known = add_symbol(
            code.rewriter,
            table,
            lambda: GlobalOp(
                LLVMArrayType(i8, size),
                SCRATCH,
                Linkage.INTERNAL,
                addr_space=space,
                alignment=ALIGNMENT,
                initializer=Region(),
            ),
        )
    elif known.global_type.count < size:
        known.global_type = LLVMArrayType(i8, size)
    return code(AddressOfOp, SCRATCH, type=LLVMPointerType(space))


def write_tile(code: PatternCode, base: Value, held: Distribution, values: Registers, element: Type) -> None:
    """Write the elements of a tile in the order of their numbers; of several holders the first one writes."""
    stored = stored_type(element)
    first = code.offset(held.threads, code.thread())
    place = code.pointer(base, code.index(first), stored)

    def write() -> Sequence[Value]:
        for offset, value in zip(held.offsets, values, strict=True):
            code.write(value, code.pointer(place, offset, stored), element)
        return []

    guarded(code, is_first_holder(code, held.threads), [], write)


def meet(code: PatternCode) -> None:
    """All threads of the block wait for each other, and see what they wrote."""
    code.effect(ArriveAndWaitOp, EVERYONE)


def read_element(code: PatternCode, base: Value, number: Value, offset: int, element: Type) -> Value:
    """The element of a number and a known distance behind it."""
    stored = stored_type(element)
    return code.read(code.pointer(code.pointer(base, code.index(number), stored), offset, stored), element)


def shared(code: PatternCode, op: Operation, held: Distribution, values: Registers, element: Type) -> Value:
    """A tile in shared memory, element by element in the order of their numbers: where all threads may read it."""
    count = 1 + max(held.threads.cosize + held.registers.cosize - 2, 0)
    base = scratch(code, op, count * size_of(element))
    meet(code)
    write_tile(code, base, held, values, element)
    meet(code)
    return base


def exchanged(
    code: PatternCode,
    op: Operation,
    source: Distribution,
    values: Registers,
    target: Distribution,
    moves: Layout,
    element: Type,
) -> Registers:
    """A tile in another distribution: ``moves`` leads from the numbers of its new elements to those of the old ones."""
    base = shared(code, op, source, values, element)
    number = code.offset(moves, code.offset(target.threads, code.thread()))
    return [read_element(code, base, number, moves(offset), element) for offset in target.offsets]


def moves_of(shape: Sequence[int], strides: Sequence[int]) -> Layout:
    """From the row-major number of an element to where strides lead from its place."""
    return Layout.flat(list(zip(shape, strides, strict=True))[::-1])


def kept_registers(
    held: Distribution, wanted: Distribution, moves: Layout, start: int = 0
) -> list[int] | None:
    """The register in which each thread has the element of each of its new registers; None if some come from elsewhere.

    ``moves`` leads from the numbers of new elements to those of old ones, of which the first one is ``start``.
    """
    if [moves(stride) for stride in bits_of(wanted.threads)] != bits_of(held.threads):
        return None
    registers = {offset: number for number, offset in enumerate(held.offsets)}
    found = [registers.get(start + moves(offset)) for offset in wanted.offsets]
    return [number for number in found if number is not None] if None not in found else None


class View(TilePattern[ViewOp]):
    """Elements in another shape: where threads have what they need, registers are renamed."""

    def lower(self, op: ViewOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        source, target = op.source.type, op.result.type
        if not (isinstance(source, RankedTensorType) and isinstance(target, RankedTensorType)):
            return NoMatch("the view is one of memory")
        strides = view_strides(op.layout) if op.layout is not None else row_major(target.shape)
        held, wanted = distribution(source), distribution(target)
        moves = moves_of(target.shape, strides)
        kept = kept_registers(held, wanted, moves)
        if kept is not None:
            return [[at.source[register] for register in kept]]
        return [exchanged(code, op, held, at.source, wanted, moves, element_of(source))]


class ExpandDims(TilePattern[ExpandDimsOp]):
    """The elements keep their numbers."""

    def lower(self, op: ExpandDimsOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [at.source]


def populate_exchanges(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(View(converter), ExpandDims(converter))

"""Elements that move from thread to thread: by shuffles within warps, or through shared memory.

Through shared memory, all threads write their elements at the index of their number, wait at a barrier, and
read the elements that they need. A barrier also precedes the writes, because other threads may still read the
previous exchange.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cutlass.dialect import ArriveAndWaitOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, memory as llvm_memory
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileas.attributes import Transfer
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ExpandDimsOp, ViewOp
from tilewright.ir import builtin_attributes, diagnostic
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i8, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.address_spaces import LlvmAddressSpace
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.conversions.movements import ElementMovement
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, size_of
from tilewright.targets.nvptx import codes, exchanges
from tilewright.targets.nvptx.shared_memory import model as shared_memory_model
from tilewright.targets.nvptx.tileas_to_nvvm import accesses, register_addresses, shuffles, vectors
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern

ALIGNMENT = 16
EVERYONE = 0
"""The named barrier of all threads of a block."""


def scratch(code: PatternCode, op: Operation, size: int) -> Value:
    """Return the address of `size` bytes of shared memory for one exchange.

    The address is assigned when all exchanges of a kernel are known (`nvvm-allocate-shared-memory`).

    Raises:
        DiagnosticError: `size` exceeds the shared memory of the chip.
    """
    limit = exchanges.shared_memory(op)
    if size > limit:
        message = (
            f"'{op.name}' moves {size} bytes through shared memory, but a block on "
            f"{exchanges.chip_name(op)} has only {limit} bytes"
        )
        raise diagnostic.failure(
            codes.TOO_MUCH_SHARED_MEMORY, message, op.location, hint="use smaller tiles, or another GPU"
        )
    type = LLVMPointerType(LlvmAddressSpace.SHARED.value)
    return code(llvm_memory.AllocaOp, code.integer(size, i32), elem_type=i8, alignment=ALIGNMENT, type=type)


def write_tile(code: PatternCode, base: Value, held: Distribution, values: Registers, element: Type) -> None:
    """Write the registers of a tile, which `held` distributes, to shared memory at `base` in the order of
    their numbers. The first thread that holds an element writes it.
    """
    stored = stored_type(element)
    first = code.offset(held.threads, code.thread())
    place = code.pointer(base, code.index(first), stored)

    def write() -> Sequence[Value]:
        count = vectors.vector_width(held, vectors.IN_PLACE, size_of(element))
        vectors.write_neighbours(code, place, held.offsets, values, element, count)
        return []

    accesses.guarded(code, accesses.is_first_holder(code, held.threads), [], write)


def synchronize_block(code: PatternCode) -> None:
    """Emit a barrier, after which all threads of the block see each other's writes to shared memory."""
    code.effect(ArriveAndWaitOp, EVERYONE, attributes={shared_memory_model.EXCHANGE: builtin_attributes.UNIT})


def read_element(code: PatternCode, base: Value, number: Value, offset: int, element: Type) -> Value:
    """Read the element with number `number` plus the constant `offset` of a tile that is in shared memory at
    `base`, in the order of its elements' numbers.
    """
    stored = stored_type(element)
    return code.read(code.pointer(code.pointer(base, code.index(number), stored), offset, stored), element)


def shared(code: PatternCode, op: Operation, held: Distribution, values: Registers, element: Type) -> Value:
    """Write the registers `values` of a tile, distributed as `held`, to scratch shared memory for `op`, in
    row-major order, between two barriers of the block. Return the address of the first element.
    """
    base = scratch(code, op, exchanges.number_of(held) * size_of(element))
    synchronize_block(code)
    write_tile(code, base, held, values, element)
    synchronize_block(code)
    return base


def moved(
    code: PatternCode,
    op: Operation,
    movement: ElementMovement,
    values: Registers,
    element: Type,
    transfer: Transfer | None = None,
) -> Registers:
    """Return a tile in the distribution that `movement` moves its elements to, by `transfer`, or by the
    cheapest way if that is None.
    """
    return TRANSFERS[transfer or movement.transfer](code, op, movement, values, element)


def renamed(
    code: PatternCode, op: Operation, movement: ElementMovement, values: Registers, element: Type
) -> Registers:
    """Return the registers of a tile in another distribution, for a movement in which every thread already
    holds the elements that it needs. No code is emitted.
    """
    kept = movement.kept
    assert kept is not None, "every thread has its elements"
    return [values[register] for register in kept]


def shuffled(
    code: PatternCode, op: Operation, movement: ElementMovement, values: Registers, element: Type
) -> Registers:
    """Return the registers of a tile in another distribution by shuffles, for a movement in which every warp
    already holds the elements that it needs.
    """
    made = movement.in_warps
    assert made is not None, "every warp has its elements"
    return shuffles.exchanged_in_warps(code, made, values, element)


def elements_at(
    code: PatternCode,
    op: Operation,
    held: Distribution,
    values: Registers,
    element: Type,
    numbers: Sequence[tuple[Value, int]],
) -> Registers:
    """Return the elements of a tile with the row-major `numbers`, each a value plus a constant, whichever
    thread holds them. The tile, in the registers `values` and distributed as `held`, passes through shared
    memory, in several pieces if it is too large.
    """
    count = exchanges.number_of(held)
    if exchanges.pieces_of(op, count, element) > 1:
        return IteratedExchange.of(code, op, count, element).elements(held, values, numbers)
    base = shared(code, op, held, values, element)
    return [read_element(code, base, number, offset, element) for number, offset in numbers]


def each_piece(
    code: PatternCode, op: Operation, held: Distribution, values: Registers, element: Type
) -> Iterator[tuple[Value, range]]:
    """Yield the pieces of a tile in shared memory: the address of a piece, and the numbers of its elements.
    The next piece may overwrite a piece, so code that reads it is emitted before the next is requested.
    """
    count = exchanges.number_of(held)
    if exchanges.pieces_of(op, count, element) == 1:
        yield shared(code, op, held, values, element), range(count)
        return
    rounds = IteratedExchange.of(code, op, count, element)
    for number in rounds.iterations(held, values):
        yield rounds.base, range(number * rounds.piece, (number + 1) * rounds.piece)


def exchanged(
    code: PatternCode, op: Operation, movement: ElementMovement, values: Registers, element: Type
) -> Registers:
    """Return a tile in another distribution through shared memory, in several iterations if it does not fit.

    If the movement is linear, the elements are arranged so that writes and reads have few bank conflicts, or
    none.
    """
    count = exchanges.number_of(movement.held)
    if exchanges.pieces_of(op, count, element) > 1:
        return IteratedExchange.of(code, op, count, element).result(movement, values)
    made = exchanges.through_memory(movement)
    base = scratch(code, op, count * size_of(element))
    synchronize_block(code)
    register_addresses.write_placed(code, base, made.place, movement.held, values, element)
    synchronize_block(code)
    if made.rows is not None:
        return register_addresses.read_matrices(code, base, made.rows, made.load, element)
    return register_addresses.read_placed(code, base, made.place, made.load, element)


TRANSFERS: Mapping[
    Transfer, Callable[[PatternCode, Operation, ElementMovement, Registers, Type], Registers]
] = {
    Transfer.REGISTERS: renamed,
    Transfer.SHUFFLES: shuffled,
    Transfer.SHARED: exchanged,
}
"""The function that emits each way of transfer."""


@dataclass(frozen=True)
class IteratedExchange:
    """An exchange in several iterations, for tiles that exceed shared memory.

    In each iteration shared memory at `base` holds one piece: `piece` consecutive elements, a power of two;
    the tile has `pieces` pieces. The upper bits of an element's number are the number of its piece. Some of
    these bits depend on the thread, the others are constant for each register.
    """

    code: PatternCode
    base: Value
    piece: int
    pieces: int
    element: Type

    @classmethod
    def of(cls, code: PatternCode, op: Operation, count: int, element: Type) -> IteratedExchange:
        """Return the iterations for `count` elements, with as much shared memory as available."""
        pieces = exchanges.pieces_of(op, count, element)
        base = scratch(code, op, count // pieces * size_of(element))
        return cls(code, base, count // pieces, pieces, element)

    def iterations(self, source: Distribution, values: Registers) -> Iterator[int]:
        """Yield the number of each iteration, after the code that writes the piece with this number to shared
        memory, visible to all threads. `values` has the tile in the distribution `source`.
        """
        here = self.code.offset(source.threads, self.code.thread())
        for number in range(self.pieces):
            synchronize_block(self.code)
            self._write(source, values, here, number)
            synchronize_block(self.code)
            yield number

    def result(self, movement: ElementMovement, values: Registers) -> Registers:
        """Return the registers of this thread in the distribution `movement.wanted`, from `values` in the
        distribution `movement.held`. Each is read in the iteration whose piece of shared memory has its
        element.
        """
        wanted = movement.wanted
        here = self.code.offset(wanted.threads, self.code.thread())
        found = dict[int, Value]()
        for number in self.iterations(movement.held, values):
            found |= self._read(wanted.offsets, here, number, found)
        return [found[register] for register in range(len(wanted.offsets))]

    def elements(
        self, source: Distribution, values: Registers, numbers: Sequence[tuple[Value, int]]
    ) -> Registers:
        """Return the elements of a tile with `numbers`, each a value plus a constant; `values` has the tile
        in the distribution `source`. A thread reads in every iteration, and keeps the elements that it needs.
        """
        code = self.code
        wanted = [code.plus(number, offset) for number, offset in numbers]
        places = [code(llvm.AndOp, number, code.integer(self.piece - 1, i32)) for number in wanted]
        found: list[Value] = []
        for number in self.iterations(source, values):
            read = [read_element(code, self.base, place, 0, self.element) for place in places]
            here = [self._is(one, number) for one in wanted]
            kept = found or read
            found = [
                code(llvm.SelectOp, is_here, new, old, type=new.type) if found else new
                for is_here, new, old in zip(here, read, kept, strict=True)
            ]
        return found

    def _write(self, source: Distribution, values: Registers, here: Value, number: int) -> None:
        code, stored = self.code, stored_type(self.element)
        alone = accesses.is_first_holder(code, source.threads)
        for wanted, registers in self._groups(source.offsets, number).items():
            place = self._place(here)

            def write(registers: Sequence[int] = registers, place: Value = place) -> Sequence[Value]:
                for register in registers:
                    offset = source.offsets[register] % self.piece
                    code.write(values[register], code.pointer(place, offset, stored), self.element)
                return []

            accesses.guarded(code, accesses.both(code, self._is(here, wanted), alone), [], write)

    def _read(
        self, places: Sequence[int], here: Value, number: int, before: Mapping[int, Value]
    ) -> dict[int, Value]:
        """Return the contents of registers after iteration `number`, for those whose element may be in its
        piece: the element read from memory if it is there, else the contents `before` the iteration. `places`
        has the offset of each register from the element `here` of this thread.
        """
        code, stored, type = self.code, stored_type(self.element), held_type(self.element)
        found = dict[int, Value]()
        for wanted, registers in self._groups(places, number).items():
            place = self._place(here)

            def read(registers: Sequence[int] = registers, place: Value = place) -> Sequence[Value]:
                at = [code.pointer(place, places[register] % self.piece, stored) for register in registers]
                return [code.read(one, self.element) for one in at]

            kept = [before[register] if register in before else code.zero(type) for register in registers]
            made = accesses.guarded(code, self._is(here, wanted), [type] * len(registers), read, kept)
            found |= dict(zip(registers, made, strict=True))
        return found

    def _groups(self, offsets: Sequence[int], number: int) -> dict[int, list[int]]:
        """Return the indices of the registers that may have an element of piece `number`, in groups. The key
        of a group is the piece that the thread's first element must be in for that.
        """
        found: dict[int, list[int]] = {}
        for register, offset in enumerate(offsets):
            if not offset // self.piece & ~number:
                found.setdefault(number ^ offset // self.piece, []).append(register)
        return found

    def _is(self, here: Value, wanted: int) -> Value:
        """Return whether the element with the number `here` is in piece `wanted` of the tile: ``here //
        self.piece == wanted``.
        """
        code = self.code
        bits = code(llvm.LShrOp, here, code.integer(self.piece.bit_length() - 1, i32))
        return code.compare_integers("eq", bits, code.integer(wanted, i32))

    def _place(self, here: Value) -> Value:
        code = self.code
        low = code(llvm.AndOp, here, code.integer(self.piece - 1, i32))
        return code.pointer(self.base, code.index(low), stored_type(self.element))


class Moved(ThreadPattern[Any]):
    """Move elements for another shape or layout, in the way that `nv-tileas-materialise-conversions` chose
    for a conversion.
    """

    def lower(
        self, op: ViewOp | ConvertLayoutOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers] | NoMatch:
        movement, transfer = exchanges.movement_of(op), exchanges.transfer_of(op)
        if movement is None:
            return NoMatch("the operation is a view of memory, or of a tile that is in no registers")
        if isinstance(op, ConvertLayoutOp) and transfer is None:
            return NoMatch("the transfer of elements to their threads is not chosen")
        return [moved(code, op, movement, at.source, element_of(op.source.type), transfer)]


class ExpandDims(ThreadPattern[ExpandDimsOp]):
    """Forward the registers: the elements keep their numbers."""

    def lower(self, op: ExpandDimsOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [at.source]


def populate_exchanges(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(Moved(converter, root=ViewOp), Moved(converter, root=ConvertLayoutOp), ExpandDims(converter))

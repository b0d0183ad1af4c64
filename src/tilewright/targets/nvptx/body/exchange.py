"""Elements that go from one thread to another: by shuffles within warps, or through shared memory.

Where shared memory is cheaper, or needed, all threads write their elements to the place of their number, meet, and read those
that they need.  They also meet before they write, because others may still read what was exchanged before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cutlass.ops import ArriveAndWaitOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileas.attributes import Transfer
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ExpandDimsOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.builtin_types import i8, i32
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.address_spaces import AddressSpace
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileas.conversions.movements import Movement, conversion_of, view_of
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.lowering.upstream_to_llvm.symbols import enclosing_table
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.types import element_of, size_of
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.body.accesses import both, guarded, is_first_holder
from tilewright.targets.nvptx.body.code import PatternCode, held_type, stored_type
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern
from tilewright.targets.nvptx.body.placed import Exchange, read_matrices, read_placed, write_placed
from tilewright.targets.nvptx.body.shuffles import exchanged_in_warps
from tilewright.targets.nvptx.body.vectors import IN_PLACE, together, write_neighbours
from tilewright.targets.nvptx.shared.allocate import STATIC
from tilewright.targets.nvptx.shared.model import EXCHANGE

ALIGNMENT = 16
EVERYONE = 0
"""The named barrier at which all threads of a block meet."""


def scratch(code: PatternCode, op: Operation, size: int) -> Value:
    """The address of shared memory of so many bytes for one exchange, whose contents end with it.

    Where it lies is decided when all exchanges of a kernel are known (`nvvm-allocate-shared-memory`).  Raises
    `DiagnosticError` for more than the chip has.
    """
    limit = shared_memory(op)
    if size > limit:
        message = (
            f"'{op.name}' moves {size} bytes through shared memory, of which a block on "
            f"{chip_name(op)} has {limit}"
        )
        raise failure(
            codes.TOO_MUCH_SHARED_MEMORY, message, op.location, hint="use smaller tiles, or another GPU"
        )
    type = LLVMPointerType(AddressSpace.SHARED.value)
    return code(AllocaOp, code.integer(size, i32), elem_type=i8, alignment=ALIGNMENT, type=type)


def chip_name(op: Operation) -> str:
    """The chip that a module is for, in messages."""
    target = target_of(enclosing_table(op))
    return target.chip if target is not None else "a GPU"


def shared_memory(op: Operation) -> int:
    """The bytes of shared memory that a block has on the chip that a module is for."""
    target = target_of(enclosing_table(op))
    return target.gpu.shared_memory if target is not None and target.gpu is not None else STATIC


def write_tile(code: PatternCode, base: Value, held: Distribution, values: Registers, element: Type) -> None:
    """Write the elements of a tile in the order of their numbers; of several holders the first one writes."""
    stored = stored_type(element)
    first = code.offset(held.threads, code.thread())
    place = code.pointer(base, code.index(first), stored)

    def write() -> Sequence[Value]:
        count = together(held, IN_PLACE, size_of(element))
        write_neighbours(code, place, held.offsets, values, element, count)
        return []

    guarded(code, is_first_holder(code, held.threads), [], write)


def meet(code: PatternCode) -> None:
    """All threads of the block wait for each other, and see what they wrote to shared memory."""
    code.effect(ArriveAndWaitOp, EVERYONE, attributes={EXCHANGE: UNIT})


def read_element(code: PatternCode, base: Value, number: Value, offset: int, element: Type) -> Value:
    """The element of a number and a known distance behind it."""
    stored = stored_type(element)
    return code.read(code.pointer(code.pointer(base, code.index(number), stored), offset, stored), element)


def number_of(held: Distribution) -> int:
    """How many elements a tile has."""
    return 1 + max(held.threads.cosize + held.registers.cosize - 2, 0)


def shared(code: PatternCode, op: Operation, held: Distribution, values: Registers, element: Type) -> Value:
    """A tile in shared memory, element by element in the order of their numbers: where all threads may read it."""
    base = scratch(code, op, number_of(held) * size_of(element))
    meet(code)
    write_tile(code, base, held, values, element)
    meet(code)
    return base


def moved(
    code: PatternCode,
    op: Operation,
    movement: Movement,
    values: Registers,
    element: Type,
    transfer: Transfer | None = None,
) -> Registers:
    """A tile in other threads, by the way that was chosen, else by the cheapest one."""
    return TRANSFERS[transfer or movement.transfer](code, op, movement, values, element)


def renamed(
    code: PatternCode, op: Operation, movement: Movement, values: Registers, element: Type
) -> Registers:
    """A tile of which every thread has what it wants."""
    kept = movement.kept
    assert kept is not None, "every thread has what it wants"
    return [values[register] for register in kept]


def shuffled(
    code: PatternCode, op: Operation, movement: Movement, values: Registers, element: Type
) -> Registers:
    """A tile of which every warp has what it wants."""
    made = movement.in_warps
    assert made is not None, "every warp has what it wants"
    return exchanged_in_warps(code, made, values, element)


def elements_at(
    code: PatternCode,
    op: Operation,
    held: Distribution,
    values: Registers,
    element: Type,
    numbers: Sequence[tuple[Value, int]],
) -> Registers:
    """The elements of a tile with some numbers, whoever holds them: each is a value and a known distance behind it."""
    count = number_of(held)
    if pieces_of(op, count, element) > 1:
        return Rounds.of(code, op, count, element).elements(held, values, numbers)
    base = shared(code, op, held, values, element)
    return [read_element(code, base, number, offset, element) for number, offset in numbers]


def each_piece(
    code: PatternCode, op: Operation, held: Distribution, values: Registers, element: Type
) -> Iterator[tuple[Value, range]]:
    """A tile in shared memory, piece by piece: where a piece begins, and the numbers of its elements."""
    count = number_of(held)
    if pieces_of(op, count, element) == 1:
        yield shared(code, op, held, values, element), range(count)
        return
    rounds = Rounds.of(code, op, count, element)
    for number in rounds.each(held, values):
        yield rounds.base, range(number * rounds.piece, (number + 1) * rounds.piece)


def pieces_of(op: Operation, count: int, element: Type) -> int:
    """In how many pieces shared memory holds so many elements: a power of two."""
    pieces = 1
    while count // pieces * size_of(element) > shared_memory(op):
        pieces *= 2
    return pieces


def exchanged(
    code: PatternCode, op: Operation, movement: Movement, values: Registers, element: Type
) -> Registers:
    """A tile in other threads through shared memory.

    Elements lie there such that neither side has bank conflicts, where the movement is linear.
    """
    count = number_of(movement.held)
    if pieces_of(op, count, element) > 1:
        return Rounds.of(code, op, count, element).result(movement, values)
    made = through_memory(movement)
    base = scratch(code, op, count * size_of(element))
    meet(code)
    write_placed(code, base, made.place, movement.held, values, element)
    meet(code)
    if made.rows is not None:
        return read_matrices(code, base, made.rows, made.load, element)
    return read_placed(code, base, made.place, made.load, element)


TRANSFERS: Mapping[Transfer, Callable[[PatternCode, Operation, Movement, Registers, Type], Registers]] = {
    Transfer.REGISTERS: renamed,
    Transfer.SHUFFLES: shuffled,
    Transfer.SHARED: exchanged,
}
"""What makes the code of each way."""


def through_memory(movement: Movement) -> Exchange:
    """The exchange of all elements at once that `exchanged` makes."""
    return Exchange.of(movement.held, movement.wanted, 8 * movement.size)


def exchange_of(op: ViewOp | ConvertLayoutOp) -> Exchange | None:
    """The exchange through shared memory that an operation becomes; None for another way, or if memory holds only a part."""
    movement = movement_of(op)
    if movement is None or (_transfer_of(op) or movement.transfer) is not Transfer.SHARED:
        return None
    is_whole = pieces_of(op, number_of(movement.held), element_of(op.source.type)) == 1
    return through_memory(movement) if is_whole else None


@dataclass(frozen=True)
class Rounds:
    """An exchange in several rounds, for tiles of more elements than shared memory holds.

    In each round it holds as many neighbouring elements as a piece has, a power of two.  The bits of an element's number
    above those say which piece it is in; some of them come from the number of the thread, the others are known for each
    register.
    """

    code: PatternCode
    base: Value
    piece: int
    pieces: int
    element: Type

    @classmethod
    def of(cls, code: PatternCode, op: Operation, count: int, element: Type) -> Rounds:
        """Rounds for so many elements, with as much shared memory as there is."""
        pieces = pieces_of(op, count, element)
        base = scratch(code, op, count // pieces * size_of(element))
        return cls(code, base, count // pieces, pieces, element)

    def each(self, source: Distribution, values: Registers) -> Iterator[int]:
        """The numbers of the rounds; in each of them that piece of a tile is in memory, for all threads."""
        here = self.code.offset(source.threads, self.code.thread())
        for number in range(self.pieces):
            meet(self.code)
            self._write(source, values, here, number)
            meet(self.code)
            yield number

    def result(self, movement: Movement, values: Registers) -> Registers:
        """The registers that are wanted, each filled in the round in which its element is there."""
        wanted = movement.wanted
        here = self.code.offset(wanted.threads, self.code.thread())
        found = dict[int, Value]()
        for number in self.each(movement.held, values):
            found |= self._read(wanted.offsets, here, number, found)
        return [found[register] for register in range(len(wanted.offsets))]

    def elements(
        self, source: Distribution, values: Registers, numbers: Sequence[tuple[Value, int]]
    ) -> Registers:
        """The elements with some numbers.  A thread reads in every round, and keeps what it wanted."""
        code = self.code
        wanted = [code.plus(number, offset) for number, offset in numbers]
        places = [code(llvm.AndOp, number, code.integer(self.piece - 1, i32)) for number in wanted]
        found: list[Value] = []
        for number in self.each(source, values):
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
        alone = is_first_holder(code, source.threads)
        for wanted, registers in self._groups(source.offsets, number).items():
            place = self._place(here)

            def write(registers: Sequence[int] = registers, place: Value = place) -> Sequence[Value]:
                for register in registers:
                    offset = source.offsets[register] % self.piece
                    code.write(values[register], code.pointer(place, offset, stored), self.element)
                return []

            guarded(code, both(code, self._is(here, wanted), alone), [], write)

    def _read(
        self, places: Sequence[int], here: Value, number: int, before: Mapping[int, Value]
    ) -> dict[int, Value]:
        """What the registers hold after a round, of those whose element may have been there."""
        code, stored, type = self.code, stored_type(self.element), held_type(self.element)
        found = dict[int, Value]()
        for wanted, registers in self._groups(places, number).items():
            place = self._place(here)

            def read(registers: Sequence[int] = registers, place: Value = place) -> Sequence[Value]:
                at = [code.pointer(place, places[register] % self.piece, stored) for register in registers]
                return [code.read(one, self.element) for one in at]

            kept = [before[register] if register in before else code.zero(type) for register in registers]
            made = guarded(code, self._is(here, wanted), [type] * len(registers), read, kept)
            found |= dict(zip(registers, made, strict=True))
        return found

    def _groups(self, offsets: Sequence[int], number: int) -> dict[int, list[int]]:
        """The registers that may have an element of a piece, by what the bits of the thread must be then."""
        found: dict[int, list[int]] = {}
        for register, offset in enumerate(offsets):
            if not offset // self.piece & ~number:
                found.setdefault(number ^ offset // self.piece, []).append(register)
        return found

    def _is(self, here: Value, wanted: int) -> Value:
        """Whether the number of the thread's first element has such bits."""
        code = self.code
        bits = code(llvm.LShrOp, here, code.integer(self.piece.bit_length() - 1, i32))
        return code.compare_integers("eq", bits, code.integer(wanted, i32))

    def _place(self, here: Value) -> Value:
        code = self.code
        low = code(llvm.AndOp, here, code.integer(self.piece - 1, i32))
        return code.pointer(self.base, code.index(low), stored_type(self.element))


def movement_of(op: ViewOp | ConvertLayoutOp) -> Movement | None:
    """How elements go from threads to threads; None for a view of memory, or of a tile that is in no registers."""
    return conversion_of(op) if isinstance(op, ConvertLayoutOp) else view_of(op)


class Moved(TilePattern[Any]):
    """Elements in another shape, or elsewhere: by the way that `nv-tileas-materialise-conversions` has chosen for a conversion."""

    def lower(
        self, op: ViewOp | ConvertLayoutOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers] | NoMatch:
        movement, transfer = movement_of(op), _transfer_of(op)
        if movement is None:
            return NoMatch("it is a view of memory, or of a tile that is in no registers")
        if isinstance(op, ConvertLayoutOp) and transfer is None:
            return NoMatch("how elements get to their threads is not decided")
        return [moved(code, op, movement, at.source, element_of(op.source.type), transfer)]


def _transfer_of(op: ViewOp | ConvertLayoutOp) -> Transfer | None:
    """The way that was chosen; None for views, which take the cheapest one."""
    return op.transfer if isinstance(op, ConvertLayoutOp) else None


class ExpandDims(TilePattern[ExpandDimsOp]):
    """The elements keep their numbers."""

    def lower(self, op: ExpandDimsOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [at.source]


def populate_exchanges(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(Moved(converter, root=ViewOp), Moved(converter, root=ConvertLayoutOp), ExpandDims(converter))

"""Elements that go from one thread to another, through shared memory.

All threads write their elements to the place of their number, meet, and read those that they need.  They also meet before
they write, because others may still read what was exchanged before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.dialects.cutlass.ops import ArriveAndWaitOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileas.attributes import row_major, view_strides
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ExpandDimsOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.builtin_types import RankedTensorType, i8, i32
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.address_spaces import AddressSpace
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileas.distribution import Distribution, bits_of, distribution_of
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
    source: Distribution,
    values: Registers,
    target: Distribution,
    moves: Layout,
    element: Type,
) -> Registers:
    """A tile in another distribution, by the shortest way: where threads have what they need, registers are renamed.

    ``moves`` leads from the numbers of its new elements to those of the old ones.
    """
    kept = kept_registers(source, target, moves)
    if kept is not None:
        return [values[register] for register in kept]
    return exchanged(code, op, source, values, target, moves, element)


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
    code: PatternCode,
    op: Operation,
    source: Distribution,
    values: Registers,
    target: Distribution,
    moves: Layout,
    element: Type,
) -> Registers:
    """A tile in another distribution: ``moves`` leads from the numbers of its new elements to those of the old ones.

    Elements lie in shared memory such that neither side has bank conflicts, where the movement is linear.
    """
    count = number_of(source)
    if pieces_of(op, count, element) > 1:
        return Rounds.of(code, op, count, element).result(source, values, target, moves)
    made = through_memory(source, target, moves, element)
    base = scratch(code, op, count * size_of(element))
    meet(code)
    write_placed(code, base, made.place, source, values, element)
    meet(code)
    if made.rows is not None:
        return read_matrices(code, base, made.rows, made.load, element)
    return read_placed(code, base, made.place, made.load, element)


def through_memory(source: Distribution, target: Distribution, moves: Layout, element: Type) -> Exchange:
    """The exchange of all elements at once that `exchanged` makes."""
    wanted = Distribution(through(moves, target.threads), through(moves, target.registers))
    return Exchange.of(source, wanted, 8 * size_of(element))


def exchange_of(op: ViewOp | ConvertLayoutOp) -> Exchange | None:
    """The exchange that an operation becomes; None where threads have what they need, or memory holds only a part."""
    found = _movement(op)
    if found is None or kept_registers(*found) is not None:
        return None
    source, target, moves = found
    element = element_of(op.source.type)
    is_whole = pieces_of(op, number_of(source), element) == 1
    return through_memory(source, target, moves, element) if is_whole else None


def _movement(op: ViewOp | ConvertLayoutOp) -> tuple[Distribution, Distribution, Layout] | None:
    """How a tile is spread before and after, and from the numbers of new elements to those of old ones; None without tiles."""
    source, target = op.source.type, op.result.type
    held, wanted = distribution_of(source), distribution_of(target)
    if held is None or wanted is None or not isinstance(target, RankedTensorType):
        return None
    if isinstance(op, ConvertLayoutOp):
        return held, wanted, Layout(number_of(held), 1)
    strides = view_strides(op.layout) if op.layout is not None else row_major(target.shape)
    return held, wanted, moves_of(target.shape, strides)


def through(moves: Layout, layout: Layout) -> Layout:
    """Where a layout of powers of two leads if it is followed by another one, bit by bit."""
    return Layout.flat([(2, moves(stride)) for stride in bits_of(layout)])


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

    def result(
        self, source: Distribution, values: Registers, target: Distribution, moves: Layout
    ) -> Registers:
        """The registers of the target, each filled in the round in which its element is there."""
        code = self.code
        to_here = code.offset(moves, code.offset(target.threads, code.thread()))
        places = [moves(offset) for offset in target.offsets]
        found = dict[int, Value]()
        for number in self.each(source, values):
            found |= self._read(places, to_here, number, found)
        return [found[register] for register in range(len(places))]

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
        return _moved(op, at.source, code)


class ConvertLayout(TilePattern[ConvertLayoutOp]):
    """The same tile with its elements elsewhere: where threads have what they need, registers are renamed."""

    def lower(self, op: ConvertLayoutOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        return _moved(op, at.source, code)


def _moved(
    op: ViewOp | ConvertLayoutOp, values: Registers, code: PatternCode
) -> Sequence[Registers] | NoMatch:
    found = _movement(op)
    if found is None:
        return NoMatch("it is a view of memory, or of a tile that is in no registers")
    held, wanted, moves = found
    return [moved(code, op, held, values, wanted, moves, element_of(op.source.type))]


class ExpandDims(TilePattern[ExpandDimsOp]):
    """The elements keep their numbers."""

    def lower(self, op: ExpandDimsOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [at.source]


def populate_exchanges(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(View(converter), ConvertLayout(converter), ExpandDims(converter))

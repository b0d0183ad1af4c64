"""Loads and stores of elements through pointers, those without an order (`atomics` has the others).

Each thread moves the elements that it holds; of elements that several threads hold, the first of them stores.  Elements that
a mask leaves out are not accessed: copies have a predicate, and other accesses stand in a branch.  Threads of a block see each
other's stores behind a barrier, which stands behind every access that another one waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from tilewright.dialects.gpu.ops_thread import BarrierOp
from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.ops.arithmetic import AndOp
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp
from tilewright.dialects.scf.ops_loop import IfOp, YieldOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import Distribution, distribution_of
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.atomics import Order
from tilewright.targets.elements.types import element_of, size_of
from tilewright.targets.nvptx.body.code import PatternCode, held_type
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern
from tilewright.targets.nvptx.body.program import TOKEN
from tilewright.targets.nvptx.body.vectors import IN_PLACE, beginnings, together

_Access = TypeVar("_Access", LoadOp, StoreOp, AtomicRmwOp)
Read = Callable[[Value, Value | None, Sequence[Value]], Sequence[Value]]
"""Reads neighbours from an address on, under a condition; the last are the answers where that does not hold."""
Write = Callable[[Value, Sequence[Value], Value | None], None]
"""Writes neighbours from an address on, under a condition."""
Groups = Sequence[Sequence[int]]
"""The numbers of registers, those together that one access moves."""
MAXIMUM_THREADS = 1024
"""Of a block."""
EVERYWHERE = Distribution(Layout(MAXIMUM_THREADS, 0), Layout(1, 0))
"""Where scalars are: with every thread."""


def is_first_holder(code: PatternCode, layout: Layout) -> Value | None:
    """Whether this thread is the first of those that hold its elements; None if it is the only one."""
    same, shift = 0, 0
    for extent, stride in layout.leaves:
        same |= 0 if stride else extent - 1 << shift
        shift += extent.bit_length() - 1
    if not same:
        return None
    bits = code(AndOp, code.thread(), code.integer(same, i32))
    return code.compare_integers("eq", bits, code.integer(0, i32))


def guarded(
    code: PatternCode,
    condition: Value | None,
    types: Sequence[Type],
    body: Callable[[], Sequence[Value]],
    otherwise: Sequence[Value] = (),
) -> Sequence[Value]:
    """What code answers that runs under a condition; None is always."""
    if condition is None:
        return body()
    blocks = [Block(), *([Block()] if types else [])]
    regions = [Region([block]) for block in blocks] + [Region()] * (2 - len(blocks))
    made = IfOp(
        condition, thenRegion=regions[0], elseRegion=regions[1], result_types=types, location=code.location
    )
    code.rewriter.insert(
        made
    )  # before what is in it, which is converted in the order in which it is inserted
    for block, values in zip(blocks, (body, lambda: otherwise), strict=False):
        with code.rewriter.at(InsertionPoint(block)):
            code.rewriter.insert(YieldOp(tuple(values()), location=code.location))
    return made.results


def order(code: PatternCode) -> None:
    """All threads of the block wait for each other: what they did to memory comes before what they do next."""
    code.effect(BarrierOp)


def settle(code: PatternCode, token: Value | None) -> Sequence[Registers]:
    """The token of an access; if anything waits for it, all threads of the block meet behind the access."""
    if token is None:
        return []
    if token.has_uses:
        order(code)
    return [[code.integer(TOKEN, i32)]]


def groups_of(op: Operation, type: Type, neighbours: Mapping[Operation, int], most: int) -> Groups:
    """The registers of a tile in groups of neighbours, each of which one copy of an access moves: no more than ``most``."""
    held = distribution_of(type)
    if held is None:
        return [[0]]
    count = min(together(held, IN_PLACE, size_of(element_of(type))), neighbours.get(op, 1), most)
    numbers = {offset: number for number, offset in enumerate(held.offsets)}
    return [[numbers[begin + at] for at in range(count)] for begin in beginnings(held.offsets, count)]


class Copying(TilePattern[_Access]):
    """A pattern that knows how many neighbours each access may move at once."""

    def __init__(self, converter: LLVMTypeConverter, neighbours: Mapping[Operation, int]) -> None:
        super().__init__(converter)
        self.neighbours = neighbours

    def groups(self, op: _Access, type: Type, most: int = MAXIMUM_THREADS) -> Groups:
        """The groups of neighbours of one access (`groups_of`)."""
        return groups_of(op, type, self.neighbours, most)


INDICES = "the access has indices into a memory object"


def obstacle(op: LoadOp | StoreOp, *, ordered: bool) -> NoMatch | None:
    """Why an access is none to elements of one copy by their addresses, with an order or without."""
    if op.indices:
        return NoMatch(INDICES)
    if op.multicast:
        return NoMatch("several devices hold copies")
    if ordered == (op.mem_semantic is MemSemantic.WEAK):
        return NoMatch("the access has no order" if ordered else "the access has an order")
    return None


def wanted_registers(
    module: Operation, neighbours: Mapping[Operation, int]
) -> Mapping[Operation, frozenset[int]]:
    """The registers of places and masks that accesses look at, where nothing else looks at these tiles."""
    found: dict[Operation, frozenset[int]] = {}
    for op in module.walk():
        if isinstance(op, GenerateOp):
            looks = [_looked_at(user, value, neighbours) for value in op.results for user in value.uses]
            known = [look for look in looks if look is not None]
            if len(known) == len(looks):
                found[op] = frozenset[int]().union(*known)
    return found


def _looked_at(user: Operation, value: Value, neighbours: Mapping[Operation, int]) -> Iterable[int] | None:
    """The registers of a tile that an access by copies looks at; None if it may be all."""
    if not isinstance(user, LoadOp | StoreOp) or obstacle(user, ordered=False) is not None:
        return None
    moved = user.result if isinstance(user, LoadOp) else user.value
    if value is moved or (isinstance(user, LoadOp) and value is user.other):
        return None
    if distribution_of(moved.type) is None:
        return None
    last = isinstance(user, StoreOp) and user.mask is value
    groups = groups_of(user, moved.type, neighbours, MAXIMUM_THREADS)
    return {group[-1 if last else 0] for group in groups}


class Load(Copying[LoadOp]):
    """One load for each register, or for several neighbours."""

    def lower(self, op: LoadOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=False)
        if reason is not None:
            return reason
        read = partial(read_copied, code, element_of(op.result.type))
        loaded = loaded_elements(code, op, at, read, self.groups(op, op.result.type))
        return [self.scalars(code, loaded, op.result.type), *settle(code, op.done)]


def loaded_elements(
    code: PatternCode,
    op: LoadOp,
    at: Adaptor,
    read: Read,
    groups: Groups,
    alone: Value | None = None,
) -> Registers:
    """The elements that this thread holds; where it is not ``alone`` to load them, they are not read.

    The first of some neighbours says whether they exist: where their number is only promised to be a multiple of theirs, a
    load reads what lies in the page behind an array, and none of those that exist is lost.
    """
    type = held_type(element_of(op.result.type))
    masks = at.mask or [None] * len(at.base)
    others = [code.in_form(value, type) for value in at.other or ()] or [code.zero(type)] * len(at.base)
    loaded: dict[int, Value] = {}
    for group in groups:
        first = group[0]
        missing = [others[number] for number in group]
        values = read(at.base[first], both(code, masks[first], alone), missing)
        loaded.update(zip(group, values, strict=True))
    return [loaded[number] for number in range(len(at.base))]


def read_copied(
    code: PatternCode, element: Type, place: Value, condition: Value | None, missing: Sequence[Value]
) -> Sequence[Value]:
    """Neighbouring elements by a copy, which has the condition for a predicate."""
    count = len(missing)
    others = missing if condition is not None else ()
    return code.read_all(place, element, count, count * size_of(element), condition, others)


def reading(code: PatternCode, read: Callable[[Value, int], Sequence[Value]]) -> Read:
    """Code that reads so many neighbours from an address on, in a branch if there is a condition."""

    def read_there(place: Value, condition: Value | None, missing: Sequence[Value]) -> Sequence[Value]:
        types = [value.type for value in missing]
        return guarded(code, condition, types, lambda: read(place, len(missing)), missing)

    return read_there


class Store(Copying[StoreOp]):
    """One store for each register, or for several neighbours."""

    def lower(self, op: StoreOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=False)
        if reason is not None:
            return reason
        write = partial(write_copied, code, element_of(op.value.type))
        store_elements(code, op, at, write, self.groups(op, op.value.type))
        return settle(code, op.done)


def store_elements(
    code: PatternCode, op: StoreOp | AtomicRmwOp, at: Adaptor, write: Write, groups: Groups
) -> None:
    """Store the elements for which this thread answers.

    The last of some neighbours says whether they exist: where their number is only promised to be a multiple of theirs,
    nothing is written behind an array.
    """
    element = element_of(op.value.type)
    alone = alone_on(code, op.value.type)
    masks = at.mask or [None] * len(at.base)
    for group in groups:
        values = [code.in_form(at.value[number], held_type(element)) for number in group]
        write(at.base[group[0]], values, both(code, masks[group[-1]], alone))


def write_copied(
    code: PatternCode, element: Type, place: Value, values: Sequence[Value], condition: Value | None
) -> None:
    """Write neighbouring elements by a copy, which has the condition for a predicate."""
    code.write_all(values, place, element, len(values) * size_of(element), condition)


def writing(code: PatternCode, write: Callable[[Value, Sequence[Value]], None]) -> Write:
    """Code that writes neighbours from an address on, in a branch if there is a condition."""

    def write_there(place: Value, values: Sequence[Value], condition: Value | None) -> None:
        def body() -> Sequence[Value]:
            write(place, values)
            return []

        guarded(code, condition, [], body)

    return write_there


def holders(type: Type) -> Distribution:
    """Which threads hold the elements of a type; all of them hold a scalar."""
    return distribution_of(type) or EVERYWHERE


def singly(at: Adaptor) -> Groups:
    """Each register of an access by itself."""
    return [[number] for number in range(len(at.base))]


def is_plain(order: Order) -> bool:
    """Whether an access is a mere copy, which nothing orders."""
    return order.ordering is AtomicOrdering.NOT_ATOMIC


def alone_on(code: PatternCode, type: Type) -> Value | None:
    """Whether this thread answers for its elements, as the first of those that hold them; None if it is the only one."""
    return is_first_holder(code, holders(type).threads)


def both(code: PatternCode, first: Value | None, second: Value | None) -> Value | None:
    """The conjunction of two conditions, of which None always holds."""
    found = [condition for condition in (first, second) if condition is not None]
    return code.both(found) if found else None


def populate_accesses(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, neighbours: Mapping[Operation, int]
) -> None:
    """The patterns of this file; ``neighbours`` says how many elements an access may move at once."""
    patterns.add(Load(converter, neighbours), Store(converter, neighbours))

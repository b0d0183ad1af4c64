"""Loads and stores of elements through pointers, those without an order (`atomics` has the others).

Each thread moves the elements that it holds; of elements that several threads hold, the first of them stores.  Threads of a
block see each other's stores behind a barrier, which stands behind every access that another one waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from tilewright.dialects.gpu.ops_thread import BarrierOp
from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.ops.arithmetic import AndOp
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
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
Groups = Sequence[Sequence[int]]
"""The numbers of registers, those together that one access moves."""
WEAK = Order(AtomicOrdering.NOT_ATOMIC)
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


class Copying(TilePattern[_Access]):
    """A pattern that knows how many neighbours each access may move at once."""

    def __init__(self, converter: LLVMTypeConverter, neighbours: Mapping[Operation, int]) -> None:
        super().__init__(converter)
        self.neighbours = neighbours

    def groups(self, op: _Access, type: Type, most: int = MAXIMUM_THREADS) -> Groups:
        """The registers of an access in groups, each of which one copy moves: no more than ``most``."""
        held = distribution_of(type)
        if held is None:
            return [[0]]
        count = min(together(held, IN_PLACE, size_of(element_of(type))), self.neighbours.get(op, 1), most)
        numbers = {offset: number for number, offset in enumerate(held.offsets)}
        return [[numbers[begin + at] for at in range(count)] for begin in beginnings(held.offsets, count)]


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


class Load(Copying[LoadOp]):
    """One load for each register, or for several neighbours."""

    def lower(self, op: LoadOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=False)
        if reason is not None:
            return reason
        read = partial(read_elements, code, element_of(op.result.type), WEAK)
        loaded = loaded_elements(code, op, at, read, self.groups(op, op.result.type))
        return [self.scalars(code, loaded, op.result.type), *settle(code, op.done)]


def loaded_elements(
    code: PatternCode,
    op: LoadOp,
    at: Adaptor,
    read: Callable[[Value, int], Sequence[Value]],
    groups: Groups,
    alone: Value | None = None,
) -> Registers:
    """The elements that this thread holds; where it is not ``alone`` to load them, they are not read.

    ``read`` answers so many neighbours from an address on.
    """
    element = element_of(op.result.type)
    type = held_type(element)
    masks = at.mask or [None] * len(at.base)
    others = [code.in_form(value, type) for value in at.other or ()] or [code.zero(type)] * len(at.base)
    loaded: dict[int, Value] = {}
    for group in groups:
        first = group[0]
        values = guarded(
            code,
            both(code, masks[first], alone),
            [type] * len(group),
            partial(read, at.base[first], len(group)),
            [others[number] for number in group],
        )
        loaded.update(zip(group, values, strict=True))
    return [loaded[number] for number in range(len(at.base))]


def read_elements(
    code: PatternCode, element: Type, order: Order, place: Value, count: int
) -> Sequence[Value]:
    """Neighbouring elements by a copy, or an element by an access with an order."""
    if is_plain(order):
        return code.read_all(place, element, count, count * size_of(element))
    return [code.read_in_order(place, element, order)]


class Store(Copying[StoreOp]):
    """One store for each register, or for several neighbours."""

    def lower(self, op: StoreOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=False)
        if reason is not None:
            return reason
        write = partial(write_elements, code, element_of(op.value.type), WEAK)
        store_elements(code, op, at, write, self.groups(op, op.value.type))
        return settle(code, op.done)


def store_elements(
    code: PatternCode,
    op: StoreOp | AtomicRmwOp,
    at: Adaptor,
    write: Callable[[Value, Sequence[Value]], None],
    groups: Groups,
) -> None:
    """Store the elements for which this thread answers; ``write`` puts neighbours to an address."""
    element = element_of(op.value.type)
    alone = alone_on(code, op.value.type)
    masks = at.mask or [None] * len(at.base)
    for group in groups:
        first = group[0]
        values = [code.in_form(at.value[number], held_type(element)) for number in group]

        def make(place: Value = at.base[first], values: Sequence[Value] = values) -> Sequence[Value]:
            write(place, values)
            return []

        guarded(code, both(code, masks[first], alone), [], make)


def write_elements(
    code: PatternCode, element: Type, order: Order, place: Value, values: Sequence[Value]
) -> None:
    """Write neighbouring elements by a copy, or an element by an access with an order."""
    if is_plain(order):
        code.write_all(values, place, element, len(values) * size_of(element))
    else:
        code.write_in_order(values[0], place, element, order)


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

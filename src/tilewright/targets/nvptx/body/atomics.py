"""Accesses that other threads may see happen: atomic updates, and loads and stores with an order.

An element is accessed once, by the first thread that holds it, and the others get the result from there: all of them
see the same, so that a block does not fall apart where it waits for another one.

A tile of code is one thread to the program.  So a releasing access is made when all threads of the block have met: what each
of them did before comes before it.  Behind an acquiring access they meet again: what it lets the first thread see, the
others see, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AtomicCasOp, AtomicRmwOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.conversions.movements import Movement
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import atomics as rules
from tilewright.targets.elements.atomics import Place
from tilewright.targets.elements.types import element_of, size_of
from tilewright.targets.nvptx.body.accesses import (
    INDICES,
    alone_on,
    both,
    guarded,
    holders,
    loaded_elements,
    obstacle,
    order,
    reading,
    settle,
    singly,
    store_elements,
    writing,
)
from tilewright.targets.nvptx.body.code import PatternCode, held_type
from tilewright.targets.nvptx.body.exchange import exchanged
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern
from tilewright.targets.nvptx.instructions import NATIVE

Access = LoadOp | AtomicRmwOp | AtomicCasOp
"""Accesses with a result that depends on what other threads do."""


def gather_before(code: PatternCode, semantic: MemSemantic) -> None:
    """Let what the threads of the block did before come before a releasing access."""
    if semantic in rules.RELEASES:
        order(code)


def spread_behind(code: PatternCode, op: Access, values: Registers) -> Registers:
    """What the first holder of each element found, for all that hold it; an acquiring access lets all of them go on."""
    type = op.result.type
    held = holders(type)
    if op.mem_semantic in rules.ACQUIRES:
        order(code)
    if op.result.has_uses and alone_on(code, type) is not None:
        element = element_of(type)
        return exchanged(code, op, Movement(held, held, size_of(element)), values, element)
    return values


class OrderedLoad(TilePattern[LoadOp]):
    """The loads of all elements, and a fence behind them if they acquire."""

    def lower(self, op: LoadOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=True)
        if reason is not None:
            return reason
        order = rules.order_of_element(op.mem_semantic, op.mem_scope, NATIVE)
        element = element_of(op.result.type)
        read = reading(code, lambda place, _: [code.read_in_order(place, element, order)])
        loaded = loaded_elements(code, op, at, read, singly(at), alone_on(code, op.result.type))
        if op.mem_semantic in rules.ACQUIRES:
            rules.fence(code, AtomicOrdering.ACQUIRE, order.scope)
        found = spread_behind(code, op, loaded)
        return [self.scalars(code, found, op.result.type), *settle(code, op.done)]


class OrderedStore(TilePattern[StoreOp]):
    """A fence if they release, and the stores of all elements."""

    def lower(self, op: StoreOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = obstacle(op, ordered=True)
        if reason is not None:
            return reason
        order = rules.order_of_element(op.mem_semantic, op.mem_scope, NATIVE)
        gather_before(code, op.mem_semantic)
        if op.mem_semantic in rules.RELEASES:
            rules.fence(code, AtomicOrdering.RELEASE, order.scope)
        element = element_of(op.value.type)
        write = writing(code, lambda place, values: code.write_in_order(values[0], place, element, order))
        store_elements(code, op, at, write, singly(at))
        return settle(code, op.done)


class Update(TilePattern[AtomicRmwOp]):
    """One update for each element; masked-off elements answer zero."""

    def lower(self, op: AtomicRmwOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices or op.multicast:
            return NoMatch(INDICES if op.indices else "several devices hold copies")
        element = element_of(op.value.type)
        order = rules.order_of_update(op.mem_semantic, op.mem_scope, NATIVE)
        changes = [
            partial(
                rules.combined,
                code,
                op.rmw_mode,
                Place(place, element, order),
                code.in_form(value, held_type(element)),
                NATIVE,
            )
            for place, value in zip(at.base, at.value, strict=True)
        ]
        zero = code.zero(held_type(element))
        found = made_once(code, op, at.mask, changes, [zero] * len(changes))
        return [self.scalars(code, found, op.result.type), *settle(code, op.done)]


class CompareAndSwap(TilePattern[AtomicCasOp]):
    """One exchange for each element, whose bits are compared; masked-off elements answer what was expected."""

    def lower(self, op: AtomicCasOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices:
            return NoMatch(INDICES)
        element = element_of(op.compare.type)
        order = rules.order_of_update(op.mem_semantic, op.mem_scope, NATIVE)
        expected, new = (
            [code.in_form(value, held_type(element)) for value in values]
            for values in (at.compare, at.replacement)
        )
        changes = [
            partial(
                rules.swapped,
                code,
                Place(place, element, order),
                *(rules.to_bits(code, value, element) for value in pair),
            )
            for place, *pair in zip(at.base, expected, new, strict=True)
        ]
        found = made_once(code, op, at.mask, changes, expected)
        return [self.scalars(code, found, op.result.type), *settle(code, op.done)]


def made_once(
    code: PatternCode,
    op: AtomicRmwOp | AtomicCasOp,
    mask: Sequence[Value] | None,
    changes: Sequence[Callable[[], Value]],
    missing: Registers,
) -> Registers:
    """What updates answer that the first holder of each element makes; ``missing`` stands for elements that are masked off."""
    gather_before(code, op.mem_semantic)
    alone = alone_on(code, op.result.type)
    type = held_type(element_of(op.result.type))
    found = [
        guarded(code, both(code, taken, alone), [type], lambda change=change: [change()], [other])[0]
        for taken, change, other in zip(mask or [None] * len(changes), changes, missing, strict=True)
    ]
    return spread_behind(code, op, found)


def populate_atomics(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(*(pattern(converter) for pattern in (OrderedLoad, OrderedStore, Update, CompareAndSwap)))

"""Accesses with an order: atomic updates, and ordered loads and stores.

The first thread that holds an element accesses it once, and the other holders get the result from that
thread. All holders see the same result, so that a block does not diverge where it waits for another block.

A tile block is one thread of the program. A releasing access therefore follows a barrier: the accesses of all
threads of the block happen before it. A barrier also follows an acquiring access: the writes that it makes
visible to the first thread become visible to the other threads.
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
from tilewright.lowering.tileas.conversions.movements import ElementMovement
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import atomics as rules
from tilewright.targets.elements.element_types import element_of, size_of
from tilewright.targets.nvptx.instructions import NATIVE
from tilewright.targets.nvptx.tileas_to_nvvm import accesses, exchange
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import emit_barrier
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern

Access = LoadOp | AtomicRmwOp | AtomicCasOp
"""Accesses with a result that depends on other threads."""


def barrier_before_release(code: PatternCode, semantic: MemSemantic) -> None:
    """Emit a barrier of the block if `semantic` releases, so that earlier accesses of all threads of the
    block happen before the access; nothing otherwise.
    """
    if semantic in rules.RELEASES:
        emit_barrier(code)


def broadcast_result(code: PatternCode, op: Access, values: Registers) -> Registers:
    """Return the registers of the result of `op` in all holders, from `values`, which only the first holder
    of each element has. A barrier follows an acquiring access. Nothing moves if the result has no uses, or
    each thread is the only holder of its elements.
    """
    type = op.result.type
    held = accesses.holders(type)
    if op.mem_semantic in rules.ACQUIRES:
        emit_barrier(code)
    if op.result.has_uses and accesses.first_holders(code, type) is not None:
        element = element_of(type)
        return exchange.exchanged(code, op, ElementMovement(held, held, size_of(element)), values, element)
    return values


class OrderedLoadLowering(ThreadPattern[LoadOp]):
    """Lower loads with a memory order: one load for each element, each by one of the threads that hold it,
    then a fence if they acquire. Weak loads, and loads with indices or from several devices, do not match.
    """

    def lower(self, op: LoadOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = accesses.obstacle(op, ordered=True)
        if reason is not None:
            return reason
        order = rules.order_of_element(op.mem_semantic, op.mem_scope, NATIVE)
        element = element_of(op.result.type)
        read = accesses.reading(code, lambda place, _: [code.read_in_order(place, element, order)])
        loaded = accesses.loaded_elements(
            code, op, at, read, accesses.singly(at), accesses.first_holders(code, op.result.type)
        )
        if op.mem_semantic in rules.ACQUIRES:
            rules.fence(code, AtomicOrdering.ACQUIRE, order.scope)
        found = broadcast_result(code, op, loaded)
        return [self.scalars(code, found, op.result.type), *accesses.finish_access(code, op.done)]


class OrderedStore(ThreadPattern[StoreOp]):
    """Lower stores with a memory order: a barrier and a fence if they release, then one store for each
    element. Weak stores, and stores with indices or to several devices, do not match.
    """

    def lower(self, op: StoreOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        reason = accesses.obstacle(op, ordered=True)
        if reason is not None:
            return reason
        order = rules.order_of_element(op.mem_semantic, op.mem_scope, NATIVE)
        barrier_before_release(code, op.mem_semantic)
        if op.mem_semantic in rules.RELEASES:
            rules.fence(code, AtomicOrdering.RELEASE, order.scope)
        element = element_of(op.value.type)
        write = accesses.writing(
            code, lambda place, values: code.write_in_order(values[0], place, element, order)
        )
        accesses.store_elements(code, op, at, write, accesses.singly(at))
        return accesses.finish_access(code, op.done)


class AtomicUpdateLowering(ThreadPattern[AtomicRmwOp]):
    """Lower an atomic read-modify-write: one update for each element, made once if several threads hold it.
    Masked-off elements return zero. Updates with indices or of several devices do not match.
    """

    def lower(self, op: AtomicRmwOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices or op.multicast:
            return NoMatch(accesses.INDICES if op.indices else "several devices hold copies")
        element = element_of(op.value.type)
        order = rules.order_of_update(op.mem_semantic, op.mem_scope, NATIVE)
        changes = [
            partial(
                rules.combined,
                code,
                op.rmw_mode,
                rules.AtomicLocation(place, element, order),
                code.in_form(value, held_type(element)),
                NATIVE,
            )
            for place, value in zip(at.base, at.value, strict=True)
        ]
        zero = code.zero(held_type(element))
        found = made_once(code, op, at.mask, changes, [zero] * len(changes))
        return [self.scalars(code, found, op.result.type), *accesses.finish_access(code, op.done)]


class CompareAndSwap(ThreadPattern[AtomicCasOp]):
    """Lower a compare-and-swap: one exchange for each element, made once if several threads hold it,
    comparing bits. Masked-off elements return the expected value. Operations with indices do not match.
    """

    def lower(self, op: AtomicCasOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices:
            return NoMatch(accesses.INDICES)
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
                rules.AtomicLocation(place, element, order),
                *(rules.to_bits(code, value, element) for value in pair),
            )
            for place, *pair in zip(at.base, expected, new, strict=True)
        ]
        found = made_once(code, op, at.mask, changes, expected)
        return [self.scalars(code, found, op.result.type), *accesses.finish_access(code, op.done)]


def made_once(
    code: PatternCode,
    op: AtomicRmwOp | AtomicCasOp,
    mask: Sequence[Value] | None,
    changes: Sequence[Callable[[], Value]],
    missing: Registers,
) -> Registers:
    """Return the results of atomic updates, which the first holder of each element makes, in all holders.
    `changes` emit the update of each register, `mask` has its condition (None: always), and `missing` the
    result if it is false.
    """
    barrier_before_release(code, op.mem_semantic)
    alone = accesses.first_holders(code, op.result.type)
    type = held_type(element_of(op.result.type))
    found = [
        accesses.guarded(
            code, accesses.both(code, taken, alone), [type], lambda change=change: [change()], [other]
        )[0]
        for taken, change, other in zip(mask or [None] * len(changes), changes, missing, strict=True)
    ]
    return broadcast_result(code, op, found)


def populate_atomics(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(
        *(
            pattern(converter)
            for pattern in (OrderedLoadLowering, OrderedStore, AtomicUpdateLowering, CompareAndSwap)
        )
    )

"""Accesses to the copies of several devices: one instruction for each element, pair of halves, or group of
neighbours.

Halves are moved in pairs. If the neighbour of a half is not known to be moved by the same access, the access
uses the word around the half: it reads the half with its neighbour, stores it by bitwise updates of the word,
and adds it in a pair with -0, which changes no number. Multicast addresses are mapped in pieces of many
words, so the whole word is mapped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import IntToPtrOp, PtrToIntOp
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.dialects.nvvm.ops.multimem import MultimemLdReduceOp, MultimemRedOp, MultimemStOp
from tilewright.ir import builtin_types, diagnostic
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import atomics as rules, element_types
from tilewright.targets.elements.atomics import AtomicAccessOrder
from tilewright.targets.nvptx import codes, exchanges
from tilewright.targets.nvptx.instructions import NATIVE
from tilewright.targets.nvptx.tileas_to_nvvm import accesses, atomics as tileas_to_nvvm_atomics
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers

_Access = TypeVar("_Access", LoadOp, StoreOp, AtomicRmwOp)
ONE_COPY = "there is one copy"
HALVES = (builtin_types.f16, builtin_types.bf16)
NEIGHBOURS: Mapping[Type, int] = {builtin_types.f16: 8, builtin_types.bf16: 8, builtin_types.f32: 4}
"""The maximum number of elements that an instruction moves; 1 for other types."""
WORD = 4
"""The size of a pair of halves in bytes."""
MINUS_ZERO = 0x8000
"""The bits of -0 as a half, f16 or bf16."""


@dataclass(frozen=True)
class MulticastCopies:
    """Emits accesses to the copies, on several devices, of elements of one type, with the order `order`."""

    code: PatternCode
    element: Type
    order: AtomicAccessOrder

    # --- groups of elements

    def read(self, kind: AtomicBinaryOperation, place: Value, count: int) -> list[Value]:
        """Read `count` adjacent elements at the address `place`, and return their registers; the copies of
        each element are combined by `kind`.
        """
        code = self.code
        if self._is_half(count):
            return [self._held(self._read_half(kind, place))]
        moved = self._read(kind, place, self._type(count), self.order)
        lanes = [moved]
        if count > 1:
            numbers = [code.integer(at, builtin_types.i32) for at in range(count)]
            lanes = [code(llvm_aggregate.ExtractElementOp, moved, at, type=self.element) for at in numbers]
        return [self._held(code.bits(lane)) for lane in lanes]

    def write(self, op: StoreOp, place: Value, values: Sequence[Value]) -> None:
        """Write adjacent elements at the address `place` to all copies.

        Raises:
            DiagnosticError: a single 16-bit float, half of a word, is written by an access with a memory order.
        """
        if not self._is_half(len(values)):
            self.code.effect(MultimemStOp, self._moved(values), place, **_order_attributes(self.order))
        elif accesses.is_plain(self.order):
            self._write_half(place, values[0])
        else:
            message = (
                f"{exchanges.chip_name(op)} cannot do '{op.name}' with an order, of single halves, "
                "to the copies of several devices"
            )
            hint = "assume that addresses and rows are multiples of two elements (assume div_by), or make the store weak"
            raise diagnostic.failure(codes.NO_GPU_FORM, message, op.location, hint=hint)

    def update(self, kind: AtomicBinaryOperation, place: Value, values: Sequence[Value]) -> None:
        """Combine all copies of the adjacent elements at the address `place` with `values` by `kind`."""
        if not self._is_half(len(values)):
            self._update(kind, place, self._moved(values), self.order)
            return
        code, (word, shift) = self.code, self._word(place)
        beside = code(llvm.LShrOp, code.integer(MINUS_ZERO << 16, builtin_types.i32), shift)
        pair = code(llvm.OrOp, beside, self._shifted(values[0], shift))
        self._update(kind, word, code.in_form(pair, self._type(2)), self._of_words())

    # --- single halves

    def _is_half(self, count: int) -> bool:
        return count == 1 and self.element in HALVES

    def _of_words(self) -> AtomicAccessOrder:
        """Return the order of accesses to words, which are at least relaxed: other threads of any device may
        update the other half of a word. A stronger order stays.
        """
        plain = accesses.is_plain(self.order)
        return AtomicAccessOrder(AtomicOrdering.MONOTONIC if plain else self.order.ordering)

    def _word(self, place: Value) -> tuple[Value, Value]:
        """Return the address of the word around the half at `place`, and the number of the half's lowest bit
        in the word, 0 or 16.
        """
        code = self.code
        address = code(PtrToIntOp, place, type=builtin_types.i64)
        word = code(
            IntToPtrOp, code(llvm.AndOp, address, code.integer(-WORD, builtin_types.i64)), type=place.type
        )
        odd = code.in_form(
            code(llvm.AndOp, address, code.integer(WORD - 1, builtin_types.i64)), builtin_types.i32
        )
        return word, code.times(odd, 8)

    def _shifted(self, value: Value, shift: Value) -> Value:
        bits = self.code.in_form(rules.to_bits(self.code, value, self.element), builtin_types.i32)
        return self.code(llvm.ShlOp, bits, shift)

    def _read_half(self, kind: AtomicBinaryOperation, place: Value) -> Value:
        code, (word, shift) = self.code, self._word(place)
        pair = code.in_form(self._read(kind, word, self._type(2), self._of_words()), builtin_types.i32)
        return code.in_form(code(llvm.LShrOp, pair, shift), builtin_types.i16)

    def _write_half(self, place: Value, value: Value) -> None:
        """Write the 16 bits `value` to the address `place` of multicast memory by two atomic operations on
        the word around them, AND and OR; the other half of the word is unchanged.
        """
        code, (word, shift) = self.code, self._word(place)
        own = code(llvm.ShlOp, code.integer(0xFFFF, builtin_types.i32), shift)
        kept = code(llvm.XOrOp, own, code.integer(-1, builtin_types.i32))
        self._update(AtomicBinaryOperation.AND, word, kept, self._of_words())
        self._update(AtomicBinaryOperation.OR, word, self._shifted(value, shift), self._of_words())

    # --- instructions

    def _read(self, kind: AtomicBinaryOperation, place: Value, type: Type, order: AtomicAccessOrder) -> Value:
        return self.code(MultimemLdReduceOp, kind, place, **_order_attributes(order), type=type)

    def _update(
        self, kind: AtomicBinaryOperation, place: Value, value: Value, order: AtomicAccessOrder
    ) -> None:
        self.code.effect(MultimemRedOp, kind, place, value, **_order_attributes(order))

    def _type(self, count: int) -> Type:
        return builtin_types.VectorType((count,), self.element) if count > 1 else self.element

    def _moved(self, values: Sequence[Value]) -> Value:
        """Return the elements `values` as the operand of a multicast instruction: a vector, or a scalar if
        there is only one.
        """
        code = self.code
        lanes = [code.of_bits(rules.to_bits(code, value, self.element), self.element) for value in values]
        return code.joined(lanes) if len(lanes) > 1 else lanes[0]

    def _held(self, bits: Value) -> Value:
        """Return an element in its register type from its bits."""
        return rules.from_bits(self.code, bits, self.element)


def _order_attributes(order: AtomicAccessOrder) -> dict[str, Any]:
    """Return the attributes `ordering` and `syncscope` of an access with the order `order`, by name."""
    return {"ordering": order.ordering, "syncscope": order.scope}


class CopiesPattern(accesses.Copying[_Access]):
    """The base of patterns for multimem accesses, to the copies of an array on several devices; `copied`
    divides the registers of a tile into the groups that one instruction moves.
    """

    def copied(self, op: _Access, type: Type) -> accesses.Groups:
        """Return the indices of the registers of a tile of `type` in the groups that one instruction moves."""
        return self.groups(op, type, NEIGHBOURS.get(element_types.element_of(type), 1))


class LoadCopies(CopiesPattern[LoadOp]):
    """Lowers loads that reduce the elements of all copies, and emits a fence after them if they acquire.
    Loads of one copy, and loads with indices, do not match.
    """

    def lower(self, op: LoadOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices or op.reduction is None:
            return NoMatch(accesses.INDICES if op.indices else ONE_COPY)
        element = element_types.element_of(op.result.type)
        copies = MulticastCopies(code, element, rules.order_of_element(op.mem_semantic, op.mem_scope, NATIVE))
        read = accesses.reading(
            code, partial(copies.read, rules.update_of(op.reduction, element).instruction)
        )
        groups, weak = self.copied(op, op.result.type), accesses.is_plain(copies.order)
        loaded = accesses.loaded_elements(
            code, op, at, read, groups, None if weak else accesses.first_holders(code, op.result.type)
        )
        if op.mem_semantic in rules.ACQUIRES:
            rules.fence(code, AtomicOrdering.ACQUIRE, copies.order.scope)
        found = loaded if weak else tileas_to_nvvm_atomics.broadcast_result(code, op, loaded)
        return [self.scalars(code, found, op.result.type), *accesses.finish_access(code, op.done)]


class StoreCopies(CopiesPattern[StoreOp]):
    """Lowers stores to all copies, after a fence if they release. Stores to one copy, and stores with
    indices, do not match.
    """

    def lower(self, op: StoreOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices or not op.multicast:
            return NoMatch(accesses.INDICES if op.indices else ONE_COPY)
        order = rules.order_of_element(op.mem_semantic, op.mem_scope, NATIVE)
        copies = MulticastCopies(code, element_types.element_of(op.value.type), order)
        tileas_to_nvvm_atomics.barrier_before_release(code, op.mem_semantic)
        if op.mem_semantic in rules.RELEASES:
            rules.fence(code, AtomicOrdering.RELEASE, order.scope)
        write = accesses.writing(code, partial(copies.write, op))
        accesses.store_elements(code, op, at, write, self.copied(op, op.value.type))
        return accesses.finish_access(code, op.done)


class UpdateCopies(CopiesPattern[AtomicRmwOp]):
    """Lowers atomic updates of all copies, which have no result. Updates of one copy, with indices, or whose
    result is used do not match.
    """

    def lower(self, op: AtomicRmwOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.indices or not op.multicast:
            return NoMatch(accesses.INDICES if op.indices else ONE_COPY)
        if op.result.has_uses:
            return NoMatch("several copies have no single previous value")
        element = element_types.element_of(op.value.type)
        copies = MulticastCopies(code, element, rules.order_of_update(op.mem_semantic, op.mem_scope, NATIVE))
        update = accesses.writing(
            code, partial(copies.update, rules.update_of(op.rmw_mode, element).instruction)
        )
        tileas_to_nvvm_atomics.barrier_before_release(code, op.mem_semantic)
        accesses.store_elements(code, op, at, update, self.copied(op, op.value.type))
        nothing = [code.zero(held_type(element))] * len(at.base)
        return [self.scalars(code, nothing, op.result.type), *accesses.finish_access(code, op.done)]


def populate_multimem(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, neighbours: Mapping[Operation, int]
) -> None:
    """Add the patterns of this file; ``neighbours`` has the number of elements that an access may move at
    once.
    """
    patterns.add(*(pattern(converter, neighbours) for pattern in (LoadCopies, StoreCopies, UpdateCopies)))

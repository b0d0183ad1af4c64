"""Addresses at equal distances: each is computed from the address before it.

The rows that a thread reads of a tile are apart by the same number of bytes, which a loop does not change.  To add that
distance takes as many instructions as to carry an address, but a single pair of registers for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.arithmetic import AddOp, MulOp, SubOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter
from tilewright.targets.nvptx.addresses import DYNAMIC
from tilewright.targets.nvptx.loops.counted import number

WRAPS = 1 << 64
MOST_TERMS = 16
"""The maximum number of products in a sum; a value with more products counts as unknown."""
FEWEST = 2
"""A register holds a distance only if at least this number of addresses have it."""

Product = tuple[Value, ...]
Sum = Mapping[Product, int]
"""Products of values, in the order of their first appearance, each times a number that is not 0, modulo 2**64."""


class AddressSums:
    """Writes addresses and integers of 64 bits as sums of products of values. Results are cached."""

    def __init__(self) -> None:
        self._known: dict[Value, Sum] = {}
        self._order: dict[Value, int] = {}

    def of(self, value: Value) -> Sum:
        """Return a value as a sum of products modulo 2**64; an address is counted in bytes. A value that
        cannot be divided further, or would have more than `MOST_TERMS` products, is itself the only product,
        with the factor 1.
        """
        if value not in self._known:
            self._known[value] = self._worked_out(value)
        return self._known[value]

    def _worked_out(self, value: Value) -> Sum:
        op, constant = value.owner, number(value)
        found: Sum | None = None
        if constant is not None:
            found = _clean({(): constant})
        elif isinstance(op, AddOp | SubOp) and value.type is i64:
            found = added(self.of(op.lhs), self.of(op.rhs), -1 if isinstance(op, SubOp) else 1)
        elif isinstance(op, MulOp) and value.type is i64:
            found = self._times(self.of(op.lhs), self.of(op.rhs))
        elif isinstance(op, GEPOp):
            found = self._address(op)
        return self._alone(value) if found is None or len(found) > MOST_TERMS else found

    def _alone(self, value: Value) -> Sum:
        self._order.setdefault(value, len(self._order))
        return {(value,): 1}

    def _times(self, left: Sum, right: Sum) -> Sum:
        total: Sum = {}
        for one, times in left.items():
            for other, count in right.items():
                product = tuple(sorted((*one, *other), key=self._order.__getitem__))
                total = added(total, {product: times * count})
        return total

    def _address(self, op: GEPOp) -> Sum | None:
        size = element_bytes(op)
        if size is None or not isinstance(op.res.type, LLVMPointerType):
            return None
        (constant,) = op.rawConstantIndices
        if not op.dynamicIndices:
            return added(self.of(op.base), _clean({(): constant * size}))
        (index,) = op.dynamicIndices
        return added(self.of(op.base), self.of(index), size) if index.type is i64 else None


def added(left: Sum, right: Sum, times: int = 1) -> Sum:
    """Return ``left + right * times``."""
    total = dict(left)
    for product, count in right.items():
        total[product] = total.get(product, 0) + count * times
    return _clean(total)


def _clean(sum: Mapping[Product, int]) -> Sum:
    return {product: count % WRAPS for product, count in sum.items() if count % WRAPS}


def element_bytes(op: GEPOp) -> int | None:
    """Return the size in bytes of the elements that the index of `op` counts, or None if `op` does not have
    exactly one index, or if the elements are not scalars of whole bytes.
    """
    width = getattr(op.elem_type, "width", None)
    return width // 8 if len(op.rawConstantIndices) == 1 and width and width % 8 == 0 else None


@dataclass(frozen=True)
class LinearAddress:
    """An address: its value in the first iteration of a loop that may carry it, and its step, both computed before the
    loop. An address outside of loops is its own first value, and has no step.
    """

    value: Value
    first: Value
    step: Value | None = None


@dataclass(frozen=True)
class ChainedAddress:
    """An address that is computed as the address ``before`` it plus ``distance``, in bytes."""

    before: Value
    distance: Sum


def followers(addresses: Sequence[LinearAddress]) -> dict[Value, ChainedAddress]:
    """Return the addresses that can be computed from the previous address of the same block, type and step,
    each with that address and the distance. `addresses` is in text order. An address is among them only if at
    least `FEWEST` addresses have the same distance from their previous address.
    """
    sums = AddressSums()
    pairs = dict(_pairs(addresses, sums))
    often = Counter(_key(pair.distance) for pair in pairs.values())
    return {value: pair for value, pair in pairs.items() if often[_key(pair.distance)] >= FEWEST}


def _key(sum: Sum) -> frozenset[tuple[Product, int]]:
    return frozenset(sum.items())


def _pairs(addresses: Sequence[LinearAddress], sums: AddressSums) -> Iterator[tuple[Value, ChainedAddress]]:
    """Yield each address with the previous address of the same block, type and step, if their distance is a
    sum of products of 64-bit integers only, as it is if both have the same base.
    """
    last: dict[object, LinearAddress] = {}
    for one in addresses:
        owner = one.value.owner
        assert isinstance(owner, Operation), "arguments are no linear addresses"
        step = None if one.step is None else _key(sums.of(one.step))
        alike = (owner.parent, one.value.type, step)
        before = last.get(alike)
        last[alike] = one
        if before is None:
            continue
        distance = added(sums.of(one.first), sums.of(before.first), -1)
        if all(value.type is i64 for product in distance for value in product):
            yield one.value, ChainedAddress(before.value, distance)


def emitted(emit: PointInserter, sum: Sum) -> Value:
    """Emit the computation of a sum of products in 64 bits, and return its value."""
    total: Value | None = None
    for product, count in sum.items():
        term = emit(ConstantOp, IntegerAttr(i64, count), type=i64)
        for value in product:
            term = emit(MulOp, value, term)
        total = term if total is None else emit(AddOp, total, term)
    return emit(ConstantOp, IntegerAttr(i64, 0), type=i64) if total is None else total


def follow(value: Value, before: Value, distance: Value) -> Value:
    """Replace the address `value` by ``before + distance``, in bytes, and return the new address."""
    assert isinstance(value.owner, Operation), "arguments are no linear addresses"
    emit = PointInserter.before(value.owner)
    found = emit(GEPOp, before, (DYNAMIC,), i8, (distance,), PointerWrapFlags.NONE, type=value.type)
    value.replace_all_uses_with(found)
    return found

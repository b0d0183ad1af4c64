"""The compile-time facts of a kernel's arguments, by cuTile's own rules.

Facts are hashable: equal facts share one compiled kernel.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from tilewright.cutile.errors import LaunchError
from tilewright.host import addresses, arrays as host_arrays
from tilewright.ir.support.record import Record

DIVISOR = 16
"""The largest divisor that facts record: of lengths in elements, of addresses and strides in bytes."""

MAXIMUM_SPECIALISED_RANK = 5
"""Arrays of higher rank (more axes than a tensor map has) keep all lengths and strides dynamic."""


class ArrayRule(Record, frozen=True):
    """The requirements that the annotation of an array parameter states: the bits of lengths and strides (32
    or 64), and the axes whose length (``static_shape``) or stride is a compile-time constant. An axis may be
    counted from the end: -1 is the last.
    """

    index_bits: int = 32
    static_shape: tuple[int, ...] = ()
    static_stride: tuple[int, ...] = ()


class ArrayFacts(Record, frozen=True):
    """The facts about one array. Every tuple has one item per axis. ``address_divisor`` is in bytes, the
    other divisors are in elements; 1 means that nothing is known. A constant is None if the length or stride
    is known only at run time.
    """

    element: addresses.ArrayElement
    rank: int
    index_bits: int
    address_divisor: int
    may_alias_internally: bool
    length_constants: tuple[int | None, ...]
    length_divisors: tuple[int, ...]
    stride_constants: tuple[int | None, ...]
    stride_divisors: tuple[int, ...]


class ListFacts(Record, frozen=True):
    """The facts that hold for every array of a list."""

    item: ArrayFacts


class ScalarFacts(Record, frozen=True):
    """A run-time scalar; ``type`` is a cuTile dtype name (bool_, int32, int64, float32)."""

    type: str


class ConstantFacts(Record, frozen=True):
    """A compile-time value; ``key`` distinguishes 1, True, 1.0 and -0.0, and makes a NaN equal to itself."""

    key: tuple[str, object]

    @property
    def value(self) -> object:
        """Return the constant in its original type."""
        kind, value = self.key
        return struct.unpack("<d", value)[0] if kind == "float" and isinstance(value, bytes) else value


class TupleFacts(Record, frozen=True):
    """The facts about the items of a tuple argument."""

    items: tuple[Facts, ...]


class DataclassFacts(Record, frozen=True):
    """The facts about a dataclass instance: its fields in declaration order."""

    type: type
    fields: tuple[Facts, ...]


Facts: TypeAlias = ArrayFacts | ListFacts | ScalarFacts | ConstantFacts | TupleFacts | DataclassFacts


def constant_facts(value: object) -> ConstantFacts:
    """Return the facts of a constant argument, which distinguish values of different types."""
    if isinstance(value, float):
        return ConstantFacts(("float", struct.pack("<d", value)))
    kind = next((base for base in (bool, int, str) if isinstance(value, base)), type(value))
    return ConstantFacts((kind.__name__, value))


def array_facts(view: host_arrays.ArrayView, rule: ArrayRule, subject: str) -> ArrayFacts:
    """Return the facts of one array under the annotation ``rule`` of its parameter.

    Raises `LaunchError` naming ``subject`` if the array breaks the rule.
    """
    rank = len(view.shape)
    special = rank <= MAXIMUM_SPECIALISED_RANK
    stride_divisor = DIVISOR * 8 // view.element.bits
    shape_axes = _axes(rule.static_shape, rank, "static_shape_dims", subject)
    stride_axes = _axes(rule.static_stride, rank, "static_stride_dims", subject)
    return ArrayFacts(
        element=view.element,
        rank=rank,
        index_bits=rule.index_bits,
        address_divisor=DIVISOR if view.address % DIVISOR == 0 else 1,
        may_alias_internally=not elements_are_disjoint(view.shape, view.strides),
        length_constants=_constants(view.shape, shape_axes, special),
        length_divisors=tuple(_divisor(n, DIVISOR, special) for n in view.shape),
        stride_constants=_constants(view.strides, stride_axes, special),
        stride_divisors=tuple(_divisor(n, stride_divisor, special) for n in view.strides),
    )


def common_facts(items: Sequence[ArrayFacts], rule: ArrayRule, subject: str) -> ListFacts:
    """Return the facts that hold for every item of a list of arrays, which must not be empty. Raises
    `LaunchError` naming ``subject`` if element types or ranks differ, or lengths or strides that ``rule``
    makes constant.
    """
    merged = items[0]
    for index, item in enumerate(items[1:], start=1):
        _check_same(merged, item, f"item #{index} of {subject}")
        _check_static(merged, item, rule, f"item #{index} of {subject}")
        merged = _merge(merged, item)
    return ListFacts(merged)


def elements_are_disjoint(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Return whether different indices have different addresses as far as strides tell: with axes sorted by
    stride, each stride is at least the extent of the axis before times its stride, and the first is positive.
    True for rank 0.
    """
    axes = sorted(zip(strides, shape, strict=True))
    if not axes:
        return True
    steps = all(outer[0] >= inner[0] * inner[1] for inner, outer in pairwise(axes))
    return steps and axes[0][0] > 0


def _divisor(value: int, divisor: int, special: bool) -> int:
    return divisor if special and value % divisor == 0 else 1


def _constants(values: Sequence[int], static: tuple[int, ...], special: bool) -> tuple[int | None, ...]:
    """Return the constant length or stride of each axis, or None for an axis without a constant.

    The axes in `static` are constant. If `static` is empty and `special` is set, axes of value 1 are.
    """
    if static:
        return tuple(value if axis in static else None for axis, value in enumerate(values))
    return tuple(1 if special and value == 1 else None for value in values)


def _axes(annotated: tuple[int, ...], rank: int, name: str, subject: str) -> tuple[int, ...]:
    axes: list[int] = []
    for axis in annotated:
        if not -rank <= axis < rank:
            raise LaunchError(
                subject, f"{name} contains axis {axis} in its annotation, but the array has rank {rank}"
            )
        if axis % rank in axes:
            raise LaunchError(subject, f"{name} contains a duplicate axis in its annotation: {axis}")
        axes.append(axis % rank)
    return tuple(axes)


def _check_same(first: ArrayFacts, item: ArrayFacts, subject: str) -> None:
    if item.element is not first.element:
        reason = f"its element type {item.element.numpy} differs from that of item #0, {first.element.numpy}"
        raise LaunchError(subject, reason, "all arrays of a list must have one element type")
    if item.rank != first.rank:
        reason = f"its rank {item.rank} differs from that of item #0, {first.rank}"
        raise LaunchError(subject, reason, "all arrays of a list must have one rank")


def _check_static(first: ArrayFacts, item: ArrayFacts, rule: ArrayRule, subject: str) -> None:
    for name, wanted, before, now in (
        ("shape", rule.static_shape, first.length_constants, item.length_constants),
        ("stride", rule.static_stride, first.stride_constants, item.stride_constants),
    ):
        if wanted and before != now:
            axis = next(axis for axis, pair in enumerate(zip(before, now, strict=True)) if pair[0] != pair[1])
            reason = (
                f"the arrays of a list vary in static {name} at axis {axis}:"
                f" {_known(now)} here, {_known(before)} in item #0"
            )
            raise LaunchError(subject, reason, "drop the annotation, or pass arrays that agree on these axes")


def _known(constants: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("?" if value is None else str(value) for value in constants) + ")"


def _merge(first: ArrayFacts, second: ArrayFacts) -> ArrayFacts:
    def constants(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> tuple[int | None, ...]:
        return tuple(x if x == y else None for x, y in zip(a, b, strict=True))

    def divisors(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(min(x, y) for x, y in zip(a, b, strict=True))

    return first.replace(
        address_divisor=min(first.address_divisor, second.address_divisor),
        may_alias_internally=first.may_alias_internally or second.may_alias_internally,
        length_constants=constants(first.length_constants, second.length_constants),
        length_divisors=divisors(first.length_divisors, second.length_divisors),
        stride_constants=constants(first.stride_constants, second.stride_constants),
        stride_divisors=divisors(first.stride_divisors, second.stride_divisors),
    )

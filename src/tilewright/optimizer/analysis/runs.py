"""Runs along a dimension of a tile: the length over which it counts up, the length over which it is constant, and the
start.

A dimension is cut into aligned groups whose length is a power of two (extents are powers of two).  All lengths,
strides and divisors here are powers of two, so the greatest common divisor of two of them is the smaller one.
"""

from __future__ import annotations

from typing import NamedTuple

MAXIMUM_DIVISOR = 1 << 62
"""The maximum divisor, which zero and all its multiples have.

It is the largest divisor that `div_by` accepts.
"""


def power_of_two_in(value: int) -> int:
    """Return the largest power of two that divides a number; `MAXIMUM_DIVISOR` for zero."""
    return min(value & -value, MAXIMUM_DIVISOR) if value else MAXIMUM_DIVISOR


class AxisFacts(NamedTuple):
    """The facts along one dimension, in the terms of Triton's axis information.

    - In each aligned group of ``contiguity`` elements every element is one step more than the one before it: 1 for
      integers, read as signed and without wrapping around; the pointee's bytes for pointers, modulo 2^64.
    - The first element of each such group is a multiple of ``divisibility``.
    - In each aligned group of ``constancy`` elements all elements are the same bits.
    """

    contiguity: int = 1
    divisibility: int = 1
    constancy: int = 1

    def start(self, length: int, step: int = 1) -> int:
        """Return a power of two that divides the first element of every aligned group of `length` elements, a
        power of two. ``step`` is the difference of consecutive elements. For a `length` of at least the
        contiguity this is the divisibility.
        """
        if length >= self.contiguity:
            return self.divisibility
        return min(self.divisibility, power_of_two_in(length * step))

    def every(self, step: int = 1) -> int:
        """Return a power of two that divides every element; ``step`` is the difference of consecutive
        elements.
        """
        return self.start(1, step)

    def shortened(self, extent: int, step: int = 1) -> AxisFacts:
        """Return these facts for a dimension of ``extent`` elements: contiguity and constancy are at most the
        extent. ``step`` is the difference of consecutive elements.
        """
        length = min(self.contiguity, extent)
        return AxisFacts(length, self.start(length, step), min(self.constancy, extent))

    def with_divisor(self, divisor: int) -> AxisFacts:
        """Return these facts for elements that are all multiples of ``divisor`` as well."""
        return self._replace(divisibility=max(self.divisibility, divisor))

    def join(self, other: AxisFacts, step: int = 1) -> AxisFacts:
        """Return the facts of a value if `self` or ``other`` holds. ``step`` is the difference of consecutive
        elements in a contiguous group.
        """
        length = min(self.contiguity, other.contiguity)
        divisor = min(self.start(length, step), other.start(length, step))
        return AxisFacts(length, divisor, min(self.constancy, other.constancy))

    def meet(self, other: AxisFacts, step: int = 1) -> AxisFacts:
        """Return the facts of a value if `self` and ``other`` hold. ``step`` is the difference of consecutive
        elements in a contiguous group.
        """
        length = max(self.contiguity, other.contiguity)
        divisor = max(self.start(length, step), other.start(length, step))
        return AxisFacts(length, divisor, max(self.constancy, other.constancy))


def inside_alignment(run: AxisFacts, width: int) -> AxisFacts:
    """Return `run`, whose elements count up modulo 2^width, with its contiguity shortened so that no element
    of a group wraps around as a signed number.

    A group that starts at a multiple of its length does not wrap: its elements differ only in the low bits.
    """
    length = min(run.contiguity, run.divisibility, 1 << (width - 1))
    return run._replace(contiguity=length, divisibility=run.start(length))


def added(lhs: AxisFacts, rhs: AxisFacts, step: int = 1) -> AxisFacts:
    """Return the run of a sum that does not wrap: it is contiguous where one operand is contiguous and the
    other constant. ``step`` is the difference of consecutive elements of a contiguous operand.
    """
    length = max(min(lhs.contiguity, rhs.constancy), min(lhs.constancy, rhs.contiguity))
    divisor = min(lhs.start(length, step), rhs.start(length, step))
    return AxisFacts(length, divisor, min(lhs.constancy, rhs.constancy))


def subtracted(lhs: AxisFacts, rhs: AxisFacts) -> AxisFacts:
    """Return the run of a difference that does not wrap; only the left operand may be contiguous."""
    length = min(lhs.contiguity, rhs.constancy)
    divisor = min(lhs.start(length), rhs.start(length))
    return AxisFacts(length, divisor, min(lhs.constancy, rhs.constancy))


def scaled(run: AxisFacts, size: int) -> AxisFacts:
    """Return the run of offsets that are `run` times ``size`` bytes (a power of two): the divisibility is in
    bytes, contiguity still counts elements.
    """
    return run._replace(divisibility=min(run.divisibility * size, MAXIMUM_DIVISOR))


def quotient(run: AxisFacts, divisor: int) -> AxisFacts:
    """Return the run of numbers divided by ``divisor``, a power of two, and rounded down: quotients are equal
    while only the low bits change. The result is not contiguous.
    """
    steady = max(run.constancy, min(run.contiguity, run.divisibility, divisor))
    return AxisFacts(1, max(1, run.every() // divisor), steady)


def modulo_power_of_two(run: AxisFacts, modulus: int) -> AxisFacts:
    """Return the run of numbers modulo ``modulus``, a power of two: a contiguous group ends where the low
    bits start again from 0.
    """
    length = min(run.contiguity, modulus, run.divisibility)
    return AxisFacts(length, run.start(length), run.constancy)


def compared(counting: AxisFacts, steady: AxisFacts) -> int:
    """Return the length of the aligned groups in which ``counting < steady`` (or ``counting >= steady``) has
    one result: `counting` may count up in a group, `steady` is constant there.
    """
    aligned = min(counting.contiguity, counting.divisibility, steady.constancy, steady.every())
    return max(aligned, min(counting.constancy, steady.constancy))

"""Random choices from hypothesis or from a seed.

Making a strategy costs more than drawing from it, so the strategies are made once and every choice is an
index.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.builtin_types import IntegerType, tf32

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]


@cache
def _integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


@cache
def _binary(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


class Unsupported(Exception):
    """Raised if a declaration does not determine how to make a valid instance; the message names the missing
    fact.
    """


class RandomChoices:
    """The random choices of one example. Subclasses define `integer` and `data`, from which all other choices
    are made. Hypothesis shrinks towards the first of several options.
    """

    __slots__ = ()

    def integer(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both included."""
        raise NotImplementedError

    def data(self, size: int) -> bytes:
        """Draw `size` random bytes."""
        raise NotImplementedError

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of several options; there must be one."""
        return options[self.integer(0, len(options) - 1)]

    def boolean(self) -> bool:
        """Draw false or true."""
        return self.integer(0, 1) == 1

    def chance(self, one_in: int) -> bool:
        """Draw True with the probability 1 / ``one_in``."""
        return self.integer(1, one_in) == one_in

    def subset(self, options: Sequence[T]) -> list[T]:
        """Draw some of the options, in their order."""
        return [option for option in options if self.boolean()]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Draw all options in a random order."""
        rest, result = list(options), list[T]()
        while rest:
            result.append(rest.pop(self.integer(0, len(rest) - 1)))
        return result


class HypothesisDrawing(RandomChoices):
    """Random choices made by hypothesis, which shrinks them if a test fails."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return low if low == high else self._draw(_integers(low, high))

    def data(self, size: int) -> bytes:
        return self._draw(_binary(size)) if size else b""


class SeededDrawing(RandomChoices):
    """Random choices that a seed determines: the same in every process, and several times faster than
    hypothesis.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def data(self, size: int) -> bytes:
        return self._random.randbytes(size)


TF32_SHIFT = 13
"""The number of low bits of a tf32 in memory, where it is an f32, that are zero."""


@cache
def edges(element: Any) -> tuple[int, ...]:
    """Return the bit patterns, as unsigned numbers, of the edge values of the integer or float type
    `element`, each once: for integers, numbers near 0 and near the limits of signed and unsigned numbers.
    """
    width: int = element.width
    if isinstance(element, IntegerType):
        found = [0, 1, 2, -1, -2, 1 << width - 1, (1 << width - 1) - 1, (1 << width - 1) + 1]
    else:
        found = _float_edges(element.format)
    mask = (1 << width) - 1
    return tuple(dict.fromkeys(pattern & mask for pattern in found))


def _float_edges(form: FloatFormat) -> list[int]:
    least = 1 << form.mantissa_bits
    largest = form.exponent_mask | form.mantissa_mask
    one = form.bias << form.mantissa_bits
    half = least >> 1
    subnormal = [0, 1, 2, half, half + 1, least - 1]
    found = [*subnormal, least, least + 1, one - 1, one, one + 1, largest - 1, largest]
    if form.specials is Specials.IEEE:
        quiet = form.exponent_mask | half
        found += [form.exponent_mask - 1, form.exponent_mask, quiet, quiet | 1]
    return [*found, *(pattern | form.sign_mask for pattern in found if pattern < form.sign_mask)]


def edges_in_memory(element: Any) -> np.ndarray[Any, Any]:
    """Return an array of the edge values of i1, or of a type of at least a byte, as they are in memory."""
    patterns = edges(element)
    if element is tf32:
        return np.array([pattern << TF32_SHIFT for pattern in patterns], np.uint32)
    return np.array(patterns, f"u{max(1, element.width // 8)}")

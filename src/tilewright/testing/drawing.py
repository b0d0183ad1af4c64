"""Cheap draws: a few cached hypothesis strategies behind plain words.

Making a strategy costs more than drawing from it, so the strategies are made once and every choice is an index.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]


@cache
def _integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


@cache
def _binary(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


class Unsupported(Exception):
    """The declaration is not enough to make a valid instance; the message names the missing fact."""


class RandomChoices:
    """The random choices of one example; the first of several options is the target of shrinking."""

    __slots__ = ()

    def integer(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both included."""
        raise NotImplementedError

    def data(self, size: int) -> bytes:
        """Draw `size` random bytes."""
        raise NotImplementedError

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of several options."""
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
    """Choices that hypothesis makes, and shrinks when a test fails."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return low if low == high else self._draw(_integers(low, high))

    def data(self, size: int) -> bytes:
        return self._draw(_binary(size)) if size else b""


class SeededDrawing(RandomChoices):
    """Choices that follow from a seed: the same in every process, several times faster than hypothesis."""

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def data(self, size: int) -> bytes:
        return self._random.randbytes(size)

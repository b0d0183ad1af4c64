"""What a peer is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from benchmarks.cpu_cases import Array, Made

GELU_SCALE = math.sqrt(2 / math.pi)
GELU_CUBE = 0.044715
Call = Callable[[], Any]
"""Computes a case once; the value is the result, or what `Peer.array` makes it from."""


class Peer(ABC):
    """A library that computes cases."""

    version: str

    @abstractmethod
    def call(self, made: Made) -> Call | None:
        """A call that computes a case, nothing compiled yet; None for what the library has no means for."""

    def array(self, value: Any) -> Array:
        """The result of a call as an array of NumPy's."""
        return value

"""Recursive computations over chains of operations that may be longer than Python's stack is deep."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, MutableMapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
KeyedComputation = Generator[K, T, T]
"""A generator that yields each key whose value it needs, is sent that value, and returns the value of its own
key.
"""


def solved(known: MutableMapping[K, T], find: Callable[[K], KeyedComputation[K, T]], key: K) -> T:
    """Return the value of `key`. The generator ``find(key)`` computes it from the values of the keys that it
    yields; all values are read from, and stored in, ``known``. No key may depend on itself.
    """
    if key in known:
        return known[key]
    pending = [(key, find(key))]
    wanted: K | None = None
    while pending:
        current, finding = pending[-1]
        try:
            asked = next(finding) if wanted is None else finding.send(known[wanted])
        except StopIteration as end:
            known[current] = end.value
            pending.pop()
            wanted = current
            continue
        if asked in known:
            wanted = asked
        else:
            pending.append((asked, find(asked)))
            wanted = None
    return known[key]

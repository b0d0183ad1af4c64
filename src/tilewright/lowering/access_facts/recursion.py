"""Recursion over chains of operations, which may be longer than Python's stack is deep."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, MutableMapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Answering = Generator[K, T, T]
"""Yields keys and receives their values one by one; returns the value of its own key."""


def solved(known: MutableMapping[K, T], find: Callable[[K], Answering[K, T]], key: K) -> T:
    """Return the value of a key, computed from the values of other keys by `find`; all of them are stored in
    ``known``. No key may depend on itself.
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

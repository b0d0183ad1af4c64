"""Chains of tile operations, each taking the tile that the one before made: what machine code and the interpreter make
of them.

As a command this runs every chain of so many operations, or so many drawn ones:

    python -m tests.targets.cpu.programs.tile_chains LENGTH [COUNT SEED]
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

import tilewright
from tests.targets.cpu.programs.tile_chain_kernels import ROOM, SHAPES, Chain
from tests.targets.cpu.programs.tile_chain_sinks import SINKS
from tests.targets.cpu.programs.tile_chain_sources import SOURCES
from tests.targets.cpu.programs.tile_chain_steps import STEPS
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import f32, i1, i32
from tilewright.ir.diagnostic import DiagnosticError


def made(element: Type, shape: Sequence[int], names: Sequence[str]) -> Chain | None:
    """The kernel of a chain, given by the names of its source, its steps and its sink; None if there is no such chain."""
    chain = Chain(element)
    source, *steps, sink = names
    value = SOURCES[source](chain, shape)
    for step in (*(STEPS[name] for name in steps), SINKS[sink]):
        if value is None:
            return None
        value = step(chain, value)
    return chain if value is not None else None


DATA = {f32: np.float32, i32: np.int32, i1: np.bool_}
"""How NumPy holds elements."""


def arrays(element: Type) -> list[Any]:
    """What chains are launched with."""
    numbers = np.arange(ROOM) * 7 % 13 % 8
    data = numbers.astype(DATA[element])
    return [data, np.zeros_like(data), data[::-1].copy(), 1, np.zeros(ROOM, np.int32)]


def compared(element: Type, shape: Sequence[int], names: Sequence[str], opt_level: int) -> str | None:
    """What machine code does otherwise than the interpreter; "" if it does the same, None if there is no such chain."""
    chain = made(element, shape, names)
    if chain is None:
        return None
    wanted, given = arrays(element), arrays(element)
    chain.run(*wanted)
    options = tilewright.CompileOptions(opt_level=opt_level)
    again = made(element, shape, names)
    assert again is not None
    try:
        tilewright.compile(SimpleNamespace(operation=again.module()), options=options).launch(
            (1, 1, 1), given
        )
    except DiagnosticError as error:
        return str(error)
    same = all(
        np.array_equal(expected, found, equal_nan=False)
        for expected, found in zip(wanted[:3], given[:3], strict=True)
    )
    return "" if same else "other results"


def chains(length: int) -> Iterator[tuple[Type, tuple[int, ...], tuple[str, ...]]]:
    """All chains with so many steps."""
    middles = product(*[STEPS] * length)
    for names in product(SOURCES, middles, SINKS):
        source, middle, sink = names
        for element, shape in product(DATA, SHAPES):
            yield element, shape, (source, *middle, sink)


def drawn(length: int, count: int, seed: str) -> Iterator[tuple[Type, tuple[int, ...], tuple[str, ...]]]:
    """So many chains, the same ones for a seed."""
    draw = random.Random(seed)
    while count:
        middle = [draw.choice(list(STEPS)) for _ in range(length)]
        names = (draw.choice(list(SOURCES)), *middle, draw.choice(list(SINKS)))
        element, shape = draw.choice(list(DATA)), draw.choice(SHAPES)
        if made(element, shape, names) is not None:
            count -= 1
            yield element, shape, names


if __name__ == "__main__":
    size, *rest = sys.argv[1:]
    some = drawn(int(size), int(rest[0]), rest[1]) if rest else chains(int(size))
    tally: Counter[str] = Counter()
    for at, (element, shape, names) in enumerate(some):
        what = compared(element, shape, names, 3 if at % 3 else 0)
        if what:
            print(element, shape, *names, 3 if at % 3 else 0, "|", what.splitlines()[0], flush=True)
        tally["none" if what is None else "different" if what else "same"] += 1
    print(dict(tally), file=sys.stderr)

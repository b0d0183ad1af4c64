"""Text of single operations in generic form, for generated corpora."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tilewright.ir.builtin_types import DYNAMIC

Shape = Sequence[int]

DISCARDABLE = ("", "", ' {note = "x y"}', " {tag}", " {a.b = [1, 2 : i8], zero = 0.0 : f16}")


def shaped(extents: Shape, element: str) -> str:
    """``4x?xf32``."""
    return "".join("?x" if extent == DYNAMIC else f"{extent}x" for extent in extents) + element


def attributes(draw: random.Random) -> str:
    """Attributes that belong to no declaration, or none."""
    return draw.choice(DISCARDABLE)


def segments(what: str, sizes: Sequence[int]) -> str:
    """The property that tells how operands or results are divided."""
    return f"{what}SegmentSizes = array<i32: {', '.join(map(str, sizes))}>"


def dense_integers(name: str, numbers: Sequence[int]) -> str:
    """A property that is a list of 64-bit numbers."""
    return f"{name} = array<i64{': ' if numbers else ''}{', '.join(map(str, numbers))}>"


def operation(
    name: str,
    operands: Sequence[str],
    results: Sequence[str],
    properties: Sequence[str],
    draw: random.Random,
    *,
    regions: Sequence[str] = (),
    discardable: str | None = None,
) -> str:
    """``%r:2 = "name"(%0, %1) <{properties}> ({...}) {others} : (types) -> (types)``, one line but for regions."""
    left = f"%r:{len(results)} = " if results else ""
    uses = ", ".join(f"%{number}" for number in range(len(operands)))
    inherent = f" <{{{', '.join(sorted(properties))}}}>" if properties else ""
    bodies = f" ({', '.join(regions)})" if regions else ""
    others = attributes(draw) if discardable is None else discardable
    types = f"({', '.join(operands)}) -> ({', '.join(results)})"
    return f'{left}"{name}"({uses}){inherent}{bodies}{others} : {types}\n'


def in_module(text: str, *, scope: str) -> str:
    """A module with an operation inside of an operation that has a region, after the numbers it uses."""
    values = "".join(f'  %{number} = "test.value"() : () -> index\n' for number in range(text.count("%") - 1))
    inner = f'  "{scope}"() ({{\n    {text}    "{scope}.return"() : () -> ()\n  }}) : () -> ()\n'
    return f'"builtin.module"() ({{\n{values}{inner}}}) : () -> ()\n'

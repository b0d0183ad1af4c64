"""The instructions of a target for single elements, as a table: elements are computed by parts where it has no row.

A target owns one `NativeInstructions` for each of its chips.  What it shares with other targets asks this table only, and
knows no chip and no feature by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.dialects.nv_tileaa.attributes import MemScope, RmwMode
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType
from tilewright.targets.elements.math.function import Formula


@dataclass(frozen=True, slots=True, eq=False)
class NativeInstructions:
    """The instructions of one chip.

    - ``functions``: elementary functions, by name, for which it has better formulas than those of `math.library`.
    - ``conversions``: the formats below 32 bits that it converts to and from f32; functions of the module do that for
      the others that registers hold as floats.
    - ``arithmetic``: the formats below 32 bits in which it computes, with the names of the operations; the others are computed
      in f32 and rounded.
    - ``rounded_pairs``: the formats to which it rounds two f32 at once.
    - ``narrow_functions``: elementary functions of formats below 32 bits, by name and format: formulas in f32 that may miss
      more than those of `math.library`, behind the last place of the format.
    - ``updates``: atomic updates, with the types that it updates in memory; `atomics` has ways for the others.
    - ``scopes``: LLVM's names for the threads that an atomic access is seen by, if these are not all threads.
    """

    functions: Mapping[str, Formula]
    conversions: frozenset[FloatType]
    arithmetic: Mapping[FloatType, frozenset[str]]
    rounded_pairs: frozenset[FloatType]
    narrow_functions: Mapping[tuple[str, FloatType], Formula]
    updates: Mapping[RmwMode, frozenset[Type]]
    scopes: Mapping[MemScope, str]

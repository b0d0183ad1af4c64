"""The instructions of a target for single elements, as a table; elements without a row are computed by parts.

A target has a `NativeInstructions` for each of its chips. Code shared with other targets reads this table
only, without names of chips and features.
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
    """The instructions of a chip.

    - ``functions``: elementary functions by name, with better formulas than in `math.library`.
    - ``conversions``: formats below 32 bits that it converts to and from f32; functions of the module convert
      the other formats that registers hold as floats.
    - ``arithmetic``: formats below 32 bits in which it computes, with the names of the operations; other
      operations are computed in f32 and rounded.
    - ``rounded_pairs``: formats to which it rounds two f32 by an instruction.
    - ``narrow_functions``: elementary functions of formats below 32 bits, by name and format: formulas in f32
      with a larger error than in `math.library`, below the last place of the format.
    - ``updates``: atomic updates, with the types that it updates in memory; `atomics` implements the others.
    - ``scopes``: LLVM's names of scopes of atomic accesses, if the scope is not all threads.
    """

    functions: Mapping[str, Formula]
    conversions: frozenset[FloatType]
    arithmetic: Mapping[FloatType, frozenset[str]]
    rounded_pairs: frozenset[FloatType]
    narrow_functions: Mapping[tuple[str, FloatType], Formula]
    updates: Mapping[RmwMode, frozenset[Type]]
    scopes: Mapping[MemScope, str]

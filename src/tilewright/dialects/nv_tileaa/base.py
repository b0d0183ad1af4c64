"""Bases of the operations of the tile dialects.

These dialects exist in memory only.  They have no custom assembly form: their text is the generic one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hints_follow_from
from tilewright.ir.value import Value


class TileDialectOp(Operation):
    """An operation of `nv_tileaa` or `nv_tileas`."""

    concepts: ClassVar[tuple[type[Any], ...]] = ()
    """The implementations of the interfaces of the operation."""
    result_names: ClassVar[tuple[str, ...]] = ()
    """The names of the results in text, in order; without them results are numbered."""

    @hints_follow_from("fields")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return the names of the class, for as many results as there are."""
        return self.result_names[: len(self.results)]


class SameTypeResultOp(TileDialectOp):
    """An operation whose results have the type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type] * len(cls.op_kind.results)

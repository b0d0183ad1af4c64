"""Arithmetic on tiles with layouts: the equivalents of 43 operations of `arith`, and six functions.

An operation here has the operands, attributes, syntax, rules and folds of its source in `arith` or `math`; it
works on scalars and tiles only, and it may have a layout. A row of the tables below declares an operation.

If `nv_tileaa` has an operation with attributes for rounding, flushing or saturation, the operation here has
these attributes, too; it folds only if it computes the same as its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tilewright.dialects.arith import (
    ops_conversion as conversion,
    ops_float as floats,
    ops_integer as integers,
)
from tilewright.dialects.common import constraints, traits as common_traits
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.math import dialect as functions
from tilewright.dialects.nv_tileaa import constraints as tiles
from tilewright.dialects.nv_tileaa.ops.math import WITH_MODIFIERS
from tilewright.dialects.nv_tileaa.rules.shape import check_same_encoding
from tilewright.dialects.nv_tileas.base import LayoutOp
from tilewright.ir.declaration import constraint as declaration_constraint, traits as ir_traits
from tilewright.ir.declaration.fields import AttributeField, OperandField, OpField, ResultField
from tilewright.ir.operation import Operation, OperationMeta

CONSTRAINTS: Mapping[declaration_constraint.Constraint, declaration_constraint.Constraint] = {
    constraints.SIGNLESS_INTEGER_LIKE: tiles.INTEGER_LIKE,
    constraints.FIXED_WIDTH_INTEGER_LIKE: tiles.FIXED_INTEGER_LIKE,
    constraints.FLOAT_LIKE: tiles.FLOAT_LIKE,
    constraints.BOOL_LIKE: tiles.MASK,
    constraints.BITCAST_TYPE: tiles.NUMBER_LIKE,
    declaration_constraint.ANY_TYPE: tiles.ELEMENT_LIKE,
}
"""The replacements of `arith`'s constraints, which admit vectors and unranked tensors."""

_Row = TypeVar("_Row")

TAKEN_OVER = ("traits", "assembly_format", "infer_result_types", "print_custom", "parse_custom")
"""The class members that an operation copies from its source in `arith`."""

TABLE: tuple[tuple[type[Operation], str], ...] = (
    (floats.CmpFOp, "Compares floats of tiles."),
    (integers.CmpIOp, "Compares integers of tiles."),
    (floats.AddFOp, "Adds floats of tiles."),
    (integers.AddIOp, "Adds integers of tiles, modulo 2 to the width."),
    (integers.AndIOp, "The bitwise and of tiles."),
    (
        conversion.BitcastOp,
        "Reads the bits of a tile as another type of the same width in memory; a tf32 drops the low ones.",
    ),
    (integers.CeilDivSIOp, "Divides signed integers of tiles, rounding up."),
    (integers.CeilDivUIOp, "Divides unsigned integers of tiles, rounding up."),
    (floats.DivFOp, "Divides floats of tiles."),
    (integers.DivSIOp, "Divides signed integers of tiles, rounding towards zero."),
    (integers.DivUIOp, "Divides unsigned integers of tiles, rounding down."),
    (conversion.ExtFOp, "Makes floats of a tile wider."),
    (conversion.ExtSIOp, "Makes integers of a tile wider, filling with the sign."),
    (conversion.ExtUIOp, "Makes integers of a tile wider, filling with zeros."),
    (integers.FloorDivSIOp, "Divides signed integers of tiles, rounding down."),
    (conversion.FPToSIOp, "Makes signed integers of the floats of a tile."),
    (conversion.FPToUIOp, "Makes unsigned integers of the floats of a tile."),
    (floats.MaximumFOp, "The larger floats of tiles; NaN where one of two is."),
    (floats.MaxNumFOp, "The larger floats of tiles; where one of two is NaN, the other."),
    (integers.MaxSIOp, "The larger signed integers of tiles."),
    (integers.MaxUIOp, "The larger unsigned integers of tiles."),
    (floats.MinimumFOp, "The smaller floats of tiles; NaN where one of two is."),
    (floats.MinNumFOp, "The smaller floats of tiles; where one of two is NaN, the other."),
    (integers.MinSIOp, "The smaller signed integers of tiles."),
    (integers.MinUIOp, "The smaller unsigned integers of tiles."),
    (floats.MulFOp, "Multiplies floats of tiles."),
    (integers.MulIOp, "Multiplies integers of tiles; the low half of the product."),
    (floats.NegFOp, "Flips the signs of the floats of a tile."),
    (integers.OrIOp, "The bitwise or of tiles."),
    (floats.RemFOp, "The remainders of dividing floats of tiles, with the sign of the left-hand ones."),
    (integers.RemSIOp, "The remainders of dividing signed integers of tiles."),
    (integers.RemUIOp, "The remainders of dividing unsigned integers of tiles."),
    (integers.SelectOp, "The elements of one tile or of another, chosen by a condition."),
    (integers.ShLIOp, "Shifts integers of tiles left."),
    (integers.ShRSIOp, "Shifts integers of tiles right, filling with the sign."),
    (integers.ShRUIOp, "Shifts integers of tiles right, filling with zeros."),
    (conversion.SIToFPOp, "Makes floats of the signed integers of a tile."),
    (floats.SubFOp, "Subtracts floats of tiles."),
    (integers.SubIOp, "Subtracts integers of tiles, modulo 2 to the width."),
    (conversion.TruncFOp, "Makes floats of a tile narrower, rounding."),
    (conversion.TruncIOp, "Makes integers of a tile narrower, dropping high bits."),
    (conversion.UIToFPOp, "Makes floats of the unsigned integers of a tile."),
    (integers.XOrIOp, "The bitwise exclusive or of tiles."),
)
"""The operation of `arith` and the documentation of the one here, in the order in which conversions register."""

FUNCTIONS: tuple[tuple[type[Operation], str], ...] = (
    (functions.FmaOp, "A product of floats plus a float, rounded once."),
    (functions.SqrtOp, "The square roots of floats."),
    (functions.RsqrtOp, "One divided by the square roots of floats."),
    (functions.Exp2Op, "Two to the power of floats."),
    (functions.ExpOp, "The number e to the power of floats."),
    (functions.TanhOp, "The hyperbolic tangents of floats."),
)
"""Functions of `math` that have rounding or flushing attributes here, with their documentation; all others
stay in `math`.
"""
TRAITS: Mapping[type[Operation], tuple[ir_traits.Trait, ...]] = {
    conversion.BitcastOp: (ir_traits.Pure(), common_traits.Cast(tiles.have_same_bits_in_memory)),
}
"""Traits that differ from those in `arith`, which has no tf32 in memory."""
CASTS = (conversion.ExtFOp, conversion.TruncFOp)
"""Casts between float formats. Both may round: some formats have values that no wider format has."""


class TileArithOp(LayoutOp, StandardOp):
    """The base of the operations of the tables, which combine and convert elements without moving them. The
    verifier checks that the operands and results have the same encoding.
    """

    verifies_locally = True

    def verify_(self) -> None:
        check_same_encoding(*self.operand_types, *self.result_types)


def same_name_operation(source: type[Operation], doc: str) -> type[TileArithOp]:
    """Create the class of ``nv_tileas.X`` for `source`, the class of ``X`` in `arith` or `math`, with the
    docstring `doc`. It has the fields of `source`, whose constraints admit tiles instead of vectors, and the
    attributes `ways_of(source)`.
    """
    namespace: dict[str, Any] = {"__doc__": doc, "__module__": __name__}
    for field in (*source.declared_fields, *ways_of(source)):
        namespace[field.python_name] = _on_tiles(field)
    for base in reversed(source.__mro__[:-1]):
        namespace |= {
            name: vars(base)[name] for name in TAKEN_OVER if name in vars(base) and base in _own(source)
        }
    if source in TRAITS:
        namespace["traits"] = TRAITS[source]
    name = f"nv_tileas.{source.op_kind.mnemonic}"
    made: Any = OperationMeta(source.__name__, (TileArithOp,), namespace, name=name)
    return made


def ways_of(source: type[Operation]) -> tuple[AttributeField, ...]:
    """Return the attributes for rounding, flushing or saturation that the operation of `nv_tileas` adds to
    `source`, an operation of `arith` or `math`. Return an empty tuple if it adds none.
    """
    declared = source.op_kind.attributes_by_ir_name
    modified = conversion.TruncFOp if source in CASTS else WITH_MODIFIERS.get(source)
    fields = modified.op_kind.attributes if modified is not None else ()
    return tuple(field for field in fields if field.ir_name not in declared)


def _own(source: type[Operation]) -> tuple[type[Any], ...]:
    """Return the classes in the method resolution order of `source` that are not base classes of
    `TileArithOp`.
    """
    return tuple(base for base in source.__mro__ if not issubclass(TileArithOp, base))


def _on_tiles(field: OpField) -> OpField:
    if isinstance(field, OperandField | ResultField):
        return field.replace(constraint=CONSTRAINTS[field.constraint])
    return field.replace()


BY_SOURCE: Mapping[type[Operation], type[TileArithOp]] = {
    source: same_name_operation(source, doc) for source, doc in (*TABLE, *FUNCTIONS)
}
"""The operations here, by the operation of `arith` or `math` with the same name."""


def also_on_tiles(table: Mapping[type[Operation], _Row]) -> dict[type[Operation], _Row]:
    """Return a copy of `table`, which is keyed by operations of `arith` and `math`, extended by the
    operations of the same names in `nv_tileas` with the same values. Keys without an operation of that name
    get no new row.
    """
    return {**table, **{BY_SOURCE[op]: row for op, row in table.items() if op in BY_SOURCE}}


def of_both(*operations: type[Operation]) -> frozenset[type[Operation]]:
    """Return operations of `arith` or `math`, and the operations of `nv_tileas` with the same names."""
    return frozenset(also_on_tiles(dict.fromkeys(operations)))


OPERATIONS: tuple[type[TileArithOp], ...] = tuple(BY_SOURCE.values())
SOURCES: tuple[type[Operation], ...] = tuple([source for source, _ in TABLE])
"""The operations of `arith` that have one of the same name here, in order."""
BY_MNEMONIC: Mapping[str, type[TileArithOp]] = {op.op_kind.mnemonic: op for op in OPERATIONS}

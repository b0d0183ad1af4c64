"""Operations of the preview range: their bytecode may change from release to release, and files announce it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tilewright.dialects.common.kinds import DICTIONARIES, DescribedArrayKind
from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.constraints import ANY
from tilewright.dialects.cuda_tile.version import V13_5
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr
from tilewright.ir.declaration.attribute_kind import InstanceKind, SymbolRefKind
from tilewright.ir.declaration.fields import (
    attr_def,
    optional_attr_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.value import Value

PREVIEW_GROUP = "Preview"


EXPRESSION = InstanceKind((), "symbolic expression attribute value")
"""An expression over names of constants.  cuTile writes none, and their encoding is not known: none is accepted."""
EXPRESSIONS = DescribedArrayKind(EXPRESSION, "array of symbolic expression attribute values")


@tile_op(0x4002, PREVIEW_GROUP, V13_5)
class CallOp(TileOp, name="cuda_tile.preview$call"):
    """Calls a function of SIMT code, which a library that is linked later holds.  It is read and written, not run."""

    callee: str = attr_def(SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = variadic_operand_def(ANY, "The arguments.")
    const_args: tuple[Attribute, ...] = attr_def(
        EXPRESSIONS, "The constants that the function is made for: none.", default=ArrayAttr()
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the arguments.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the results.", default=None
    )
    results_: tuple[Value, ...] = variadic_result_def(ANY, "The results of the function.")
    assembly_format = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)"
    format_defaults: ClassVar[Mapping[str, Attribute]] = {"const_args": ArrayAttr()}


OPERATIONS = (CallOp,)

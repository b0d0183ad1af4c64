"""Operations in the preview range of opcodes: their encoding may change from release to release, and a
bytecode file announces that it uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tilewright.dialects.common.kinds import DICTIONARIES, DescribedArrayKind
from tilewright.dialects.cuda_tile import base as cuda_tile_base, version as cuda_tile_version
from tilewright.dialects.cuda_tile.constraints import ANY
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.value import Value

PREVIEW_GROUP = "Preview"


EXPRESSION = attribute_kind.InstanceKind((), "symbolic expression attribute value")
"""A symbolic expression over named constants. cuTile writes none and their encoding is unknown, so that no
attribute is accepted.
"""
EXPRESSIONS = DescribedArrayKind(EXPRESSION, "array of symbolic expression attribute values")


@cuda_tile_base.tile_op(0x4002, PREVIEW_GROUP, cuda_tile_version.V13_5)
class CallOp(cuda_tile_base.TileOp, name="cuda_tile.preview$call"):
    """Calls a SIMT function of a library that is linked later. The operation is parsed and printed, but
    cannot be run.
    """

    callee: str = fields.attr_def(attribute_kind.SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY, "The arguments.")
    const_args: tuple[Attribute, ...] = fields.attr_def(
        EXPRESSIONS, "The constants that the function is made for: none.", default=ArrayAttr()
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, "Attributes of the arguments.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, "Attributes of the results.", default=None
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY, "The results of the function.")
    assembly_format = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)"
    format_defaults: ClassVar[Mapping[str, Attribute]] = {"const_args": ArrayAttr()}


OPERATIONS = (CallOp,)

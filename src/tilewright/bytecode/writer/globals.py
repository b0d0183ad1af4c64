"""Writing entries of the global table: the way back of `tilewright.bytecode.reader.globals`."""

from __future__ import annotations

from tilewright.bytecode.output import Output, WriteError
from tilewright.bytecode.writer.attributes import AttributeWriter
from tilewright.bytecode.writer.encoders import check_discardable
from tilewright.dialects.cuda_tile.enums import SymbolVisibility, SymbolVisibilityAttr
from tilewright.dialects.cuda_tile.ops.control import GlobalOp
from tilewright.dialects.cuda_tile.version import V13_3
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation

_PUBLIC = SymbolVisibilityAttr(SymbolVisibility.PUBLIC)


def write_global(op: GlobalOp, writer: AttributeWriter, output: Output) -> None:
    """Append the entry of a global to ``output``; bytecode cannot store its location. Raises `WriteError` for
    a global without a name or dense elements, for a visibility or alignment that is not valid, and before
    13.3 for a constant or a private global.
    """
    check_discardable(op.op_kind, op)
    name = symbol_text(op)
    value = op.held_attributes.get("value")
    if not isinstance(value, builtin_attributes.DenseElementsAttr):
        raise WriteError(f"global `{name}` has no dense elements as its value")
    visibility = _visibility(op, name)
    if writer.version < V13_3:
        _check_old(op, name, visibility, writer)
    output.varint(writer.strings.index(name))
    output.varint(writer.types.index(value.type))
    output.varint(writer.constants.index(value))
    output.varint(_alignment(op, name))
    if writer.version >= V13_3:
        output.varint(visibility.value)
        output.varint(_is_constant(op))


def symbol_text(op: Operation) -> str:
    """Return the symbol name of an operation. Raises `WriteError` if the operation has none, or an empty one."""
    name = op.held_attributes.get("sym_name")
    if not (isinstance(name, builtin_attributes.StringAttr) and name.value):
        raise WriteError(f"'{op.name}' has no name")
    return name.value


def _visibility(op: GlobalOp, name: str) -> SymbolVisibility:
    held: Attribute = op.held_attributes.get("symbol_visibility", _PUBLIC)
    if not (isinstance(held, SymbolVisibilityAttr) and isinstance(held.value, SymbolVisibility)):
        raise WriteError(f"global `{name}` has no valid visibility: {held}")
    return held.value


def _alignment(op: GlobalOp, name: str) -> int:
    held = op.held_attributes.get("alignment")
    if held is None:
        return 0
    if not (isinstance(held, builtin_attributes.IntegerAttr) and held.type is builtin_types.i64):
        raise WriteError(f"global `{name}` has no valid alignment: {held}")
    return held.unsigned


def _is_constant(op: GlobalOp) -> bool:
    return isinstance(op.held_attributes.get("constant"), builtin_attributes.UnitAttr)


def _check_old(op: GlobalOp, name: str, visibility: SymbolVisibility, writer: AttributeWriter) -> None:
    if visibility is not SymbolVisibility.PUBLIC:
        raise WriteError(
            f"global `{name}` uses non-public symbol visibility, which cannot be encoded in bytecode version "
            f"{writer.version} (requires bytecode {V13_3}+)",
            V13_3,
        )
    if _is_constant(op):
        raise WriteError(
            f"constant global `{name}` cannot be encoded in bytecode version {writer.version} "
            f"(the `constant` attribute requires bytecode {V13_3}+)",
            V13_3,
        )

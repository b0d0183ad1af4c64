"""What writer tests share: the module as bytecode gives it back, and writing with the tables of another file."""

from __future__ import annotations

from tilewright.bytecode.container import SectionKind, open_container, read_strings
from tilewright.bytecode.reader.constants import ConstantTable
from tilewright.bytecode.reader.type_table import TypeTable
from tilewright.bytecode.writer.module import ModuleWriter
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ModuleOp, PrintTkoOp
from tilewright.dialects.cuda_tile.version import V13_1, V13_3, V13_4, Version
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import (
    ArrayAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    DictionaryAttr,
    StringAttr,
)
from tilewright.ir.builtin_types import i1
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import DenseArrayKind
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module

CONTEXT = Context([CUDA_TILE])


def as_read_back(module: ModuleOp, version: Version) -> Operation:
    """A copy in which whatever bytecode spells in one way only is spelt that way."""
    copy = module.clone()
    copy.attributes["sym_name"] = StringAttr("kernels")
    if version < V13_3:
        copy.attributes.pop("producer", None)
    for op in copy.walk():
        _collapse_booleans(op)
        _add_defaults(op)
        _add_promises(op, version)
        if isinstance(op, EntryOp):
            _drop_empty(op)
    return copy


def _collapse_booleans(op: Operation) -> None:
    """Equal i1 elements are a splat."""
    value = op.held_attributes.get("value")
    if isinstance(value, DenseElementsAttr) and value.element_type is i1 and len(set(value.data)) == 1:
        op.attributes["value"] = DenseElementsAttr(value.type, value.data[:1])


def _add_defaults(op: Operation) -> None:
    """What a default stands for is written."""
    for field in op.kind.attributes:
        if isinstance(field.default, Attribute):
            op.attributes.setdefault(field.ir_name, field.default)


def _add_promises(op: Operation, version: Version) -> None:
    """No promises are promises all of which are false, from the version on that writes them."""
    field = op.kind.attributes_by_ir_name.get("inbounds")
    if field is None or (field.since or V13_4) > version:
        op.attributes.pop("inbounds", None)
        return
    assert isinstance(field.kind, DenseArrayKind)
    index = op.kind.field_values(op, "index")
    op.attributes.setdefault("inbounds", DenseArrayAttr(i1, (0,) * len(index)))


def _drop_empty(op: Operation) -> None:
    """Hints and argument attributes that say nothing are not there."""
    attributes = op.attributes
    hints = attributes.get("optimization_hints")
    if hints is not None and not len(getattr(hints, "hints", ())):
        del attributes["optimization_hints"]
    for name in ("arg_attrs", "res_attrs"):
        held = attributes.get(name)
        if isinstance(held, ArrayAttr) and all(element is DictionaryAttr() for element in held):
            del attributes[name]


def uses_token_of_old_print(module: Operation, version: Version) -> bool:
    """Whether the module, drawn for 13.1, uses the result of a print, which that version does not have."""
    return version == V13_1 and any(
        op.results[0].has_uses for op in module.walk() if isinstance(op, PrintTkoOp)
    )


def written_with_tables_of(data: bytes, module: ModuleOp) -> bytes | None:
    """The module written with strings, types and constants numbered as in ``data``."""
    container = open_container(data, preview=True)
    writer = ModuleWriter(module, container.version)
    strings = read_strings(container)
    for index in range(len(strings)):
        writer.strings.index(strings.get(index))
    types = TypeTable(container.cursor(SectionKind.TYPE), container.version)
    for index in range(len(types)):
        writer.types.index(types.get(index))
    for span in ConstantTable(container.cursor(SectionKind.CONSTANT)).spans:
        writer.constants.add(data[span.start : span.end])
    return writer.write()


ENTRY = """
"cuda_tile.module"() <{{sym_name = "kernels"}}> ({{
  {globals}
  "cuda_tile.entry"() <{{sym_name = "k", function_type = ({types}) -> () {hints}}}> ({{
  ^bb0({arguments}):
    {body}
    "cuda_tile.return"() : () -> ()
  }}) : () -> ()
}}) : () -> ()
"""


def kernel(body: str = "", arguments: str = "", globals: str = "", hints: str = "") -> ModuleOp:
    """A module with one kernel; rank-4 tiles as arguments are fine as long as nobody verifies."""
    types = ", ".join(argument.split(": ", 1)[1] for argument in arguments.split(";") if argument)
    text = ENTRY.format(
        body=body, arguments=arguments.replace(";", ", "), types=types, globals=globals, hints=hints
    )
    module = parse_module(CONTEXT, text.replace("^bb0():", "") if not arguments else text)
    assert isinstance(module, ModuleOp)
    return module


def constant(element: str, name: str = "c", shape: str = "4x") -> str:
    zero = "0.0" if element.startswith(("f", "tf", "bf")) else "0"
    kind = f"!cuda_tile.tile<{shape}{element}>"
    return f'%{name} = "cuda_tile.constant"() <{{value = dense<{zero}> : {kind}}}> : () -> {kind}'

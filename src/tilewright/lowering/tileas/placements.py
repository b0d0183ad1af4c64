"""The layouts of a kernel's tiles, value by value, for display; no pass uses them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.ir.attribute import Location
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record
from tilewright.ir.text import names as text_names, printer as text_printer
from tilewright.ir.value import Value
from tilewright.layouts.linear import LinearLayout
from tilewright.lowering.tileas.encodings import encoded, values_in


class Placement(Record, frozen=True):
    """A tile with its layout: its function, its name in the text of the module, its type without the layout,
    and its definition. ``owner`` is the operation that defines it, or for an argument of a block the
    operation around it.
    """

    function: str
    name: str
    type: str
    location: Location
    layout: LinearLayout
    owner: Operation


def placements(module: Operation) -> Iterator[Placement]:
    """Yield the tiles of all functions that have a layout, in the order of the text."""
    names = text_names.OperationNames(module, hints=True, unique=False).values
    for function in module.walk():
        if not isinstance(function, FuncOp):
            continue
        for value in values_in(function):
            type = value.type
            if isinstance(type, RankedTensorType) and isinstance(type.encoding, LinearLayoutAttr):
                plain = text_printer.attribute_text(encoded(type, None))
                layout = type.encoding.layout
                owner = _owner(value, function)
                yield Placement(
                    function.sym_name, names[value], plain, _location(value, owner), layout, owner
                )


def _owner(value: Value, function: Operation) -> Operation:
    """Return the operation that defines a value; for a block argument, the operation around the block."""
    owner: Operation | Block = value.owner
    return owner if isinstance(owner, Operation) else owner.parent_op or function


def _location(value: Value, owner: Operation) -> Location:
    """Return the location of a value: of the block argument itself if it has one, otherwise of `owner`."""
    if isinstance(value.owner, Operation):
        return owner.location
    known = value.owner.argument_location(value.index)
    return owner.location if known == UNKNOWN else known

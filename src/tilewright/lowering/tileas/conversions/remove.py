"""`nv-tileas-remove-conversions`: computes tiles in the layout that their users need, if that moves fewer
bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, ViewOp
from tilewright.ir.interfaces.effects import erase_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileas import encodings as tileas_encodings, layout_rules
from tilewright.lowering.tileas.conversions import rematerialisation
from tilewright.passes.pass_ import Pass, PassState


def remove_conversions(root: Operation) -> int:
    """Remove layout conversions whose source can be computed in the other layout at less cost; return their
    number. A conversion that stays is merged with the conversion of its source.
    """
    way = rematerialisation.Rematerialiser(rematerialisation.RematerialisationCosts(layout_of))
    return sum(_remove(op, way) for op in [op for op in root.walk() if isinstance(op, ConvertLayoutOp)])


def _remove(op: ConvertLayoutOp, way: rematerialisation.Rematerialiser) -> bool:
    if _is_factor(op) and _is_widened(op.source):
        _convert_at_once(op)
        return False
    found = way.anew(op.source, layout_of(op.result), alone=not (_is_factor(op) or _is_seen(op)))
    if found is None:
        _convert_at_once(op)
        return False
    op.result.replace_all_uses_with(found)
    erase_dead(op.results)
    return True


def _convert_at_once(op: ConvertLayoutOp) -> None:
    """If the source of `op` is itself the result of a conversion, let `op` convert the first source of the
    chain directly, and erase conversions without uses.
    """
    between, source = op.source.owner, rematerialisation.unconverted(op.source)
    if source is not op.source and isinstance(between, Operation):
        op.set_operand(0, source)
        erase_dead(between.results)


def _is_factor(op: ConvertLayoutOp) -> bool:
    """Return whether a product uses the result of a conversion as a factor. Several warps hold such a factor,
    so loading it in that layout would load each element several times.
    """
    return any(isinstance(user, DotOp) and op.result in (user.a, user.b) for user in op.result.uses)


def _is_widened(tile: Value) -> bool:
    """Return whether `tile` is the result of an elementwise operation with one operand of fewer bytes, such
    as an extension. Threads that share a factor would each repeat the extension, and no instruction loads the
    smaller elements in the order that products need.
    """
    made = tile.owner
    return (
        isinstance(made, Operation)
        and layout_rules.is_elementwise(made)
        and len(made.operands) == 1
        and layout_rules.is_tile(made.operands[0])
        and rematerialisation.size(made.operands[0]) < rematerialisation.size(tile)
    )


def _is_seen(op: ConvertLayoutOp) -> bool:
    """Return whether a view uses the result of the conversion: neighbours in a view, such as a transposed
    one, are not neighbours in memory.
    """
    return any(isinstance(user, ViewOp) for user in op.result.uses)


def layout_of(value: Value) -> LinearLayoutAttr:
    """Return the layout in the type of a tile."""
    found = tileas_encodings.tile_type(value).encoding
    assert isinstance(found, LinearLayoutAttr), "layouts are assigned"
    return found


@dataclass(frozen=True)
class RemoveConversions(Pass):
    """Computes tiles in the layout that their users need, if that moves fewer bytes than a conversion.

    Splats, ranges, constants, addresses and element-wise operations are repeated in the other layout. A
    reshaped tile is computed from its source. A load whose tile is used once is distributed over the threads
    in another way, unless elements would be loaded several times, or the tile is used through a view, whose
    neighbours are not neighbours in memory. Two consecutive conversions are merged.
    """

    name: ClassVar[str] = "nv-tileas-remove-conversions"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-removed", remove_conversions(op))

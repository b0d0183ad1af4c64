"""Layouts of the results of reductions that are broadcast again along the reduced rows.

After a reduction each result is in all threads that held elements of its row. If the result, or a value
computed from it by elementwise operations and loops, is broadcast along the rows again, each thread already
has the elements that it needs, and no data moves. The price is that all of these threads repeat the
operations on results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod

from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.dialects.nv_tileas.ops_tile import ReduceOp, ViewOp
from tilewright.ir.value import OpResult, Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.conversions.movements import MEETING
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.lowering.tileas.layout_rules import LayoutOf, is_elementwise, is_tile, source_of_view

DerivedTiles = Callable[[Value], Iterable[Value]]
"""A function that returns the tiles computed from a tile by one elementwise operation, or passed on by a loop
or branch.
"""


def sliced(op: ReduceOp, layout: LinearLayoutAttr) -> LinearLayoutAttr | None:
    """Return the layout that the result of a reduction has without further exchange, if the operand has the
    layout `layout`. Return None if `layout` is no `Distribution`, for example if it spans blocks.
    """
    held, shape = Distribution.of(layout.layout), shape_of(op.inputs[0].type)
    if held is None:
        return None
    low = prod(shape[op.axis + 1 :])
    high = low * shape[op.axis]

    def without(stride: int) -> int:
        return 0 if low <= stride < high else stride if stride < low else stride // shape[op.axis]

    threads = [without(stride) for stride in bits_of(held.threads)]
    registers = [stride for stride in map(without, bits_of(held.registers)) if stride]
    left = Distribution(*(Layout.flat([(2, stride) for stride in side]) for side in (threads, registers)))
    return LinearLayoutAttr.of(left.over((*shape[: op.axis], *shape[op.axis + 1 :])))


def kept_results(
    op: ReduceOp, layout_of: LayoutOf, carried: DerivedTiles, keeps_order: Callable[[ViewOp], bool]
) -> dict[Value, LinearLayoutAttr]:
    """Return the layouts of a reduction's results, and of values computed from them, if they are broadcast
    along the rows again. Return an empty dictionary if they are not, or if operations on the results would
    cost more than conversions.

    ``keeps_order`` returns whether a view keeps the row-major order of all elements, so that it has the
    layout of its source.
    """
    layout = sliced(op, layout_of(op.inputs[0]))
    held = Distribution.of(layout.layout) if layout is not None else None
    if held is None or not any(map(is_tile, op.results)):
        return {}
    found: dict[Value, LinearLayoutAttr] = {}
    back, pending = 0, list[Value](filter(is_tile, op.results))
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found[value] = LinearLayoutAttr.of(held.over(shape_of(value.type)))
        pending += carried(value)
        for view in _views(value):
            if keeps_order(view):
                pending.append(view.result)
            else:
                wanted = (source_of_view(view, one) for one in _wanted(view.result, layout_of))
                back += found[value] in wanted
    return found if back and _is_cheaper(found, held, layout_of, back) else {}


def _wanted(value: Value, layout_of: LayoutOf) -> Iterator[LinearLayoutAttr]:
    """Yield the layout of a tile, and the layouts of the results of its elementwise users."""
    yield layout_of(value)
    for user in value.uses:
        if is_elementwise(user):
            yield from (layout_of(result) for result in user.results if is_tile(result))


def _views(value: Value) -> Iterator[ViewOp]:
    return (user for user in value.uses if isinstance(user, ViewOp))


def _is_cheaper(
    found: dict[Value, LinearLayoutAttr], held: Distribution, layout_of: LayoutOf, back: int
) -> bool:
    """Return whether the additional registers of results held in all threads cost less than conversions: one
    of the result, and one for each of `back` broadcasts.
    """
    value = next(iter(found))
    usual = 1 << len(layout_of(value).layout.register)
    computed = {value.owner for value in found if isinstance(value, OpResult) and is_elementwise(value.owner)}
    more = (len(held.offsets) - usual) * len(computed)
    return more <= (1 + back) * MEETING

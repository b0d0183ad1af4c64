"""Choose the form of a nest from its roots, and from the ratio of its computation to its memory traffic."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

from tilewright.dialects.arith import ops_conversion as casts, ops_float as floats, ops_integer as integers
from tilewright.dialects.math.dialect import AbsFOp, FmaOp
from tilewright.dialects.nv_tileaa.ops.pointer import BitcastOp
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.facts import operation_table, transposes
from tilewright.targets.cpu.machine.costs import PlanningCosts
from tilewright.targets.cpu.plan.form import made_form, plain_form, square_extent, vector_dimension
from tilewright.targets.cpu.plan.model import NestForm, PlanRoot, tiles_of
from tilewright.targets.elements.element_types import element_of, shape_of, size_of

LONGEST = 64
"""The maximum number of elements, or vectors of them, that are combined sequentially.

Longer sums are combined in groups: the error grows less, and sums that round each step to a few bits do not
stagnate.
"""
WORD = 4
SINGLE = of_both(
    floats.AddFOp,
    floats.SubFOp,
    floats.MulFOp,
    FmaOp,
    floats.NegFOp,
    AbsFOp,
    integers.AddIOp,
    integers.SubIOp,
    integers.AndIOp,
    integers.OrIOp,
    integers.XOrIOp,
    casts.BitcastOp,
    BitcastOp,
)
"""The operations that are one instruction on elements of 32 bits; others take more than a few instructions.
"""


def is_light(
    roots: Sequence[PlanRoot], in_memory: Container[Value], light: int, whole: Container[Operation] = ()
) -> bool:
    """Return whether a nest only stores elements of 32 bits to memory of the program, which it computes from
    loads with at most `light` instructions for an element. Accesses to ``whole`` tiles need no addresses and
    masks; tiles `in_memory` cost nothing.
    """
    if any(root.kind != "write" for root in roots):
        return False
    stored = [[root.op.value] if root.op in whole else root.reads for root in roots]
    if any(size_of(element_of(reads[0].type)) != WORD for reads in stored):
        return False
    pending = [value for reads in stored for value in reads]
    seen: set[Value] = set()
    effort = loads = 0
    while pending and effort <= light:
        value = pending.pop()
        if value in seen or value in in_memory or not isinstance(value, OpResult):
            continue
        seen.add(value)
        owner: Any = value.owner
        loads += operation_table.is_load(owner)
        if owner in whole:
            continue
        if operation_table.keeps_place(owner):
            effort += 1 if owner.__class__ in SINGLE else light + 1
        pending += tiles_of(owner)
    return loads > 0 and effort <= light


def _group(shape: Sequence[int], form: NestForm, roots: Sequence[PlanRoot]) -> int:
    """Return how many iterations of the reductions among `roots` are combined sequentially before a group
    ends: `LONGEST`, or 0 for all of them if there are no more than that.
    """
    axis = next(root.op.axis for root in roots if root.kind == "reduce")
    step = form.plain.lanes * form.plain.count if axis == form.along else 1
    return LONGEST if shape[axis] > LONGEST * step else 0


def form_of(
    shape: tuple[int, ...],
    roots: Sequence[PlanRoot],
    in_memory: Container[Value],
    costs: PlanningCosts,
    whole: Container[Operation] = (),
) -> NestForm:
    """Return the form of the nest of `roots`, by their kinds and by the ratio of computation to memory
    traffic.

    ``in_memory`` are the tiles in memory; accesses through pointers in ``whole`` move whole tiles.
    """
    kinds = {root.kind for root in roots}
    target = costs.target
    along, lanes = vector_dimension(shape), target.lanes
    if "scan" in kinds:
        return made_form(shape, along, (lanes, 1), (lanes, 1))
    if "reduce" in kinds:
        form = made_form(shape, along, (lanes, target.unroll), (lanes, target.unroll))
        return replace(form, group=_group(shape, form, roots))
    values = [value for root in roots for value in root.reads if shape_of(value.type) == shape]
    found = transposes.transposed_dimension(values, shape, along, in_memory.__contains__)
    if found is not None:
        transposed, size = found
        square = min(square_extent(lanes, size), shape[transposed], shape[along])
        return made_form(shape, along, (square, target.unroll), (square, 1), transposed, square)
    parts = costs.light_parts if is_light(roots, in_memory, costs.light, whole) else 1
    return plain_form(shape, target, parts)

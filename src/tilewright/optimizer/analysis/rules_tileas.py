"""Transfer rules of TileAS form: integer arithmetic of `arith` and `nv_tileas`, tiles made and reshaped, pointers moved.

There is one rule for a sum, in any dialect: these rules call the rules of Tile IR. Two things are left out on purpose.
Assumptions (`assume`, overflow flags) are ignored: a target that omits bounds checks by these facts must not write
behind an array because an assumption is false. `lowering.memory_order` computes the places of pointers.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.dialects.arith import ops_conversion as conversion, ops_integer as integers
from tilewright.dialects.common.grid import MAXIMUM_GRID_EXTENT
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp, AssumeOp
from tilewright.dialects.nv_tileaa.ops.program import GetNumProgramsOp, GetProgramIdOp
from tilewright.dialects.nv_tileaa.ops.structure import MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas.attributes import view_dimensions
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ExpandDimsOp, ViewOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.optimizer.analysis.facts import ValueFacts, constant, shape_of, step, unknown, width_of
from tilewright.optimizer.analysis.intervals import Interval, signed_range
from tilewright.optimizer.analysis.rules import ELEMENTWISE, UNKNOWN, FactRule, FactRuleTable
from tilewright.optimizer.analysis.rules_integer import (
    difference_of,
    extended,
    product_of,
    sum_of,
    truncated,
)
from tilewright.optimizer.analysis.runs import MAXIMUM_DIVISOR, AxisFacts, added, inside_alignment, scaled

RULES = FactRuleTable()


def _width(type: Type) -> int:
    width = width_of(type)
    assert width is not None, "integers only"
    return width


# --- arithmetic


@RULES.rule(*of_both(integers.AddIOp), because="as in Tile IR")
def _add(op: Operation, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    return sum_of(lhs, rhs, _width(op.results[0].type))


@RULES.rule(*of_both(integers.SubIOp), because="as in Tile IR")
def _subtract(op: Operation, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    return difference_of(lhs, rhs, _width(op.results[0].type))


@RULES.rule(*of_both(integers.MulIOp), because="as in Tile IR")
def _multiply(op: Operation, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    return product_of(lhs, rhs, op.results[0].type)


SIGNED = of_both(conversion.ExtSIOp, conversion.IndexCastOp)


@RULES.rule(
    *SIGNED,
    *of_both(conversion.ExtUIOp, conversion.IndexCastUIOp, conversion.TruncIOp),
    because="as in Tile IR",
)
def _resize(op: Operation, source: ValueFacts) -> ValueFacts:
    before, after = _width(op.operands[0].type), _width(op.results[0].type)
    if after == before:
        return source
    return extended(source, before, signed=type(op) in SIGNED) if after > before else truncated(source, after)


# --- tiles


def _given(value: Attribute | None, type: Type) -> ValueFacts:
    """Return the facts of a constant if all elements are one integer; constants of several numbers are not
    used as offsets.
    """
    width = width_of(type)
    if isinstance(value, DenseElementsAttr) and value.is_splat:
        (bits,) = value.patterns()
    elif isinstance(value, IntegerAttr):
        bits = value.value
    else:
        return unknown(type)
    if width is None:
        return unknown(type).changed(runs=_repeated(unknown(type), type))
    low = bits & ((1 << width) - 1)
    return constant(low - (low >> (width - 1) << width), type)


def _repeated(facts: ValueFacts, type: Type) -> tuple[AxisFacts, ...]:
    """Return the runs of a tile all of whose elements are the same."""
    return tuple(AxisFacts(1, facts.divisor, extent) for extent in shape_of(type))


@RULES.rule(integers.ConstantOp, because="the elements are given")
def _constant(op: integers.ConstantOp) -> ValueFacts:
    return _given(op.value, op.results[0].type)


@RULES.rule(SplatOp, because="all elements are one")
def _splat(op: SplatOp, *source: ValueFacts) -> ValueFacts:
    if not source:
        return _given(op.value, op.result.type)
    return replace(source[0], runs=_repeated(source[0], op.result.type))


@RULES.rule(MakeRangeOp, because="counts up from its lower limit")
def _range(op: MakeRangeOp, lower: ValueFacts, upper: ValueFacts) -> ValueFacts:
    (count,), limits = shape_of(op.result.type), signed_range(_width(op.result.type))
    assert lower.bounds is not None, "an integer"
    bounds = Interval(lower.bounds.low, lower.bounds.high + count - 1)
    run = AxisFacts(count, min(lower.divisor, MAXIMUM_DIVISOR))
    if limits.contains(bounds):
        return ValueFacts(bounds, 1, (run,))
    return ValueFacts(limits, 1, (inside_alignment(run, _width(op.result.type)),))


@RULES.rule(ExpandDimsOp, because="the runs of the other dimensions stay")
def _expand_dims(op: ExpandDimsOp, source: ValueFacts) -> ValueFacts:
    runs = list(source.runs)
    runs.insert(op.axis, AxisFacts(1, source.divisor, 1))
    return replace(source, runs=tuple(runs))


@RULES.rule(ViewOp, because="the runs of the dimensions that it shows")
def _view(op: ViewOp, source: ValueFacts) -> ValueFacts:
    type = op.result.type
    shape = shape_of(type)
    shown = view_dimensions(op.layout, shape, shape_of(op.source.type)) if shape else None
    if shown is None:
        return replace(unknown(type), bounds=source.bounds, divisor=source.divisor)
    runs = list(_repeated(source, type))
    for run, at in zip(source.runs, shown, strict=True):
        if at is not None:
            runs[at] = run.shortened(shape[at], step(type))
    return replace(source, runs=tuple(runs))


@RULES.rule(AssumeOp, ConvertLayoutOp, because="the same elements")
def _same(op: Operation, source: ValueFacts) -> ValueFacts:
    return source


# --- pointers and the grid


@RULES.rule(
    AddPtrOp,
    because="the address plus the offset times the pointee's bytes; either side counts where the other stays",
)
def _offset(op: AddPtrOp, base: ValueFacts, offset: ValueFacts) -> ValueFacts:
    size = step(op.result.type)
    runs = [added(one, scaled(other, size), size) for one, other in zip(base.runs, offset.runs, strict=True)]
    divisor = min(base.divisor, offset.divisor * size, MAXIMUM_DIVISOR)
    return ValueFacts(None, divisor, tuple(runs))


@RULES.rule(GetProgramIdOp, because=f"grids extend to {MAXIMUM_GRID_EXTENT} at most")
def _program(op: GetProgramIdOp) -> ValueFacts:
    return unknown(op.result.type).changed(bounds=Interval(0, MAXIMUM_GRID_EXTENT - 1))


@RULES.rule(GetNumProgramsOp, because=f"grids extend from 1 to {MAXIMUM_GRID_EXTENT}")
def _programs(op: GetNumProgramsOp) -> ValueFacts:
    return unknown(op.result.type).changed(bounds=Interval(1, MAXIMUM_GRID_EXTENT))


def rule_of(op: Operation) -> FactRule:
    """Return the rule of an operation without regions."""
    found = RULES.rules.get(type(op))
    return found or (ELEMENTWISE if Elementwise in op.kind.trait_classes else UNKNOWN)

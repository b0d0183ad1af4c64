"""Transfer rules of TileAS form: integer arithmetic of `arith` and `nv_tileas`, tiles made and reshaped, pointers moved.

There is one rule for a sum, in any dialect: these rules call the rules of Tile IR. Two things are left out on purpose.
Assumptions (`assume`, overflow flags) are ignored: a target that omits bounds checks by these facts must not write
behind an array because an assumption is false. `lowering.memory_order` computes the places of pointers.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.dialects.arith import ops_conversion as conversion, ops_integer as integers
from tilewright.dialects.common.grid import MAXIMUM_GRID_EXTENT
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, program as tileaa_program
from tilewright.dialects.nv_tileaa.ops.structure import MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas.attributes import view_dimensions
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ExpandDimsOp, ViewOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.optimizer.analysis import facts as analysis_facts, rules_integer, runs as analysis_runs
from tilewright.optimizer.analysis.intervals import Interval, signed_range
from tilewright.optimizer.analysis.rules import ELEMENTWISE, UNKNOWN, FactRule, FactRuleTable

RULES = FactRuleTable()


def _width(type: Type) -> int:
    width = analysis_facts.width_of(type)
    assert width is not None, "integers only"
    return width


# --- arithmetic


@RULES.rule(*of_both(integers.AddIOp), because="as in Tile IR")
def _add(
    op: Operation, lhs: analysis_facts.ValueFacts, rhs: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    return rules_integer.sum_of(lhs, rhs, _width(op.results[0].type))


@RULES.rule(*of_both(integers.SubIOp), because="as in Tile IR")
def _subtract(
    op: Operation, lhs: analysis_facts.ValueFacts, rhs: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    return rules_integer.difference_of(lhs, rhs, _width(op.results[0].type))


@RULES.rule(*of_both(integers.MulIOp), because="as in Tile IR")
def _multiply(
    op: Operation, lhs: analysis_facts.ValueFacts, rhs: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    return rules_integer.product_of(lhs, rhs, op.results[0].type)


SIGNED = of_both(conversion.ExtSIOp, conversion.IndexCastOp)


@RULES.rule(
    *SIGNED,
    *of_both(conversion.ExtUIOp, conversion.IndexCastUIOp, conversion.TruncIOp),
    because="as in Tile IR",
)
def _resize(op: Operation, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    before, after = _width(op.operands[0].type), _width(op.results[0].type)
    if after == before:
        return source
    return (
        rules_integer.extended(source, before, signed=type(op) in SIGNED)
        if after > before
        else rules_integer.truncated(source, after)
    )


# --- tiles


def _given(value: Attribute | None, type: Type) -> analysis_facts.ValueFacts:
    """Return the facts of a constant of `type` with the value `value`. A splat of elements that are no
    integers has only its constancy. Only the facts of the type are returned if the elements differ, if
    `value` is None, and for other attributes than integers and splats.
    """
    width = analysis_facts.width_of(type)
    if isinstance(value, DenseElementsAttr) and value.is_splat:
        (bits,) = value.patterns()
    elif isinstance(value, IntegerAttr):
        bits = value.value
    else:
        return analysis_facts.unknown(type)
    if width is None:
        return analysis_facts.unknown(type).changed(runs=_repeated(analysis_facts.unknown(type), type))
    low = bits & ((1 << width) - 1)
    return analysis_facts.constant(low - (low >> (width - 1) << width), type)


def _repeated(facts: analysis_facts.ValueFacts, type: Type) -> tuple[analysis_runs.AxisFacts, ...]:
    """Return the runs of a tile of `type` all of whose elements are one value with the facts `facts`."""
    return tuple(
        analysis_runs.AxisFacts(1, facts.divisor, extent) for extent in analysis_facts.shape_of(type)
    )


@RULES.rule(integers.ConstantOp, because="the elements are given")
def _constant(op: integers.ConstantOp) -> analysis_facts.ValueFacts:
    return _given(op.value, op.results[0].type)


@RULES.rule(SplatOp, because="all elements are one")
def _splat(op: SplatOp, *source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    if not source:
        return _given(op.value, op.result.type)
    return replace(source[0], runs=_repeated(source[0], op.result.type))


@RULES.rule(MakeRangeOp, because="counts up from its lower limit")
def _range(
    op: MakeRangeOp, lower: analysis_facts.ValueFacts, upper: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    (count,), limits = analysis_facts.shape_of(op.result.type), signed_range(_width(op.result.type))
    assert lower.bounds is not None, "an integer"
    bounds = Interval(lower.bounds.low, lower.bounds.high + count - 1)
    run = analysis_runs.AxisFacts(count, min(lower.divisor, analysis_runs.MAXIMUM_DIVISOR))
    if limits.contains(bounds):
        return analysis_facts.ValueFacts(bounds, 1, (run,))
    return analysis_facts.ValueFacts(
        limits, 1, (analysis_runs.inside_alignment(run, _width(op.result.type)),)
    )


@RULES.rule(ExpandDimsOp, because="the runs of the other dimensions stay")
def _expand_dims(op: ExpandDimsOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    runs = list(source.runs)
    runs.insert(op.axis, analysis_runs.AxisFacts(1, source.divisor, 1))
    return replace(source, runs=tuple(runs))


@RULES.rule(ViewOp, because="the runs of the dimensions that it shows")
def _view(op: ViewOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    type = op.result.type
    shape = analysis_facts.shape_of(type)
    shown = view_dimensions(op.layout, shape, analysis_facts.shape_of(op.source.type)) if shape else None
    if shown is None:
        return replace(analysis_facts.unknown(type), bounds=source.bounds, divisor=source.divisor)
    runs = list(_repeated(source, type))
    for run, at in zip(source.runs, shown, strict=True):
        if at is not None:
            runs[at] = run.shortened(shape[at], analysis_facts.step(type))
    return replace(source, runs=tuple(runs))


@RULES.rule(tileaa_pointer.AssumeOp, ConvertLayoutOp, because="the same elements")
def _same(op: Operation, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    return source


# --- pointers and the grid


@RULES.rule(
    tileaa_pointer.AddPtrOp,
    because="the address plus the offset times the pointee's bytes; either side counts where the other stays",
)
def _offset(
    op: tileaa_pointer.AddPtrOp, base: analysis_facts.ValueFacts, offset: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    size = analysis_facts.step(op.result.type)
    runs = [
        analysis_runs.added(one, analysis_runs.scaled(other, size), size)
        for one, other in zip(base.runs, offset.runs, strict=True)
    ]
    divisor = min(base.divisor, offset.divisor * size, analysis_runs.MAXIMUM_DIVISOR)
    return analysis_facts.ValueFacts(None, divisor, tuple(runs))


@RULES.rule(tileaa_program.GetProgramIdOp, because=f"grids extend to {MAXIMUM_GRID_EXTENT} at most")
def _program(op: tileaa_program.GetProgramIdOp) -> analysis_facts.ValueFacts:
    return analysis_facts.unknown(op.result.type).changed(bounds=Interval(0, MAXIMUM_GRID_EXTENT - 1))


@RULES.rule(tileaa_program.GetNumProgramsOp, because=f"grids extend from 1 to {MAXIMUM_GRID_EXTENT}")
def _programs(op: tileaa_program.GetNumProgramsOp) -> analysis_facts.ValueFacts:
    return analysis_facts.unknown(op.result.type).changed(bounds=Interval(1, MAXIMUM_GRID_EXTENT))


def rule_of(op: Operation) -> FactRule:
    """Return the rule of an operation without regions: its own, else the rule of elementwise operations, else
    `UNKNOWN`.
    """
    found = RULES.rules.get(type(op))
    return found or (ELEMENTWISE if Elementwise in op.kind.trait_classes else UNKNOWN)

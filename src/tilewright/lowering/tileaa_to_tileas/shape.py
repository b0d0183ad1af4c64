"""Shapes in the body conversion: operations that only rearrange elements become views with a layout, or
insertions of slices into a tile.

The layout of a view has the shape of the result; its strides count elements of the source in row-major order.
Tiles are not distributed over threads yet, so a view describes such an operation completely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.ops import math as aa_math, program as aa_program, shape as aa
from tilewright.dialects.nv_tileas import ops_tile as tile
from tilewright.dialects.nv_tileas.attributes import AtomAttr, row_major, view_layout, whole_tile
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, diagnostic
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import capability as lowering_capability, codes
from tilewright.lowering.pattern import ConversionInserter, LoweringResult
from tilewright.lowering.tileaa_to_tileas import patterns as tileaa_to_tileas_patterns
from tilewright.lowering.tileaa_to_tileas.atoms import aggregate_atom, dot_atom
from tilewright.lowering.tileaa_to_tileas.type_conversion import TileASTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)

NO_SIGNATURE = "failed to convert block signature"
PLUGIN_FEATURE = "plugin has unsupported feature"
PLUGIN_LAYOUT = "fails to assign layout"
"""Messages that are an interface: tools search for them."""
Strides = Sequence[int]


# --- views


class ShapePattern(tileaa_to_tileas_patterns.TileAAPattern[_Op]):
    """The base of patterns that replace an operation by a view with the layout that `strides` describes."""

    def strides(self, op: _Op, source: Sequence[int], target: Sequence[int]) -> Strides:
        """Return, for each dimension of the result, the distance in the source between neighbouring elements,
        in elements of row-major order. `source` and `target` are the shapes of the operand and of the result.
        By default the order of elements is kept.
        """
        return row_major(target)

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: ConversionInserter) -> LoweringResult:
        target = shape_of(types[0])
        layout = view_layout(target, self.strides(op, shape_of(op.operand_types[0]), target))
        return emit.insert(
            tile.ViewOp, source=at.source, layout=layout, result_types=types, attributes=discardable(op)
        )


def discardable(op: Operation) -> dict[str, Attribute]:
    """Return the discardable attributes of an operation, for its replacement."""
    return {name: value for name, value in op.held_attributes.items() if not op.kind.is_inherent(name)}


class ViewPattern(ShapePattern[aa.ViewOp]):
    """Converts a view that keeps the row-major order of the elements."""


class ExpandDimsPattern(ShapePattern[aa.ExpandDimsOp]):
    """Converts `expand_dims` to a view that keeps the order of the elements: the new extent is 1."""


class TileAABroadcastPattern(ShapePattern[aa.BroadcastOp]):
    """Converts a broadcast to a view with stride 0 along the dimensions whose extent was 1."""

    def strides(self, op: aa.BroadcastOp, source: Sequence[int], target: Sequence[int]) -> Strides:
        pairs = zip(row_major(source), source, strict=True)
        return [step if extent > 1 else 0 for step, extent in pairs]


class TileAAPermutePattern(ShapePattern[aa.PermuteOp]):
    """Converts a permutation to a view with the strides in another order."""

    def strides(self, op: aa.PermuteOp, source: Sequence[int], target: Sequence[int]) -> Strides:
        steps = row_major(source)
        permutation: tuple[int, ...] = op.permutation
        return [steps[dimension] for dimension in permutation]


# --- slices


class TileAACatPattern(tileaa_to_tileas_patterns.TileAAPattern[aa.CatOp]):
    """Converts a concatenation: inserts the tiles one after the other into an undefined tile."""

    def lower(
        self, op: aa.CatOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        whole = shape_of(types[0])
        value = emit(tile.AllocTensorOp, layout=whole_tile(whole), type=types[0])
        zero = _number(emit, 0)
        axis: int = op.axis
        start = 0
        for part in at.operands:
            offsets = [zero] * len(whole)
            if start:
                offsets[axis] = _number(emit, start)
            value = _put(emit, part, value, offsets)
            start += shape_of(part.type)[axis]
        return value


def _put(emit: ConversionInserter, part: Value, whole: Value, offsets: Sequence[Value]) -> Value:
    return emit(
        tile.InsertSliceOp,
        source=part,
        destination=whole,
        offsets=tuple(offsets),
        sizes=shape_of(part.type),
        type=whole.type,
    )


def _number(emit: ConversionInserter, value: int) -> Value:
    return emit(ConstantOp, builtin_attributes.IntegerAttr(builtin_types.i32, value))


class ExtractSlicePattern(tileaa_to_tileas_patterns.TileAAPattern[aa.ExtractSliceOp]):
    """Converts `extract_slice` to the operation of `nv_tileas` with this name."""

    def lower(
        self, op: aa.ExtractSliceOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return emit.insert(
            tile.ExtractSliceOp,
            source=at.source,
            offsets=at.offsets,
            sizes=op.sizes,
            result_types=types,
            attributes=discardable(op),
        )


# --- products, and operations with a body


class TargetPattern(tileaa_to_tileas_patterns.TileAAPattern[_Op]):
    """The base of patterns that convert differently for each target: ``target`` is the GPU, or the host, that
    code is made for.
    """

    def __init__(self, converter: TileASTypeConverter, target: lowering_capability.Capability) -> None:
        super().__init__(converter)
        self.target = target


class DotPattern(TargetPattern[aa_math.DotOp]):
    """Converts a matrix product to the `dot` of `nv_tileas`. Its atom names the matrix instruction of the
    target, or arithmetic of threads if the target has no matching one (`dot_atom`).
    """

    def lower(
        self, op: aa_math.DotOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return emit.insert(
            tile.DotOp,
            a=at.a,
            b=at.b,
            c=at.c,
            sfa=at.sfa,
            sfb=at.sfb,
            atom=dot_atom(op, self.target),
            signedness_a=op.signedness_a,
            signedness_b=op.signedness_b,
            propagate_nan=op.propagate_nan,
            input_precision=op.input_precision,
            fast_accumulation=op.fast_accumulation,
            result_types=types,
            attributes=discardable(op),
        )


class BodyPattern(TargetPattern[_Op]):
    """The base of patterns for an operation with a region. It becomes an operation ``becomes`` with the same
    region, whose arguments are converted, with the discardable attributes, the attributes that ``names``
    lists, and those that `added` returns. Subclasses set ``becomes`` and ``names``. It does not match if a
    region argument has no converted type.
    """

    becomes: type[Operation]
    names: Sequence[str] = ()
    """The attributes that are copied to the new operation."""

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: ConversionInserter) -> LoweringResult:
        attributes = discardable(op) | {
            name: op.held_attributes[name] for name in self.names if name in op.held_attributes
        }
        attributes |= self.added(op)
        made: Any = emit.plain(self.becomes.op_kind, at.operands, types, attributes, [ir_block.Region()])
        emit.rewriter.take_region(op.regions[0], made.body)
        if not emit.rewriter.convert_region_types(made.body, self.converter):
            return emit.rewriter.no_match(NO_SIGNATURE)
        return made

    def added(self, op: _Op) -> dict[str, Attribute]:
        """Return attributes of the new operation that the source does not have; none unless a subclass says
        so.
        """
        return {}


class TileAAAggregatePattern(BodyPattern[_Op]):
    """The base of patterns for reductions and scans, which become the operation of the same name with the
    same region. The new operation has an atom, the instruction that combines elements of several threads on
    the target.
    """

    def added(self, op: _Op) -> dict[str, Attribute]:
        atom: AtomAttr = aggregate_atom(op, self.target)
        return {"atom": atom}


class TileAAReducePattern(TileAAAggregatePattern[aa.ReduceOp]):
    """Converts `reduce` to the operation of `nv_tileas` with this name, and the types of the arguments of its
    body.
    """

    becomes = tile.ReduceOp
    names = ("axis",)


class TileAAScanPattern(TileAAAggregatePattern[aa.ScanOp]):
    """Converts `scan` to the operation of `nv_tileas` with this name, and the types of the arguments of its
    body.
    """

    becomes = tile.ScanOp
    names = ("axis", "inclusive", "reverse")


class GeneratePattern(BodyPattern[aa.GenerateOp]):
    """Converts `generate` to the operation of `nv_tileas` with this name, and the types of the arguments of
    its body.
    """

    becomes = tile.GenerateOp


class TileAAYieldPattern(tileaa_to_tileas_patterns.TileAAPattern[aa.YieldOp]):
    """Converts `yield` to the operation of `nv_tileas` with this name."""

    def lower(
        self, op: aa.YieldOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return emit.insert(tile.YieldOp, at.operands)


class PluginPattern(tileaa_to_tileas_patterns.TileAAPattern[aa_program.PluginOp]):
    """Refuses plugins that have requirements such as a layout, since no pass fulfils them, with a
    `DiagnosticError`. Plugins without requirements are legal.
    """

    def lower(
        self, op: aa_program.PluginOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        text = PLUGIN_FEATURE if op.features else PLUGIN_LAYOUT
        hint = "write what the plugin does with operations of tiles"
        raise diagnostic.failure(codes.UNSUPPORTED_PLUGIN, text, op.location, hint=hint)


SHAPES: tuple[type[tileaa_to_tileas_patterns.TileAAPattern[Any]], ...] = (
    tileaa_to_tileas_patterns.BlockTileOpConversion,
    tileaa_to_tileas_patterns.GetDimSizeOpConversion,
    TileAABroadcastPattern,
    ExpandDimsPattern,
    TileAAPermutePattern,
    ViewPattern,
    TileAACatPattern,
    ExtractSlicePattern,
    TileAAYieldPattern,
    PluginPattern,
)
AIMED: tuple[type[TargetPattern[Any]], ...] = (
    TileAAReducePattern,
    TileAAScanPattern,
    DotPattern,
    GeneratePattern,
)
"""The patterns that depend on the target."""

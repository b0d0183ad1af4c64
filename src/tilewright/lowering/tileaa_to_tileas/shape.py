"""Shapes in the body conversion: what only moves elements becomes a view with a layout, or slices put into a tile.

The layout of a view has the shape of the result; its strides count elements of the source in row-major order.  One
thread owns whole tiles here, so that a view says all there is to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa import ops_math as aa_math
from tilewright.dialects.nv_tileaa import ops_program as aa_program
from tilewright.dialects.nv_tileaa import ops_shape as aa
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileas import ops_tile as tile
from tilewright.dialects.nv_tileas.attributes import AtomAttr, row_major, view_layout, whole_tile
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import codes
from tilewright.lowering.capability import Capability
from tilewright.lowering.tileaa_to_tileas.atoms import aggregate_atom, dot_atom
from tilewright.lowering.tileaa_to_tileas.patterns import (
    BlockTileOpConversion,
    GetDimSizeOpConversion,
    TileAAPattern,
)
from tilewright.lowering.tileaa_to_tileas.types import TileASTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

_Op = TypeVar("_Op", bound=Operation)

NO_SIGNATURE = "failed to convert block signature"
PLUGIN_FEATURE = "plugin has unsupported feature"
PLUGIN_LAYOUT = "fails to assign layout"
"""The texts are contract: tools look for them."""
Strides = Sequence[int]


# --- views


class ShapePattern(TileAAPattern[_Op]):
    """A view with the layout that `strides` describes."""

    def strides(self, op: _Op, source: Sequence[int], target: Sequence[int]) -> Strides:
        """How many elements of the source lie between neighbours along each dimension of the result."""
        return row_major(target)

    def converted(
        self, op: _Op, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        target = shape_of(types[0])
        layout = view_layout(target, self.strides(op, shape_of(op.operand_types[0]), target))
        made = tile.ViewOp(
            source=adaptor.source,
            layout=layout,
            result_types=list(types),
            location=op.lazy_location,
            attributes=discardable(op),
        )
        rewriter.replace(op, rewriter.insert(made))
        return None


def discardable(op: Operation) -> dict[str, Attribute]:
    """The attributes that an operation carries along without knowing them."""
    return {name: value for name, value in op.held_attributes.items() if not op.kind.is_inherent(name)}


class ViewPattern(ShapePattern[aa.ViewOp]):
    """The elements in order."""


class ExpandDimsPattern(ShapePattern[aa.ExpandDimsOp]):
    """The elements in order: the new extent is 1."""


class BroadcastPattern(ShapePattern[aa.BroadcastOp]):
    """Extents of 1 stand still."""

    def strides(self, op: aa.BroadcastOp, source: Sequence[int], target: Sequence[int]) -> Strides:
        pairs = zip(row_major(source), source, strict=True)
        return [step if extent > 1 else 0 for step, extent in pairs]


class PermutePattern(ShapePattern[aa.PermuteOp]):
    """The strides in another order."""

    def strides(self, op: aa.PermuteOp, source: Sequence[int], target: Sequence[int]) -> Strides:
        steps = row_major(source)
        permutation: tuple[int, ...] = op.permutation
        return [steps[dimension] for dimension in permutation]


# --- slices


class CatPattern(TileAAPattern[aa.CatOp]):
    """A tile without elements, into which the tiles are put one after the other."""

    def converted(
        self, op: aa.CatOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        whole = shape_of(types[0])
        made = tile.AllocTensorOp(
            layout=whole_tile(whole), result_types=list(types), location=op.lazy_location
        )
        value: Value = rewriter.insert(made).result
        zero = _number(op, 0, rewriter)
        axis: int = op.axis
        start = 0
        for part in adaptor.operands:
            offsets = [zero] * len(whole)
            if start:
                offsets[axis] = _number(op, start, rewriter)
            value = self._put(op, part, value, offsets, rewriter)
            start += shape_of(part.type)[axis]
        rewriter.replace(op, value)
        return None

    def _put(
        self, op: aa.CatOp, part: Value, whole: Value, offsets: Sequence[Value], rewriter: ConversionRewriter
    ) -> Value:
        made = tile.InsertSliceOp(
            source=part,
            destination=whole,
            offsets=tuple(offsets),
            sizes=shape_of(part.type),
            result_types=[whole.type],
            location=op.lazy_location,
        )
        return rewriter.insert(made).result


def _number(op: aa.CatOp, value: int, rewriter: ConversionRewriter) -> Value:
    return rewriter.insert(ConstantOp(IntegerAttr(i32, value), location=op.lazy_location)).result


class ExtractSlicePattern(TileAAPattern[aa.ExtractSliceOp]):
    """The same name."""

    def converted(
        self, op: aa.ExtractSliceOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        made = tile.ExtractSliceOp(
            source=adaptor.source,
            offsets=adaptor.offsets,
            sizes=op.sizes,
            result_types=list(types),
            location=op.lazy_location,
            attributes=discardable(op),
        )
        rewriter.replace(op, rewriter.insert(made))
        return None


# --- products, and what has a body


class TargetPattern(TileAAPattern[_Op]):
    """A pattern that knows what code is made for."""

    def __init__(self, converter: TileASTypeConverter, target: Capability) -> None:
        super().__init__(converter)
        self.target = target


class DotPattern(TargetPattern[aa_math.DotOp]):
    """The same name, with the instruction that it becomes."""

    def converted(
        self, op: aa_math.DotOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        made = tile.DotOp(
            a=adaptor.a,
            b=adaptor.b,
            c=adaptor.c,
            sfa=adaptor.sfa,
            sfb=adaptor.sfb,
            atom=dot_atom(op, self.target),
            signedness_a=op.signedness_a,
            signedness_b=op.signedness_b,
            propagate_nan=op.propagate_nan,
            input_precision=op.input_precision,
            fast_accumulation=op.fast_accumulation,
            result_types=list(types),
            location=op.lazy_location,
            attributes=discardable(op),
        )
        rewriter.replace(op, rewriter.insert(made))
        return None


class BodyPattern(TargetPattern[_Op]):
    """An operation with a region: the same name, and the same region with converted arguments."""

    becomes: type[Operation]
    names: Sequence[str] = ()
    """The attributes that both have."""

    def converted(
        self, op: _Op, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        attributes = discardable(op) | {
            name: op.held_attributes[name] for name in self.names if name in op.held_attributes
        }
        attributes |= self.added(op)
        made: Any = Operation.from_parts(
            self.becomes.op_kind,
            adaptor.operands,
            types,
            attributes,
            regions=[Region()],
            location=op.lazy_location,
        )
        rewriter.insert(made)
        rewriter.take_region(op.regions[0], made.body)
        if not rewriter.convert_region_types(made.body, self.converter):
            return rewriter.no_match(NO_SIGNATURE)
        rewriter.replace(op, made)
        return None

    def added(self, op: _Op) -> dict[str, Attribute]:
        """Attributes that the new operation has besides."""
        return {}


class AggregatePattern(BodyPattern[_Op]):
    """A `BodyPattern` with the instruction that combines elements of several threads."""

    def added(self, op: _Op) -> dict[str, Attribute]:
        atom: AtomAttr = aggregate_atom(op, self.target)
        return {"atom": atom}


class ReducePattern(AggregatePattern[aa.ReduceOp]):
    """The same name."""

    becomes = tile.ReduceOp
    names = ("axis",)


class ScanPattern(AggregatePattern[aa.ScanOp]):
    """The same name."""

    becomes = tile.ScanOp
    names = ("axis", "inclusive", "reverse")


class GeneratePattern(BodyPattern[aa.GenerateOp]):
    """The same name."""

    becomes = tile.GenerateOp


class YieldPattern(TileAAPattern[aa.YieldOp]):
    """The same name."""

    def converted(
        self, op: aa.YieldOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        rewriter.replace(op, rewriter.insert(tile.YieldOp(adaptor.operands, location=op.lazy_location)))
        return None


class PluginPattern(TileAAPattern[aa_program.PluginOp]):
    """Code with demands of its own; there is nobody yet who meets them, so one that has any is refused."""

    def converted(
        self, op: aa_program.PluginOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        text = PLUGIN_FEATURE if op.features else PLUGIN_LAYOUT
        hint = "write what the plugin does with operations of tiles"
        raise failure(codes.UNSUPPORTED_PLUGIN, text, op.location, hint=hint)


SHAPES: tuple[type[TileAAPattern[Any]], ...] = (
    BlockTileOpConversion,
    GetDimSizeOpConversion,
    BroadcastPattern,
    ExpandDimsPattern,
    PermutePattern,
    ViewPattern,
    CatPattern,
    ExtractSlicePattern,
    YieldPattern,
    PluginPattern,
)
AIMED: tuple[type[TargetPattern[Any]], ...] = (ReducePattern, ScanPattern, DotPattern, GeneratePattern)
"""Patterns that know what code is made for."""

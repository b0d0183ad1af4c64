"""Constants, shape manipulation, matrix multiplication, reductions and scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.cuda_tile import constraints as cuda_tile_constraints, enums as cuda_tile_enums
from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.interfaces import UndefinedMotion
from tilewright.dialects.cuda_tile.rules import (
    aggregate as aggregate_rules,
    mma as mma_rules,
    shape as cuda_tile_shape_rules,
)
from tilewright.dialects.cuda_tile.syntax.value_names import constant_name
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.dialects.cuda_tile.version import V13_3, V13_4
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.text.hooks import hints_follow_from
from tilewright.ir.value import Value

SHAPE_GROUP = "Tiles"
MMA_GROUP = "Matrix multiplication"
REDUCTION_GROUP = "Reductions and scans"
SIGNEDNESS = attribute_kind.EnumKind(cuda_tile_enums.SignednessAttr)
MMA_OPERAND = cuda_tile_constraints.TileOf(
    (
        builtin_types.f16,
        builtin_types.bf16,
        builtin_types.f32,
        builtin_types.f64,
        builtin_types.tf32,
        builtin_types.f8E4M3FN,
        builtin_types.f8E5M2,
    ),
    word="mmaf operand tile type",
)
MMAI_OPERAND = cuda_tile_constraints.TileOf((builtin_types.i8,), word="mmai operand tile type")
MMAI_ACCUMULATOR = cuda_tile_constraints.TileOf((builtin_types.i32,), word="mmai acc tile type")
SCALED_OPERAND = cuda_tile_constraints.TileOf(
    (builtin_types.f8E4M3FN, builtin_types.f8E5M2, builtin_types.f4E2M1FN),
    word="mmaf_scaled operand tile type",
)
SCALE = cuda_tile_constraints.TileOf(
    (builtin_types.f8E4M3FN, builtin_types.f8E8M0FNU, builtin_types.fnv8E5M3FNU),
    word="mmaf_scaled scale tile type",
)
ACCUMULATOR = TypeVariable(
    "A",
    cuda_tile_constraints.TileOf(
        (builtin_types.f16, builtin_types.f32, builtin_types.f64), word="mmaf acc/result tile type"
    ),
)
SCALED_ACCUMULATOR = TypeVariable(
    "A", cuda_tile_constraints.TileOf((builtin_types.f32,), word="mmaf_scaled result tile type")
)
DESTINATION = TypeVariable("D", cuda_tile_constraints.ANY_TILE)
SELECTED = TypeVariable("T", cuda_tile_constraints.ANY_TILE)
POINTERS = TypeVariable("P", cuda_tile_constraints.POINTER_TILE)


def _dense_type(attributes: Mapping[str, Attribute]) -> Type:
    value = attributes["value"]
    assert isinstance(value, builtin_attributes.DenseElementsAttr)
    return value.type


@tile_op(0x10, SHAPE_GROUP)
class ConstantOp(TileOp, name="cuda_tile.constant"):
    """A constant tile; a single stored element is the value of all elements (splat)."""

    value: builtin_attributes.DenseElementsAttr = fields.attr_def(
        attribute_kind.ElementsKind(), "The elements; its type is the result type."
    )
    result: Value = fields.result_def(cuda_tile_constraints.NUMBER_TILE, "The tile.")
    assembly_format = "custom<Elements>($value, type($result)) attr-dict"
    traits = (ir_traits.Pure(), ir_traits.ConstantLike())

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [_dense_type(attributes)]

    def has_custom_form(self) -> bool:
        """Return whether the operation fits the custom form like any other, and the attribute and the result
        have the same type, which the text states once.
        """
        return super().has_custom_form() and self.value.type is self.result.type

    @hints_follow_from("attributes")
    def result_name_hints(self) -> Sequence[str | None]:
        return [constant_name(self.attributes.get("value"))]

    def verify_(self) -> None:
        if self.value.type is not self.result.type:
            raise ir_traits.VerifyError("failed to verify that all of {value, result} have same type")


@tile_op(0x3A, SHAPE_GROUP)
class IotaOp(TileOp, name="cuda_tile.iota"):
    """The numbers 0, 1, 2, ... in a rank-1 tile."""

    result: Value = fields.result_def(cuda_tile_constraints.INTEGER_TILE, "The numbers.")
    assembly_format = "attr-dict `:` type($result)"
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_iota(tile_of(self.result))


@tile_op(0x0B, SHAPE_GROUP)
class BroadcastOp(TileOp, name="cuda_tile.broadcast"):
    """Stretches dimensions of extent 1 to the extents of the result, of the same rank."""

    source: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile to stretch.")
    result: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The stretched tile.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    result_names = ("bcast",)
    traits = (
        ir_traits.Pure(),
        ir_traits.SameOperandsAndResultElementType(),
        ir_traits.same_rank("source", "result"),
    )

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_broadcast(tile_of(self.source), tile_of(self.result))


@tile_op(0x5B, SHAPE_GROUP)
class ReshapeOp(TileOp, name="cuda_tile.reshape"):
    """Gives the elements another shape, in row-major order."""

    source: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    result: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The reshaped tile.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    result_names = ("reshape",)
    traits = (ir_traits.Pure(), ir_traits.SameOperandsAndResultElementType())

    def verify_(self) -> None:
        if tile_of(self.source).element_count != tile_of(self.result).element_count:
            raise ir_traits.VerifyError(
                "expected source tile and result tile to have the same number of elements"
            )


@tile_op(0x53, SHAPE_GROUP)
class PermuteOp(TileOp, name="cuda_tile.permute"):
    """Reorders dimensions: dimension i of the result is dimension `permutation[i]` of the source."""

    source: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile, of rank 2 or more.")
    permutation: tuple[int, ...] = fields.attr_def(
        attribute_kind.DenseArrayKind(builtin_types.i32), "Source dimension of each result dimension."
    )
    result: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The permuted tile.")
    assembly_format = "$source $permutation attr-dict `:` type($source) `->` type($result)"
    traits = (
        ir_traits.Pure(),
        ir_traits.same_element_type("source", "result"),
        ir_traits.same_rank("source", "result"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return cuda_tile_shape_rules.permuted_type(operands, attributes)

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_permutation(tile_of(self.source), self.permutation, tile_of(self.result))


@tile_op(0x0C, SHAPE_GROUP)
class CatOp(TileOp, name="cuda_tile.cat"):
    """Joins two tiles along dimension `dim`, `lhs` first."""

    lhs: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The first part.")
    rhs: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The second part.")
    dim: int = fields.attr_def(
        attribute_kind.IntegerKind(builtin_types.i64), "The dimension along which the parts are joined."
    )
    result: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The joined tile.")
    assembly_format = (
        "$lhs `,` $rhs `dim` `=` $dim attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"
    )
    traits = (
        ir_traits.Pure(),
        ir_traits.same_rank("lhs", "rhs", "result"),
        ir_traits.same_element_type("lhs", "rhs", "result"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return cuda_tile_shape_rules.concatenated_type(operands, attributes)

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_concatenation(
            tile_of(self.lhs), tile_of(self.rhs), tile_of(self.result), self.dim
        )


@tile_op(0x26, SHAPE_GROUP)
class ExtractOp(TileOp, name="cuda_tile.extract"):
    """Cuts a slice out of a tile.

    The source is a grid of slices of the result's shape; `indices` name one of them.  They count slices, are read
    as unsigned, and out of range they are undefined behaviour.
    """

    concepts = (UndefinedMotion,)
    source: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    indices: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.SCALAR_INT32, "One slice number per dimension."
    )
    result: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The slice.")
    assembly_format = "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)"
    format_types: ClassVar[Mapping[str, Type]] = {"indices": TileType((), builtin_types.i32)}
    traits = (ir_traits.Pure(), ir_traits.same_rank("source", "result"))

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_slice(
            ("result", tile_of(self.result)), ("source", tile_of(self.source)), self.indices
        )


@tile_op(0x76, SHAPE_GROUP, V13_4)
class InsertOp(TileOp, name="cuda_tile.insert"):
    """A copy of `destination` in which one slice is replaced by `source`. The `indices` count slices of the
    shape of `source` and are read as unsigned; out of range they are undefined behaviour.
    """

    concepts = (UndefinedMotion,)
    source: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The slice.")
    destination: Value = fields.operand_def(DESTINATION, "The tile around it.")
    indices: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.SCALAR_INT32, "One slice number per dimension."
    )
    result: Value = fields.result_def(DESTINATION, "The changed copy.")
    assembly_format = (
        "$source `,` $destination `[` $indices `]` attr-dict `:` type($source) `,` type($destination)"
    )
    format_types: ClassVar[Mapping[str, Type]] = {"indices": TileType((), builtin_types.i32)}
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_slice(
            ("source", tile_of(self.source)), ("result", tile_of(self.result)), self.indices
        )


@tile_op(0x5F, SHAPE_GROUP)
class SelectOp(TileOp, name="cuda_tile.select"):
    """Takes each element from `val_if_true` where `cond` is true, and from `val_if_false` elsewhere."""

    cond: Value = fields.operand_def(
        cuda_tile_constraints.BOOLEAN_TILE, "Where true, the first tile is taken."
    )
    val_if_true: Value = fields.operand_def(SELECTED, "The elements where the condition is true.")
    val_if_false: Value = fields.operand_def(SELECTED, "The elements where it is false.")
    result: Value = fields.result_def(SELECTED, "The chosen elements.")
    assembly_format = "$cond `,` $val_if_true `,` $val_if_false attr-dict `:` type($cond) `,` type($result)"
    traits = (ir_traits.Pure(), ir_traits.same_shape("cond", "val_if_true", "val_if_false", "result"))

    def verify_(self) -> None:
        cuda_tile_shape_rules.check_select(tile_of(self.result))


@tile_op(0x51, SHAPE_GROUP)
class OffsetOp(TileOp, name="cuda_tile.offset"):
    """Pointer arithmetic: `ptr + offset * sizeof(pointee)` in bytes; the offset is signed."""

    ptr: Value = fields.operand_def(POINTERS, "The addresses.")
    offset: Value = fields.operand_def(cuda_tile_constraints.INTEGER_TILE, "How many pointees to advance.")
    result: Value = fields.result_def(POINTERS, "The advanced addresses.")
    assembly_format = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset) `->` type($result)"
    traits = (ir_traits.Pure(), ir_traits.same_type("result", "ptr"), ir_traits.SameOperandsAndResultShape())


@tile_op(0x49, MMA_GROUP)
class MmaFOp(TileOp, name="cuda_tile.mmaf"):
    """Float matrix multiply-accumulate: `lhs @ rhs + acc` for 2-D tiles, or batches of them in 3-D.

    f32 inputs are not rounded to tf32.  f8 accumulates in f16 or f32, f16 in f16 or f32, bf16, tf32 and f32 in
    f32, f64 in f64.
    """

    lhs: Value = fields.operand_def(MMA_OPERAND, "M x K (or batch x M x K).")
    rhs: Value = fields.operand_def(MMA_OPERAND, "K x N (or batch x K x N).")
    acc: Value = fields.operand_def(ACCUMULATOR, "M x N (or batch x M x N).")
    fast_acc: bool = fields.flag_def(
        "Allow the reduced-precision accumulation of fp8 on Hopper.", since=V13_3, default=False
    )
    result: Value = fields.result_def(ACCUMULATOR, "The accumulated product.")
    assembly_format = (
        "$lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` type($lhs) `,` type($rhs) `,` "
        "type($acc)"
    )
    traits = (
        ir_traits.Pure(),
        ir_traits.same_element_type("lhs", "rhs"),
        ir_traits.same_rank("lhs", "rhs", "acc"),
    )

    def verify_(self) -> None:
        lhs, rhs, acc = map(tile_of, (self.lhs, self.rhs, self.acc))
        mma_rules.check_product_shapes(lhs, rhs, acc)
        mma_rules.check_accumulator(lhs, acc)


@tile_op(0x4A, MMA_GROUP)
class MmaIOp(TileOp, name="cuda_tile.mmai"):
    """Integer matrix multiply-accumulate, `lhs @ rhs + acc`, for 2-D tiles, or batches of them in 3-D. The
    inputs have 8 bits; the sums have 32 bits and wrap around.
    """

    lhs: Value = fields.operand_def(MMAI_OPERAND, "M x K (or batch x M x K).")
    rhs: Value = fields.operand_def(MMAI_OPERAND, "K x N (or batch x K x N).")
    acc: Value = fields.operand_def(MMAI_ACCUMULATOR, "M x N (or batch x M x N).")
    signedness_lhs: cuda_tile_enums.Signedness = fields.attr_def(SIGNEDNESS, "How `lhs` is read.")
    signedness_rhs: cuda_tile_enums.Signedness = fields.attr_def(SIGNEDNESS, "How `rhs` is read.")
    result: Value = fields.result_def(
        cuda_tile_constraints.TileOf((builtin_types.i32,), word="mmai result tile type"),
        "The accumulated product.",
    )
    assembly_format = (
        "$lhs `,` $rhs `,` $acc custom<Word>($signedness_lhs) custom<Word>($signedness_rhs) attr-dict `:` "
        "type($lhs) `,` type($rhs) `,` type($acc)"
    )
    traits = (
        ir_traits.Pure(),
        ir_traits.same_type("acc", "result"),
        ir_traits.same_element_type("lhs", "rhs"),
        ir_traits.same_rank("lhs", "rhs", "acc"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[2].type]

    def verify_(self) -> None:
        mma_rules.check_product_shapes(tile_of(self.lhs), tile_of(self.rhs), tile_of(self.acc))


@tile_op(0x72, MMA_GROUP, V13_3)
class MmaFScaledOp(TileOp, name="cuda_tile.mmaf_scaled"):
    """Block-scaled matrix multiply-accumulate: `(lhs * lhs_scale) @ (rhs * rhs_scale) + acc`.

    Each scale covers a block of `V` elements along K: 32 for f8 inputs, 16 or 32 for f4.
    """

    lhs: Value = fields.operand_def(SCALED_OPERAND, "M x K (or batch x M x K).")
    rhs: Value = fields.operand_def(SCALED_OPERAND, "K x N (or batch x K x N).")
    acc: Value = fields.operand_def(SCALED_ACCUMULATOR, "M x N (or batch x M x N).")
    lhs_scale: Value = fields.operand_def(SCALE, "M x K/V (or batch x M x K/V).")
    rhs_scale: Value = fields.operand_def(SCALE, "K/V x N (or batch x K/V x N).")
    result: Value = fields.result_def(SCALED_ACCUMULATOR, "The accumulated product.")
    assembly_format = (
        "$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` type($lhs) `,` type($rhs) `,` "
        "type($acc) `,` type($lhs_scale) `,` type($rhs_scale)"
    )
    traits = (
        ir_traits.Pure(),
        ir_traits.same_element_type("lhs", "rhs"),
        ir_traits.same_element_type("lhs_scale", "rhs_scale"),
        ir_traits.same_rank("lhs", "rhs", "acc", "lhs_scale", "rhs_scale"),
    )

    def verify_(self) -> None:
        lhs, rhs, acc = map(tile_of, (self.lhs, self.rhs, self.acc))
        mma_rules.check_product_shapes(lhs, rhs, acc)
        mma_rules.check_scales(lhs, rhs, tile_of(self.lhs_scale), tile_of(self.rhs_scale))


class AggregateOp(TileOp):
    """The base of `reduce` and `scan`, which fold tiles of one shape along dimension `dim`. The region takes,
    for every operand, an element and an accumulator (in this order, both rank 0) and yields the new
    accumulators. It must contain only operations without memory effects.
    """

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.ANY_TILE, "Tiles of one shape."
    )
    dim: int = fields.attr_def(
        attribute_kind.IntegerKind(builtin_types.i32, minimum=0), "The dimension that is folded."
    )


@tile_op(0x58, REDUCTION_GROUP)
class ReduceOp(AggregateOp, name="cuda_tile.reduce"):
    """Combines the elements of tiles along the dimension `dim`, which the results lack, by an associative
    function: the region. It gets an element and an accumulator for each operand and yields the new
    accumulators.

    The order is unspecified but deterministic. All operands have the same shape.
    """

    identities: tuple[Attribute, ...] = fields.attr_def(
        attribute_kind.ArrayKind(), "The neutral element of each operand."
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.ANY_TILE, "The folded tiles, one dimension less."
    )
    body: Region = fields.region_def("The function; ends in `yield`.")
    assembly_format = (
        "$operands attr-dict `dim` `` `=` `` $dim `identities` `` `=` `` $identities `:` type($operands) "
        "`->` type($results) custom<FoldBody>($body)"
    )
    result_names = ("reduce",)
    traits = (
        ir_traits.InferredResultTypes(),
        ir_traits.NoMemoryEffect(),
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SameOperandsShape(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator("cuda_tile.yield", fills=False),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return aggregate_rules.reduced_types(operands, attributes["dim"])

    def block_argument_name_hints(self, block: Block) -> Sequence[str | None]:
        """Return the names of the region's arguments: ``reduce_lhs`` for an element and ``reduce_rhs`` for an
        accumulator; with several operands ``reduce_lhs0``, ``reduce_rhs0``, ``reduce_lhs1``, ...
        """
        count = len(block.arguments) // 2
        numbers = range(count) if count > 1 else ("",)
        return [f"reduce_{side}{number}" for number in numbers for side in ("lhs", "rhs")]

    def verify_(self) -> None:
        aggregate_rules.check_aggregate(self, self.dim, self.identities)

    def verify_regions_(self) -> None:
        aggregate_rules.check_fold_body(self, self.body.block)


@tile_op(0x5E, REDUCTION_GROUP)
class ScanOp(AggregateOp, name="cuda_tile.scan"):
    """Computes for each element of tiles the combination of all elements up to it, itself included, along the
    dimension `dim`: from the low end, or from the high end with `reverse`. The function and the operands are
    as for `ReduceOp`; the results have the operands' types.
    """

    reverse: bool = fields.attr_def(attribute_kind.BoolKind(), "Fold from the high end.")
    identities: tuple[Attribute, ...] = fields.attr_def(
        attribute_kind.ArrayKind(), "The neutral element of each operand."
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.ANY_TILE, "The prefix folds, of the operands' types."
    )
    body: Region = fields.region_def("The function; ends in `yield`.")
    assembly_format = (
        "$operands attr-dict `dim` `` `=` `` $dim `reverse` `` `=` `` $reverse `identities` `` `=` `` "
        "$identities `:` type($operands) `->` type($results) custom<FoldBody>($body)"
    )
    traits = (
        ir_traits.InferredResultTypes(),
        ir_traits.NoMemoryEffect(),
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SameOperandsShape(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator("cuda_tile.yield", fills=False),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operand.type for operand in operands]

    def verify_(self) -> None:
        aggregate_rules.check_aggregate(self, self.dim, self.identities)
        aggregate_rules.check_scan_results(self)

    def verify_regions_(self) -> None:
        aggregate_rules.check_fold_body(self, self.body.block)


OPERATIONS = (
    ConstantOp,
    IotaOp,
    BroadcastOp,
    ReshapeOp,
    PermuteOp,
    CatOp,
    ExtractOp,
    InsertOp,
    SelectOp,
    OffsetOp,
    MmaFOp,
    MmaIOp,
    MmaFScaledOp,
    ReduceOp,
    ScanOp,
)

"""Operations that move elements: slices, shapes, permutations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.operand_lists import INDEX_LISTS
from tilewright.dialects.common.traits import PredicateTrait, same_element_type
from tilewright.dialects.vector import base as vector_base, rules_shape
from tilewright.dialects.vector.constraints import ANY_VECTOR, FIXED_VECTOR, INDEX, STEP_VECTOR, VECTOR_1D
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import Pure, same_rank
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_ANY_VECTOR = TypeVariable("T", ANY_VECTOR)
SAME_VECTOR_1D = TypeVariable("T", VECTOR_1D)
RESULT_DOC = "The result."
VALUE_TO_STORE_DOC = "The value."
DEST_DOC = "The vector to change."
SOURCE_DOC = "The vector."


class BroadcastOp(StandardOp, name="vector.broadcast"):
    """Repeats a scalar, or a vector along new leading dimensions and along its dimensions of extent 1, to the
    shape of the result.
    """

    source: Value = operand_def(ANY_TYPE, "The scalar or vector.")
    vector: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "$source attr-dict `:` type($source) `to` type($vector)"
    traits = (
        Pure(),
        PredicateTrait(
            "source operand and result have same element type", rules_shape.same_elements("source", "vector")
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_broadcast(self)


class ExtractOp(vector_base.PartResultOp, name="vector.extract"):
    """Returns the element or subvector of a vector at a position, which has an index for each leading
    dimension. An index is constant, in `static_position`, where -1 gives poison, or an operand, marked there
    as `DYNAMIC`.
    """

    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    static_position: tuple[int, ...] = attr_def(
        DenseArrayKind(i64), "All positions; unknown ones are operands."
    )
    dynamic_position: tuple[Value, ...] = variadic_operand_def(
        INDEX, "The positions that are not constants.", default=()
    )
    result: Value = result_def(ANY_TYPE, RESULT_DOC)
    format_directives: ClassVar[dict[str, Any]] = INDEX_LISTS
    assembly_format = (
        "$source `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` "
        "type($result) `from` type($source)"
    )
    traits = (
        Pure(),
        PredicateTrait(
            "operand and result have same element type", rules_shape.same_elements("source", "result")
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_extract(self)


class InsertOp(StandardOp, name="vector.insert"):
    """Returns `dest` with the element or subvector at a position replaced by `valueToStore`. The position has
    an index for each leading dimension: constant, in `static_position`, where -1 gives poison, or an operand,
    marked there as `DYNAMIC`.
    """

    valueToStore: Value = operand_def(ANY_TYPE, VALUE_TO_STORE_DOC)
    dest: Value = operand_def(SAME_ANY_VECTOR, DEST_DOC)
    static_position: tuple[int, ...] = attr_def(
        DenseArrayKind(i64), "All positions; unknown ones are operands."
    )
    dynamic_position: tuple[Value, ...] = variadic_operand_def(
        INDEX, "The positions that are not constants.", default=()
    )
    result: Value = result_def(SAME_ANY_VECTOR, RESULT_DOC)
    format_directives: ClassVar[dict[str, Any]] = INDEX_LISTS
    assembly_format = (
        "$valueToStore `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) "
        "attr-dict `:` type($valueToStore) `into` type($dest)"
    )
    traits = (
        Pure(),
        PredicateTrait(
            "source operand and result have same element type",
            rules_shape.same_elements("valueToStore", "result"),
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_insert(self)


class ExtractStridedSliceOp(StandardOp, name="vector.extract_strided_slice"):
    """Returns a slice of a vector, given by an offset, size and stride for each leading dimension; the
    strides are 1. Further dimensions are kept whole.
    """

    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    offsets: tuple[int, ...] = attr_def(vector_base.INTEGERS, "Where the slice begins.")
    sizes: tuple[int, ...] = attr_def(vector_base.INTEGERS, "The extents of the slice.")
    strides: tuple[int, ...] = attr_def(vector_base.INTEGERS, "The distance of elements of the slice.")
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "$source attr-dict `:` type($source) `to` type(results)"
    traits = (
        Pure(),
        PredicateTrait(
            "operand and result have same element type", rules_shape.same_elements("source", "result")
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_slice(self)


class InsertStridedSliceOp(StandardOp, name="vector.insert_strided_slice"):
    """Returns the vector `dest` with a slice replaced by `valueToStore`; `offsets` has the position of the
    slice in each dimension of `dest`, and all `strides` are 1.
    """

    valueToStore: Value = operand_def(ANY_VECTOR, VALUE_TO_STORE_DOC)
    dest: Value = operand_def(SAME_ANY_VECTOR, DEST_DOC)
    offsets: tuple[int, ...] = attr_def(vector_base.INTEGERS, "Where the slice begins.")
    strides: tuple[int, ...] = attr_def(vector_base.INTEGERS, "The distance of elements of the slice.")
    result: Value = result_def(SAME_ANY_VECTOR, RESULT_DOC)
    assembly_format = "$valueToStore `,` $dest attr-dict `:` type($valueToStore) `into` type($dest)"
    traits = (
        Pure(),
        PredicateTrait(
            "operand #0 and result have same element type",
            rules_shape.same_elements("valueToStore", "result"),
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_slice_insertion(self)


class ScalableExtractOp(StandardOp, name="vector.scalable.extract"):
    """Returns the subvector of a scalable vector of rank 1 that begins at the element `pos`, a multiple of
    the length of the result.
    """

    source: Value = operand_def(VECTOR_1D, SOURCE_DOC)
    pos: int = attr_def(IntegerKind(), "Where the part begins, in elements.")
    result: Value = result_def(VECTOR_1D, RESULT_DOC)
    assembly_format = "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)"
    traits = (
        Pure(),
        same_element_type("source", "result"),
        PredicateTrait("position is a multiple of the result length.", rules_shape.is_multiple_of("result")),
    )


class ScalableInsertOp(StandardOp, name="vector.scalable.insert"):
    """Returns the scalable vector `dest` of rank 1 with the subvector that begins at the element `pos`, a
    multiple of the length of `valueToStore`, replaced by the latter.
    """

    valueToStore: Value = operand_def(VECTOR_1D, VALUE_TO_STORE_DOC)
    dest: Value = operand_def(SAME_VECTOR_1D, DEST_DOC)
    pos: int = attr_def(IntegerKind(), "Where the part begins, in elements.")
    result: Value = result_def(SAME_VECTOR_1D, RESULT_DOC)
    assembly_format = (
        "$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($dest)"
    )
    traits = (
        Pure(),
        same_element_type("valueToStore", "dest"),
        PredicateTrait(
            "position is a multiple of the source length.", rules_shape.is_multiple_of("valueToStore")
        ),
    )


class ShuffleOp(vector_base.ShuffledResultOp, name="vector.shuffle"):
    """Selects elements, or subvectors along the leading dimension, of two vectors by a constant mask; -1
    gives poison.
    """

    v1: Value = operand_def(FIXED_VECTOR, "The first vector.")
    v2: Value = operand_def(FIXED_VECTOR, "The second vector.")
    mask: tuple[int, ...] = attr_def(DenseArrayKind(i64), "Which elements.")
    vector: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "operands $mask attr-dict `:` type(operands)"
    traits = (
        Pure(),
        PredicateTrait(
            "first operand v1 and result have same element type", rules_shape.same_elements("v1", "vector")
        ),
        PredicateTrait(
            "second operand v2 and result have same element type", rules_shape.same_elements("v2", "vector")
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_shuffle(self)


class ShapeCastOp(StandardOp, name="vector.shape_cast"):
    """Returns the elements of a vector in another shape with as many elements, in row-major order."""

    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_shape.check_shape_cast(self)


class TransposeOp(vector_base.TransposedResultOp, name="vector.transpose"):
    """Returns a vector with its dimensions permuted: dimension `i` of the result is the dimension
    ``permutation[i]`` of the source.
    """

    vector: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    permutation: tuple[int, ...] = attr_def(
        DenseArrayKind(i64), "The dimension of the source for each dimension of the result."
    )
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
    traits = (
        Pure(),
        PredicateTrait(
            "operand and result have same element type", rules_shape.same_elements("vector", "result")
        ),
    )

    def verify_(self) -> None:
        rules_shape.check_transpose(self)


class BitCastOp(StandardOp, name="vector.bitcast"):
    """Reads the bits of a vector as elements of another type, whose width determines the last extent: the
    number of bits in the last dimension stays, and so do all other extents.
    """

    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"
    traits = (
        Pure(),
        same_rank("source", "result"),
    )

    def verify_(self) -> None:
        rules_shape.check_bit_cast(self)


class InterleaveOp(vector_base.InterleavedResultOp, name="vector.interleave"):
    """Returns the elements of two vectors, alternating along the last dimension."""

    lhs: Value = operand_def(SAME_ANY_VECTOR, "The left-hand operand.")
    rhs: Value = operand_def(SAME_ANY_VECTOR, "The right-hand operand.")
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"
    traits = (
        Pure(),
        PredicateTrait("type of 'result' is double the width of the inputs", rules_shape.is_doubled),
    )


class DeinterleaveOp(vector_base.HalvedResultOp, name="vector.deinterleave"):
    """Returns two vectors: the elements at even, and at odd positions of the last dimension."""

    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    res1: Value = result_def(SAME_ANY_VECTOR, "The elements at even positions.")
    res2: Value = result_def(SAME_ANY_VECTOR, "The elements at odd positions.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"
    traits = (
        Pure(),
        PredicateTrait(
            "the trailing dimension of the source vector has an even number of elements", rules_shape.is_even
        ),
        PredicateTrait(
            "the trailing dimension of the results is half the width of source trailing dimension",
            rules_shape.is_halved,
        ),
    )


class ToElementsOp(vector_base.ElementsResultOp, name="vector.to_elements"):
    """Returns every element of a vector as a scalar, in row-major order."""

    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    elements: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The elements.")
    assembly_format = "$source attr-dict `:` type($source)"
    traits = (
        Pure(),
        PredicateTrait(
            "shaped type 'source' matches 'elements' element count and types", rules_shape.matches_elements
        ),
    )


class FromElementsOp(StandardOp, name="vector.from_elements"):
    """Builds a vector from scalars, in row-major order."""

    elements: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The elements.", default=())
    dest: Value = result_def(FIXED_VECTOR, SOURCE_DOC)
    assembly_format = "$elements attr-dict `:` type($dest)"
    traits = (
        Pure(),
        PredicateTrait(
            "shaped type 'dest' matches 'elements' element count and types", rules_shape.matches_elements
        ),
    )

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the types that the text leaves out: ``{"elements": [...]}``, each the element type of the
        vector; an empty dictionary if `dest` is no shaped type.
        """
        element = getattr(known["dest"][0], "element_type", None)
        return {} if element is None else {"elements": [element] * len(parsing.uses["elements"])}


class StepOp(StandardOp, name="vector.step"):
    """Returns the vector of the indices 0, 1, 2, ..."""

    result: Value = result_def(STEP_VECTOR, RESULT_DOC)
    assembly_format = "attr-dict `:` type($result)"
    traits = (Pure(),)


class VectorScaleOp(StandardOp, name="vector.vscale"):
    """Returns `vscale`, the run-time factor of the extents of scalable dimensions."""

    res: Value = result_def(INDEX, RESULT_DOC)
    assembly_format = "attr-dict"
    traits = (Pure(),)

    def result_name_hints(self) -> Sequence[str | None]:
        """Return the name that MLIR gives the result: `vscale`."""
        return ("vscale",)


OPERATIONS: tuple[type[Operation], ...] = (
    BroadcastOp,
    ExtractOp,
    InsertOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    ScalableExtractOp,
    ScalableInsertOp,
    ShuffleOp,
    ShapeCastOp,
    TransposeOp,
    BitCastOp,
    InterleaveOp,
    DeinterleaveOp,
    ToElementsOp,
    FromElementsOp,
    StepOp,
    VectorScaleOp,
)
"""The operations of this module."""

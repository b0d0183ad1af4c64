"""Rules of operations that move elements, and of masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.common.traits import check_inferred
from tilewright.dialects.vector.base import scaled_type
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, FloatType, IntegerType, VectorType, element_count
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.vector import ops_shape as vector_shape

POISON = -1
"""The index in a constant position or mask that gives poison."""


def require(condition: bool, message: str) -> None:
    """Raise `VerifyError` with ``message`` if ``condition`` is false."""
    if not condition:
        raise VerifyError(message)


def element_type(type: Type) -> Type:
    """Return the element type of a shaped type, or of any type that has one; other types are returned
    unchanged.
    """
    return getattr(type, "element_type", type)


def same_elements(first: str, second: str) -> Callable[[Operation], bool]:
    """Return a predicate of operations: True if the fields called `first` and `second` have the same element
    type, or exactly one of the two is absent.
    """

    def holds(op: Operation) -> bool:
        values = [*op.kind.field_values(op, first)[:1], *op.kind.field_values(op, second)[:1]]
        return len({element_type(value.type) for value in values}) == 1

    return holds


def same_types(first: str, second: str) -> Callable[[Operation], bool]:
    """Return a predicate of operations: True if the fields called `first` and `second` have the same type, or
    exactly one of the two is absent.
    """

    def holds(op: Operation) -> bool:
        values = [*op.kind.field_values(op, first)[:1], *op.kind.field_values(op, second)[:1]]
        return len({value.type for value in values}) == 1

    return holds


def is_multiple_of(field: str) -> Callable[[Operation], bool]:
    """Return a predicate of operations: True if the attribute ``pos`` is a multiple of the first extent of
    the vector in the field called `field`.
    """

    def holds(op: Operation) -> bool:
        position: Any = op.attributes["pos"]
        vector: Any = op.kind.field_values(op, field)[0].type
        return position.value % vector.shape[0] == 0

    return holds


def is_doubled(op: Operation) -> bool:
    """Return whether the first result has the type of the first operand with twice the last extent. False for
    an operand of rank 0.
    """
    source: Any = op.operands[0].type
    return bool(source.shape) and op.results[0].type is scaled_type(source, 2, 1)


def is_halved(op: Operation) -> bool:
    """Return whether the first result has the type of the operand with half the last extent, rounded down.
    False for an operand of rank 0.
    """
    source: Any = op.operands[0].type
    return bool(source.shape) and op.results[0].type is scaled_type(source, 1, 2)


def is_even(op: Operation) -> bool:
    """Return whether the last extent of the operand is even; False for rank 0."""
    source: Any = op.operands[0].type
    return bool(source.shape) and source.shape[-1] % 2 == 0


def matches_elements(op: Operation) -> bool:
    """Return whether the number of scalars, the results of `to_elements` or the operands of `from_elements`,
    is the number of elements of the vector, and all have its element type.
    """
    takes_vector = len(op.operands) == 1 and isinstance(op.operands[0].type, VectorType)
    vector, scalars = (op.operands[0], op.results) if takes_vector else (op.results[0], op.operands)
    shaped: Any = vector.type
    counts = element_count(shaped.shape) == len(scalars)
    return counts and all(value.type is shaped.element_type for value in scalars)


def check_broadcast(op: vector_shape.BroadcastOp) -> None:
    """Raise `VerifyError` unless each extent of the source is 1 and not scalable, or equals the corresponding
    trailing extent of the result. Any scalar is legal.
    """
    source, result = op.source.type, checked_type(op.vector)
    if not isinstance(source, VectorType):
        return
    require(len(source.shape) <= len(result.shape), "source rank higher than destination rank")
    lead = len(result.shape) - len(source.shape)
    for (extent, scales), (other, other_scales) in zip(extents(source), extents(result)[lead:], strict=True):
        if (extent, scales) != (other, other_scales) and (extent != 1 or scales):
            words = f"{_extent(extent, scales)} vs. {_extent(other, other_scales)}"
            raise VerifyError(f"dimension mismatch ({words})")


def extents(vector: VectorType) -> list[tuple[int, bool]]:
    """Return a pair for each dimension of a vector: its extent, and whether it is scalable."""
    return list(zip(vector.shape, vector.scalable or (False,) * len(vector.shape), strict=True))


def _extent(extent: int, scales: bool) -> str:
    return f"[{extent}]" if scales else str(extent)


def check_extract(op: vector_shape.ExtractOp) -> None:
    """Raise `VerifyError` unless each constant position is in the vector or -1 (poison), there is an operand
    for each dynamic position, and the result has the type of the part at the position.
    """
    _check_dynamic_positions(op)
    vector, position = checked_type(op.source), op.static_position
    words = "expected position attribute of rank no greater than vector rank"
    require(len(position) <= len(vector.shape), words)
    for number, (at, extent) in enumerate(zip(position, vector.shape, strict=False), start=1):
        words = (
            f"expected position attribute #{number} to be a non-negative integer smaller than the corresponding "
            "vector dimension or poison (-1)"
        )
        require(at in (DYNAMIC, POISON) or 0 <= at < extent, words)
    check_inferred(op)


def _check_dynamic_positions(op: vector_shape.ExtractOp | vector_shape.InsertOp) -> None:
    words = (
        "mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) "
        "-- this can only happen due to an incorrect fold/rewrite"
    )
    require(op.static_position.count(DYNAMIC) == len(op.dynamic_position), words)


def check_insert(op: vector_shape.InsertOp) -> None:
    """Raise `VerifyError` unless each constant position is in the vector or -1 (poison), there is an operand
    for each dynamic position, and the rank of the value (0 for a scalar) is the number of dimensions without
    a position. Extents and element types are not checked here.
    """
    _check_dynamic_positions(op)
    vector, value, position = checked_type(op.dest), op.valueToStore.type, op.static_position
    words = "expected position attribute of rank no greater than dest vector rank"
    require(len(position) <= len(vector.shape), words)
    if isinstance(value, VectorType):
        words = "expected position attribute rank + source rank to match dest vector rank"
        require(len(position) + len(value.shape) == len(vector.shape), words)
    else:
        words = "expected position attribute rank to match the dest vector rank"
        require(len(position) == len(vector.shape), words)
    for number, (at, extent) in enumerate(zip(position, vector.shape, strict=False), start=1):
        words = (
            f"expected position attribute #{number} to be a non-negative integer smaller than the corresponding "
            "dest vector dimension"
        )
        require(at in (DYNAMIC, POISON) or 0 <= at < extent, words)


def check_slice(op: vector_shape.ExtractStridedSliceOp) -> None:
    """Raise `VerifyError` unless there are equal numbers of offsets, sizes and strides, the slice is inside
    the vector, all strides are 1, and the result has the type of the slice.
    """
    vector = checked_type(op.source)
    offsets, sizes, strides = op.offsets, op.sizes, op.strides
    words = "expected offsets, sizes and strides attributes of same size"
    require(len(offsets) == len(sizes) == len(strides), words)
    for name, numbers in (("offsets", offsets), ("sizes", sizes), ("strides", strides)):
        words = f"expected {name} attribute of rank no greater than vector rank"
        require(len(numbers) <= len(vector.shape), words)
    _check_confined(offsets, vector.shape, "offsets", 0)
    _check_confined(sizes, [extent + 1 for extent in vector.shape], "sizes", 1)
    require(all(stride == 1 for stride in strides), "expected strides to be confined to [1, 2)")
    _check_sums(offsets, sizes, vector.shape, "sizes")
    shape = (*sizes, *vector.shape[len(sizes) :])
    expected = VectorType(shape, vector.element_type, vector.scalable)
    require(op.result.type is expected, f"expected result type to be '{expected}'")


def _check_confined(numbers: Sequence[int], bounds: Sequence[int], name: str, least: int) -> None:
    for position, (number, bound) in enumerate(zip(numbers, bounds, strict=False)):
        words = f"expected {name} dimension {position} to be confined to [{least}, {bound})"
        require(least <= number < bound, words)


def _check_sums(offsets: Sequence[int], sizes: Sequence[int], shape: Sequence[int], name: str) -> None:
    for position, (offset, size, extent) in enumerate(zip(offsets, sizes, shape, strict=False)):
        words = f"expected sum(offsets, {name}) dimension {position} to be confined to [1, {extent + 1})"
        require(offset + size <= extent, words)


def check_slice_insertion(op: vector_shape.InsertStridedSliceOp) -> None:
    """Raise `VerifyError` unless there is an offset for each dimension of the vector and a stride, always 1,
    for each dimension of the slice, and the slice lies in the vector.
    """
    source, vector = checked_type(op.valueToStore), checked_type(op.dest)
    words = "expected offsets of same size as destination vector rank"
    require(len(op.offsets) == len(vector.shape), words)
    words = "expected strides of same size as source vector rank"
    require(len(op.strides) == len(source.shape), words)
    words = "expected source rank to be no greater than destination rank"
    require(len(source.shape) <= len(vector.shape), words)
    _check_confined(op.offsets, vector.shape, "offsets", 0)
    require(all(stride == 1 for stride in op.strides), "expected strides to be confined to [1, 2)")
    sizes = (*(1 for _ in range(len(vector.shape) - len(source.shape))), *source.shape)
    _check_sums(op.offsets, sizes, vector.shape, "source vector shape")


def check_shuffle(op: vector_shape.ShuffleOp) -> None:
    """Raise `VerifyError` unless the vectors and the result have one rank (operands of rank 0 give rank 1),
    and the mask, as long as the result, has indices into both vectors, one after the other, or -1 (poison).
    """
    first, second, result = checked_type(op.v1), checked_type(op.v2), checked_type(op.vector)
    rank = len(first.shape)
    require(len(second.shape) == rank and len(result.shape) == max(rank, 1), "rank mismatch")
    require(len(op.mask) > 0, "invalid mask length")
    require(len(op.mask) == result.shape[0], "mask length mismatch")
    total = (first.shape[0] if first.shape else 1) + (second.shape[0] if second.shape else 1)
    for number, position in enumerate(op.mask, start=1):
        require(position == POISON or 0 <= position < total, f"mask index #{number} out of range")


def check_shape_cast(op: vector_shape.ShapeCastOp) -> None:
    """Raise `VerifyError` unless source and result have the same element type and the same numbers of
    elements and of scalable dimensions.
    """
    source, result = checked_type(op.source), checked_type(op.result)
    words = "has different source and result element types"
    require(source.element_type is result.element_type, words)
    counts = element_count(source.shape), element_count(result.shape)
    words = f"has different number of elements at source ({counts[0]}) and result ({counts[1]})"
    require(counts[0] == counts[1], words)
    scaling = sum(source.scalable), sum(result.scalable)
    words = f"has different number of scalable dims at source ({scaling[0]}) and result ({scaling[1]})"
    require(scaling[0] == scaling[1], words)


def check_transpose(op: vector_shape.TransposeOp) -> None:
    """Raise `VerifyError` unless `permutation` is a permutation of the dimensions of the vector that gives
    the result its extents.
    """
    shape, result, permutation = checked_type(op.vector).shape, checked_type(op.result).shape, op.permutation
    require(len(shape) == len(result), f"vector result rank mismatch: {len(result)}")
    require(len(permutation) == len(shape), f"transposition length mismatch: {len(permutation)}")
    seen: set[int] = set()
    for number, position in enumerate(permutation):
        require(0 <= position < len(shape), f"transposition index out of range: {position}")
        require(position not in seen, f"duplicate position index: {position}")
        seen.add(position)
        require(result[number] == shape[position], f"dimension size mismatch at: {position}")


def check_bit_cast(op: vector_shape.BitCastOp) -> None:
    """Raise `VerifyError` unless source and result have the same extents but the last, and the same number of
    bits in the last dimension. Bits are compared for integers and floats only.
    """
    source, result = checked_type(op.source), checked_type(op.result)
    for position, (extent, other) in enumerate(zip(source.shape[:-1], result.shape[:-1], strict=True)):
        require(extent == other, f"dimension size mismatch at: {position}")
    if not (_is_number(source.element_type) and _is_number(result.element_type)):
        return
    bits = [(type.shape[-1] if type.shape else 1) * type.element_type.width for type in (source, result)]
    what = "the minor 1-D vectors" if source.shape else "0-D vectors"
    require(bits[0] == bits[1], f"source/result bitwidth of {what} must be equal")


def _is_number(type: Type) -> bool:
    return isinstance(type, IntegerType | FloatType)

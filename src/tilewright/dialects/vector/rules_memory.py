"""Rules of loads and stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.vector.rules_shape import element_type, require
from tilewright.ir.arithmetic import affine, strided_layout
from tilewright.ir.builtin_types import DYNAMIC, MemRefType, VectorType, i1

if TYPE_CHECKING:
    from tilewright.dialects.vector import ops_memory as vector_memory


def check_subscripts(
    op: vector_memory.CompressStoreOp
    | vector_memory.ExpandLoadOp
    | vector_memory.MaskedLoadOp
    | vector_memory.MaskedStoreOp,
) -> None:
    """Raise `VerifyError` unless an access has one subscript per dimension of its buffer."""
    rank = len(checked_type(op.base).shape)
    require(len(op.indices) == rank, f"requires {rank} indices")


def _check_contiguous(op: vector_memory.LoadOp | vector_memory.StoreOp) -> None:
    memref, indices = checked_type(op.base), op.indices
    layout = strided_layout.strides_and_offset(memref)
    contiguous = layout is not None and (not layout[0] or layout[0][-1] in (1, DYNAMIC))
    value = (op.results or op.operands)[0].type
    scalar = all(extent == 1 for extent in value.shape) if isinstance(value, VectorType) else True
    require(contiguous or scalar, "most minor memref dim must have unit stride")
    require(len(indices) == len(memref.shape), f"requires {len(memref.shape)} indices")


def check_load(op: vector_memory.LoadOp) -> None:
    """Raise `VerifyError` unless the buffer has at least the rank of the vector, a unit innermost stride
    (unless the vector has one element), one subscript per dimension, and elements of the type of the vector
    or of its elements.
    """
    words = "destination memref has lower rank than the result vector"
    require(len(checked_type(op.base).shape) >= len(checked_type(op.result).shape), words)
    _check_contiguous(op)
    memref, vector = checked_type(op.base).element_type, checked_type(op.result)
    words = "base and result element types should match"
    require(memref is vector or memref is vector.element_type, words)


def check_store(op: vector_memory.StoreOp) -> None:
    """Raise `VerifyError` unless the buffer has at least the rank of the vector, a unit innermost stride
    (unless the vector has one element), one subscript per dimension, and elements of the type of the vector
    or of its elements.
    """
    words = "source memref has lower rank than the vector to store"
    require(len(checked_type(op.base).shape) >= len(checked_type(op.valueToStore).shape), words)
    _check_contiguous(op)
    memref, vector = checked_type(op.base).element_type, checked_type(op.valueToStore)
    words = "base and valueToStore element type should match"
    require(memref is vector or memref is vector.element_type, words)


def check_masked_load(op: vector_memory.MaskedLoadOp) -> None:
    """Raise `VerifyError` unless the result has the element type of the buffer and the shape of the mask, and
    there is one subscript per dimension. The type of `pass_thru` is not checked.
    """
    words = "base and result element type should match"
    require(checked_type(op.base).element_type is checked_type(op.result).element_type, words)
    check_subscripts(op)
    words = "expected result shape to match mask shape"
    require(checked_type(op.result).shape == checked_type(op.mask).shape, words)


def check_masked_store(op: vector_memory.MaskedStoreOp) -> None:
    """Raise `VerifyError` unless the stored vector has the element type of the buffer and the shape of the
    mask, and there is one subscript per dimension.
    """
    words = "base and valueToStore element type should match"
    require(checked_type(op.base).element_type is checked_type(op.valueToStore).element_type, words)
    check_subscripts(op)
    words = "expected valueToStore shape to match mask shape"
    require(checked_type(op.valueToStore).shape == checked_type(op.mask).shape, words)


def check_expanding_load(op: vector_memory.ExpandLoadOp) -> None:
    """Raise `VerifyError` unless the result has the element type of the buffer and the shape of the mask, and
    there is one subscript per dimension.
    """
    words = "base and result element type should match"
    require(checked_type(op.base).element_type is checked_type(op.result).element_type, words)
    check_subscripts(op)
    words = "expected result dim to match mask dim"
    require(checked_type(op.result).shape == checked_type(op.mask).shape, words)


def check_compressing_store(op: vector_memory.CompressStoreOp) -> None:
    """Raise `VerifyError` unless the stored vector has the element type of the buffer and the shape of the
    mask, and there is one subscript per dimension.
    """
    words = "base and valueToStore element type should match"
    require(checked_type(op.base).element_type is checked_type(op.valueToStore).element_type, words)
    check_subscripts(op)
    words = "expected valueToStore dim to match mask dim"
    require(checked_type(op.valueToStore).shape == checked_type(op.mask).shape, words)


def check_gather(op: vector_memory.GatherOp) -> None:
    """Raise `VerifyError` unless the result has the element type of the buffer, the shape of the indices and
    of the mask, and the type of `pass_thru`, and there is one offset per dimension of the buffer.
    """
    base, result = checked_type(op.base), checked_type(op.result)
    words = "base and result element type should match"
    require(base.element_type is result.element_type, words)
    require(len(op.offsets) == len(base.shape), f"requires {len(base.shape)} indices")
    words = "expected result dim to match indices dim"
    require(result.shape == checked_type(op.indices).shape, words)
    require(result.shape == checked_type(op.mask).shape, "expected result dim to match mask dim")
    require(op.pass_thru.type is result, "expected pass_thru of same type as result type")


def check_scatter(op: vector_memory.ScatterOp) -> None:
    """Raise `VerifyError` unless the stored vector has the element type of the buffer and the shape of the
    indices and of the mask, and there is one offset per dimension of the buffer.
    """
    base, value = checked_type(op.base), checked_type(op.valueToStore)
    words = "base and valueToStore element type should match"
    require(base.element_type is value.element_type, words)
    require(len(op.offsets) == len(base.shape), f"requires {len(base.shape)} indices")
    words = "expected valueToStore dim to match indices dim"
    require(value.shape == checked_type(op.indices).shape, words)
    require(value.shape == checked_type(op.mask).shape, "expected valueToStore dim to match mask dim")


def check_transfer(
    op: vector_memory.TransferReadOp | vector_memory.TransferWriteOp, vector: VectorType
) -> None:
    """Raise `VerifyError` unless a transfer has one subscript per dimension of its buffer (`_check_indices`), a
    map from these dimensions to the dimensions of `vector` (each a different dimension or the constant 0), a
    mask of the type `mask_type`, and one item of `in_bounds` per result of the map.
    """
    _check_indices(op)
    base, map = checked_type(op.base), op.permutation_map.map
    inner = base.element_type.shape if isinstance(base.element_type, VectorType) else ()
    words = "requires a permutation_map with result dims of the same rank as the vector type"
    require(len(map.results) == len(vector.shape) - len(inner), words)
    words = "requires a projected permutation_map (at most one dim or the zero constant can appear in each result)"
    require(_is_projection(map), words)
    words = "requires a permutation_map with input dims of the same rank as the source type"
    require(map.dimension_count == len(base.shape), words)
    if op.mask is not None:
        mask, expected = op.mask.type, mask_type(vector, map)
        words = f"inferred mask type ('{expected}') and mask operand type ('{mask}') don't match"
        require(mask is expected, words)
    words = (
        "expects the in_bounds attr of same rank as permutation_map results: "
        f"affine_map<{map}> vs inBounds of size: {len(op.in_bounds)}"
    )
    require(len(op.in_bounds) == len(map.results), words)


def _check_indices(op: vector_memory.TransferReadOp | vector_memory.TransferWriteOp) -> None:
    """Raise `VerifyError` unless the buffer of a transfer has a rank, and the transfer an index for each
    dimension.
    """
    base = checked_type(op.base)
    require(base.has_rank, "requires source to be a memref or ranked tensor type")
    require(len(op.indices) == base.rank, f"requires {base.rank} indices")


def _is_projection(map: affine.AffineMap) -> bool:
    dimensions = [result for result in map.results if isinstance(result, affine.AffineDimension)]
    zeros = [result for result in map.results if result is affine.AffineConstant(0)]
    return len(dimensions) + len(zeros) == len(map.results) and len(set(dimensions)) == len(dimensions)


def mask_type(vector: VectorType, map: affine.AffineMap) -> VectorType:
    """Return the type of the mask of a transfer: the extents of ``vector`` in the order of the buffer's
    dimensions, without broadcast dimensions (constants in ``map``); one bit if none is left.
    """
    scalable = vector.scalable or (False,) * len(vector.shape)
    kept = sorted(
        (result.position, vector.shape[number], scalable[number])
        for number, result in enumerate(map.results)
        if isinstance(result, affine.AffineDimension)
    )
    shape, scales = tuple(extent for _, extent, _ in kept), tuple(flag for *_, flag in kept)
    return VectorType(shape or (1,), i1, scales or (False,))


def check_transfer_read(op: vector_memory.TransferReadOp) -> None:
    """Raise `VerifyError` unless a read is a valid transfer (`check_transfer`), and its padding has the
    element type of the buffer.
    """
    check_transfer(op, checked_type(op.vector))
    base = checked_type(op.base).element_type
    if isinstance(base, VectorType):
        require(op.padding.type is base, "requires source vector element and vector result ranks to match.")
    else:
        words = "requires formal padding and source of the same elemental type"
        require(op.padding.type is base, words)


def check_transfer_write(op: vector_memory.TransferWriteOp) -> None:
    """Raise `VerifyError` unless a write is a valid transfer (`check_transfer`) whose map has no constants."""
    words = "should not have broadcast dimensions"
    _check_indices(op)
    require(all(isinstance(r, affine.AffineDimension) for r in op.permutation_map.map.results), words)
    check_transfer(op, checked_type(op.valueToStore))


def check_type_cast(op: vector_memory.TypeCastOp) -> None:
    """Raise `VerifyError` unless both buffers have the same extents, where the extents of a vector element
    count as well, and the same scalar type.
    """
    source, result = checked_type(op.memref), checked_type(op.result)
    expected = f"expects concatenated result and operand shapes to be equal: '{result}'"
    require(_all_extents(source) == _all_extents(result), expected)
    words = "expects result and operand with same underlying scalar type: "
    same = _scalar(source) is _scalar(result)
    require(same, f"{words}'{result}'")


def _all_extents(memref: MemRefType) -> tuple[int, ...]:
    inner = memref.element_type
    return (*memref.shape, *(inner.shape if isinstance(inner, VectorType) else ()))


def _scalar(memref: MemRefType) -> Any:
    return element_type(element_type(memref))

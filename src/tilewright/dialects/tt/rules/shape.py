"""Rules of operations that change the shape of a tensor, and the types of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.tt.types import element_count
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import RankedTensorType, i32
from tilewright.ir.declaration.traits import VerifyError


def _tensor(type: Type) -> RankedTensorType:
    """Return `type`, which must be a ranked tensor type. Raises `ValueError` for another type."""
    if not isinstance(type, RankedTensorType):
        raise ValueError(f"expected a ranked tensor, got '{type}'")
    return type


def _integer(attributes: Mapping[str, Attribute], name: str) -> int:
    found: Any = attributes.get(name)
    if found is None:
        raise ValueError(f"requires attribute '{name}'")
    return found.value


def expanded(source: Type, attributes: Mapping[str, Attribute]) -> Type:
    """Return the type of a tensor with a new dimension of extent 1 at the attribute ``axis``, without an
    encoding. Raises `ValueError` for a missing or invalid axis, and for another type.
    """
    tensor, axis = _tensor(source), _integer(attributes, "axis")
    if not 0 <= axis <= len(tensor.shape):
        raise ValueError(f"axis {axis} is out of bounds for rank {len(tensor.shape)}")
    shape = (*tensor.shape[:axis], 1, *tensor.shape[axis:])
    return RankedTensorType(shape, tensor.element_type)


def joined(source: Type) -> Type:
    """Return the type, without an encoding, of two tensors of type `source` that are joined along a new last
    dimension of extent 2. Raises `ValueError` if `source` is not a ranked tensor.
    """
    tensor = _tensor(source)
    return RankedTensorType((*tensor.shape, 2), tensor.element_type)


UNEVEN = "last dimension of input tensor must be 2"


def split(source: Type) -> Type:
    """Return the type of a tensor without its last dimension and without an encoding. Raises `ValueError`
    unless this dimension has extent 2.
    """
    tensor = _tensor(source)
    if not tensor.shape or tensor.shape[-1] != 2:
        raise ValueError(UNEVEN)
    return RankedTensorType(tensor.shape[:-1], tensor.element_type)


def permuted(source: Type, attributes: Mapping[str, Attribute]) -> Type:
    """Return the type of a tensor with the dimensions in the order of the attribute ``order``, without an
    encoding. If the attribute is missing or is not a permutation, return `source` itself. Raises `ValueError`
    if `source` is not a ranked tensor.
    """
    tensor = _tensor(source)
    found: Any = attributes.get("order")
    order: Sequence[int] = found.values if found is not None else ()
    if sorted(order) != list(range(len(tensor.shape))):
        return tensor
    return RankedTensorType(tuple(tensor.shape[axis] for axis in order), tensor.element_type)


def gathered(source: Type, indices: Type) -> Type:
    """Return the tensor type with the element type of `source` and the shape and encoding of `indices`.
    Raises `ValueError` unless both are ranked tensors.
    """
    picked = _tensor(indices)
    return RankedTensorType(picked.shape, _tensor(source).element_type, picked.encoding)


def check_reshape(source: Type, result: Type) -> None:
    """Raise `VerifyError` unless both tensors have the same number of elements, and both or neither have an
    encoding.
    """
    if element_count(source) != element_count(result):
        raise VerifyError("number of src and dst elements of reshape must be the same", prefix=False)
    if (_tensor(source).encoding is None) != (_tensor(result).encoding is None):
        raise VerifyError(
            "Op requires that either (a) src and dst both have encodings, or (b) neither does.", prefix=False
        )


def check_broadcast(source: Type, result: Type) -> None:
    """Raise `VerifyError` unless the result has the rank of the source, and each extent of the source is 1 or
    the extent of the result.
    """
    before, after = _tensor(source).shape, _tensor(result).shape
    if len(before) != len(after):
        raise VerifyError("rank of source must be same as rank of result", prefix=False)
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if old not in (1, new):
            raise VerifyError(
                f"Different dimensions at index {index} between source and result.  "
                "Broadcast requires the source dimension to be 1.",
                prefix=False,
            )


def check_cat(source: Type, result: Type) -> None:
    """Raise `VerifyError` unless the result has twice as many elements as `source`, the type of both
    operands.
    """
    expected, found = element_count(source) * 2, element_count(result)
    if found != expected:
        raise VerifyError(
            "result element count must equal the sum of the operand element counts, "
            f"expected {expected} but got {found}"
        )


def check_join(source: Type, result: Type) -> None:
    """Raise `VerifyError` unless the result has the element type of `source` and its shape with a new last
    dimension of extent 2.
    """
    before, after = _tensor(source), _tensor(result)
    wanted = (*before.shape, 2)
    if after.shape != wanted:
        ours, theirs = (", ".join(map(str, shape)) for shape in (wanted, after.shape))
        raise VerifyError(f"result shape must be ({ours}), but got {theirs}")
    if after.element_type is not before.element_type:
        raise VerifyError("result element type must match the input element type")


def check_split(source: Type) -> None:
    """Raise `VerifyError` unless the last dimension of a tensor has extent 2."""
    if _tensor(source).shape[-1:] != (2,):
        raise VerifyError(UNEVEN, prefix=False, consequence="failed to infer returned types")


def check_order(source: Type, result: Type, order: Sequence[int]) -> None:
    """Raise `VerifyError` unless `order` is a permutation of the dimensions of the source that gives the
    result its shape.
    """
    shape = _tensor(source).shape
    if len(order) != len(shape):
        raise VerifyError("order must have the same size as the rank of the operand and result", prefix=False)
    if sorted(order) != list(range(len(shape))):
        raise VerifyError("order must be a permutation of [0, ..., rank - 1]", prefix=False)
    if tuple(shape[axis] for axis in order) != _tensor(result).shape:
        raise VerifyError("result shape must match the permutation of the source shape", prefix=False)


def check_range(start: int, end: int, result: Type) -> None:
    """Raise `VerifyError` unless `start` is less than `end`, and the result is a one-dimensional i32 tensor
    of ``end - start`` elements.
    """
    tensor = _tensor(result)
    if start >= end:
        raise VerifyError("start must be less than end")
    if len(tensor.shape) != 1:
        raise VerifyError("return type must be a 1D tensor")
    if end - start != tensor.shape[0]:
        raise VerifyError(
            f"number of elements in returned tensor, {tensor.shape[0]}, must match size of range "
            f"[{start}, {end}), which has {end - start} elements"
        )
    if tensor.element_type is not i32:
        raise VerifyError("returned tensor must have i32 elements")


def check_gather(source: Type, indices: Type, result: Type, axis: int) -> None:
    """Raise `VerifyError` unless `indices` has the shape and encoding of the result, the source its element
    type, and source and indices the same extents in all dimensions except `axis`.
    """
    given, picked, found = _tensor(source), _tensor(indices), _tensor(result)
    if picked.shape != found.shape:
        raise VerifyError("indices and output shapes must match")
    if picked.encoding is not found.encoding:
        raise VerifyError("indices and output encodings must match")
    if given.element_type is not found.element_type:
        raise VerifyError("input and output element types must match")
    if len(given.shape) != len(picked.shape):
        raise VerifyError("input and indices ranks must match")
    if not 0 <= axis < len(given.shape):
        raise VerifyError("gather dimension must be less than the input rank")
    for dimension, (index, extent) in enumerate(zip(picked.shape, given.shape, strict=True)):
        if dimension != axis and index != extent:
            raise VerifyError(f"indices dimension {dimension} must match the corresponding input dimension")

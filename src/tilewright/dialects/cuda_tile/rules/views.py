"""Rules of views: building them, and accessing tiles through them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics, MemoryScope, PtrAttr, PtrAttrAttr
from tilewright.dialects.cuda_tile.rules.memory import pointer_of
from tilewright.dialects.cuda_tile.rules.shape import listed
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, bf16, f16
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value


def view_of(value: Value) -> cuda_tile_types.TileViewType:
    """Return the type of a value that is known to be a view."""
    assert isinstance(value.type, cuda_tile_types.TileViewType)
    return value.type


def check_tensor_view(base: Value, shape: Sequence[Value], strides: Sequence[Value], result: Value) -> None:
    """Raise `VerifyError` unless ``base`` points to the element type of the view `result` with the same
    mapping attribute, and there is one operand for each dynamic extent (``shape``) and stride (``strides``),
    all of one type.
    """
    view = result.type
    assert isinstance(view, cuda_tile_types.TensorViewType)
    pointee = pointer_of(base).pointee
    if view.element_type is not pointee:
        raise VerifyError(
            f"expected pointer to '{view.element_type}' to build tensor_view of this type, got '{pointee}'"
        )
    check_mapping(pointer_of(base).attribute, view.attribute)
    for word, extents, values in (("shape", view.shape, shape), ("stride", view.strides, strides)):
        unknown = extents.count(DYNAMIC)
        if unknown != len(values):
            raise VerifyError(f"expected {unknown} dynamic {word} operands, got {len(values)}")
    for word, values in (("shape", shape), ("stride", strides)):
        _check_dynamic_types(word, values, (*shape, *strides)[0].type if values else None)


def _check_dynamic_types(word: str, values: Sequence[Value], wanted: Type | None) -> None:
    for position, value in enumerate(values):
        if value.type is not wanted:
            raise VerifyError(
                f"expected dynamic {word} index {position} to be of the same type as the other dynamic values "
                f"('{wanted}'), got '{value.type}'"
            )


def check_mapping(base: PtrAttr | None, view: PtrAttr | None) -> None:
    """Raise `VerifyError` unless the types of a tensor view and of its base pointer have the same mapping
    attribute (`PtrAttr`), or none.
    """
    if base is view:
        return
    if view is None:
        assert base is not None
        raise VerifyError(f"tensor_view must preserve ptr_attr from base pointer ({PtrAttrAttr(base)})")
    if base is None:
        raise VerifyError("pointer base without ptr_attr cannot produce tensor_view with ptr_attr")
    raise VerifyError(
        f"ptr_attr mismatch between base pointer ({PtrAttrAttr(base)}) and result tensor_view "
        f"({PtrAttrAttr(view)})"
    )


def check_view_of(tensor_view: Value, result: Value) -> None:
    """Raise `VerifyError` unless the type of ``result`` contains the type of ``tensor_view``."""
    wanted = view_of(result).tensor
    if tensor_view.type is not wanted:
        raise VerifyError(
            f"expected the type of the provided tensor_view value ('{tensor_view.type}') to be the same as the "
            f"view's tensor_view type ('{wanted}')"
        )


def check_extent_count(values: Sequence[Value], wanted: int, what: str) -> None:
    """Raise `VerifyError` unless a shape query has ``wanted`` results, `values`; ``what`` says in the message
    where that number comes from.
    """
    if len(values) != wanted:
        raise VerifyError(f"expected {wanted} results due to {what}, but got {len(values)}")


def check_tile_access(view: Value, indices: Sequence[Value], tile: Value) -> None:
    """Raise `VerifyError` unless there is one index per dimension of the view, ``tile`` has the view's tile
    type, and the indices are rank-0 tiles of one type. In a gather/scatter view, the index of `sparse_dim` is
    a rank-1 tile with an index for each row, of any type.
    """
    type = view_of(view)
    if len(indices) != type.index_rank:
        raise VerifyError(
            f"expected {type.index_rank} index operands (based on view type), got {len(indices)}"
        )
    if tile.type is not type.tile_type:
        raise VerifyError(
            f"expected tile type to be '{type.tile_type}' (based on view type), got '{tile.type}'"
        )
    if isinstance(type, cuda_tile_types.GatherScatterViewType):
        _check_gather_indices(type, [cuda_tile_types.tile_of(index) for index in indices])
    else:
        _check_scalar_indices([cuda_tile_types.tile_of(index) for index in indices])


def _check_scalar_indices(types: Sequence[cuda_tile_types.TileType]) -> None:
    for type in types:
        if type.shape:
            raise VerifyError(f"expected index type to be a scalar tile, got '{type}'")
    for position, type in enumerate(types):
        if type is not types[0]:
            raise VerifyError(
                f"expected index type {position} to be the same as other index types ('{types[0]}'), "
                f"got '{type}'"
            )


def _check_gather_indices(
    view: cuda_tile_types.GatherScatterViewType, types: Sequence[cuda_tile_types.TileType]
) -> None:
    sparse = view.sparse_dim
    rows = types[sparse].shape
    if len(rows) != 1:
        raise VerifyError(
            f"expected index at sparse_dim position {sparse} to be a 1D tensor for GatherScatterView, "
            f"got rank {len(rows)}"
        )
    if rows[0] != view.tile[sparse]:
        raise VerifyError(
            f"expected gather/scatter index size ({rows[0]}) to match tile shape at gather/scatter dimension "
            f"{sparse} ({view.tile[sparse]})"
        )
    others = [(position, type) for position, type in enumerate(types) if position != sparse]
    for position, type in others:
        if type.shape:
            raise VerifyError(f"expected index {position} to be a scalar tile for GatherScatterView")
        if type is not others[0][1]:
            raise VerifyError(
                f"expected scalar index {position} to have the same type as other scalar indices "
                f"('{others[0][1]}'), got '{type}'"
            )


def check_inbounds(inbounds: Sequence[bool] | None, indices: Sequence[Value]) -> None:
    """Raise `VerifyError` unless ``inbounds`` is None or has one element per index."""
    if inbounds is not None and len(inbounds) != len(indices):
        raise VerifyError(
            f"inbounds size ({len(inbounds)}) must match the number of index dimensions ({len(indices)})"
        )


def check_view_not_multicast(view: Value) -> None:
    """Raise `VerifyError` for a view of multicast pointers, which only multimem operations accept."""
    if view_of(view).tensor.attribute is PtrAttr.MULTICAST:
        raise VerifyError("multicast ptr_attr is not allowed")


def check_multicast(view: Value) -> None:
    """Raise `VerifyError` unless the view of a multimem operation is a partition view of multicast pointers.
    A tensor of f16 or bf16 must have exactly one static stride of 1.
    """
    type = view_of(view)
    attribute = type.tensor.attribute or PtrAttr.NONE
    if attribute is not PtrAttr.MULTICAST:
        raise VerifyError(f"expected a multicast pointer, but got {attribute.name.lower()}")
    if not isinstance(type, cuda_tile_types.PartitionViewType):
        raise VerifyError(f"multimem view operations support only partition_view; got '{type}'")
    _check_half_strides(type.tensor)


def _check_half_strides(tensor: cuda_tile_types.TensorViewType) -> None:
    """Raise `VerifyError` for a tensor of f16 or bf16 that does not have exactly one static stride of 1.
    Multimem accesses send such elements in pairs of neighbours.
    """
    ones = tensor.strides.count(1)
    if tensor.element_type in (f16, bf16) and ones != 1:
        raise VerifyError(
            "f16/bf16 multimem views must have exactly one element stride statically known to equal 1; "
            f"got {ones}"
        )


def check_reduced_view(view: Value, value: Value) -> None:
    """Raise `VerifyError` unless the value of an atomic reduction has the shape and element type of the
    view's tiles, and the view is a partition or strided view.
    """
    type, tile = view_of(view), cuda_tile_types.tile_of(value)
    if isinstance(type, cuda_tile_types.GatherScatterViewType):
        raise VerifyError("gather_scatter_view is not supported; use partition_view instead")
    wanted = type.tensor.element_type
    if wanted is not tile.element_type:
        raise VerifyError(
            f"view element type ('{wanted}') must match value element type ('{tile.element_type}')"
        )
    if type.tile_shape != tile.shape:
        raise VerifyError(
            f"view tile shape {listed(type.tile_shape)} must match value shape {listed(tile.shape)} for "
            "element-wise atomic operations"
        )


def check_reduction_order(ordering: MemoryOrderingSemantics, scope: MemoryScope) -> None:
    """Raise `VerifyError` unless an atomic reduction through a view is relaxed, and its scope is at most the
    device.
    """
    if ordering is not MemoryOrderingSemantics.RELAXED:
        raise VerifyError("only 'relaxed' memory ordering is supported for view-based atomic reductions")
    if scope is MemoryScope.SYS:
        raise VerifyError(
            "memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' "
            "for TMA compatibility"
        )


def check_reduction_indices(view: Value, indices: Sequence[Value]) -> None:
    """Raise `VerifyError` unless there is one scalar index per dimension; index types may differ."""
    rank = view_of(view).index_rank
    if len(indices) != rank:
        raise VerifyError(
            f"expected {rank} index operand(s) for view with tile rank {rank}, got {len(indices)}"
        )
    for position, index in enumerate(indices):
        shape = cuda_tile_types.tile_of(index).shape
        if shape:
            raise VerifyError(
                f"index operand {position} must be a scalar tile (rank 0), got shape {listed(shape)}"
            )


def access_types(operands: Sequence[Value]) -> list[Type]:
    """Return the result types of a load: the tile type of the view, which is the first operand, and a token."""
    return [view_of(operands[0]).tile_type, cuda_tile_types.TOKEN]

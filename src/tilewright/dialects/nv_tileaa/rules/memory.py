"""The rules of memory operations: tokens, scopes, masks, indices, tiles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common.constraints import is_float, is_signless_integer
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic, PaddingValue, RmwMode
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, is_pointer, shape_of
from tilewright.dialects.nv_tileaa.types import PtrType, TileMemRefType
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.nv_tileaa.ops import memory as tileaa_memory
    from tilewright.dialects.nv_tileas.ops_memory import TiledLoadOp as TileASTiledLoadOp

MAXIMUM_ELEMENTS = 0x1000000
"""The maximum number of elements of a tile."""
LOADS = frozenset({MemSemantic.WEAK, MemSemantic.RELAXED, MemSemantic.ACQUIRE})
STORES = frozenset({MemSemantic.WEAK, MemSemantic.RELAXED, MemSemantic.RELEASE})
UNORDERED = frozenset({MemSemantic.WEAK, MemSemantic.RELAXED})
"""The orderings of tiled loads and stores of `nv_tileas`: copy engines do not order other accesses."""
SPECIAL_PADDING = frozenset(PaddingValue) - {PaddingValue.ZERO}


class TiledAtomic(Protocol):
    """An atomic update of a tile with a combining function, `rmw_mode`."""

    rmw_mode: RmwMode


class OrderedTileAAAccess(Protocol):
    """An access with a memory ordering, `mem_semantic`, and a scope, `mem_scope`, or None."""

    mem_semantic: MemSemantic
    mem_scope: MemScope | None


def check_order(op: OrderedTileAAAccess, allowed: Collection[MemSemantic] | None = None) -> None:
    """Raise `VerifyError` unless the memory ordering is in `allowed` (None: any ordering), and there is a
    scope exactly if it is not weak.
    """
    semantic = op.mem_semantic
    if allowed is not None and semantic not in allowed:
        raise VerifyError(f"unsupported mem_semantic: {semantic.name.lower()}")
    if semantic is MemSemantic.WEAK and op.mem_scope is not None:
        raise VerifyError("mem_scope not supported when mem_semantic is weak")
    if semantic is not MemSemantic.WEAK and op.mem_scope is None:
        raise VerifyError("mem_scope required when mem_semantic is not weak")


class FencedAccess(OrderedTileAAAccess, Protocol):
    """An ordered access with a `fence`: the memory ordering of a fence next to the access, or None for no
    fence.
    """

    fence: MemSemantic | None


def check_fence(op: FencedAccess, allowed: MemSemantic) -> None:
    """Raise `VerifyError` if an access has a fence other than `allowed`, or has a fence and is not relaxed.
    An access without a fence is valid.
    """
    if op.fence is None:
        return
    if op.fence is not allowed:
        raise VerifyError(f"expects a fence that is {allowed.name.lower()}, but got {op.fence.name.lower()}")
    if op.mem_semantic is not MemSemantic.RELAXED:
        raise VerifyError("fence requires relaxed mem_semantic")


def check_atomic_order(
    op: tileaa_memory.AtomicCasOp | tileaa_memory.AtomicRmwOp | tileaa_memory.TiledAtomicOp,
) -> None:
    """Raise `VerifyError` unless an atomic operation has a scope exactly if its memory ordering is not weak."""
    if op.mem_semantic is MemSemantic.WEAK and op.mem_scope is not None:
        raise VerifyError("memScope not supported when memSemantic is weak")
    if op.mem_semantic is not MemSemantic.WEAK and op.mem_scope is None:
        raise VerifyError("memScope required when memSemantic is not weak")


class ReadCopies(Protocol):
    """A load that may read the copies of an array on several GPUs (`multimem`): then `multicast` is true, and
    `reduction` says how the copies are combined.
    """

    multicast: bool
    reduction: RmwMode | None


def check_copies(op: ReadCopies) -> None:
    """Raise `VerifyError` unless a load has a reduction exactly if it is a `multimem` load."""
    if op.multicast != (op.reduction is not None):
        raise VerifyError("expects a reduction exactly for loads of several copies (multicast)")


class IndexedAccess(Protocol):
    """An access to elements of a memory object, or through pointers: the object or the pointers are `base`;
    `indices` has a number for each dimension of an object; `mask` may be None.
    """

    base: Value
    indices: tuple[Value, ...]
    mask: Value | None


def check_access(op: IndexedAccess, value: Type) -> None:
    """Raise `VerifyError` unless an access of elements of the type `value` has one index per dimension of a
    memory object (none for pointers), one pointer per element if the base is a tile of pointers, the element
    type that the base stores, if its type says which, and, if there is a mask, one of the shape of `value`.
    """
    base: Type = op.base.type
    rank = len(base.shape) if isinstance(base, TileMemRefType) else 0
    if len(op.indices) != rank:
        raise VerifyError(f"expects {rank} indices, but got {len(op.indices)}")
    if is_pointer(element_of(base)) and shape_of(base) != shape_of(value):
        raise VerifyError(f"expects one value per pointer, got '{base}' and '{value}'")
    held = stored_type(base)
    if held is not None and held is not element_of(value):
        raise VerifyError(f"expects values of {held}, got '{value}'")
    if op.mask is not None and shape_of(op.mask.type) != shape_of(value):
        raise VerifyError(f"expects a mask of the shape of '{value}', got '{op.mask.type}'")


def stored_type(base: Type) -> Type | None:
    """Return the element type of a memory object, or the pointee of a pointer or tile of pointers; None if
    the pointer has no pointee type.
    """
    if isinstance(base, TileMemRefType):
        return base.element_type
    element = element_of(base)
    return element.pointee if isinstance(element, PtrType) else None


def check_tile(view: Type, tile: Type) -> None:
    """Raise `VerifyError` unless a tile has the shape and the element type of the tiles of a view, and
    extents that `check_extents` accepts.
    """
    extents, elements = _view_parts(view)
    shape = shape_of(tile)
    if len(extents) != len(shape):
        raise VerifyError("requires the same size for tileSize and tensor")
    if tuple(extents) != shape:
        raise VerifyError("requires the same shape for tileSize and tensor value")
    if elements is not element_of(tile):
        raise VerifyError(
            f"view elementType not equal with tensor element type: {elements} != {element_of(tile)}"
        )
    check_extents(shape)


def view_rank(view: Type) -> int:
    """Return the number of dimensions of a view's grid of tiles."""
    return len(_view_parts(view)[0])


def _view_parts(view: Any) -> tuple[Sequence[int], Type]:
    source = getattr(view, "source", None)
    return view.shape, source.element_type if source is not None else view.element_type


def check_extents(shape: Sequence[int]) -> None:
    """Raise `VerifyError` unless all extents are positive powers of two, with at most `MAXIMUM_ELEMENTS`
    elements in all.
    """
    listed = ", ".join(map(str, shape))
    if any(extent <= 0 for extent in shape):
        raise VerifyError(f"all dimensions must be positive constants, got {listed}")
    if any(extent & (extent - 1) for extent in shape):
        raise VerifyError(f"all dimensions must be powers of two, got {listed}")
    if prod(shape) > MAXIMUM_ELEMENTS:
        raise VerifyError(f"tile would exceed the maximum of {MAXIMUM_ELEMENTS} elements")


class TileAccess(Protocol):
    """An access to a tile of a view that has coordinates, `coords`: the index of the tile in each dimension
    of the view.
    """

    coords: tuple[Value, ...]


def check_coordinates(op: TileAccess, rank: int) -> None:
    """Raise `VerifyError` unless an access has `rank` coordinates, one per dimension of its view, all of one
    type.
    """
    if len(op.coords) != rank:
        raise VerifyError(f"expects {rank} coordinates, but got {len(op.coords)}")
    types = {value.type for value in op.coords}
    if len(types) > 1:
        found = next(value.type for value in op.coords if value.type is not op.coords[0].type)
        raise VerifyError(f"expects CoordType is same as memref index type, but got {found}")


class BoundedAccess(Protocol):
    """An access with the field `in_bounds`: for each dimension of its view, whether it is known to be inside;
    or None.
    """

    in_bounds: tuple[bool, ...] | None


def check_bounds(op: BoundedAccess, rank: int) -> None:
    """Raise `VerifyError` unless an access has an `in_bounds` flag for each dimension of its view, or none."""
    bounds = op.in_bounds
    if bounds is not None and len(bounds) != rank:
        raise VerifyError(f"incorrect number of in_bounds elements: expected {rank}, but found {len(bounds)}")


def check_padding(op: tileaa_memory.TiledLoadOp | TileASTiledLoadOp, element: Type, rank: int) -> None:
    """Raise `VerifyError` unless a padding value is given exactly if `in_bounds` has a false flag. There must
    be `rank` flags, if any, and a padding other than zero needs float elements.
    """
    check_bounds(op, rank)
    inside = op.in_bounds is None or all(op.in_bounds)
    if op.padding_value is None and not inside:
        raise VerifyError("inbounds must be true when paddingValue is not set")
    if op.padding_value is not None and inside:
        raise VerifyError("inbounds must be false when paddingValue is set")
    if op.padding_value in SPECIAL_PADDING and not is_float(element):
        raise VerifyError(
            "special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types"
        )


def check_tiled_atomic(op: TiledAtomic, element: Type) -> None:
    """Raise `VerifyError` for a tiled atomic update with `addf` or `xchg`, of elements of at most 8 bits, of
    16-bit integers, and of 16-bit floats except with `add`, `max` and `min`.
    """
    mode: RmwMode = op.rmw_mode
    if mode is RmwMode.ADDF:
        raise VerifyError(
            "tiled_atomic_rmw op cannot use fadd operation, please use add instead for both int and float types"
        )
    if mode is RmwMode.XCHG:
        raise VerifyError("tiled_atomic_rmw op cannot use xchg operation")
    bits = bits_of(element)
    if bits <= 8:
        raise VerifyError("tiled_atomic_rmw not supported for 8-bit types")
    if bits == 16 and is_signless_integer(element):
        raise VerifyError("tiled_atomic_rmw not supported for 16-bit integer")
    if bits == 16 and mode not in (RmwMode.ADD, RmwMode.MAX, RmwMode.MIN):
        raise VerifyError("tiled_atomic_rmw for 16-bit float only supports add, max, min operations")


def check_rmw_mode(mode: RmwMode, element: Type) -> None:
    """Raise `VerifyError` unless the mode is `xchg`, or `addf` for float elements, or another mode for
    elements that are no floats.
    """
    if mode is RmwMode.XCHG:
        return
    if is_float(element) != (mode is RmwMode.ADDF):
        wanted = "floats" if mode is RmwMode.ADDF else "integers"
        raise VerifyError(f"rmw_mode {mode.name.lower()} expects {wanted}, but got {element}")

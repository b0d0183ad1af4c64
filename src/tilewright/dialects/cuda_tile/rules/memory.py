"""Rules of memory operations: ordering and scope, atomics, pointers and their kinds of mapping."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    MemoryOrderingSemantics,
    MemoryScope,
    MultimemReductionKind,
    PtrAttr,
)
from tilewright.dialects.cuda_tile.types import PointerType, TileType, is_power_of_two, tile_of
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import TypesSatisfy, VerifyError
from tilewright.ir.value import Value

Orderings = tuple[MemoryOrderingSemantics, ...]

LOAD_ORDERINGS: Orderings = (
    MemoryOrderingSemantics.WEAK,
    MemoryOrderingSemantics.RELAXED,
    MemoryOrderingSemantics.ACQUIRE,
)
STORE_ORDERINGS: Orderings = (
    MemoryOrderingSemantics.WEAK,
    MemoryOrderingSemantics.RELAXED,
    MemoryOrderingSemantics.RELEASE,
)
ATOMIC_ORDERINGS: Orderings = (
    MemoryOrderingSemantics.RELAXED,
    MemoryOrderingSemantics.ACQUIRE,
    MemoryOrderingSemantics.RELEASE,
    MemoryOrderingSemantics.ACQ_REL,
)
REDUCE_ORDERINGS: Orderings = (MemoryOrderingSemantics.RELAXED, MemoryOrderingSemantics.RELEASE)

ARITHMETIC_FLOATS: tuple[Type, ...] = (
    builtin_types.f16,
    builtin_types.bf16,
    builtin_types.f32,
    builtin_types.f64,
)
ATOMIC_INTEGERS: tuple[Type, ...] = (builtin_types.i32, builtin_types.i64)
EXCHANGEABLE: tuple[Type, ...] = (builtin_types.i32, builtin_types.i64, builtin_types.f32, builtin_types.f64)
INTEGERS_ONLY = "works only with integers i32 and i64"
ATOMIC_ELEMENTS: dict[AtomicRMWMode, tuple[tuple[Type, ...], str]] = {
    **dict.fromkeys(AtomicRMWMode, (ATOMIC_INTEGERS, INTEGERS_ONLY)),
    AtomicRMWMode.ADDF: (ARITHMETIC_FLOATS, "works only with floats f16, bf16, f32, and f64"),
    AtomicRMWMode.XCHG: (EXCHANGEABLE, "works only with integers or float of 32 or 64 bitwidth"),
}
"""Atomic mode -> its legal element types, and the message for any other element type."""

INTEGER_REDUCTIONS = (
    MultimemReductionKind.AND,
    MultimemReductionKind.OR,
    MultimemReductionKind.XOR,
    MultimemReductionKind.UMIN,
    MultimemReductionKind.UMAX,
)


def _lower(case: MemoryOrderingSemantics) -> str:
    return case.name.lower()


def _check_access(
    word: str, allowed: Orderings, ordering: MemoryOrderingSemantics, scope: MemoryScope | None
) -> None:
    if ordering not in allowed:
        *first, last = map(_lower, allowed)
        raise VerifyError(f"expect one of: {', '.join(first)}, or {last}, but got: {_lower(ordering)}")
    if ordering is MemoryOrderingSemantics.WEAK:
        if scope is not None:
            raise VerifyError(f"weak {word} must not have memory scope")
    elif scope is None:
        raise VerifyError(f"memory scope is required for {_lower(ordering)} {word}")


def check_load_ordering(ordering: MemoryOrderingSemantics, scope: MemoryScope | None) -> None:
    """Raise `VerifyError` unless the ordering is weak, relaxed or acquire. A weak load must have no scope;
    the others need a scope.
    """
    _check_access("load", LOAD_ORDERINGS, ordering, scope)


def check_store_ordering(ordering: MemoryOrderingSemantics, scope: MemoryScope | None) -> None:
    """Raise `VerifyError` unless the ordering is weak, relaxed or release. A weak store must have no scope;
    the others need a scope.
    """
    _check_access("store", STORE_ORDERINGS, ordering, scope)


def check_atomic_ordering(ordering: MemoryOrderingSemantics, allowed: Orderings = ATOMIC_ORDERINGS) -> None:
    """Raise `VerifyError` unless ``ordering`` is in ``allowed``: an atomic operation is never weak."""
    if ordering not in allowed:
        names = ", ".join(map(_lower, allowed))
        raise VerifyError(f"memory ordering semantics must be one of: {names}")


def check_atomic_element(mode: AtomicRMWMode, element: Type) -> None:
    """Raise `VerifyError` unless `ATOMIC_ELEMENTS` allows the element type for the mode: i32 and i64, floats
    for `addf`, and both, of 32 or 64 bits, for `xchg`.
    """
    allowed, otherwise = ATOMIC_ELEMENTS[mode]
    if element not in allowed:
        raise VerifyError(f"'{mode.name.lower()}' {otherwise}")


def pointer_of(value: Value) -> PointerType:
    """Return the pointer type of the elements of ``value``, which must be a tile of pointers."""
    element = tile_of(value).element_type
    assert isinstance(element, PointerType)
    return element


def check_not_multicast(pointers: Value, otherwise: str = "is not allowed") -> None:
    """Raise `VerifyError` for multicast pointers, which only multimem operations accept; ``otherwise`` ends
    the message.
    """
    if pointer_of(pointers).attribute is PtrAttr.MULTICAST:
        raise VerifyError(f"multicast pointer {otherwise}")


def check_pointee(pointers: Value, value: Value, name: str) -> None:
    """Raise `VerifyError` unless the pointee of the tile `pointers` is the element type of the tile `value`,
    which the message calls ``name``.
    """
    pointee, element = pointer_of(pointers).pointee, tile_of(value).element_type
    if pointee is not element:
        raise VerifyError(
            f"expected pointee type ('{pointee}') to match element type of '{name}' ('{element}')"
        )


def check_mask(mask: Value | None, value: Value, names: str) -> None:
    """Raise `VerifyError` unless the mask has the shape of the value; without a mask nothing is checked.
    ``names`` are the fields in the message.
    """
    if mask is not None and tile_of(mask).shape != tile_of(value).shape:
        raise VerifyError(f"failed to verify that all of {{{names}}} have same shape")


def check_compared(element: Type) -> None:
    """Raise `VerifyError` unless the element type of a compare-and-swap is i32, i64, f32 or f64."""
    if element not in EXCHANGEABLE:
        raise VerifyError("expect only float or integer types with 32 or 64 bit")


def _points_to(value: Type, pointers: Type) -> bool:
    assert isinstance(value, TileType)
    assert isinstance(pointers, TileType)
    assert isinstance(pointers.element_type, PointerType)
    return value.shape == pointers.shape and pointers.element_type.pointee is value.element_type


def points_to(pointers: str, value: str) -> TypesSatisfy:
    """Return the constraint that field ``pointers`` has the shape of field ``value`` and points to its
    element type.
    """
    return TypesSatisfy(
        f"`{pointers}` type is expected a pointer type of `{value}` type", _points_to, value, pointers
    )


def _equal_shapes(first: Type, second: Type) -> bool:
    return getattr(first, "shape", None) == getattr(second, "shape", None)


def _equal(first: Type, second: Type) -> bool:
    return first is second


LOAD_RULES = (
    points_to("source", "result"),
    TypesSatisfy("shape of 'mask' must match the shape of 'source'", _equal_shapes, "source", "mask"),
    TypesSatisfy(
        "type of 'paddingValue' must match the type of 'result'",
        _equal,
        "result",
        "padding_value",
    ),
)
STORE_RULES = (
    points_to("destination", "value"),
    TypesSatisfy(
        "shape of 'destination' must match the shape of 'mask'", _equal_shapes, "mask", "destination"
    ),
)


def loaded_type(pointers: Value) -> TileType:
    """Return the result type of a load: the shape of ``pointers``, with the pointee as element type."""
    return tile_of(pointers).with_element_type(pointer_of(pointers).pointee)


def check_alignment(alignment: int, result: Value) -> None:
    """Raise `VerifyError` unless `alignment`, in bytes, is a power of two and at least the `natural_size` of
    the pointee of `result`, a tile of pointers.
    """
    if not is_power_of_two(alignment):
        raise VerifyError("'alignment' must be power of two")
    pointee = pointer_of(result).pointee
    size = natural_size(pointee)
    if alignment < size:
        raise VerifyError(
            f"'alignment' ({alignment}) must be at least the natural size ({size} bytes) for element type "
            f"'{pointee}'"
        )


def natural_size(element: Type) -> int:
    """Return the size of an element in bytes as `alloca` counts it: 3 for tf32, 8 for a pointer."""
    if isinstance(element, builtin_types.FloatType):
        return (element.width + 7) // 8
    return max(1, element.width // 8) if isinstance(element, builtin_types.IntegerType) else 8


def check_multimem_tile(tile: TileType) -> None:
    """Raise `VerifyError` for integers other than i32 and i64, for floats other than f16, bf16, f32 and f64,
    and for floats in a tile that is not a multiple of four bytes.
    """
    element = tile.element_type
    if isinstance(element, builtin_types.IntegerType) and element not in ATOMIC_INTEGERS:
        raise VerifyError(
            f"multimem requires 32- or 64-bit integer/index element types; got {element.width} bits"
        )
    if isinstance(element, builtin_types.FloatType) and element not in ARITHMETIC_FLOATS:
        raise VerifyError("multimem supports only f16, bf16, f32, and f64 floating-point element types")
    if isinstance(element, builtin_types.FloatType) and (size := tile.element_count * element.width) % 32:
        raise VerifyError(
            "multimem op requires tile total size to be a multiple of 4 bytes for float element types; "
            f"got {tile.element_count} element(s) of {element.width} bits (total {size} bits)"
        )


def check_multimem_reduction(kind: MultimemReductionKind, tile: TileType, *, load: bool) -> None:
    """Raise `VerifyError` unless `check_multimem_tile` accepts ``tile`` and ``kind`` is legal for it: any
    kind for integers; for floats `add`, and `min` and `max` only in loads of f16 or bf16.
    """
    check_multimem_tile(tile)
    element = tile.element_type
    if not isinstance(element, builtin_types.FloatType) or kind is MultimemReductionKind.ADD:
        return
    if kind in INTEGER_REDUCTIONS:
        raise VerifyError("and/or/xor/umin/umax reductions require integer element types")
    if not load:
        raise VerifyError("supports only add for floating-point element types")
    if element not in (builtin_types.f16, builtin_types.bf16):
        raise VerifyError(f"min/max supports f16 and bf16 float types only; got '{element}'")

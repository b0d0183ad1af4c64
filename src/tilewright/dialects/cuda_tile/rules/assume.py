"""The legal predicates of `assume` for each type of value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes
from tilewright.dialects.cuda_tile.types import PointerType, TensorViewType, TileType, is_power_of_two
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.declaration.traits import VerifyError


def _is_address_or_integer(type: TileType) -> bool:
    return isinstance(type.element_type, IntegerType | PointerType)


def _check_div_by(predicate: cuda_tile_attributes.DivByAttr, type: Type) -> None:
    name = f"'{predicate.name}'"
    grouped = predicate.every is not None
    if not is_power_of_two(predicate.divisor):
        raise VerifyError(f"{name} divisor must be a power of 2")
    if grouped != (predicate.along is not None):
        raise VerifyError(f"{name} 'every'/'along' must be used in combination")
    if predicate.divisor > cuda_tile_attributes.MAXIMUM_DIVISOR:
        raise VerifyError(f"{name} divisor is too large")
    misplaced = f"{name} 'every'/'along' cannot be used if the constrained value is a "
    if isinstance(type, TensorViewType):
        if grouped:
            raise VerifyError(misplaced + "tensor_view")
        return
    if isinstance(type, TileType) and not type.shape and grouped:
        raise VerifyError(misplaced + "0D tile")
    if not isinstance(type, TileType) or not _is_address_or_integer(type):
        raise VerifyError(f"{name} is valid only for tile of integer/pointer or tensor_view values")
    if grouped:
        _check_groups(predicate, type)


def _check_groups(predicate: cuda_tile_attributes.DivByAttr, type: TileType) -> None:
    name, along, every = f"'{predicate.name}'", predicate.along, predicate.every
    assert along is not None
    assert every is not None
    if not 0 <= along < len(type.shape):
        raise VerifyError(f"{name} every_dim ({along}) must be >= 0 and < tile rank ({len(type.shape)})")
    if not 0 <= every <= type.shape[along]:
        raise VerifyError(
            f"expected {name} every_dim to be within 0 and the size of the respective dimension "
            f"({type.shape[along]})"
        )


def _check_same_elements(predicate: cuda_tile_attributes.SameElementsAttr, type: Type) -> None:
    name, values = f"'{predicate.name}'", predicate.values
    if not isinstance(type, TileType) or not _is_address_or_integer(type):
        raise VerifyError(f"{name} is valid only for tile of integer/pointer values")
    if len(values) != len(type.shape):
        raise VerifyError(
            f"expected number of values in {name} ({len(values)}) to match rank of constrained tile "
            f"({len(type.shape)})"
        )
    for position, (value, extent) in enumerate(zip(values, type.shape, strict=True)):
        if not 0 <= value <= extent:
            raise VerifyError(
                f"expected {name} value {position} to be within 0 and the size of the respective dimension "
                f"({extent})"
            )


def _check_bounded(predicate: cuda_tile_attributes.BoundedAttr, type: Type) -> None:
    name = f"'{predicate.name}'"
    element = type.element_type if isinstance(type, TileType) else None
    if not isinstance(element, IntegerType):
        raise VerifyError(f"{name} is valid only for tile of integer values")
    least, most = -(1 << (element.width - 1)), (1 << (element.width - 1)) - 1
    for word, bound in (("lower", predicate.lower), ("upper", predicate.upper)):
        if bound is not None and not least <= bound <= most:
            raise VerifyError(f"{name} expects {word} bound to be within [{least}, {most}]")
    if predicate.lower is not None and predicate.upper is not None and predicate.lower > predicate.upper:
        raise VerifyError(f"{name} expects lower bound to be less than or equal to upper bound")


CHECKS: dict[type[cuda_tile_attributes.AssumePredicate], Callable[[Any, Type], None]] = {
    cuda_tile_attributes.DivByAttr: _check_div_by,
    cuda_tile_attributes.SameElementsAttr: _check_same_elements,
    cuda_tile_attributes.BoundedAttr: _check_bounded,
}


def check_assumption(predicate: cuda_tile_attributes.AssumePredicate, type: Type) -> None:
    """Raise `VerifyError` unless `predicate` is allowed for values of `type`, and its numbers are valid for
    the shape and the element type. Raises `KeyError` for a predicate class without an entry in `CHECKS`.
    """
    CHECKS[predicate.__class__](predicate, type)

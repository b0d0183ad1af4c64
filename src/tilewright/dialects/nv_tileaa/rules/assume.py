"""The legal predicates of `nv_tileaa.assume`: they are checked in order up to the first that does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.common.constraints import is_signless_integer_or_index
from tilewright.dialects.nv_tileaa.attributes import BoundedAttr, DivByAttr, SameElementsAttr
from tilewright.dialects.nv_tileaa.constraints import element_of, is_pointer, is_tile, shape_of
from tilewright.dialects.nv_tileaa.types import TileMemRefType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.declaration.traits import VerifyError


def check_assumptions(type: Type, predicates: Sequence[Attribute]) -> None:
    """Raise `VerifyError` about the first predicate that is not `div_by`, `bounded` or `same_elements`, or
    that does not fit a value of the type: its element type, its rank or its extents.
    """
    for predicate in predicates:
        match predicate:
            case DivByAttr():
                _check_divisibility(type, predicate)
            case BoundedAttr():
                _check_bounds(type, predicate)
            case SameElementsAttr():
                _check_runs(type, predicate)
            case _:
                raise VerifyError(f"expects div_by, bounded or same_elements, but got {predicate}")


def _check_divisibility(type: Type, predicate: DivByAttr) -> None:
    element = element_of(type)
    if not (is_signless_integer_or_index(element) or is_pointer(element) or isinstance(type, TileMemRefType)):
        raise VerifyError(f"div_by expects integers or pointers, but got '{type}'")
    if predicate.every is None or predicate.along is None:
        return
    if not is_tile(type):
        raise VerifyError("'every'/'along' cannot be used if the constrained value is a 0D tile")
    shape = shape_of(type)
    if not 0 <= predicate.along < len(shape):
        raise VerifyError(
            f"'along' expects a dimension from 0 to {len(shape) - 1}, but got {predicate.along}"
        )
    if not 0 <= predicate.every <= shape[predicate.along]:
        raise VerifyError(f"'every' expects at most {shape[predicate.along]}, but got {predicate.every}")


def _check_bounds(type: Type, predicate: BoundedAttr) -> None:
    element = element_of(type)
    if not is_signless_integer_or_index(element):
        raise VerifyError(f"bounded expects integers, but got '{type}'")
    width = element.width if isinstance(element, IntegerType) else 64
    least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
    for limit in (predicate.lower, predicate.upper):
        if limit is not None and not least <= limit <= most:
            raise VerifyError(f"bounded expects limits from {least} to {most}, but got {limit}")


def _check_runs(type: Type, predicate: SameElementsAttr) -> None:
    shape = shape_of(type)
    if len(predicate.values) != len(shape):
        raise VerifyError(f"same_elements expects {len(shape)} lengths, but got {len(predicate.values)}")
    for length, extent in zip(predicate.values, shape, strict=True):
        if not 0 <= length <= extent:
            raise VerifyError(f"same_elements expects lengths from 0 to {extent}, but got {length}")

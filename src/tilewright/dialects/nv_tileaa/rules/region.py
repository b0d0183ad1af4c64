"""The rules of operations whose regions compute elements."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import index
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def check_same_shapes(values: Sequence[Value]) -> None:
    """Raise `VerifyError` unless there are values and all have one shape."""
    if not values:
        raise VerifyError("expects at least one tile")
    if len({shape_of(value.type) for value in values}) > 1:
        raise VerifyError("expects all tiles to have the same shape")


def check_reduced(inputs: Sequence[Value], results: Sequence[Value], axis: int) -> None:
    """Raise `VerifyError` unless the operands have a dimension `axis`, and there is one result for each
    operand, with its element type and the shape of the first operand without that dimension. There must be an
    operand; `check_same_shapes` checks that all have one shape.
    """
    shape = shape_of(inputs[0].type)
    _check_axis(axis, len(shape))
    rest = (*shape[:axis], *shape[axis + 1 :])
    _check_results([(rest, element_of(value.type)) for value in inputs], results)


def check_scanned(inputs: Sequence[Value], results: Sequence[Value], axis: int) -> None:
    """Raise `VerifyError` unless the operands have a dimension `axis`, and there is one result for each
    operand, with its element type and the shape of the first operand. There must be an operand;
    `check_same_shapes` checks that all have one shape.
    """
    shape = shape_of(inputs[0].type)
    _check_axis(axis, len(shape))
    _check_results([(shape, element_of(value.type)) for value in inputs], results)


def _check_axis(axis: int, rank: int) -> None:
    if axis >= rank:
        raise VerifyError(f"expects a dimension from 0 to {rank - 1}, but got {axis}")


def _check_results(wanted: Sequence[tuple[tuple[int, ...], Type]], results: Sequence[Value]) -> None:
    found = [(shape_of(value.type), element_of(value.type)) for value in results]
    if found != list(wanted):
        raise VerifyError("expects a result for each operand, of its element type and of the combined shape")


def check_body_arguments(op: Operation, copies: int, *, indexed: bool = False) -> None:
    """Raise `VerifyError` unless the region takes an element of each operand, in order, ``copies`` times.
    With ``indexed``, an index for each dimension of the first result precedes them.
    """
    indices: list[Type] = [index] * len(shape_of(op.results[0].type)) if indexed else []
    wanted = [*indices, *[element_of(value.type) for value in op.operands] * copies]
    found = [argument.type for argument in op.regions[0].blocks[0].arguments]
    if found != wanted:
        raise VerifyError(f"expects a region that takes ({_listed(wanted)}), got ({_listed(found)})")


def check_yield(op: Operation) -> None:
    """Raise `VerifyError` unless the region yields one value for each result, of its element type."""
    last = op.regions[0].blocks[0].last
    wanted = [element_of(type) for type in op.result_types]
    found = list(last.operand_types) if last is not None else []
    if found != wanted:
        raise VerifyError(f"expects a region that yields ({_listed(wanted)}), got ({_listed(found)})")


def _listed(types: Sequence[Type]) -> str:
    return ", ".join(map(str, types))

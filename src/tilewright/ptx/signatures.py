"""Whether two declarations of a function are of one function."""

from __future__ import annotations

from tilewright.ptx.model import Function, Variable
from tilewright.ptx.types import TYPES


def same_signature(first: Function, second: Function) -> bool:
    """Whether parameters and results agree in number, state spaces, widths and extents."""
    return first.entry == second.entry and all(
        [_shape(one) for one in some] == [_shape(one) for one in others]
        for some, others in ((first.parameters, second.parameters), (first.returns, second.returns))
    )


def _shape(one: Variable) -> tuple[object, ...]:
    return one.space, TYPES[one.type].bits, one.vector, one.dims

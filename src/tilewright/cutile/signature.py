"""Conversion of facts to cuTile's signature objects, and the flat parameters of a signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.cutile import facts as cutile_facts
from tilewright.host.addresses import ELEMENTS, ArrayElement
from tilewright.ir.support.record import Record

if TYPE_CHECKING:
    from tilewright.cutile.frontend import Frontend


def cutile_name(element: ArrayElement) -> str:
    """Return the name of an element type in ``cuda.tile``, such as ``float32`` or ``bool_``."""
    return "bool_" if element.numpy == "bool" else element.numpy


BY_CUTILE_NAME = {cutile_name(element): element for element in ELEMENTS}


_OTHER_TYPES = {"tfloat32": "tf32", "float4_e2m1fn": "f4E2M1FN", "float8_e5m3fnu": "fnv8E5M3FNU"}
"""Element types a hand-written signature may name although no launch argument has them."""


class FlatParameter(Record, frozen=True):
    """One parameter of the compiled entry.

    ``argument`` is the path of the Python argument (``x``, ``pair[1]``, ``state.weight``), ``role`` is
    address, length, stride (both with their ``axis``; strides in elements), table, count or value, and
    ``type`` the Tile IR type (``ptr<f32>``, ``i32``).
    """

    argument: str
    role: str
    type: str
    axis: int | None = None


def kernel_signature(front: Frontend, facts: Sequence[cutile_facts.Facts], function_name: str) -> Any:
    """Return the ``KernelSignature`` of these facts, with the lowest calling convention that can pass them,
    and a symbol that is mangled from ``function_name``.
    """
    version = max((_convention(item) for item in facts), default=1)
    convention = front.compilation.CallingConvention.from_code(f"t{version}")
    signature = front.compilation.KernelSignature([_constraint(front, item) for item in facts], convention)
    return signature.with_mangled_symbol(function_name)


def _convention(facts: cutile_facts.Facts) -> int:
    """Return the lowest calling convention (1 to 3) that can pass an argument."""
    if isinstance(facts, cutile_facts.ListFacts):
        return _convention(facts.item)
    if isinstance(facts, cutile_facts.ArrayFacts):
        return 1 if all(length is None for length in facts.length_constants) else 2
    if isinstance(facts, cutile_facts.TupleFacts):
        return max((2, *(_convention(item) for item in facts.items)))
    if isinstance(facts, cutile_facts.ConstantFacts):
        return 1 if isinstance(facts.value, bool | int | float) else 3
    return 3 if isinstance(facts, cutile_facts.DataclassFacts) else 1


def _constraint(front: Frontend, facts: cutile_facts.Facts) -> Any:
    made = front.compilation
    if isinstance(facts, cutile_facts.ArrayFacts):
        return _array_constraint(front, facts)
    if isinstance(facts, cutile_facts.ListFacts):
        element = _array_constraint(front, facts.item)
        return made.ListConstraint(element, alias_groups=(), elements_may_alias=True)
    if isinstance(facts, cutile_facts.TupleFacts):
        return made.TupleConstraint([_constraint(front, item) for item in facts.items])
    if isinstance(facts, cutile_facts.ConstantFacts):
        return made.ConstantConstraint(facts.value)
    if isinstance(facts, cutile_facts.DataclassFacts):
        return made.DataclassConstraint(facts.type, [_constraint(front, item) for item in facts.fields])
    return made.ScalarConstraint(getattr(front.tile, facts.type))


def _array_constraint(front: Frontend, facts: cutile_facts.ArrayFacts) -> Any:
    return front.compilation.ArrayConstraint(
        getattr(front.tile, cutile_name(facts.element)),
        facts.rank,
        index_dtype=getattr(front.tile, f"int{facts.index_bits}"),
        stride_lower_bound_incl=0,
        alias_groups=(),
        may_alias_internally=facts.may_alias_internally,
        stride_constant=facts.stride_constants,
        shape_constant=facts.length_constants,
        # A divisor beside a constant says nothing and must divide it: an annotated axis may have both.
        stride_divisible_by=_unless_constant(facts.stride_divisors, facts.stride_constants),
        shape_divisible_by=_unless_constant(facts.length_divisors, facts.length_constants),
        base_addr_divisible_by=facts.address_divisor,
    )


def _unless_constant(divisors: Sequence[int], constants: Sequence[int | None]) -> list[int]:
    return [d if constant is None else 1 for d, constant in zip(divisors, constants, strict=True)]


def flat_parameters(signature: Any, names: Sequence[str]) -> tuple[FlatParameter, ...]:
    """Return the entry parameters of a ``KernelSignature``, in order; ``names`` are the Python parameters. A
    constant has none, a list has a table and a count. Raises ValueError for a constraint that no host
    argument can have.
    """
    flat: list[FlatParameter] = []
    for constraint, name in zip(signature.parameters, names, strict=True):
        flat.extend(_flatten(constraint, name))
    return tuple(flat)


def _flatten(constraint: Any, path: str) -> Iterator[FlatParameter]:
    kind = type(constraint).__name__
    if kind == "ArrayConstraint":
        yield from _flatten_array(constraint, path)
    elif kind == "ListConstraint":
        yield FlatParameter(path, "table", "ptr<i64>")
        yield FlatParameter(path, "count", "i32")
    elif kind == "ScalarConstraint":
        yield FlatParameter(path, "value", _tile_ir_type(constraint.dtype))
    elif kind == "TupleConstraint":
        for index, item in enumerate(constraint.items):
            yield from _flatten(item, f"{path}[{index}]")
    elif kind == "DataclassConstraint":
        for name, item in zip(constraint.cls.__dataclass_fields__, constraint.fields, strict=True):
            yield from _flatten(item, f"{path}.{name}")
    elif kind != "ConstantConstraint":
        raise ValueError(f"parameter {path!r}: a {kind} cannot be launched on the host")


def _flatten_array(constraint: Any, path: str) -> Iterator[FlatParameter]:
    index = _tile_ir_type(constraint.index_dtype)
    yield FlatParameter(path, "address", f"ptr<{_tile_ir_type(constraint.dtype)}>")
    for role in ("length", "stride"):
        for axis in range(constraint.ndim):
            yield FlatParameter(path, role, index, axis)


def _tile_ir_type(dtype: Any) -> str:
    element = BY_CUTILE_NAME.get(dtype.name)
    return element.tile_ir if element else _OTHER_TYPES[dtype.name]

"""Type constraints of ``tt``, described in the words of Triton's verifier."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.dialects.tt.types import PtrType, TensorDescType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import Constraint, IsClass, OneOf, Satisfies

FLOATS = frozenset(
    ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f16", "bf16", "f32", "f64"),
)
"""The floating-point formats of Triton's tensors."""
INTEGER_WIDTHS = frozenset((1, 4, 8, 16, 32, 64))

Test = Callable[[Type], bool]


def is_float(type: Type) -> bool:
    """Return whether a type is a scalar float of one of the formats in `FLOATS`."""
    return isinstance(type, builtin_types.FloatType) and type.spelling in FLOATS


def is_integer(type: Type) -> bool:
    """Return whether a type is a signless integer of 1, 4, 8, 16, 32 or 64 bits."""
    return (
        isinstance(type, builtin_types.IntegerType)
        and type.signedness == "signless"
        and type.width in INTEGER_WIDTHS
    )


def is_pointer(type: Type) -> bool:
    """Return whether a type is a pointer, `!tt.ptr`; a tensor of pointers is none."""
    return isinstance(type, PtrType)


def _ranked(test: Test, words: str) -> Satisfies:
    """Return the constraint for ranked tensors whose element type passes `test`; `words` names the element
    type in messages.
    """
    return Satisfies(
        lambda type: isinstance(type, builtin_types.RankedTensorType) and test(type.element_type),
        f"ranked tensor of {words} values",
    )


def _tensor(element: Type, words: str) -> Satisfies:
    """Return the constraint for ranked and unranked tensors with the element type `element`; `words` names
    the element type in messages.
    """
    return Satisfies(
        lambda type: (
            isinstance(type, builtin_types.RankedTensorType | builtin_types.UnrankedTensorType)
            and type.element_type is element
        ),
        f"tensor of {words} values",
    )


def _any(*tests: Test) -> Test:
    return lambda type: any(test(type) for test in tests)


I1_WORDS, I32_WORDS, I64_WORDS = (f"{width}-bit signless integer" for width in (1, 32, 64))
FLOAT_TENSOR = _ranked(is_float, "floating-point")
FLOAT_LIKE = Satisfies(is_float, "floating-point") | FLOAT_TENSOR
F32_LIKE = OneOf((builtin_types.f32,), "32-bit float") | _ranked(
    lambda type: type is builtin_types.f32, "32-bit float"
)
INT_TENSOR = _ranked(is_integer, "integer")
INT_LIKE = Satisfies(is_integer, "integer") | INT_TENSOR
BOOL_LIKE = OneOf((builtin_types.i1,), I1_WORDS) | _ranked(lambda type: type is builtin_types.i1, I1_WORDS)
CONDITION = OneOf((builtin_types.i1,), I1_WORDS) | _tensor(builtin_types.i1, I1_WORDS)
I32 = OneOf((builtin_types.i32,), I32_WORDS)
I64 = OneOf((builtin_types.i64,), I64_WORDS)
I64_LIKE = OneOf((builtin_types.i64,), I64_WORDS) | _tensor(builtin_types.i64, I64_WORDS)
POINTER = IsClass(PtrType, "ptr")
POINTER_LIKE = POINTER | _ranked(is_pointer, "ptr")
NUMBER_TENSOR = _ranked(_any(is_float, is_integer), "floating-point or integer")
TENSOR = _ranked(_any(is_float, is_integer, is_pointer), "floating-point or integer or ptr")
SCALED_TENSOR = _ranked(
    _any(is_float, lambda type: type is builtin_types.i8), "floating-point or 8-bit signless integer"
)
OFFSETS = _ranked(
    lambda type: type is builtin_types.i16 or type is builtin_types.i32,
    "16-bit signless integer or 32-bit signless integer",
)
VALUE: Constraint = FLOAT_LIKE | INT_LIKE | POINTER_LIKE
"""Every type that Triton's operations take and give."""
DESCRIPTOR = IsClass(
    TensorDescType, "Tensor descriptor type (`::mlir::triton::TensorDescType`) in Triton IR type system"
)

"""The type constraints of vector operations, with MLIR's descriptions."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import Constraint, IsClass, OneOf, Satisfies


class VectorOf(Constraint):
    """The constraint of a vector type whose element type passes the predicate `element`; `words` describes
    the elements in messages. `fixed` rejects scalable vectors; `rank` is the only legal rank, None allows
    any.
    """

    def __init__(
        self, element: Callable[[Type], bool], words: str, *, rank: int | None = None, fixed: bool = False
    ) -> None:
        prefix = "fixed-length " if fixed else ""
        suffix = "" if rank is None else f" of ranks {rank}"
        super().__init__(f"{prefix}vector of {words} values{suffix}")
        self.element = element
        self.rank = rank
        self.fixed = fixed

    def matches(self, type: Type) -> bool:
        if not isinstance(type, builtin_types.VectorType) or not self.element(type.element_type):
            return False
        return self.rank in (None, len(type.shape)) and not (self.fixed and type.scalable)


def _any(type: Type) -> bool:
    return True


def _is_integer_or_index(type: Type) -> bool:
    return isinstance(type, builtin_types.IntegerType | builtin_types.IndexType)


ANY_VECTOR = VectorOf(_any, "any type")
FIXED_VECTOR = VectorOf(_any, "any type", fixed=True)
VECTOR_1D = VectorOf(_any, "any type", rank=1)
MASK = VectorOf(lambda type: type is builtin_types.i1, "1-bit signless integer")
FIXED_MASK = VectorOf(lambda type: type is builtin_types.i1, "1-bit signless integer", fixed=True)
FLOAT_VECTOR = VectorOf(lambda type: isinstance(type, builtin_types.FloatType), "floating-point")
INDEX_VECTOR = VectorOf(_is_integer_or_index, "integer or index")
STEP_VECTOR = VectorOf(lambda type: type is builtin_types.index, "index", rank=1)
INDEX = OneOf((builtin_types.index,), "index")
MEMREF = IsClass(builtin_types.MemRefType, "memref of any type values")
RANKED_TENSOR = IsClass(builtin_types.RankedTensorType, "ranked tensor of any type values")
STATIC_MEMREF = Satisfies(
    lambda type: isinstance(type, builtin_types.MemRefType) and type.has_static_shape,
    "statically shaped memref of any type values",
)
SHAPED = IsClass(builtin_types.ShapedType, "shaped of any type values")
BUFFER = IsClass(
    (builtin_types.RankedTensorType, builtin_types.UnrankedTensorType, builtin_types.MemRefType),
    "Tensor or MemRef of any type values",
)
PRINTABLE = Satisfies(
    lambda type: isinstance(
        type,
        builtin_types.VectorType
        | builtin_types.IntegerType
        | builtin_types.IndexType
        | builtin_types.FloatType,
    ),
    "a number or vector",
)

"""The type constraints of NVVM operations, described in MLIR's words."""

from __future__ import annotations

from tilewright.dialects.llvm.constraints import POINTER, STRUCT, pointer_in
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import IsClass, OneOf
from tilewright.ir.declaration.traits import Trait

GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, TENSOR, SHARED_CLUSTER = 0, 1, 3, 4, 5, 6, 7
"""The numbers of the memory spaces."""


def vector(element: Type, words: str, *lengths: int, prefix: str = "") -> OneOf:
    """Return the constraint of a vector of elements of the type `element` with one of `lengths`. `words`
    describes the elements in messages, and `prefix` precedes the description.
    """
    listed = "/".join(map(str, lengths))
    return OneOf(
        [builtin_types.VectorType((length,), element) for length in lengths],
        f"{prefix}vector of {words} values of length {listed}",
    )


BOOL = OneOf((builtin_types.i1,), "1-bit signless integer")
INT8 = OneOf((builtin_types.i8,), "8-bit signless integer")
INT16 = OneOf((builtin_types.i16,), "16-bit signless integer")
INT32 = OneOf((builtin_types.i32,), "32-bit signless integer")
INT64 = OneOf((builtin_types.i64,), "64-bit signless integer")
INT128 = OneOf((builtin_types.IntegerType(128),), "128-bit signless integer")
FLOAT32 = OneOf((builtin_types.f32,), "32-bit float")
BOOL_OR_INT32 = BOOL | INT32
INT32_OR_BOOL = INT32 | BOOL
INT32_OR_INT64 = INT32 | INT64
INT64_OR_INT32 = INT64 | INT32
INT32_OR_FLOAT32 = INT32 | FLOAT32
F16X2 = vector(builtin_types.f16, "16-bit float", 2)
BF16X2 = vector(builtin_types.bf16, "bfloat16 type", 2)
F32X4 = vector(builtin_types.f32, "32-bit float", 4)
I8X2 = vector(builtin_types.i8, "8-bit signless integer", 2)
I8X4 = vector(builtin_types.i8, "8-bit signless integer", 4)
I16X2 = vector(builtin_types.i16, "16-bit signless integer", 2)
PACKED_PAIR = INT16 | I8X2
INT32_OR_VECTOR = INT32 | vector(builtin_types.i32, "32-bit signless integer", 2, 4, 8, 16, 32, 64, 128)
OUTPUT_LANES = vector(builtin_types.i32, "32-bit signless integer", 4, 8, prefix="fixed-length ")
LLVM_STRUCT = IsClass(LLVMStructType, "LLVM struct type")
INT32_OR_STRUCT = INT32 | LLVM_STRUCT
SHUFFLED = INT32 | FLOAT32 | LLVM_STRUCT
STRUCT_OR_FLOAT64 = STRUCT | OneOf((builtin_types.f64,), "64-bit float")
GENERIC_POINTER = pointer_in(GENERIC)
GLOBAL_POINTER = pointer_in(GLOBAL)
SHARED_POINTER = pointer_in(SHARED)
CLUSTER_POINTER = pointer_in(SHARED_CLUSTER)
TENSOR_POINTER = pointer_in(TENSOR)
GENERIC_OR_GLOBAL = pointer_in(GENERIC, GLOBAL)
GENERIC_OR_SHARED = pointer_in(GENERIC, SHARED)
GENERIC_OR_CLUSTER = pointer_in(GENERIC, SHARED_CLUSTER)
SHARED_OR_CLUSTER = pointer_in(SHARED, SHARED_CLUSTER)
GENERIC_SHARED_OR_CLUSTER = pointer_in(GENERIC, SHARED, SHARED_CLUSTER)
POINTER_OR_SHARED = POINTER | SHARED_POINTER
PREFETCHABLE = pointer_in(GLOBAL, LOCAL, GENERIC, CONSTANT)
TENSOR_OR_DESCRIPTOR = TENSOR_POINTER | INT64


class RequiresSM(Trait):
    """The operation exists on the processor with the smallest number in `versions` and on later ones. With
    ``exact`` it exists only on the architecture-specific variants of the listed processors.

    The numbers are, for example, 90 for ``sm_90`` and 100 for ``sm_100a``. The verifier does not check them:
    the target of a module is checked when code for it is generated.
    """

    def __init__(self, *versions: int, exact: bool = False) -> None:
        self.versions = versions
        self.exact = exact

    def is_supported(self, version: int, *, architecture_specific: bool = False) -> bool:
        """Return whether the processor ``sm_<version>``, or ``sm_<version>a`` if `architecture_specific`, has
        the instruction.
        """
        if self.exact:
            return architecture_specific and version in self.versions
        return version >= min(self.versions)

    @property
    def description(self) -> str:
        suffix = "a" if self.exact else " or later"
        return f"RequiresSM<{', '.join(f'sm_{version}{suffix}' for version in self.versions)}>"

"""Rules of matrix loads, stores and multiplications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvvm.enums.memory import LdStMatrixEltType
from tilewright.dialects.nvvm.enums.mma import MMALayout, WGMMATypes
from tilewright.dialects.nvvm.rules.barrier import require
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops.mma import LdMatrixOp, StMatrixOp, WgmmaMmaAsyncOp

PACKED = (LdStMatrixEltType.B8X16_B4X16_P64, LdStMatrixEltType.B8X16_B6X16_P32)
BYTE_ELEMENTS = (LdStMatrixEltType.B8, *PACKED)
COUNTS = (1, 2, 4)
WIDE_COLUMNS = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256)
"""The column counts of integer multiplications by a warpgroup."""
HALVES = (WGMMATypes.F32, WGMMATypes.F16)
BYTE_FLOATS = (WGMMATypes.E4M3, WGMMATypes.E5M2)
BYTE_INTEGERS = (WGMMATypes.S8, WGMMATypes.U8)
INTEGERS = (*BYTE_INTEGERS, WGMMATypes.B1)
COMMON_EXTENT = {
    WGMMATypes.TF32: 8,
    WGMMATypes.F16: 16,
    WGMMATypes.BF16: 16,
    WGMMATypes.S8: 32,
    WGMMATypes.U8: 32,
    WGMMATypes.E4M3: 32,
    WGMMATypes.E5M2: 32,
    WGMMATypes.B1: 256,
}
"""The common extent of a multiplication by a warpgroup, by the type of A."""
PARTNERS: dict[WGMMATypes, tuple[tuple[WGMMATypes, ...], tuple[WGMMATypes, ...]]] = {
    WGMMATypes.F16: (HALVES, (WGMMATypes.F16,)),
    WGMMATypes.BF16: (HALVES, (WGMMATypes.BF16,)),
    WGMMATypes.TF32: ((WGMMATypes.F32,), (WGMMATypes.TF32,)),
    WGMMATypes.S8: ((WGMMATypes.S32,), BYTE_INTEGERS),
    WGMMATypes.U8: ((WGMMATypes.S32,), BYTE_INTEGERS),
    WGMMATypes.B1: ((WGMMATypes.S32,), (WGMMATypes.B1,)),
    WGMMATypes.E4M3: (HALVES, BYTE_FLOATS),
    WGMMATypes.E5M2: (HALVES, BYTE_FLOATS),
}
"""The types of the accumulator and of B, by the type of A."""


def is_in_place(op: Operation) -> bool:
    """Return whether the result has the type of the first operand."""
    return op.results[0].type is op.operands[0].type


def check_matrix_load(op: LdMatrixOp) -> None:
    """Raise `VerifyError` unless ``ldmatrix`` loads 1, 2 or 4 matrices of 8x8 elements of 16 bits, or of 8x16
    packed elements by row, or 1 or 2 matrices of 16x16 elements of at most 8 bits by column. The result must
    be one i32 for each matrix, two for 16x16, in a struct if they are several.
    """
    shape, element = (op.shape.m, op.shape.n), op.eltType
    if shape == (8, 8):
        require(op.num in COUNTS, "expected num attribute to be 1, 2 or 4 for 8x8 matrix")
        words = "expected element type to be b16 for 8x8 matrix"
        require(element is LdStMatrixEltType.B16, words)
    elif shape == (8, 16):
        require(op.num in COUNTS, "expected num attribute to be 1, 2 or 4 for 8x16 matrix")
        require(op.layout is MMALayout.ROW, "expected layout to be row for 8x16 matrix")
        words = "expected element type to be b8x16.b4x16_p64 or b8x16.b6x16_p32 for 8x16 matrix"
        require(element in PACKED, words)
    elif shape == (16, 16):
        require(op.num in (1, 2), "expected num attribute to be 1 or 2 for 16x16 matrix")
        require(op.layout is MMALayout.COL, "expected layout to be col for 16x16 matrix")
        words = "expected element type to be b8, b8x16.b4x16_p64 or b8x16.b6x16_p32 for 16x16 matrix"
        require(element in BYTE_ELEMENTS, words)
    else:
        require(False, "expected shape to be 8x8, 8x16 or 16x16")
    _check_registers(op, op.num * (2 if shape == (16, 16) else 1))


def _check_registers(op: LdMatrixOp, count: int) -> None:
    if count == 1:
        require(op.res.type is i32, "expected destination type is i32")
    else:
        words = f"expected destination type is a structure of {count} elements of type i32"
        require(op.res.type is LLVMStructType((i32,) * count), words)


def check_matrix_store(op: StMatrixOp) -> None:
    """Raise `VerifyError` unless ``stmatrix`` stores 1, 2 or 4 matrices of 8x8 elements of 16 bits, or of
    16x8 elements of 8 bits by column.
    """
    shape = (op.shape.m, op.shape.n)
    require(len(op.sources) in COUNTS, "expected num attribute to be 1, 2 or 4")
    if shape == (8, 8):
        words = "expected element type to be B16 for 8x8 matrix"
        require(op.eltType is LdStMatrixEltType.B16, words)
    elif shape == (16, 8):
        words = "expected element type to be B8 for 16x8 matrix"
        require(op.eltType is LdStMatrixEltType.B8, words)
        require(op.layout is MMALayout.COL, "expected layout to be col for 16x8 matrix")
    else:
        require(False, "expected shape to be 8x8 or 16x8")


def check_warpgroup_multiplication(op: WgmmaMmaAsyncOp) -> None:
    """Raise `VerifyError` unless a multiplication by a warpgroup has a supported combination of types,
    extents and layouts, and its result the number of registers that follows. M must be 64; K follows from the
    type of A.
    """
    left, right, sum = op.typeA, op.typeB, op.typeD
    require(op.shape.m == 64, "shape 'm' must be 64")
    sums, rights = PARTNERS.get(left, ((), ()))
    words = f"{sum.spelling} += {left.spelling} * {right.spelling}, it is not supported."
    require(sum in sums and right in rights, words)
    wanted = COMMON_EXTENT[left]
    require(op.shape.k == wanted, f"shape 'k' must be {wanted} for input type {left.spelling}")
    columns = WIDE_COLUMNS if left in INTEGERS else range(8, 257, 8)
    words = f"has input type {left.spelling} n is set to {op.shape.n}, it is not supported."
    require(op.shape.n in columns, words)
    _check_layouts(op)
    results = op.shape.n // (4 if sum is WGMMATypes.F16 else 2)
    found = len(checked_type(op.results[0]).body)
    require(results == found, f"results {results}, however output struct has {found} elements")


def _check_layouts(op: WgmmaMmaAsyncOp) -> None:
    if op.typeA in (WGMMATypes.F16, WGMMATypes.BF16):
        return
    words = (
        f"given layouts layout_a = {op.layoutA.spelling} and layout_b = {op.layoutB.spelling} for input types "
        f"{op.typeA.spelling} and {op.typeB.spelling} requires transpose. However, this is only supported for: "
        "f16 and bf16"
    )
    require((op.layoutA, op.layoutB) == (MMALayout.ROW, MMALayout.COL), words)

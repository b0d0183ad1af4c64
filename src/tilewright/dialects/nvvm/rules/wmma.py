"""Rules of matrix fragments (``wmma``): which extents and types exist, and how many registers they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvvm.constraints import GENERIC, GLOBAL, SHARED
from tilewright.dialects.nvvm.enums.mma import MMAFrag, MMATypes
from tilewright.dialects.nvvm.rules.barrier import require
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, f16, f32, f64, i32

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops.mma import WMMALoadOp, WMMAMmaOp, WMMAStoreOp

Extents = tuple[int, int, int]
Registers = tuple[int, Type]
"""How many registers a thread has of a fragment, and their type."""

HALVES = VectorType((2,), f16)
LARGE: tuple[Extents, ...] = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
ROWS_OF_BYTES = {16: 2, 8: 1, 32: 4}
"""The number of registers of a fragment of 8-bit elements, by its extent (M or N) that is not the common
extent K.
"""


def _table() -> dict[tuple[Extents, MMAFrag, MMATypes], Registers]:
    table: dict[tuple[Extents, MMAFrag, MMATypes], Registers] = {}
    for extents in LARGE:
        for fragment in (MMAFrag.A, MMAFrag.B):
            table[extents, fragment, MMATypes.F16] = 8, HALVES
            outer = extents[0] if fragment is MMAFrag.A else extents[1]
            for type in (MMATypes.S8, MMATypes.U8):
                table[extents, fragment, type] = ROWS_OF_BYTES[outer], i32
        table[extents, MMAFrag.C, MMATypes.F16] = 4, HALVES
        table[extents, MMAFrag.C, MMATypes.F32] = 8, f32
        table[extents, MMAFrag.C, MMATypes.S32] = 8, i32
    for fragment in (MMAFrag.A, MMAFrag.B):
        table[(16, 16, 8), fragment, MMATypes.TF32] = 4, i32
        table[(8, 8, 4), fragment, MMATypes.F64] = 1, f64
    table[(16, 16, 8), MMAFrag.C, MMATypes.F32] = 8, f32
    table[(8, 8, 4), MMAFrag.C, MMATypes.F64] = 2, f64
    return table


FRAGMENTS = _table()
"""The fragments that exist."""
SUMS = {
    MMATypes.F16: (MMATypes.F16, MMATypes.F32),
    MMATypes.S8: (MMATypes.S32,),
    MMATypes.U8: (MMATypes.S32,),
    MMATypes.TF32: (MMATypes.F32,),
    MMATypes.F64: (MMATypes.F64,),
}
"""The types of the accumulator by the type of the factors."""


def _registers(op: WMMALoadOp | WMMAMmaOp | WMMAStoreOp, fragment: MMAFrag, type: MMATypes) -> Registers:
    found = FRAGMENTS.get(((op.m, op.n, op.k), fragment, type))
    if found is None:
        require(False, "invalid attribute combination")
        return 0, i32
    return found


def _require_struct(result: Type, registers: Registers) -> None:
    count, type = registers
    words = f"expected destination type is a structure of {count} elements of type '{type}'"
    require(result is LLVMStructType((type,) * count), words)


def check_fragment_load(op: WMMALoadOp) -> None:
    """Raise `VerifyError` unless the loaded fragment exists, the pointer is generic, global or shared, and
    the result is a struct of the registers of the fragment (f64 for a fragment of one f64).
    """
    space = checked_type(op.ptr).address_space
    require(space in (GENERIC, GLOBAL, SHARED), "expected source pointer in memory space 0, 1, 3")
    registers = _registers(op, op.frag, op.eltype)
    if registers == (1, f64):
        require(op.res.type is f64, "expected destination type to be f64")
    else:
        _require_struct(op.res.type, registers)


def check_fragment_store(op: WMMAStoreOp) -> None:
    """Raise `VerifyError` unless the stored fragment, an accumulator, exists, the pointer is generic, global
    or shared, and the operands are the registers of the fragment.
    """
    space = checked_type(op.ptr).address_space
    words = "expected operands to be a source pointer in memory space 0, 1, 3"
    require(space in (GENERIC, GLOBAL, SHARED), words)
    count, type = _registers(op, MMAFrag.C, op.eltype)
    require(len(op.args) == count, f"expected {count} data operands")
    fits = all(value.type is type for value in op.args)
    require(fits, f"expected data operands of type '{type}'")


def check_fragment_multiplication(op: WMMAMmaOp) -> None:
    """Raise `VerifyError` unless fragments with these extents and types exist and can be multiplied, and the
    operands and the result are their registers. `eltypeA` is the type of both factors, `eltypeB` the type of
    the accumulator.
    """
    factor, sum = op.eltypeA, op.eltypeB
    require(sum in SUMS.get(factor, ()), "invalid attribute combination")
    parts = [
        _registers(op, fragment, type)
        for fragment, type in ((MMAFrag.A, factor), (MMAFrag.B, factor), (MMAFrag.C, sum))
    ]
    wanted = [type for count, type in parts for _ in range(count)]
    require(len(op.args) == len(wanted), f"expected {len(wanted)} arguments")
    for number, (value, type) in enumerate(zip(op.args, wanted, strict=True)):
        require(value.type is type, f"expected argument {number} to be of type '{type}'")
    _require_struct(op.res.type, parts[2])

"""Element types of arrays under their names: NumPy (or ml_dtypes) dtype, Tile IR scalar type, DLPack type."""

from __future__ import annotations

from tilewright.ir.support.record import Record


class ArrayElement(Record, frozen=True):
    """One element type of an array argument.

    ``numpy`` is the name of the dtype, ``tile_ir`` the scalar type, ``dlpack`` the (type code, bits) pair of
    DLPack 1.1.
    """

    numpy: str
    tile_ir: str
    bits: int
    dlpack: tuple[int, int]


_INT, _UINT, _FLOAT, _BFLOAT, _BOOL, _E4M3FN, _E5M2, _E8M0FNU = 0, 1, 2, 4, 6, 10, 12, 14

ELEMENTS: tuple[ArrayElement, ...] = (
    ArrayElement("bool", "i1", 8, (_BOOL, 8)),
    ArrayElement("int8", "i8", 8, (_INT, 8)),
    ArrayElement("int16", "i16", 16, (_INT, 16)),
    ArrayElement("int32", "i32", 32, (_INT, 32)),
    ArrayElement("int64", "i64", 64, (_INT, 64)),
    ArrayElement("uint8", "i8", 8, (_UINT, 8)),
    ArrayElement("uint16", "i16", 16, (_UINT, 16)),
    ArrayElement("uint32", "i32", 32, (_UINT, 32)),
    ArrayElement("uint64", "i64", 64, (_UINT, 64)),
    ArrayElement("float16", "f16", 16, (_FLOAT, 16)),
    ArrayElement("float32", "f32", 32, (_FLOAT, 32)),
    ArrayElement("float64", "f64", 64, (_FLOAT, 64)),
    ArrayElement("bfloat16", "bf16", 16, (_BFLOAT, 16)),
    ArrayElement("float8_e4m3fn", "f8E4M3FN", 8, (_E4M3FN, 8)),
    ArrayElement("float8_e5m2", "f8E5M2", 8, (_E5M2, 8)),
    ArrayElement("float8_e8m0fnu", "f8E8M0FNU", 8, (_E8M0FNU, 8)),
)
"""The element types that launchers take. ``bits`` counts memory, so a bool has 8."""

BY_NUMPY_NAME = {element.numpy: element for element in ELEMENTS}
BY_DLPACK_TYPE = {element.dlpack: element for element in ELEMENTS}

NAMES = ", ".join(element.numpy for element in ELEMENTS)
"""For messages: the accepted element types."""

"""Fields of tensor maps that kernels write: every field, up to its largest number, by the numbers of the PTX ISA."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from tests.ptxsim.test_ptxsim_bulk import DUMP, POINTERS, TWO, kernel
from tilewright.ptxsim import TensorMap

NUMBERS = {
    "u8": 0,
    "u16": 1,
    "u32": 2,
    "s32": 3,
    "u64": 4,
    "s64": 5,
    "f16": 6,
    "f32": 7,
    "f64": 9,
    "bf16": 10,
    "tf32": 11,
}
"""The element types' numbers; 8 and 12 flush subnormal numbers."""
OF_ARRAYS = {"u1": "u8", "f2": "f16", "f4": "f32"}


def replaced(fields: Sequence[tuple[str, int | None, int]]) -> bytes:
    """The bytes of a map of zeros after `tensormap.replace` of fields: a name, an ordinal, and a value."""
    body = POINTERS + "mad.lo.u32 %w0, %t, 4, %s; st.shared.b32 [%w0], 0; bar.sync 0; .reg .b64 %v;"
    for field, ordinal, value in fields:
        wide = field in ("global_address", "global_stride")
        at = "" if ordinal is None else f"{ordinal}, "
        given = "%v" if wide else str(value)
        body += f"@%one mov.b64 %v, {value}; @%one tensormap.replace.tile.{field}.shared::cta.b1024"
        body += f".b{64 if wide else 32} [%s], {at}{given};"
    out = np.zeros(32, np.uint32)
    kernel(body + "bar.sync 0;" + DUMP, [np.zeros(1), out], TWO, 128)
    return out.tobytes()


WRITTEN: list[tuple[TensorMap, int]] = [
    *(
        (TensorMap(np.zeros((4, 32), f"u{size}"), (2, 16), element=element), 1 << 40)
        for size, element in [(1, "u8"), (2, "u16"), (4, "u32"), (4, "s32"), (8, "u64"), (8, "s64")]
    ),
    *(
        (TensorMap(np.zeros((4, 32), f"u{size}"), (2, 8), element=element, nan=True), (1 << 56) - 16)
        for size, element in [(2, "f16"), (4, "f32"), (8, "f64"), (2, "bf16"), (4, "tf32")]
    ),
    *((TensorMap(np.zeros((4, 64), np.float16), (4, 16), swizzle=size), 4096) for size in (32, 64, 128)),
    *(
        (TensorMap(np.zeros((4, 64), np.float16), (4, 64), swizzle=128, atomicity=name), 0)
        for name in ("16B", "32B", "32B flip 8B", "64B")
    ),
    *((TensorMap(np.zeros((16,) * rank, np.float32), (4,) * rank), 16) for rank in range(1, 6)),
    (TensorMap(np.zeros((8, 64), np.uint8), (8, 64), element_strides=(8, 1)), 256),
    (TensorMap(as_strided(np.zeros(1, np.uint8), (3, (1 << 32) - 1), ((1 << 40) - 16, 1)), (1, 256)), 0),
]
"""Maps, and the address of the tensor: element types, modes, and the largest numbers of each field."""


@pytest.mark.parametrize(("wanted", "address"), WRITTEN)
def test_fields_are_written_one_by_one(wanted: TensorMap, address: int) -> None:
    """A map that a kernel writes, field by field, has the bytes of the one that the host makes."""
    array, axes = wanted.array, range(wanted.array.ndim)[::-1]
    steps, box = wanted.element_strides or (1,) * array.ndim, tuple(wanted.box)
    spans = [0, 32, 64, 128, 96]
    fields: list[tuple[str, int | None, int]] = [
        ("global_address", None, address),
        ("rank", None, array.ndim - 1),
        ("elemtype", None, NUMBERS[wanted.element or OF_ARRAYS[array.dtype.str[1:]]]),
        ("interleave_layout", None, 0),
        ("swizzle_mode", None, spans.index(wanted.swizzle)),
        ("swizzle_atomicity", None, ["16B", "32B", "32B flip 8B", "64B"].index(wanted.atomicity)),
        ("fill_mode", None, int(wanted.nan)),
    ]
    for at, axis in enumerate(axes):
        fields += [("box_dim", at, box[axis]), ("global_dim", at, array.shape[axis])]
        fields += [("element_stride", at, steps[axis])]
        fields += [("global_stride", at - 1, array.strides[axis])] * (at > 0)
    assert replaced(fields) == wanted.encoded(address)

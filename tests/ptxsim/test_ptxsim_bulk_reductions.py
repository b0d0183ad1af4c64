"""Reductions of bulk copies into global memory, each operation and type, on edge values: as the ISA defines them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ptxsim.definitions.edges import edges, rows_of
from tests.ptxsim.definitions.floating import arithmetic
from tests.ptxsim.definitions.integers import Integers
from tests.ptxsim.definitions.kernels import allowed
from tests.ptxsim.definitions.numbers import FORMATS
from tests.ptxsim.test_ptxsim_atomic_edges import OPERATIONS
from tests.ptxsim.test_ptxsim_bulk import COMMIT, DRAIN, FENCE, FILL, MAP, POINTERS, PUT, TWO, kernel
from tilewright.ptx.value_types import TYPES
from tilewright.ptxsim import TensorMap

TYPES_OF = {
    "add": ("u32", "s32", "u64", "f16", "bf16", "f32", "f64"),
    "min": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    "max": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    **dict.fromkeys(("inc", "dec"), ("u32",)),
    **dict.fromkeys(("and", "or", "xor"), ("b32", "b64")),
}
"""The types that the ISA has for an operation."""
PAIRS = [(op, kind) for op, kinds in TYPES_OF.items() for kind in kinds]


@pytest.mark.parametrize(("op", "kind"), PAIRS)
def test_reductions(op: str, kind: str) -> None:
    """Sums in f32 flush subnormal numbers, those of halves keep them."""
    bits = TYPES[kind].bits
    rows = rows_of([edges(kind)] * 2, (1, 1), (bits, bits), 384)
    rows = rows[: len(rows) // 64 * 64]
    old, new = (np.array(column, np.uint64).astype(f"u{bits // 8}") for column in zip(*rows, strict=True))
    form = FORMATS.get(kind)
    words = f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}{'.noftz' * (bits == 16)}.{kind}"
    put = PUT.replace("cp.async.bulk.global.shared::cta.bulk_group", words).replace("256", str(new.nbytes))
    kernel(POINTERS + FILL + FENCE + put + COMMIT + DRAIN + "ret; }", [new, old], TWO, new.nbytes)
    for (a, b), found in zip(rows, old.tolist(), strict=True):
        if form is None:
            whole = Integers(kind)
            expected = OPERATIONS[op](whole.read(a), whole.read(b)) & whole.ones
        else:
            expected = arithmetic(op, {"type": kind, **({"ftz": "ftz"} if kind == "f32" else {})})(a, b)
        assert allowed(expected, found, form), f"{words} {a:#x}, {b:#x}: {found:#x}"


@pytest.mark.parametrize(("op", "kind"), PAIRS)
def test_reductions_of_boxes(op: str, kind: str) -> None:
    """The tensor map says the type; a box of the array's last elements reaches over its edge, where nothing is written."""
    bits = TYPES[kind].bits
    rows = rows_of([edges(kind)] * 2, (1, 1), (bits, bits), 256)[:240]
    old, new = (np.array(column, np.uint64).astype(f"u{bits // 8}") for column in zip(*rows, strict=True))
    element = f"u{bits}" if kind.startswith("b") and kind != "bf16" else kind
    filling = np.concatenate([new, np.full(16, new[0])])
    body = "ld.param.u64 %in, [src]; mov.u64 %map, map; cvta.param.u64 %map, %map;" + FILL + FENCE
    words = f"cp.reduce.async.bulk.tensor.1d.global.shared::cta.{op}.tile.bulk_group"
    body += f"@%one {words} [%map, {{0}}], [%s];" + COMMIT + DRAIN + "ret; }"
    form, whole = FORMATS.get(kind), old.copy()
    kernel(
        body, [TensorMap(whole, (256,), element=element), filling], MAP.replace("dst", "src"), filling.nbytes
    )
    for (a, b), found in zip(rows, whole.tolist(), strict=True):
        if form is None:
            numbers = Integers(kind)
            expected = OPERATIONS[op](numbers.read(a), numbers.read(b)) & numbers.ones
        else:
            expected = arithmetic(op, {"type": kind, **({"ftz": "ftz"} if kind == "f32" else {})})(a, b)
        assert allowed(expected, found, form), f"{words} {kind} {a:#x}, {b:#x}: {found:#x}"

"""The instructions of GPUs for single elements, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.attributes import MemScope, RmwMode
from tilewright.ir.builtin_types import (
    FloatType,
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    i32,
    i64,
    tf32,
)
from tilewright.targets.elements.atomics import INTEGER_UPDATES
from tilewright.targets.elements.run_time_library import NativeInstructions
from tilewright.targets.nvptx import narrow_functions

NATIVE = NativeInstructions(
    functions={},
    conversions=frozenset({f16}),
    arithmetic={f16: frozenset({"add", "sub", "mul", "fma", "compare"})},
    rounded_pairs=frozenset(),
    narrow_functions=narrow_functions.FUNCTIONS,
    updates={
        **dict.fromkeys(INTEGER_UPDATES, frozenset({i32, i64})),
        RmwMode.ADDF: frozenset({f16, f32, f64}),
    },
    scopes={MemScope.TL_BLK: "block", MemScope.CLUSTER: "cluster", MemScope.GPU: "device"},
)
"""The instructions of every supported GPU: conversions of f16, and updates of words and double words."""
CONVERTED: Mapping[FloatType, tuple[int, bool]] = {
    **dict.fromkeys((f8E4M3FN, f8E5M2), (89, False)),
    tf32: (90, False),
    **dict.fromkeys((f4E2M1FN, f8E8M0FNU), (100, True)),
}
"""Further formats that are converted to and from f32: the first architecture, and whether only code for a
specific chip or family (``sm_100a``, ``sm_100f``) has the instructions. Before sm_90 the instruction for tf32
rounds ties away from zero.
"""
COMPUTED: Mapping[FloatType, Mapping[str, int]] = {
    f16: {"extremum": 80},
    bf16: {**dict.fromkeys(("add", "sub", "mul", "fma", "extremum"), 80), "compare": 90},
}
"""Further operations in formats below 32 bits, by the first architecture; sums and products of bf16 are fused
multiply-adds before sm_90.
"""


ROUNDS_PAIRS = 80
"""The first architecture that rounds two f32 to a pair of f16 or bf16."""


@lru_cache(maxsize=64)
def instructions_of(chip: Chip) -> NativeInstructions:
    """Return the instructions of a chip."""
    converted = frozenset(
        form
        for form, (least, is_specific) in CONVERTED.items()
        if chip.number >= least and (chip.suffix or not is_specific)
    )
    computed = {
        form: frozenset(name for name, least in names.items() if chip.number >= least)
        | NATIVE.arithmetic.get(form, frozenset())
        for form, names in COMPUTED.items()
    }
    pairs = frozenset({f16, bf16}) if chip.number >= ROUNDS_PAIRS else NATIVE.rounded_pairs
    return replace(
        NATIVE, conversions=NATIVE.conversions | converted, arithmetic=computed, rounded_pairs=pairs
    )

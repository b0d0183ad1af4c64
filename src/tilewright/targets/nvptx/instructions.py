"""The instructions of GPUs for single elements, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.attributes import MemScope, RmwMode
from tilewright.ir import builtin_types
from tilewright.targets.elements import atomics, run_time_library
from tilewright.targets.nvptx import narrow_functions

NATIVE = run_time_library.NativeInstructions(
    functions={},
    conversions=frozenset({builtin_types.f16}),
    arithmetic={builtin_types.f16: frozenset({"add", "sub", "mul", "fma", "compare"})},
    rounded_pairs=frozenset(),
    narrow_functions=narrow_functions.FUNCTIONS,
    updates={
        **dict.fromkeys(atomics.INTEGER_UPDATES, frozenset({builtin_types.i32, builtin_types.i64})),
        RmwMode.ADDF: frozenset({builtin_types.f16, builtin_types.f32, builtin_types.f64}),
    },
    scopes={MemScope.TL_BLK: "block", MemScope.CLUSTER: "cluster", MemScope.GPU: "device"},
)
"""The instructions of every supported GPU: conversions of f16, and updates of words and double words."""
CONVERTED: Mapping[builtin_types.FloatType, tuple[int, bool]] = {
    **dict.fromkeys((builtin_types.f8E4M3FN, builtin_types.f8E5M2), (89, False)),
    builtin_types.tf32: (90, False),
    **dict.fromkeys((builtin_types.f4E2M1FN, builtin_types.f8E8M0FNU), (100, True)),
}
"""Further formats that are converted to and from f32: the first architecture, and whether only code for a
specific chip or family (``sm_100a``, ``sm_100f``) has the instructions. Before sm_90 the instruction for tf32
rounds ties away from zero.
"""
COMPUTED: Mapping[builtin_types.FloatType, Mapping[str, int]] = {
    builtin_types.f16: {"extremum": 80},
    builtin_types.bf16: {**dict.fromkeys(("add", "sub", "mul", "fma", "extremum"), 80), "compare": 90},
}
"""Further operations in formats below 32 bits, by the first architecture; sums and products of bf16 are fused
multiply-adds before sm_90.
"""


ROUNDS_PAIRS = 80
"""The first architecture that rounds two f32 to a pair of f16 or bf16."""


@lru_cache(maxsize=64)
def instructions_of(chip: Chip) -> run_time_library.NativeInstructions:
    """Return the instructions of a chip that compute single elements."""
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
    pairs = (
        frozenset({builtin_types.f16, builtin_types.bf16})
        if chip.number >= ROUNDS_PAIRS
        else NATIVE.rounded_pairs
    )
    return replace(
        NATIVE, conversions=NATIVE.conversions | converted, arithmetic=computed, rounded_pairs=pairs
    )

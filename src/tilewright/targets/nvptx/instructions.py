"""The instructions of GPUs for single elements, as a table."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.attributes import MemScope, RmwMode
from tilewright.ir.builtin_types import f16, f32, f64, i32, i64
from tilewright.targets.elements.atomics import INTEGER_UPDATES
from tilewright.targets.elements.native import NativeInstructions

NATIVE = NativeInstructions(
    functions={},
    conversions=frozenset({f16}),
    updates={
        **dict.fromkeys(INTEGER_UPDATES, frozenset({i32, i64})),
        RmwMode.ADDF: frozenset({f16, f32, f64}),
    },
    scopes={MemScope.TL_BLK: "block", MemScope.CLUSTER: "cluster", MemScope.GPU: "device"},
)
"""What every GPU of the table of chips has: f16 is converted by instructions, words and double words are updated at once."""

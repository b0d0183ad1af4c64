"""Tokens at run time: ``(slot << 1) | phase`` in 32 bits.

A token of a pipeline is no pointer to storage: the low bit is the parity that waits consume, the bits above it may
carry the slot of a pipeline.
"""

from __future__ import annotations

from tilewright.dialects.llvm.ops_arithmetic import AndOp, LShrOp, OrOp, ShlOp
from tilewright.dialects.llvm.ops_conversion import TruncOp, ZExtOp
from tilewright.ir.builtin_types import i1, i32
from tilewright.ir.value import Value
from tilewright.lowering.emitter import Emitter

MAXIMUM_SLOT = (1 << 31) - 1
"""The slot has the 31 bits above the phase."""


def make_pipeline_token(slot: int, phase: bool) -> int:
    """The token of a slot and a phase.  Raises ValueError if the slot does not fit."""
    if not 0 <= slot <= MAXIMUM_SLOT:
        raise ValueError(f"slot {slot} is not in 0..{MAXIMUM_SLOT}")
    return slot << 1 | int(phase)


def token_slot(token: int) -> int:
    """The slot of a token."""
    return token >> 1


def token_phase(token: int) -> bool:
    """The phase of a token."""
    return bool(token & 1)


def emit_token(emit: Emitter, slot: Value, phase: Value) -> Value:
    """The token of a slot (i32) and a phase (i1) that are known at run time."""
    shifted = emit(ShlOp, slot, emit.integer(1, i32))
    return emit(OrOp, shifted, emit(ZExtOp, phase, type=i32))


def emit_slot(emit: Emitter, token: Value) -> Value:
    """The slot (i32) of a token."""
    return emit(LShrOp, token, emit.integer(1, i32))


def emit_phase(emit: Emitter, token: Value) -> Value:
    """The phase (i1) of a token."""
    return emit(TruncOp, emit(AndOp, token, emit.integer(1, i32)), type=i1)

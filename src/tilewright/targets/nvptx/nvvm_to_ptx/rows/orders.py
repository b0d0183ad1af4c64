"""Orders and scopes of memory accesses, as data: LLVM's memory model in PTX.

| order | load | store | update | fence |
|---|---|---|---|---|
| unordered, monotonic | `ld.relaxed` | `st.relaxed` | `atom.relaxed` | |
| acquire | `ld.acquire` | | `atom.acquire` | `fence.acq_rel` |
| release | | `st.release` | `atom.release` | `fence.acq_rel` |
| acq_rel | | | `atom.acq_rel` | `fence.acq_rel` |
| seq_cst | `fence.sc`, `ld.acquire` | `fence.sc`, `st.release` | `fence.sc`, `atom.acq_rel` | `fence.sc` |
"""

from __future__ import annotations

from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.ops import memory
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule

SCOPES = {
    None: "sys",
    "": "sys",
    "device": "gpu",
    "cluster": "cluster",
    "block": "cta",
    "singlethread": "cta",
}
"""The PTX scope by LLVM's name; accesses of a single thread are ordered for its block."""
LOADS = {
    AtomicOrdering.UNORDERED: "relaxed",
    AtomicOrdering.MONOTONIC: "relaxed",
    AtomicOrdering.ACQUIRE: "acquire",
    AtomicOrdering.SEQ_CST: "acquire",
}
STORES = {
    AtomicOrdering.UNORDERED: "relaxed",
    AtomicOrdering.MONOTONIC: "relaxed",
    AtomicOrdering.RELEASE: "release",
    AtomicOrdering.SEQ_CST: "release",
}
UPDATES = {
    AtomicOrdering.MONOTONIC: "relaxed",
    AtomicOrdering.ACQUIRE: "acquire",
    AtomicOrdering.RELEASE: "release",
    AtomicOrdering.ACQ_REL: "acq_rel",
    AtomicOrdering.SEQ_CST: "acq_rel",
}
FENCES = {
    AtomicOrdering.ACQUIRE: "acq_rel",
    AtomicOrdering.RELEASE: "acq_rel",
    AtomicOrdering.ACQ_REL: "acq_rel",
    AtomicOrdering.SEQ_CST: "sc",
}
WIDTHS = (8, 16, 32, 64)
"""The widths of atomic accesses in bits."""
UNSHARED = ("const", "local")
"""Spaces without communication between threads, where orders have no effect."""


def scope_word(emit: PtxFunctionEmitter, name: str | None) -> str:
    """Return the PTX scope of the LLVM scope `name`; ``sys`` for None and for an empty name. Raises
    `DiagnosticError` for a scope that PTX or the chip does not have.
    """
    word = SCOPES.get(name)
    if word is None:
        known = ", ".join(f'"{one}"' for one in SCOPES if one)
        raise emit.refused(f"the scope '{name}'", f"scopes are {known}, and none for the whole system")
    if word == "cluster" and not emit.chip.clusters:
        raise emit.lacking("it has no clusters")
    return word


def before(emit: PtxFunctionEmitter, ordering: AtomicOrdering, scope: str) -> None:
    """Emit `fence.sc` of `scope`, such as ``gpu``, for the access that follows if `ordering` is sequentially
    consistent; nothing otherwise.
    """
    if ordering is AtomicOrdering.SEQ_CST:
        emit.emit(f"fence.sc.{scope}")


def single_width(emit: PtxFunctionEmitter, type: Type, alignment: int | None = None) -> int:
    """Return the width in bits of a value that is accessed atomically. Raises `DiagnosticError` for a type
    that needs several accesses, and for an `alignment`, in bytes, below the size of the value; `None` means
    that no alignment is stated.
    """
    slot, *rest = emit.slots(type)
    if rest or slot.bits not in WIDTHS:
        raise emit.refused(f"an atomic access to {type}", "use values of 8, 16, 32 or 64 bits")
    if alignment is not None and alignment < slot.size:
        hint = "align the address by the size of the value"
        raise emit.refused(f"an atomic access to {type} with an alignment of {alignment}", hint)
    return slot.bits


def head_of_load(emit: PtxFunctionEmitter, op: memory.LoadOp, space: str) -> str:
    """Return the name of a load without its vector and type modifiers, such as ``ld.acquire.gpu.global``;
    emit a fence if it needs one. Raises `DiagnosticError` for an atomic load of several registers or too
    little alignment.
    """
    if op.ordering is not AtomicOrdering.NOT_ATOMIC and space not in UNSHARED:
        single_width(emit, op.res.type, op.alignment)
        scope = scope_word(emit, op.syncscope)
        before(emit, op.ordering, scope)
        return spelt("ld", f"{LOADS[op.ordering]}.{scope}", space)
    if op.volatile_ and space not in UNSHARED:
        return spelt("ld", "volatile", space)
    return spelt("ld", "", space) + (".nc" if op.invariant and space == "global" else "")


def head_of_store(emit: PtxFunctionEmitter, op: memory.StoreOp, space: str) -> str:
    """Return the name of a store without its vector and type modifiers, such as ``st.release.gpu.global``;
    emit a fence if it needs one. Raises `DiagnosticError` for an atomic store of several registers or too
    little alignment.
    """
    if op.ordering is not AtomicOrdering.NOT_ATOMIC and space not in UNSHARED:
        single_width(emit, op.value.type, op.alignment)
        scope = scope_word(emit, op.syncscope)
        before(emit, op.ordering, scope)
        return spelt("st", f"{STORES[op.ordering]}.{scope}", space)
    return spelt("st", "volatile" if op.volatile_ and space not in UNSHARED else "", space)


def spelt(*words: str) -> str:
    """Join the parts of an instruction's name; empty parts are left out."""
    return ".".join(word for word in words if word)


def _fence(emit: PtxFunctionEmitter, op: memory.FenceOp) -> None:
    emit.emit(f"fence.{FENCES[op.ordering]}.{scope_word(emit, op.syncscope)}")


ROWS: dict[type[Operation], Rule] = {memory.FenceOp: _fence}

"""The accesses to memory of a kernel, and statements about them for the solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cuda_tile.assumptions import pads_on_purpose
from tilewright.dialects.cuda_tile.ops import control, memory
from tilewright.interp.memory.addressing import dimension_map, steps
from tilewright.optimizer.analysis.facts import stored_bytes
from tilewright.prover.block import BlockTerms
from tilewright.prover.rules import tensor_of
from tilewright.prover.solver import Term, ceiling, z3
from tilewright.prover.symbols import ReachedAddress, TensorTerms

POINTER_ACCESSES = (
    memory.LoadPtrTkoOp,
    memory.StorePtrTkoOp,
    memory.AtomicCASTkoOp,
    memory.AtomicRMWTkoOp,
)
PointerAccess = memory.LoadPtrTkoOp | memory.StorePtrTkoOp | memory.AtomicCASTkoOp | memory.AtomicRMWTkoOp
MemoryAccess = PointerAccess | memory.ViewAccess
ATOMICS = (memory.AtomicCASTkoOp, memory.AtomicRMWTkoOp, memory.AtomicRedViewTkoOp)
LOADS = (memory.LoadPtrTkoOp, memory.LoadViewTkoOp, memory.MultimemLoadReduceViewTkoOp)


def accesses_of(entry: control.EntryOp) -> Iterator[MemoryAccess]:
    """Yield the accesses of a kernel to memory, in order."""
    yield from (op for op in entry.walk() if isinstance(op, (*POINTER_ACCESSES, *memory.VIEW_ACCESSES)))


@dataclass(frozen=True, slots=True)
class Touched:
    """One element that an access touches: its address, its size in bytes, the statements under which it is
    touched, and for a view its tensor and the position in it.
    """

    address: ReachedAddress
    bytes: int
    when: tuple[Term, ...]
    tensor: TensorTerms | None = None
    at: tuple[Term, ...] = ()


def touched(terms: BlockTerms, op: MemoryAccess) -> Touched | None:
    """Return some element that an access touches, or None if its view is not known."""
    if isinstance(op, POINTER_ACCESSES):
        return _by_pointer(terms, op)
    return _by_view(terms, op)


def _by_pointer(terms: BlockTerms, op: PointerAccess) -> Touched:
    pointers = op.operands[0]
    type: Any = pointers.type
    lanes = terms.lanes(type.shape)
    address = terms.element(pointers, lanes)
    mask = () if op.mask is None else (terms.element(op.mask, lanes),)
    return Touched(address, stored_bytes(type.element_type.pointee) or 1, (*terms.runs(op), *mask))


def _by_view(terms: BlockTerms, op: memory.ViewAccess) -> Touched | None:
    tensor = tensor_of(terms, op.view)
    type: Any = op.view.type
    if tensor is None:
        return None
    lanes = terms.lanes(type.tile_shape)
    at: list[Term] = [z3.IntVal(0)] * len(tensor.shape)
    when = list(terms.runs(op))
    parts = zip(lanes, op.index, steps(type), dimension_map(type), strict=True)
    for lane, index, step, dimension in parts:
        shaped: Any = index.type
        place = terms.unsigned(index, (lane,)) if shaped.shape else terms.unsigned(index, ()) * step + lane
        at[dimension] = place
        when.append(place < tensor.shape[dimension])
    offset = sum((one * stride for one, stride in zip(at, tensor.strides, strict=True)), z3.IntVal(0))
    address = ReachedAddress(tensor.base.root, tensor.base.bytes + offset * tensor.element_bytes)
    return Touched(address, tensor.element_bytes, tuple(when), tensor, tuple(at))


def outside_index_space(terms: BlockTerms, op: memory.ViewAccess) -> list[Term] | None:
    """Return the statements that a tile index of an access lies outside of its view, one for each dimension;
    none for an access that may do so. None if the view is not known.
    """
    tensor = tensor_of(terms, op.view)
    type: Any = op.view.type
    if tensor is None:
        return None
    if pads_on_purpose(op):
        return []
    found: list[Term] = []
    for index, step, dimension in zip(op.index, steps(type), dimension_map(type), strict=True):
        shaped: Any = index.type
        if not shaped.shape:
            number = terms.unsigned(index, ())
            found.append(z3.Not(number < ceiling(tensor.shape[dimension], step)))
    return found

"""The accesses to memory of a kernel, and statements about them for the solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cuda_tile.assumptions import pads_on_purpose
from tilewright.dialects.cuda_tile.ops import control, memory
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
    """Yield the accesses of a kernel to memory, through pointers and through views of tiles, in the order of
    the text.
    """
    yield from (op for op in entry.walk() if isinstance(op, (*POINTER_ACCESSES, *memory.VIEW_ACCESSES)))


@dataclass(frozen=True, slots=True)
class Touched:
    """An arbitrary element that an access touches, in terms of the solver: its address, its size in bytes
    (`bytes`), and the statements under which the access touches it (`when`). If the access goes through a
    view, `tensor` is the tensor of the view, and `at` the index of the element in each of its dimensions.
    """

    address: ReachedAddress
    bytes: int
    when: tuple[Term, ...]
    tensor: TensorTerms | None = None
    at: tuple[Term, ...] = ()


def touched(terms: BlockTerms, op: MemoryAccess) -> Touched | None:
    """Return an arbitrary element that the access `op` touches, whose position in the tile is a new variable
    for each dimension longer than 1. Return None if the tensor of the view is not known.
    """
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
    parts = zip(lanes, op.index, type.index_steps, type.dimension_map, strict=True)
    for lane, index, step, dimension in parts:
        shaped: Any = index.type
        place = terms.unsigned(index, (lane,)) if shaped.shape else terms.unsigned(index, ()) * step + lane
        at[dimension] = place
        when.append(place < tensor.shape[dimension])
    offset = sum((one * stride for one, stride in zip(at, tensor.strides, strict=True)), z3.IntVal(0))
    address = ReachedAddress(tensor.base.root, tensor.base.bytes + offset * tensor.element_bytes)
    return Touched(address, tensor.element_bytes, tuple(when), tensor, tuple(at))


def outside_index_space(terms: BlockTerms, op: memory.ViewAccess) -> list[Term] | None:
    """Return a statement for each dimension of the view of `op`: the index of the tile is outside of the
    index space of the view. Dimensions with a tile of indices have none. The list is empty if the access pads
    tiles outside of the tensor on purpose. Return None if the tensor of the view is not known.
    """
    tensor = tensor_of(terms, op.view)
    type: Any = op.view.type
    if tensor is None:
        return None
    if pads_on_purpose(op):
        return []
    found: list[Term] = []
    for index, step, dimension in zip(op.index, type.index_steps, type.dimension_map, strict=True):
        shaped: Any = index.type
        if not shaped.shape:
            number = terms.unsigned(index, ())
            found.append(z3.Not(number < ceiling(tensor.shape[dimension], step)))
    return found

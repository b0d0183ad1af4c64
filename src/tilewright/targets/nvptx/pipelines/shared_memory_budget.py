"""The shared memory that is left for the rings of a kernel.

`nvvm-allocate-shared-memory` assigns memory when all buffers are known, and refuses a kernel that needs too much. So a
pipeline leaves room for everything else that its kernel may need: exchanges outside of products take turns, as each ends
with its reads; those in a block with products may be live together, because loads of fragments move down. The blocks
take turns. If that is too much, exchanges outside of a loop use the memory of its ring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from math import prod

from tilewright.dialects.nv_tileaa.constraints import is_tile
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_arith as tileas_arith
from tilewright.dialects.nv_tileas.ops_async import AsyncLoadOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp, TiledLoadOp
from tilewright.dialects.nv_tileas.ops_pipeline import ConsumeOneOp, PipelineYieldOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, GenerateOp, ReduceOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.element_types import bytes_of
from tilewright.targets.nvptx.exchanges import exchange_of

WITHIN_THREADS = frozenset({LoadOp, StoreOp, GenerateOp, SplatOp, AddPtrOp, *tileas_arith.BY_SOURCE.values()})
"""Operations on tiles by which no element moves from thread to thread, in other dialects than `STRUCTURED`."""
IN_RINGS = frozenset({AsyncLoadOp, TiledLoadOp, ConsumeOneOp, PipelineYieldOp})
"""Operations of pipelines, whose memory is the memory of rings."""
WITHOUT_EXCHANGE = WITHIN_THREADS | IN_RINGS
STRUCTURED = frozenset({"arith", "math", "scf"})
"""Dialects whose operations need no shared memory."""


def bytes_beside(root: Operation, left_out: Container[Operation]) -> int:
    """Return an upper bound for the shared memory in bytes that the operations in `root`, a kernel or a loop,
    need, without the operations in `left_out`: the largest sum of a block with products, plus the largest
    single operation elsewhere.
    """
    together, alone = Counter[Block](), 0
    for op in root.walk():
        size = 0 if op in left_out else shared_bytes(op)
        if size and op.parent is not None and any(isinstance(other, DotOp) for other in op.parent):
            together[op.parent] += size
        else:
            alone = max(alone, size)
    return max(together.values(), default=0) + alone


def shared_bytes(op: Operation) -> int:
    """Return an upper bound for the shared memory of an operation in bytes; 0 if it exchanges no elements
    between threads.
    """
    if isinstance(op, ViewOp | ConvertLayoutOp):
        found = exchange_of(op)
        return 0 if found is None else (found.store.last + 1) * found.width // 8
    if isinstance(op, ReduceOp):
        return sum(warps_along(value.type, op.axis) * bytes_of(op.results[0].type) for value in op.operands)
    if isinstance(op, AtomicRmwOp):
        return bytes_of(op.result.type) if op.result.has_uses else 0
    if isinstance(op, DotOp):
        return 0 if _is_matrix_product(op) else sum(bytes_of(value.type) for value in _staged(op))
    if op.__class__ in WITHOUT_EXCHANGE or op.kind.dialect in STRUCTURED:
        return 0
    return sum(bytes_of(value.type) for value in (*op.operands, *op.results) if is_tile(value.type))


def _is_matrix_product(op: DotOp) -> bool:
    return op.atom is not None and op.atom.instruction.startswith("mma")


def _staged(op: DotOp) -> list[Value]:
    """Return the operands of a product by threads, which go through shared memory: all but the sum."""
    return [value for value in op.operands if value is not op.c and is_tile(value.type)]


def warps_along(type: Type, axis: int) -> int:
    """Return the number of all warps of the block if several of them share the extent of dimension `axis` of
    a tile of type `type`; 0 if each warp has the whole extent, or the type has no linear layout.
    """
    layout = type.encoding if isinstance(type, RankedTensorType) else None
    if not isinstance(layout, tileas_attributes.LinearLayoutAttr):
        return 0
    shape, warps = layout.layout.shape, layout.layout.warp
    before = prod(shape[:axis])
    crosses = any(column // before % shape[axis] for column in warps)
    return 1 << len(warps) if crosses else 0

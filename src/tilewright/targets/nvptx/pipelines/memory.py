"""The shared memory that is left for the rings of a kernel.

`nvvm-allocate-shared-memory` assigns memory when all buffers are known, and refuses a kernel that needs too much. So a
pipeline leaves room for everything else that its kernel may need: exchanges outside of products take turns, as each ends
with its reads; those in a block with products may be live together, because loads of fragments move down.
"""

from __future__ import annotations

from collections.abc import Container
from math import prod

from tilewright.dialects.nv_tileaa.constraints import is_tile, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE
from tilewright.dialects.nv_tileas.ops_async import AsyncLoadOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp, TiledLoadOp
from tilewright.dialects.nv_tileas.ops_pipeline import ConsumeOneOp, PipelineYieldOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, GenerateOp, ReduceOp, ViewOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.walker import innermost_ancestor
from tilewright.targets.elements.element_types import element_of, size_of
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import exchange_of

WITHIN_THREADS = frozenset({LoadOp, StoreOp, GenerateOp, SplatOp, AddPtrOp, *BY_SOURCE.values()})
"""Operations on tiles, outside of `STRUCTURED` dialects, by which no element moves from thread to thread."""
IN_RINGS = frozenset({AsyncLoadOp, TiledLoadOp, ConsumeOneOp, PipelineYieldOp})
"""Operations of pipelines, whose memory is the memory of rings."""
STRUCTURED = frozenset({"arith", "math", "scf"})


def kernel_of(loop: ForOp) -> Operation:
    """Return the kernel of a loop."""
    found = innermost_ancestor(loop, lambda op: isinstance(op, FuncOp))
    assert found is not None, "loops of kernels stand in functions"
    return found


def bytes_beside(loop: ForOp, left_out: Container[Operation]) -> int:
    """Return an upper bound for the shared memory that the kernel of a loop needs, without some operations."""
    together, alone = 0, 0
    for op in kernel_of(loop).walk():
        bytes = 0 if op in left_out else bytes_of(op)
        if bytes and op.parent is not None and any(isinstance(other, DotOp) for other in op.parent):
            together += bytes
        else:
            alone = max(alone, bytes)
    return together + alone


def bytes_of(op: Operation) -> int:
    """Return an upper bound for the shared memory of an operation."""
    if isinstance(op, ViewOp | ConvertLayoutOp):
        found = exchange_of(op)
        return 0 if found is None else (found.store.last + 1) * found.width // 8
    if isinstance(op, ReduceOp):
        return sum(
            warps_along(value.type, op.axis) * bytes_of_tile(op.results[0].type) for value in op.operands
        )
    if isinstance(op, AtomicRmwOp):
        return bytes_of_tile(op.result.type) if op.result.has_uses else 0
    if op.__class__ in WITHIN_THREADS | IN_RINGS or op.kind.dialect in STRUCTURED or _is_matrix_product(op):
        return 0
    return sum(bytes_of_tile(value.type) for value in (*op.operands, *op.results) if is_tile(value.type))


def _is_matrix_product(op: Operation) -> bool:
    return isinstance(op, DotOp) and op.atom is not None


def bytes_of_tile(type: Type) -> int:
    """Return the bytes of all elements of a tile, or of a scalar."""
    return prod(shape_of(type)) * size_of(element_of(type))


def warps_along(type: Type, axis: int) -> int:
    """Return the number of warps that exchange parts along a dimension of a tile; 0 if each warp has all of it."""
    layout = type.encoding if isinstance(type, RankedTensorType) else None
    if not isinstance(layout, LinearLayoutAttr):
        return 0
    shape, warps = layout.layout.shape, layout.layout.warp
    before = prod(shape[:axis])
    crosses = any(column // before % shape[axis] for column in warps)
    return 1 << len(warps) if crosses else 0

"""The memory objects that accesses of `nv_tileaa` and `nv_tileas` refer to, and whether two accesses may
overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp, SelectOp
from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.func.ops import FuncOp
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.nv_tileaa.ops import memory, pointer, program, shape, structure
from tilewright.dialects.nv_tileaa.types import TiledViewType, TileMemRefType
from tilewright.dialects.nv_tileas import ops_memory as as_memory, ops_tile as as_tile, types as as_types
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.pointer_origins import MemoryRoot, RootKind, parameters, roots_may_overlap

SAME_MEMORY: dict[type[Operation], str] = {
    structure.MakeMemrefOp: "base",
    structure.BlockTileOp: "source",
    structure.ConvTileOp: "source",
    structure.SplatOp: "source",
    structure.ExtractOp: "source",
    pointer.AddPtrOp: "base",
    pointer.BitcastOp: "source",
    pointer.AssumeOp: "source",
    shape.BroadcastOp: "source",
    shape.ExpandDimsOp: "source",
    shape.PermuteOp: "source",
    shape.ViewOp: "source",
    shape.ExtractSliceOp: "source",
    as_tile.ConvertLayoutOp: "source",
    as_tile.ViewOp: "source",
    as_tile.ExpandDimsOp: "source",
    as_tile.ExtractSliceOp: "source",
}
"""Operations whose result refers to the memory of an operand, with the name of this operand."""
READS = (
    memory.LoadOp,
    memory.TiledLoadOp,
    memory.GatherLoadOp,
    as_memory.LoadOp,
    as_memory.TiledLoadOp,
    as_memory.GatherLoadOp,
)
"""Accesses that only read memory."""
WRITES = (
    memory.StoreOp,
    memory.TiledStoreOp,
    memory.ScatterStoreOp,
    memory.AtomicRmwOp,
    memory.AtomicCasOp,
    memory.TiledAtomicRmwOp,
    as_memory.StoreOp,
    as_memory.TiledStoreOp,
    as_memory.ScatterStoreOp,
    as_memory.TiledAtomicRmwOp,
)
"""Accesses that may change memory."""


def roots(*values: Value) -> frozenset[MemoryRoot] | None:
    """Return the memory objects that pointers, tiles of pointers, memory objects or views may refer to; None
    if that is unknown for one of them.
    """
    found: set[MemoryRoot] = set()
    seen: set[Value] = set()
    pending = list(values)
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        sources = _sources(current)
        if sources is None:
            return None
        if isinstance(sources, MemoryRoot):
            found.add(sources)
        else:
            pending += sources
    return frozenset(found)


def _sources(value: Value) -> MemoryRoot | list[Value] | None:
    """Return the values that `value` may get its memory from; or, if it begins a memory object (a parameter,
    global or `alloca`), its `MemoryRoot`. None if its memory is unknown.
    """
    owner: Any = value.owner
    if isinstance(owner, ir_block.Block):
        return _of_argument(owner, value)
    if owner.__class__ in SAME_MEMORY:
        source = getattr(owner, SAME_MEMORY[owner.__class__])
        return None if source is None else [source]
    match owner:
        case structure.GetGlobalOp():
            return MemoryRoot(RootKind.GLOBAL, owner.global_name)
        case UnrealizedConversionCastOp() if len(owner.inputs) == 1:
            return [owner.inputs[0]]
        case AllocaOp():
            return MemoryRoot(RootKind.ALLOCA, value)
        case SelectOp():
            return [owner.operands[1], owner.operands[2]]
        case shape.CatOp():
            return list(owner.inputs)
        case scf.IfOp() | scf.ForOp() | scf.WhileOp():
            return list(_of_control_flow(owner, value.index))
        case _:
            return None


def _of_argument(block: ir_block.Block, value: Value) -> MemoryRoot | list[Value] | None:
    parent: Any = block.parent_op
    match parent:
        case program.FuncOp() | FuncOp():
            return MemoryRoot(RootKind.ARGUMENT, value.index)
        case scf.ForOp() if value.index > 0:
            return list(_of_control_flow(parent, value.index - 1))
        case scf.WhileOp() if block is parent.before.block:
            return [parent.inits[value.index], _left(parent.after)[value.index]]
        case scf.WhileOp():
            return [_left(parent.before)[1 + value.index]]
        case _:
            return None


def _of_control_flow(op: scf.ForOp | scf.IfOp | scf.WhileOp, index: int) -> Iterator[Value]:
    if isinstance(op, scf.ForOp):
        yield op.initArgs[index]
    if isinstance(op, scf.WhileOp):
        yield _left(op.before)[1 + index]
        return
    for region in op.regions:
        yield _left(region)[index]


def _left(region: ir_block.Region) -> tuple[Value, ...]:
    """Return the operands of the terminator of a region."""
    last = region.block.last
    assert last is not None, "regions have terminators"
    return last.operands


def place(access: Any) -> Value | None:
    """Return the operand of an access that says where it accesses memory: its view, otherwise its ``base`` (a
    memory object or pointers). Return None if it has neither.
    """
    for name in ("view", "base"):
        value = getattr(access, name, None)
        if isinstance(value, Value):
            return value
    return None


def written_parameters(function: Operation) -> frozenset[int] | None:
    """Return the indices of the parameters whose memory the accesses `WRITES` in a function may change; None
    if one of them may write to unknown memory.
    """
    places = [place(op) for op in function.walk() if isinstance(op, WRITES)]
    found = roots(*dict.fromkeys(value for value in places if value is not None))
    return None if None in places or found is None else parameters(found)


def parameter_of(access: Operation) -> int | None:
    """Return the index of the parameter whose memory an access touches, if it can touch no other memory.
    Return None otherwise, also if its memory is unknown.
    """
    where = place(access)
    found = roots(where) if where is not None else None
    numbers = parameters(found or ())
    return next(iter(numbers)) if found is not None and len(found) == len(numbers) == 1 else None


def reads_only(access: Operation) -> bool:
    """Return whether an operation is one of the accesses `READS`, which do not change memory. It is False for
    all other operations.
    """
    return isinstance(access, READS)


def may_conflict(a: Operation, b: Operation) -> bool:
    """Return whether two accesses may touch the same memory, and one of them may change it. It is True if the
    memory of an access is unknown; it is False for tiles of one view that are known to differ.
    """
    if reads_only(a) and reads_only(b):
        return False
    first, second = place(a), place(b)
    if first is None or second is None:
        return True
    return may_overlap(first, second) and not _are_different_tiles(a, b)


def may_overlap(a: Value, b: Value) -> bool:
    """Return whether the memory that two pointers, memory objects or views refer to may overlap; True if
    nothing is known. Memory objects with different alias scopes do not overlap.
    """
    scopes = _alias_scope(a), _alias_scope(b)
    if None not in scopes and scopes[0] != scopes[1]:
        return False
    return roots_may_overlap(roots(a), roots(b))


def _alias_scope(value: Value) -> int | None:
    type = _memory_type(value)
    return type.alias_scope if type is not None else None


def _memory_type(value: Value) -> TileMemRefType | None:
    """Return the type of a memory object, or of the memory object that a view shows; None for other values.
    The type of a `nv_tileas` view does not contain it, so the view's definition is examined.
    """
    type = value.type
    if isinstance(type, TiledViewType):
        type = type.source
    elif isinstance(type, as_types.TiledViewType):
        owner = value.owner
        while isinstance(owner, pointer.AssumeOp):
            owner = owner.source.owner
        return _memory_type(owner.source) if isinstance(owner, as_tile.ViewOp) else None
    return type if isinstance(type, TileMemRefType) else None


TILED = (
    memory.TiledLoadOp,
    memory.TiledStoreOp,
    memory.TiledAtomicRmwOp,
    as_memory.TiledLoadOp,
    as_memory.TiledStoreOp,
    as_memory.TiledAtomicRmwOp,
)
"""Accesses to a tile of a view."""


def is_same_tile(a: Any, b: Any) -> bool:
    """Return whether two accesses are to the same tile of the same view: view and coordinates are the same
    values. False does not mean that the tiles differ.
    """
    return isinstance(a, TILED) and isinstance(b, TILED) and a.view is b.view and a.coords == b.coords


def _are_different_tiles(a: Any, b: Any) -> bool:
    """Return whether two accesses are to tiles of one view that do not overlap: some coordinate is known to
    differ, and no two elements of the memory object share an address.
    """
    if not (isinstance(a, TILED) and isinstance(b, TILED)) or a.view is not b.view:
        return False
    numbers = [(_number(one), _number(other)) for one, other in zip(a.coords, b.coords, strict=True)]
    differ = any(one is not None and other is not None and one != other for one, other in numbers)
    type = _memory_type(a.view)
    return differ and type is not None and _has_distinct_elements(type)


def _has_distinct_elements(type: TileMemRefType) -> bool:
    """Return whether the strides of a memory object, which must be static, imply that no two elements share
    an address. Of the extents only the outermost may be dynamic.
    """
    dimensions = sorted(zip(type.strides, type.shape, strict=True))
    if any(stride == builtin_types.DYNAMIC for stride, _ in dimensions):
        return False
    spans = [stride * extent if extent != builtin_types.DYNAMIC else None for stride, extent in dimensions]
    inner = zip(spans, [stride for stride, _ in dimensions][1:], strict=False)
    return all(span is not None and span <= stride for span, stride in inner)


def _number(value: Value) -> int | None:
    owner = value.owner
    number = owner.value if isinstance(owner, ConstantOp) else None
    return number.value if isinstance(number, builtin_attributes.IntegerAttr) else None

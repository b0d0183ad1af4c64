"""Faults that people make in tile kernels, planted into kernels that are right.

Each fault has a function that answers how it can be planted into a module: a list of edits, one per place.  Running an
edit changes the module that it was found in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    MemoryOrderingSemantics,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.cuda_tile.ops import control, memory, view as view_ops
from tilewright.dialects.cuda_tile.ops.conversion import BitcastOp
from tilewright.dialects.cuda_tile.ops.float import AddFOp
from tilewright.dialects.cuda_tile.ops.integer import AddIOp, AndIOp, MaxIOp, MinIOp, OrIOp, XOrIOp
from tilewright.dialects.cuda_tile.ops.tile import OffsetOp, SelectOp
from tilewright.dialects.cuda_tile.types import PartitionViewType, TileType, tile_of
from tilewright.driver.bindings import Module
from tilewright.instrument.writer import CheckInserter
from tilewright.ir.builtin_types import FloatType, IntegerType, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Edit = Callable[[], object]
_ATOMICS = (memory.AtomicRMWTkoOp, memory.AtomicCASTkoOp, memory.AtomicRedViewTkoOp)
_ACCESSES = (
    *(memory.LoadPtrTkoOp, memory.StorePtrTkoOp, memory.LoadViewTkoOp, memory.StoreViewTkoOp),
    *_ATOMICS,
)
_POINTER_ACCESSES = (memory.LoadPtrTkoOp, memory.StorePtrTkoOp, memory.AtomicRMWTkoOp)
_PLAIN: dict[AtomicRMWMode, Callable[[CheckInserter, Value, Value], Value]] = {
    AtomicRMWMode.ADD: lambda write, old, new: write(AddIOp, old, new),
    AtomicRMWMode.ADDF: lambda write, old, new: write(AddFOp, old, new, RoundingMode.NEAREST_EVEN),
    AtomicRMWMode.AND: lambda write, old, new: write(AndIOp, old, new),
    AtomicRMWMode.OR: lambda write, old, new: write(OrIOp, old, new),
    AtomicRMWMode.XOR: lambda write, old, new: write(XOrIOp, old, new),
    AtomicRMWMode.MAX: lambda write, old, new: write(MaxIOp, old, new, Signedness.SIGNED),
    AtomicRMWMode.MIN: lambda write, old, new: write(MinIOp, old, new, Signedness.SIGNED),
    AtomicRMWMode.UMAX: lambda write, old, new: write(MaxIOp, old, new, Signedness.UNSIGNED),
    AtomicRMWMode.UMIN: lambda write, old, new: write(MinIOp, old, new, Signedness.UNSIGNED),
    AtomicRMWMode.XCHG: lambda _, __, new: new,
}
"""What a mode computes, without atomicity."""
_WEAK = MemoryOrderingSemantics.WEAK


def dropped_masks(module: Module) -> list[Edit]:
    """A load or store through pointers without its mask; a tensor that is said to be a tile longer than it is."""
    return [
        *(
            lambda op=op: _without(op, "mask", "padding_value")
            for op in _all(module, _POINTER_ACCESSES)
            if op.mask
        ),
        *(lambda op=op: _lengthen(op) for op in _all(module, view_ops.MakePartitionViewOp) if _lengths(op)),
    ]


def wrong_bounds(module: Module) -> list[Edit]:
    """An access one tile or element further on; a loop that goes round once too often."""
    views = (memory.LoadViewTkoOp, memory.StoreViewTkoOp)
    return [
        *(lambda op=op: _next_tile(op) for op in _all(module, views) if op.index),
        *(lambda op=op: _next_element(op) for op in _all(module, _POINTER_ACCESSES[:2])),
        *(lambda op=op: _one_more_round(op) for op in _all(module, control.ForOp)),
    ]


def removed_atomics(module: Module) -> list[Edit]:
    """A load, a computation and a store where there was an atomic operation."""
    return [lambda op=op: _REMOVED[type(op)](op) for op in _all(module, _ATOMICS)]


def missing_tokens(module: Module) -> list[Edit]:
    """An access that waits for none of those before it."""
    ordered = [op for op in _all(module, _ACCESSES) if op.token is not None and not _is_fresh(op.token)]
    return [lambda op=op: _start_over(op) for op in ordered]


def uninitialised_tiles(module: Module) -> list[Edit]:
    """A load past an edge without the padding that the rest of the kernel counts on."""
    views = [
        op for op in _all(module, view_ops.MakePartitionViewOp) if op.result.type.padding_value is not None
    ]
    return [
        *(
            lambda op=op: _without(op, "padding_value")
            for op in _all(module, memory.LoadPtrTkoOp)
            if op.padding_value
        ),
        *(lambda op=op: _without_padding(op) for op in views),
    ]


FAULTS: dict[str, Callable[[Module], list[Edit]]] = {
    "dropped mask": dropped_masks,
    "off-by-one bound": wrong_bounds,
    "removed atomic": removed_atomics,
    "missing token": missing_tokens,
    "uninitialised tile": uninitialised_tiles,
}


def _all(module: Module, classes: Any) -> list[Any]:
    """The operations of some classes, in the order of the program."""
    found: Iterator[Operation] = iter(module.operation.walk())
    return [op for op in found if isinstance(op, classes)]


def _without(op: Any, *names: str) -> None:
    """An operation again, without some of its operands."""
    fields = [field.name for field in (*op.kind.operands, *op.kind.attributes)]
    made = type(op)(
        **{name: getattr(op, name) for name in fields if name not in names},
        result_types=op.result_types,
        location=op.location,
    )
    _replace(op, made)


def _replace(op: Operation, made: Operation) -> None:
    CheckInserter.before(op).point.insert(made)
    op.replace_all_uses_with(made.results)
    op.erase()


def _lengths(op: view_ops.MakePartitionViewOp) -> bool:
    """Whether a view is one of a tensor with lengths that are known at launches only."""
    owner = op.tensor_view.owner
    return isinstance(owner, view_ops.MakeTensorViewOp) and bool(owner.dynamic_shape)


def _lengthen(op: view_ops.MakePartitionViewOp) -> None:
    tensor: Any = op.tensor_view.owner
    view: PartitionViewType = op.result.type  # pyright: ignore
    write = CheckInserter.before(tensor)
    lengths = [write(AddIOp, one, write.number(one.type, max(view.tile))) for one in tensor.dynamic_shape]
    tensor.set_operands([tensor.base, *lengths, *tensor.dynamic_strides])


def _next_tile(op: Any) -> None:
    last = op.index[-1]
    op.replace_uses_of(last, _plus_one(op, last))


def _plus_one(op: Operation, value: Value) -> Value:
    write = CheckInserter.before(op)
    return write(AddIOp, value, write.number(value.type, 1))


def _next_element(op: Any) -> None:
    pointers: Value = op.source if isinstance(op, memory.LoadPtrTkoOp) else op.destination
    write = CheckInserter.before(op)
    one = write.number(TileType(pointers.type.shape, i32), 1)  # pyright: ignore
    op.replace_uses_of(pointers, write(OffsetOp, pointers, one))


def _one_more_round(op: Any) -> None:
    write = CheckInserter.before(op)
    operands = list(op.operands)
    operands[1] = write(AddIOp, operands[1], operands[2])
    op.set_operands(operands)


def _loaded(write: CheckInserter, op: Any, like: Value) -> Any:
    """A plain load from where an atomic operation through pointers works."""
    padding = None if op.mask is None else write.number(like.type, 0)
    return write.insert(
        memory.LoadPtrTkoOp, _WEAK, source=op.pointers, mask=op.mask, padding_value=padding, token=op.token
    )


def _stored(write: CheckInserter, op: Any, value: Value, mask: Value | None, loaded: Any) -> None:
    """A plain store after that load; both take the place of the atomic operation."""
    stored = write.insert(
        memory.StorePtrTkoOp,
        _WEAK,
        destination=op.pointers,
        value=value,
        mask=mask,
        token=loaded.result_token,
    )
    op.replace_all_uses_with([loaded.result, stored.result_token])
    op.erase()


def _load_compute_store(op: memory.AtomicRMWTkoOp) -> None:
    write = CheckInserter.before(op)
    loaded = _loaded(write, op, op.arg)
    _stored(write, op, _PLAIN[op.mode](write, loaded.result, op.arg), op.mask, loaded)


def _load_compare_store(op: memory.AtomicCASTkoOp) -> None:
    """What is there is stored again where it is another value than the expected one."""
    write = CheckInserter.before(op)
    loaded = _loaded(write, op, op.cmp)
    is_expected = write.compared("equal", _bits(write, loaded.result), _bits(write, op.cmp))
    _stored(write, op, write(SelectOp, is_expected, op.val, loaded.result), op.mask, loaded)


def _bits(write: CheckInserter, value: Value) -> Value:
    """Elements as integers: compare-and-swap compares bits."""
    tile = tile_of(value)
    if not isinstance(tile.element_type, FloatType):
        return value
    return write(BitcastOp, value, type=tile.with_element_type(IntegerType(tile.element_type.width)))


def _load_compute_store_tile(op: memory.AtomicRedViewTkoOp) -> None:
    write = CheckInserter.before(op)
    place: dict[str, Any] = {"view": op.view, "index": op.index, "inbounds": op.inbounds}
    loaded = write.insert(
        memory.LoadViewTkoOp,
        _WEAK,
        token=op.token,
        result_types=[op.value.type, op.result_token.type],
        **place,
    )
    total = _PLAIN[op.mode](write, loaded.tile, op.value)
    stored = write.insert(memory.StoreViewTkoOp, _WEAK, tile=total, token=loaded.result_token, **place)
    op.replace_all_uses_with([stored.result_token])
    op.erase()


_REMOVED: dict[type[Operation], Callable[[Any], None]] = {
    memory.AtomicRMWTkoOp: _load_compute_store,
    memory.AtomicCASTkoOp: _load_compare_store,
    memory.AtomicRedViewTkoOp: _load_compute_store_tile,
}


def _is_fresh(token: Value) -> bool:
    return isinstance(token.owner, memory.MakeTokenOp)


def _start_over(op: Any) -> None:
    op.replace_uses_of(op.token, CheckInserter.before(op)(memory.MakeTokenOp))


def _without_padding(op: view_ops.MakePartitionViewOp) -> None:
    view: Any = op.result.type
    op.result.type = PartitionViewType(view.tile, view.tensor_view, view.dim_map)

"""Asynchronous copies between global and shared memory, prefetches, and addresses in other blocks of a
cluster.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.nvvm.enums.memory import TMALoadMode, TMAStoreMode
from tilewright.dialects.nvvm.ops import copy
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import Address, IntegerConstant, Operand, Vector
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, space_of
from tilewright.targets.nvptx.nvvm_to_ptx.legal import GENERIC, GLOBAL, LOCAL, SHORT_SPACES
from tilewright.targets.nvptx.nvvm_to_ptx.nvvm_rows.mbarriers import SPACES, guard_of
from tilewright.targets.nvptx.nvvm_to_ptx.nvvm_rows.synchronisation import fixed
from tilewright.targets.nvptx.nvvm_to_ptx.rows.orders import spelt

COUNTED = "mbarrier::complete_tx::bytes"
HINT = "L2::cache_hint"


def _present(emit: PtxFunctionEmitter, *values: Value | None) -> list[Operand]:
    return [emit.part(value) for value in values if value is not None]


# --- copies by threads


def _copy(emit: PtxFunctionEmitter, op: copy.CpAsyncOp) -> None:
    spelling = f"cp.async.{op.modifier.spelling}.shared.global"
    places = emit.address(op.dst), emit.address(op.src)
    emit.emit(spelling, *places, IntegerConstant(op.size), *_present(emit, op.cpSize))


def _wait(emit: PtxFunctionEmitter, op: copy.CpAsyncWaitGroupOp) -> None:
    emit.emit("cp.async.wait_group", IntegerConstant(op.n))


def _arrive(emit: PtxFunctionEmitter, op: copy.CpAsyncMBarrierArriveOp) -> None:
    words = ("cp.async.mbarrier.arrive", "noinc" if op.noinc else "", SPACES[space_of(op.addr)], "b64")
    emit.emit(spelt(*words), emit.address(op.addr))


# --- bulk copies


def _hint(value: Value | None) -> str:
    return HINT if value is not None else ""


def _bulk_in(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkGlobalToSharedClusterOp) -> None:
    several = "multicast::cluster" if op.multicastMask is not None else ""
    spelling = spelt("cp.async.bulk.shared::cluster.global", COUNTED, several, _hint(op.l2CacheHint))
    places = emit.address(op.dstMem), emit.address(op.srcMem)
    rest = _present(emit, op.multicastMask, op.l2CacheHint)
    emit.emit(spelling, *places, emit.part(op.size), emit.address(op.mbar), *rest)


def _bulk_out(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkSharedCTAToGlobalOp) -> None:
    masked = "cp_mask" if op.byteMask is not None else ""
    spelling = spelt("cp.async.bulk.global.shared::cta.bulk_group", _hint(op.l2CacheHint), masked)
    places = emit.address(op.dstMem), emit.address(op.srcMem)
    emit.emit(spelling, *places, emit.part(op.size), *_present(emit, op.l2CacheHint, op.byteMask))


def _bulk_across(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkSharedCTAToSharedClusterOp) -> None:
    places = emit.address(op.dstMem), emit.address(op.srcMem)
    spelling = f"cp.async.bulk.shared::cluster.shared::cta.{COUNTED}"
    emit.emit(spelling, *places, emit.part(op.size), emit.address(op.mbar))


def _bulk_fetch(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkPrefetchOp) -> None:
    spelling = spelt("cp.async.bulk.prefetch.L2.global", _hint(op.l2CacheHint))
    emit.emit(spelling, emit.address(op.srcMem), emit.part(op.size), *_present(emit, op.l2CacheHint))


def _bulk_wait(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkWaitGroupOp) -> None:
    emit.emit("cp.async.bulk.wait_group" + ".read" * op.read, IntegerConstant(op.group))


# --- boxes of tensors


LOAD_MODES = {
    TMALoadMode.TILE: "tile",
    TMALoadMode.IM2COL: "im2col",
    TMALoadMode.IM2COL_W: "im2col::w",
    TMALoadMode.IM2COL_W_128: "im2col::w::128",
    TMALoadMode.TILE_GATHER4: "tile::gather4",
}
STORE_MODES = {
    TMAStoreMode.TILE: "tile",
    TMAStoreMode.IM2COL: "im2col_no_offs",
    TMAStoreMode.TILE_SCATTER4: "tile::scatter4",
}


def _dimensions(emit: PtxFunctionEmitter, coordinates: Sequence[Value], *, rows: bool) -> str:
    """Return the rank of a tensor as a suffix, such as ``2d``: the number of its coordinates, or ``2d`` with
    `rows`, where the coordinates are a column and four rows.
    """
    return "2d" if rows else f"{len(coordinates)}d"


def _box(emit: PtxFunctionEmitter, tensor: Value, coordinates: Sequence[Value]) -> Address:
    base, offset = emit.base(tensor)
    return Address(base, offset, tuple(emit.word(one) for one in coordinates))


def _box_in(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkTensorGlobalToSharedClusterOp) -> None:
    rows = op.mode is TMALoadMode.TILE_GATHER4
    words = (
        "cp.async.bulk.tensor",
        _dimensions(emit, op.coordinates, rows=rows),
        "shared::cta.global" if op.isCTAOnly else "shared::cluster.global",
        LOAD_MODES[op.mode],
        COUNTED,
        "multicast::cluster" if op.multicastMask is not None else "",
        op.group.spelling.replace("cta_", "cta_group::") if op.group is not None else "",
        _hint(op.l2CacheHint),
    )
    operands: list[Operand] = [emit.address(op.dstMem), _box(emit, op.tmaDescriptor, op.coordinates)]
    operands.append(emit.address(op.mbar))
    if op.im2colOffsets:
        operands.append(Vector(tuple(emit.word(one) for one in op.im2colOffsets)))
    operands += _present(emit, op.multicastMask, op.l2CacheHint)
    emit.emit(spelt(*words), *operands, guard=guard_of(emit, op.predicate))


def _box_out(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkTensorSharedCTAToGlobalOp) -> None:
    rows = op.mode is TMAStoreMode.TILE_SCATTER4
    rank = _dimensions(emit, op.coordinates, rows=rows)
    words = ("cp.async.bulk.tensor", rank, "global.shared::cta", STORE_MODES[op.mode], "bulk_group")
    operands = _box(emit, op.tmaDescriptor, op.coordinates), emit.address(op.srcMem)
    rest, guard = _present(emit, op.l2CacheHint), guard_of(emit, op.predicate)
    emit.emit(spelt(*words, _hint(op.l2CacheHint)), *operands, *rest, guard=guard)


def _box_reduced(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkTensorReduceOp) -> None:
    rank = _dimensions(emit, op.coordinates, rows=False)
    kind = op.redKind.spelling
    words = (
        "cp.reduce.async.bulk.tensor",
        rank,
        "global.shared::cta",
        kind,
        STORE_MODES[op.mode],
        "bulk_group",
    )
    operands = _box(emit, op.tmaDescriptor, op.coordinates), emit.address(op.srcMem)
    emit.emit(spelt(*words, _hint(op.l2CacheHint)), *operands, *_present(emit, op.l2CacheHint))


def _box_fetched(emit: PtxFunctionEmitter, op: copy.CpAsyncBulkTensorPrefetchOp) -> None:
    rows = op.mode is TMALoadMode.TILE_GATHER4
    rank = _dimensions(emit, op.coordinates, rows=rows)
    words = ("cp.async.bulk.prefetch.tensor", rank, "L2.global", LOAD_MODES[op.mode], _hint(op.l2CacheHint))
    operands: list[Operand] = [_box(emit, op.tmaDescriptor, op.coordinates)]
    if op.im2colOffsets:
        operands.append(Vector(tuple(emit.word(one) for one in op.im2colOffsets)))
    emit.emit(spelt(*words), *operands, *_present(emit, op.l2CacheHint))


# --- others


FETCHED = {GENERIC: "", GLOBAL: "global", LOCAL: "local"}


def _zeros(emit: PtxFunctionEmitter, op: copy.BulkStoreOp) -> None:
    space = "shared::cta" if space_of(op.addr) else ""
    emit.emit(
        spelt("st.bulk.weak", space), emit.address(op.addr), emit.part(op.size), IntegerConstant(op.initVal)
    )


def _fetch(emit: PtxFunctionEmitter, op: copy.PrefetchOp) -> None:
    guard = guard_of(emit, op.predicate)
    if op.tensormap:
        space = "param" if op.in_param_space else ""
        emit.emit(spelt("prefetch", space, "tensormap"), emit.address(op.addr), guard=guard)
        return
    level = op.cacheLevel.spelling if op.cacheLevel is not None else "L2"
    if op.uniform:
        emit.emit(f"prefetchu.{level}", emit.address(op.addr), guard=guard)
        return
    stays = f"::{op.evictPriority.spelling}" if op.evictPriority is not None else ""
    emit.emit(
        spelt("prefetch", FETCHED[space_of(op.addr)], level + stays), emit.address(op.addr), guard=guard
    )


def _mapped(emit: PtxFunctionEmitter, op: copy.MapaOp) -> None:
    short = space_of(op.a) in SHORT_SPACES
    spelling = "mapa.shared::cluster.u32" if short else "mapa.u64"
    emit.bind(op.res, [emit.compute(spelling, emit.part(op.a), emit.part(op.b))])


ROWS: dict[type[Operation], Rule] = {
    copy.CpAsyncOp: _copy,
    copy.CpAsyncCommitGroupOp: fixed("cp.async.commit_group"),
    copy.CpAsyncWaitGroupOp: _wait,
    copy.CpAsyncMBarrierArriveOp: _arrive,
    copy.CpAsyncBulkGlobalToSharedClusterOp: _bulk_in,
    copy.CpAsyncBulkSharedCTAToGlobalOp: _bulk_out,
    copy.CpAsyncBulkSharedCTAToSharedClusterOp: _bulk_across,
    copy.CpAsyncBulkPrefetchOp: _bulk_fetch,
    copy.CpAsyncBulkCommitGroupOp: fixed("cp.async.bulk.commit_group"),
    copy.CpAsyncBulkWaitGroupOp: _bulk_wait,
    copy.CpAsyncBulkTensorGlobalToSharedClusterOp: _box_in,
    copy.CpAsyncBulkTensorSharedCTAToGlobalOp: _box_out,
    copy.CpAsyncBulkTensorReduceOp: _box_reduced,
    copy.CpAsyncBulkTensorPrefetchOp: _box_fetched,
    copy.BulkStoreOp: _zeros,
    copy.PrefetchOp: _fetch,
    copy.MapaOp: _mapped,
}

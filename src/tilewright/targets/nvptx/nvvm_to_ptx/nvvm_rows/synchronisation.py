"""Barriers, fences, votes and shuffles of a warp, and synchronisation of a cluster."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvvm.enums import barriers as barriers_enums
from tilewright.dialects.nvvm.ops import barrier, control, environment, predicated, register
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx import model, registers, value_types
from tilewright.targets.nvptx.nvvm_to_ptx import accesses, legal
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.rows import memory_rows, orders

# --- instructions without operands


def fixed(spelling: str) -> Rule:
    """Return the rule of an instruction without operands and results; `spelling` is the whole instruction."""

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        emit.emit(spelling)

    return rule


def _cluster(name: str) -> Rule:
    """Return the rule of an arrival or a wait at a cluster's barrier; `name` is ``arrive``,
    ``arrive.relaxed`` or ``wait``. The attribute ``aligned`` of the operation asserts that whole warps
    execute it.
    """

    def rule(
        emit: PtxFunctionEmitter,
        op: barrier.ClusterArriveOp | barrier.ClusterArriveRelaxedOp | barrier.ClusterWaitOp,
    ) -> None:
        emit.emit(f"barrier.cluster.{name}" + (".aligned" if op.aligned else ""))

    return rule


MEMBARS = {
    barriers_enums.MemScopeKind.CTA: "membar.cta",
    barriers_enums.MemScopeKind.CLUSTER: "fence.sc.cluster",
    barriers_enums.MemScopeKind.GPU: "membar.gl",
    barriers_enums.MemScopeKind.SYS: "membar.sys",
}
PROXIES = {
    barriers_enums.ProxyKind.ALIAS: "fence.proxy.alias",
    barriers_enums.ProxyKind.ASYNC: "fence.proxy.async",
    barriers_enums.ProxyKind.ASYNC_GLOBAL: "fence.proxy.async.global",
}
RESTRICTED = {
    barriers_enums.MemOrderKind.ACQUIRE: "fence.acquire.sync_restrict::shared::cluster.cluster",
    barriers_enums.MemOrderKind.RELEASE: "fence.release.sync_restrict::shared::cta.cluster",
}


def _membar(emit: PtxFunctionEmitter, op: barrier.MembarOp) -> None:
    emit.emit(MEMBARS[op.scope])


def _proxy(emit: PtxFunctionEmitter, op: barrier.FenceProxyOp) -> None:
    if op.kind_ is barriers_enums.ProxyKind.ASYNC_SHARED:
        space = "cluster" if op.space is barriers_enums.SharedSpace.CLUSTER else "cta"
        emit.emit(f"fence.proxy.async.shared::{space}")
    elif op.kind_ in PROXIES:
        emit.emit(PROXIES[op.kind_])
    else:
        raise emit.refused(f"the proxy '{op.kind_.spelling}'", "use the fences that acquire and release")


def _acquire(emit: PtxFunctionEmitter, op: barrier.FenceProxyAcquireOp) -> None:
    spelling = f"fence.proxy.tensormap::generic.acquire.{op.scope.spelling}"
    emit.emit(spelling, emit.address(op.addr), constant_operand(emit, op.size))


def _release(emit: PtxFunctionEmitter, op: barrier.FenceProxyReleaseOp) -> None:
    emit.emit(f"fence.proxy.tensormap::generic.release.{op.scope.spelling}")


def _restricted(emit: PtxFunctionEmitter, op: barrier.FenceSyncRestrictOp) -> None:
    emit.emit(RESTRICTED[op.order_])


def constant_operand(emit: PtxFunctionEmitter, value: Value) -> model.IntegerConstant:
    """Return the constant that `value` is, for an operand that PTX requires to be constant.

    Raises:
        DiagnosticError: `value` is not constant.
    """
    part = emit.part(value)
    if not isinstance(part, model.IntegerConstant):
        raise emit.refused("an operand that is not constant", "PTX requires a constant operand")
    return part


# --- barriers of a block


REDUCTIONS = {
    barriers_enums.BarrierReduction.POPC: "bar.red.popc.u32",
    barriers_enums.BarrierReduction.AND: "bar.red.and.pred",
    barriers_enums.BarrierReduction.OR: "bar.red.or.pred",
}


def _barrier0(emit: PtxFunctionEmitter, op: barrier.Barrier0Op) -> None:
    emit.emit("bar.sync", model.IntegerConstant(0))


def _barrier(emit: PtxFunctionEmitter, op: barrier.BarrierOp) -> None:
    number = emit.part(op.barrierId) if op.barrierId is not None else model.IntegerConstant(0)
    count = (emit.part(op.numberOfThreads),) if op.numberOfThreads is not None else ()
    if op.reductionOp is None or op.reductionPredicate is None or op.res is None:
        emit.emit("bar.sync", number, *count)
        return
    mine = emit.compute("setp.ne.b32", emit.part(op.reductionPredicate), model.IntegerConstant(0))
    found = emit.compute(REDUCTIONS[op.reductionOp], number, *count, mine)
    counts = op.reductionOp is barriers_enums.BarrierReduction.POPC
    emit.bind(op.res, [found if counts else emit.resized(found, 1, 32)])


def _arrive(emit: PtxFunctionEmitter, op: barrier.BarrierArriveOp) -> None:
    number = emit.part(op.barrierId) if op.barrierId is not None else model.IntegerConstant(0)
    emit.emit("bar.arrive", number, emit.part(op.numberOfThreads))


def _warp(emit: PtxFunctionEmitter, op: barrier.SyncWarpOp) -> None:
    emit.emit("bar.warp.sync", emit.part(op.mask))


# --- votes and exchanges of a warp


REDUCED = {
    barriers_enums.ReduxKind.ADD: "redux.sync.add.s32",
    barriers_enums.ReduxKind.AND: "redux.sync.and.b32",
    barriers_enums.ReduxKind.MAX: "redux.sync.max.s32",
    barriers_enums.ReduxKind.MIN: "redux.sync.min.s32",
    barriers_enums.ReduxKind.OR: "redux.sync.or.b32",
    barriers_enums.ReduxKind.UMAX: "redux.sync.max.u32",
    barriers_enums.ReduxKind.UMIN: "redux.sync.min.u32",
    barriers_enums.ReduxKind.XOR: "redux.sync.xor.b32",
    barriers_enums.ReduxKind.FMIN: "redux.sync.min{}.f32",
    barriers_enums.ReduxKind.FMAX: "redux.sync.max{}.f32",
}


def _reduce(emit: PtxFunctionEmitter, op: barrier.ReduxOp) -> None:
    words = ".abs" * op.abs + ".NaN" * op.nan
    spelling = REDUCED[op.kind_].format(words)
    emit.bind(op.res, [emit.compute(spelling, emit.part(op.val), emit.part(op.mask_and_clamp))])


def _shuffle(emit: PtxFunctionEmitter, op: barrier.ShflOp) -> None:
    """Emit a shuffle, which reads another lane.

    If the result is a pair, its second part is whether that lane exists.
    """
    sources = [emit.word(op.val), *map(emit.part, (op.offset, op.mask_and_clamp, op.thread_mask))]
    spelling = f"shfl.sync.{op.kind_.spelling}.b32"
    if not op.return_value_and_is_valid:
        emit.bind(op.res, [emit.compute(spelling, *sources)])
        return
    value, valid = emit.fresh(op.res)
    emit.emit(spelling, model.Pair(value, valid), *sources)


def _vote(emit: PtxFunctionEmitter, op: barrier.VoteSyncOp) -> None:
    type = "b32" if op.kind_ is barriers_enums.VoteSyncKind.BALLOT else "pred"
    spelling = f"vote.sync.{op.kind_.spelling}.{type}"
    emit.bind(op.res, [emit.compute(spelling, emit.part(op.pred), emit.part(op.mask))])


def _match(emit: PtxFunctionEmitter, op: barrier.MatchSyncOp) -> None:
    bits = emit.width(op.val.type)
    spelling = f"match.{op.kind_.spelling}.sync.b{bits}"
    sources = emit.part(op.val), emit.part(op.thread_mask)
    if op.kind_ is barriers_enums.MatchSyncKind.ANY or not isinstance(op.res.type, LLVMStructType):
        emit.bind(op.res, [emit.compute(spelling, *sources)])
        return
    found, all_ = emit.fresh(op.res)
    emit.emit(spelling, model.Pair(found, all_), *sources)


ALL_LANES = model.IntegerConstant(0xFFFFFFFF)


def _elect(emit: PtxFunctionEmitter, op: barrier.ElectSyncOp) -> None:
    mask = emit.part(op.membermask) if op.membermask is not None else ALL_LANES
    leader, chosen = emit.register(legal.WORDS), emit.register(legal.PREDICATES)
    emit.emit("elect.sync", model.Pair(leader, chosen), mask)
    emit.bind(op.pred, [chosen])


# --- cluster launch control


def _cancel(emit: PtxFunctionEmitter, op: barrier.ClusterLaunchControlTryCancelOp) -> None:
    words = ["clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"]
    words += ["multicast::cluster::all"] * op.multicast
    emit.emit(".".join((*words, "b128")), emit.address(op.smemAddress), emit.address(op.mbarrier))


AXES = {
    barriers_enums.ClusterLaunchControlQueryType.GET_FIRST_CTA_ID_X: "x",
    barriers_enums.ClusterLaunchControlQueryType.GET_FIRST_CTA_ID_Y: "y",
    barriers_enums.ClusterLaunchControlQueryType.GET_FIRST_CTA_ID_Z: "z",
}


def _query(emit: PtxFunctionEmitter, op: barrier.ClusterLaunchControlQueryCancelOp) -> None:
    answer = emit.register(legal.QUADS)
    emit.emit("mov.b128", answer, model.Vector(emit.parts(op.try_cancel_response)))
    axis = AXES.get(op.query_type)
    what = f"get_first_ctaid::{axis}.b32" if axis else "is_canceled.pred"
    emit.bind(op.res, [emit.compute(f"clusterlaunchcontrol.query_cancel.{what}.b128", answer)])


# --- control of a thread or warp


def _grid(emit: PtxFunctionEmitter, op: barrier.GriddepcontrolOp) -> None:
    emit.emit(f"griddepcontrol.{op.kind_.spelling}")


def _sleep(emit: PtxFunctionEmitter, op: control.NanosleepOp) -> None:
    emit.emit("nanosleep.u32", emit.part(op.duration))


def _event(emit: PtxFunctionEmitter, op: control.PMEventOp) -> None:
    if op.eventId is not None:
        emit.emit("pmevent", model.IntegerConstant(op.eventId))
    else:
        emit.emit("pmevent.mask", model.IntegerConstant((op.maskedEventId or 0) & 0xFFFF))


def _registers(emit: PtxFunctionEmitter, op: control.SetMaxRegisterOp) -> None:
    if not emit.chip.suffix:
        raise emit.lacking("only architecture variants with the suffix 'a' or 'f' have it")
    action = "inc" if op.action is barriers_enums.SetMaxRegisterAction.INCREASE else "dec"
    emit.emit(f"setmaxnreg.{action}.sync.aligned.u32", model.IntegerConstant(op.regCount))


ROWS: dict[type[Operation], Rule] = {
    barrier.Barrier0Op: _barrier0,
    barrier.BarrierOp: _barrier,
    barrier.BarrierArriveOp: _arrive,
    barrier.SyncWarpOp: _warp,
    barrier.ClusterArriveOp: _cluster("arrive"),
    barrier.ClusterArriveRelaxedOp: _cluster("arrive.relaxed"),
    barrier.ClusterWaitOp: _cluster("wait"),
    barrier.MembarOp: _membar,
    barrier.FenceMbarrierInitOp: fixed("fence.mbarrier_init.release.cluster"),
    barrier.FenceProxyOp: _proxy,
    barrier.FenceProxyAcquireOp: _acquire,
    barrier.FenceProxyReleaseOp: _release,
    barrier.FenceScClusterOp: fixed("fence.sc.cluster"),
    barrier.FenceSyncRestrictOp: _restricted,
    barrier.GriddepcontrolOp: _grid,
    barrier.ClusterLaunchControlTryCancelOp: _cancel,
    barrier.ClusterLaunchControlQueryCancelOp: _query,
    barrier.ElectSyncOp: _elect,
    barrier.MatchSyncOp: _match,
    barrier.ReduxOp: _reduce,
    barrier.ShflOp: _shuffle,
    barrier.VoteSyncOp: _vote,
    control.BreakpointOp: fixed("brkpt"),
    control.ExitOp: fixed("exit"),
    control.NanosleepOp: _sleep,
    control.PMEventOp: _event,
    control.SetMaxRegisterOp: _registers,
}


def _guard(emit: PtxFunctionEmitter, predicate: Value) -> model.InstructionGuard:
    """Return the guard ``@p`` for a predicate; a constant is moved to a register, since guards are registers."""
    return model.InstructionGuard(emit.in_register(emit.part(predicate), legal.PREDICATES))


def _shape(emit: PtxFunctionEmitter, values: Sequence[Value]) -> tuple[list[legal.RegisterSlot], list[int]]:
    """Return the registers of `values`, adjacent values in memory of one type, and the offset of each from
    the first in bytes.
    """
    type, count = values[0].type, len(values)
    offsets, step = emit.offsets(type), legal.layout(type).size
    return [*emit.slots(type)] * count, [at * step + offset for at in range(count) for offset in offsets]


def _parts(emit: PtxFunctionEmitter, values: Sequence[Value]) -> list[model.Operand]:
    return [part for value in values for part in emit.parts(value)]


def _load(emit: PtxFunctionEmitter, op: predicated.PredicatedLoadOp) -> None:
    base, start = emit.base(op.addr)
    condition = accesses.AccessPredicate(_guard(emit, op.predicate), _parts(emit, op.otherwise))
    name, shape = orders.spelt("ld", memory_rows.space_word(emit, op.addr)), _shape(emit, op.res)
    read = accesses.read(emit, name, base, start, shape, op.alignment, condition=condition)
    size = len(read) // len(op.res)
    for at, value in enumerate(op.res):
        emit.bind(value, read[at * size : (at + 1) * size])


def _store(emit: PtxFunctionEmitter, op: predicated.PredicatedStoreOp) -> None:
    base, start = emit.base(op.addr)
    name, shape = orders.spelt("st", memory_rows.space_word(emit, op.addr)), _shape(emit, op.value)
    guard = _guard(emit, op.predicate)
    accesses.write(emit, name, base, start, shape, _parts(emit, op.value), op.alignment, guard=guard)


PREDICATED_ROWS: dict[type[Operation], Rule] = {
    predicated.PredicatedLoadOp: _load,
    predicated.PredicatedStoreOp: _store,
}


PREFIX = "nvvm.read.ptx.sreg."
CLUSTERED = ("clusterid", "nclusterid", "cluster_")
"""Name prefixes of registers that only chips with clusters have."""


def spelt_register(op: type[Operation]) -> str:
    """Return the register that a class of operations reads, from the suffix of the operation's name, such as
    ``%tid.x`` or ``%cluster_ctaid.x``.
    """
    words = op.op_kind.name.removeprefix(PREFIX).split(".")
    joined = "_".join(words)
    dotted = f"{'_'.join(words[:-1])}.{words[-1]}"
    return next(name for name in (f"%{dotted}", f"%{joined}") if name in registers.SPECIAL)


def _reads(op_class: type[Operation]) -> Rule:
    name = spelt_register(op_class)
    base, _, component = name.partition(".")
    bits = value_types.TYPES[registers.SPECIAL[name]].bits
    source = model.Name(base, component)

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        if base[1:].startswith(CLUSTERED) and not emit.chip.clusters:
            raise emit.lacking("it has no clusters")
        value = emit.compute(f"mov.{registers.SPECIAL[name].replace('b', 'u')}", source)
        width = emit.width(op.results[0].type)
        same = legal.register_bits(width) == bits
        emit.bind(op.results[0], [value if same else emit.resized(value, bits, width)])

    return rule


def _warp_size(emit: PtxFunctionEmitter, op: Operation) -> None:
    emit.bind(op.results[0], [model.IntegerConstant(registers.CONSTANTS["WARP_SZ"])])


OPERATIONS = (*register.OPERATIONS, *environment.OPERATIONS)
SPECIAL_REGISTER_ROWS: dict[type[Operation], Rule] = {
    **{op: _reads(op) for op in OPERATIONS if op is not register.WarpSizeOp},
    register.WarpSizeOp: _warp_size,
}
"""The rules of all registers that the dialect reads."""

"""Matrices that are distributed over a warp or a warp group: loads, stores and products."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.nvvm.enums import mma as mma_enums
from tilewright.dialects.nvvm.ops import mma
from tilewright.dialects.nvvm.syntax.mma import element_type
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import IntegerConstant, Name, Operand, Vector
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.nvvm_rows.synchronisation import fixed

SPARE_BITS = {mma_enums.MMAB1Op.XOR_POPC: ("xor", "popc"), mma_enums.MMAB1Op.AND_POPC: ("and", "popc")}


def registers(emit: PtxFunctionEmitter, values: Sequence[Value]) -> Vector:
    """Return the parts of values in one vector operand, each in a register: constants are moved to new
    registers.
    """
    found: list[Operand] = []
    for value in values:
        for part, slot in zip(emit.parts(value), emit.slots(value.type), strict=True):
            found.append(emit.in_register(part, slot.register))
    return Vector(tuple(found))


def _load(emit: PtxFunctionEmitter, op: mma.LdMatrixOp) -> None:
    transposed = ["trans"] if op.layout is mma_enums.MMALayout.COL else []
    words = (f"m{op.shape.m}n{op.shape.n}", f"x{op.num}", *transposed, "shared", op.eltType.spelling)
    emit.emit(f"ldmatrix.sync.aligned.{'.'.join(words)}", Vector(emit.fresh(op.res)), emit.address(op.ptr))


def _store(emit: PtxFunctionEmitter, op: mma.StMatrixOp) -> None:
    transposed = ["trans"] if op.layout is mma_enums.MMALayout.COL else []
    number = f"x{len(op.sources)}"
    words = (f"m{op.shape.m}n{op.shape.n}", number, *transposed, "shared", op.eltType.spelling)
    emit.emit(f"stmatrix.sync.aligned.{'.'.join(words)}", emit.address(op.ptr), registers(emit, op.sources))


def _element(
    emit: PtxFunctionEmitter, stated: mma_enums.MMATypes | None, type: Type, *, accumulator: bool
) -> str:
    """Return the PTX type of the elements of a matrix: `stated`, or if that is None the type that follows
    from `type`, the type of its registers, and from whether it is an `accumulator`. Raises `DiagnosticError`
    if neither determines it.
    """
    found = stated or element_type(type, accumulator=accumulator)
    if found is None:
        raise emit.refused(
            "the type of the elements is unknown", "state `multiplicandAPtxType` and `multiplicandBPtxType`"
        )
    return found.spelling


def _product(emit: PtxFunctionEmitter, op: mma.MmaOp) -> None:
    a = _element(emit, op.multiplicandAPtxType, op.operandA[0].type, accumulator=False)
    b = _element(emit, op.multiplicandBPtxType, op.operandB[0].type, accumulator=False)
    c = _element(emit, None, op.operandC[0].type, accumulator=True)
    d = _element(emit, None, op.res.type, accumulator=True)
    shape = f"m{op.shape.m}n{op.shape.n}k{op.shape.k}"
    clamps = ["satfinite"] if op.intOverflowBehavior is mma_enums.MMAIntOverflow.SATFINITE else []
    counted = SPARE_BITS.get(op.b1Op, ()) if op.b1Op is not None else ()
    words = (shape, op.layoutA.spelling, op.layoutB.spelling, *clamps, d, a, b, c, *counted)
    sources = [registers(emit, group) for group in (op.operandA, op.operandB, op.operandC)]
    emit.emit(f"mma.sync.aligned.{'.'.join(words)}", Vector(emit.fresh(op.res)), *sources)


# --- warp groups


def _accumulator(emit: PtxFunctionEmitter, op: mma.WgmmaMmaAsyncOp) -> tuple[Name, ...]:
    """Bind the result of `op` to the accumulator registers, which the product updates in place, and return
    them.

    Registers must not be accessed while a product is in flight. The registers of the operand are reused if it
    has no other use and all of its parts are different registers. Otherwise they are copied, and a fence
    orders the copies before the product.
    """
    parts = emit.parts(op.inouts)
    names = tuple(part for part in parts if isinstance(part, Name))
    if len(names) == len(parts) == len(set(names)) and op.inouts.has_one_use:
        emit.bind(op.results_, names)
        return names
    copies = emit.fresh(op.results_)
    for copy, part, slot in zip(copies, parts, emit.slots(op.results_.type), strict=True):
        emit.emit(f"mov.{slot.register.type}", copy, part)
    emit.emit("wgmma.fence.sync.aligned")
    return copies


def _group_product(emit: PtxFunctionEmitter, op: mma.WgmmaMmaAsyncOp) -> None:
    target = Vector(_accumulator(emit, op))
    shape = f"m{op.shape.m}n{op.shape.n}k{op.shape.k}"
    clamps = ["satfinite"] if op.satfinite is mma_enums.MMAIntOverflow.SATFINITE else []
    types = (kind.spelling for kind in (op.typeD, op.typeA, op.typeB))
    adds = IntegerConstant(1 if op.scaleD is mma_enums.WGMMAScaleOut.ONE else 0)
    sources: list[Operand] = [emit.word(op.descriptorA), emit.word(op.descriptorB), adds]
    if op.typeD.spelling != "s32":
        sources += [_scale(op.scaleA), _scale(op.scaleB)]
    if op.typeA.spelling in ("f16", "bf16"):
        sources += [
            IntegerConstant(int(op.layoutA is mma_enums.MMALayout.COL)),
            IntegerConstant(int(op.layoutB is mma_enums.MMALayout.ROW)),
        ]
    emit.emit(".".join(("wgmma.mma_async.sync.aligned", shape, *types, *clamps)), target, *sources)


def _scale(scale: mma_enums.WGMMAScaleIn) -> IntegerConstant:
    return IntegerConstant(1 if scale is mma_enums.WGMMAScaleIn.ONE else (1 << 64) - 1)


def _wait(emit: PtxFunctionEmitter, op: mma.WgmmaWaitGroupSyncOp) -> None:
    emit.emit("wgmma.wait_group.sync.aligned", IntegerConstant(op.group))


ROWS: dict[type[Operation], Rule] = {
    mma.LdMatrixOp: _load,
    mma.StMatrixOp: _store,
    mma.MmaOp: _product,
    mma.WgmmaFenceAlignedOp: fixed("wgmma.fence.sync.aligned"),
    mma.WgmmaGroupSyncAlignedOp: fixed("wgmma.commit_group.sync.aligned"),
    mma.WgmmaWaitGroupSyncOp: _wait,
    mma.WgmmaMmaAsyncOp: _group_product,
}

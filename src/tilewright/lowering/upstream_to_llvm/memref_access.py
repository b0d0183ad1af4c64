"""Accesses to memrefs: addresses, loads, stores, atomics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.attributes import AtomicRMWKind
from tilewright.dialects.llvm.enums import (
    AtomicBinaryOperation,
    AtomicOrdering,
    IntegerOverflowFlags,
    PointerWrapFlags,
)
from tilewright.dialects.llvm.intrinsics.memory import PrefetchOp
from tilewright.dialects.llvm.ops import control as llvm_control, conversion as llvm_conversion
from tilewright.dialects.llvm.ops.memory import AtomicCmpXchgOp, AtomicRMWOp
from tilewright.dialects.memref import ops_access
from tilewright.ir import block as ir_block, builder
from tilewright.ir.builtin_types import DYNAMIC, FloatType, IntegerType, MemRefType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.converter import layout_of
from tilewright.lowering.llvm_types.memref_descriptor import MemRefDescriptor
from tilewright.lowering.upstream_to_llvm.patterns import LoweringSite, Rule
from tilewright.rewrite.pattern import NoMatch

IN_BOUNDS = PointerWrapFlags.INBOUNDS | PointerWrapFlags.NUW
NO_WRAP = IntegerOverflowFlags.NSW | IntegerOverflowFlags.NUW

ATOMICS: dict[AtomicRMWKind, AtomicBinaryOperation] = {
    AtomicRMWKind.ADDF: AtomicBinaryOperation.FADD,
    AtomicRMWKind.ADDI: AtomicBinaryOperation.ADD,
    AtomicRMWKind.ANDI: AtomicBinaryOperation.AND,
    AtomicRMWKind.ASSIGN: AtomicBinaryOperation.XCHG,
    AtomicRMWKind.MAXIMUMF: AtomicBinaryOperation.FMAXIMUM,
    AtomicRMWKind.MAXNUMF: AtomicBinaryOperation.FMAX,
    AtomicRMWKind.MAXS: AtomicBinaryOperation.MAX,
    AtomicRMWKind.MAXU: AtomicBinaryOperation.UMAX,
    AtomicRMWKind.MINIMUMF: AtomicBinaryOperation.FMINIMUM,
    AtomicRMWKind.MINNUMF: AtomicBinaryOperation.FMIN,
    AtomicRMWKind.MINS: AtomicBinaryOperation.MIN,
    AtomicRMWKind.MINU: AtomicBinaryOperation.UMIN,
    AtomicRMWKind.ORI: AtomicBinaryOperation.OR,
    AtomicRMWKind.XORI: AtomicBinaryOperation.XOR,
}
"""The atomic operation of LLVM for each kind of ``memref.atomic_rmw`` that LLVM has; products are not among
them.
"""


def buffer_pointer(emit: LlvmEmitter, descriptor: MemRefDescriptor, type: MemRefType, element: Any) -> Value:
    """Return the address of the first element of the memref `descriptor` of type `type`: the aligned pointer
    plus the offset, which counts elements of the LLVM type `element`.
    """
    pointer, offset = descriptor.aligned(), layout_of(type)[1]
    if offset == 0:
        return pointer
    distance = descriptor.offset() if offset == DYNAMIC else emit.index(offset)
    return emit.address(pointer, [distance], element)


def element_address(
    site: LoweringSite[Any],
    type: MemRefType,
    memref: Value,
    subscripts: Sequence[Value],
    *,
    in_bounds: bool = False,
) -> Value:
    """Return the address of the element at `subscripts`, one for each dimension, of a memref of type `type`
    whose descriptor is `memref`. With ``in_bounds`` the address arithmetic is marked as not wrapping.
    """
    emit, element = site.emit, site.converter.convert_type(type.element_type)
    descriptor = MemRefDescriptor(emit, memref)
    pointer = buffer_pointer(emit, descriptor, type, element)
    strides = layout_of(type)[0]
    flags = NO_WRAP if in_bounds else IntegerOverflowFlags.NONE
    position: Value | None = None
    for at, (subscript, stride) in enumerate(zip(subscripts, strides, strict=True)):
        if stride != 1:
            factor = descriptor.stride(at) if stride == DYNAMIC else emit.index(stride)
            subscript = emit.multiply(subscript, factor, overflowFlags=flags)
        position = subscript if position is None else emit.add(position, subscript, overflowFlags=flags)
    if position is None:
        return pointer
    assert element is not None, "the memref was converted"
    return emit.address(pointer, [position], element, IN_BOUNDS if in_bounds else PointerWrapFlags.NONE)


def _access(site: LoweringSite[Any], *, in_bounds: bool = False) -> Value:
    """Return the address of the element that an operation accesses by its operands ``memref`` and
    ``indices``. With ``in_bounds`` the address arithmetic is marked as not wrapping.
    """
    op, adaptor = site.op, site.adaptor
    return element_address(site, op.memref.type, adaptor.memref, adaptor.indices, in_bounds=in_bounds)


def _load(site: LoweringSite[ops_access.LoadOp]) -> Value:
    op = site.op
    address = _access(site, in_bounds=True)
    return site.emit.load(address, site.result_type(), nontemporal=op.nontemporal, alignment=op.alignment)


def _store(site: LoweringSite[ops_access.StoreOp]) -> Sequence[Value]:
    op = site.op
    address = _access(site, in_bounds=True)
    site.emit.store(site.adaptor.value, address, nontemporal=op.nontemporal, alignment=op.alignment)
    return ()


def _prefetch(site: LoweringSite[ops_access.PrefetchOp]) -> Sequence[Value]:
    op = site.op
    site.emit.insert(
        PrefetchOp, _access(site), rw=int(op.isWrite), hint=op.localityHint, cache=int(op.isDataCache)
    )
    return ()


def _atomic(site: LoweringSite[ops_access.AtomicRMWOp]) -> Value | NoMatch:
    kind = ATOMICS.get(site.op.kind_)
    if kind is None:
        return NoMatch("LLVM has no atomic {}", (site.op.kind_.name.lower(),))
    address = _access(site)
    return site.emit(AtomicRMWOp, kind, address, site.adaptor.value, AtomicOrdering.ACQ_REL)


def _generic_atomic(site: LoweringSite[ops_access.GenericAtomicRMWOp]) -> Value | NoMatch:
    """Load, compute and compare-exchange until the exchange succeeds, and return the old element. Floats are
    exchanged as their bits. Elements whose type changes in LLVM do not match.
    """
    op, emit, rewriter = site.op, site.emit, site.rewriter
    type: Any = site.result_type()
    if type is not op.result.type:
        return NoMatch("elements of type {} have another form in LLVM", (op.result.type,))
    bits = IntegerType(type.width) if isinstance(type, FloatType) else type
    before, address = site.block, _access(site)
    loaded = emit.load(address, bits)
    after = rewriter.split_block(op)
    region: Any = after.parent
    with rewriter.at(rewriter.point):
        loop = rewriter.create_block(region, [bits], op.location, region.blocks.index(after))
        old = _as(emit, loop.arguments[0], type)
        exchanged = _try_exchange(site, loop, address, old)
    with rewriter.at(builder.InsertionPoint(before)):
        emit.insert(llvm_control.BrOp, destOperands=[loaded], dest=loop)
    with rewriter.at(builder.InsertionPoint(loop)):
        found, done = emit.extract(exchanged, 0), emit.extract(exchanged, 1)
        result = _as(emit, found, type)
        emit.insert(
            llvm_control.CondBrOp,
            condition=done,
            trueDestOperands=(),
            falseDestOperands=[found],
            trueDest=after,
            falseDest=loop,
        )
    return result


def _try_exchange(site: LoweringSite[Any], loop: ir_block.Block, address: Value, old: Value) -> Value:
    """Emit the body of a compare-and-exchange loop: compute the new element from `old`, and exchange them if
    `old` is still in memory. Return the result of the exchange.
    """
    emit, rewriter = site.emit, site.rewriter
    body = site.op.atomic_body.blocks[0]
    yielded = body.last
    rewriter.merge_blocks(body, loop, [old])
    with rewriter.at(builder.InsertionPoint(loop)):
        new = _as(emit, yielded.operands[0], loop.arguments[0].type)
        rewriter.erase(yielded)
        return emit(
            AtomicCmpXchgOp,
            ptr=address,
            cmp=loop.arguments[0],
            val=new,
            success_ordering=AtomicOrdering.ACQ_REL,
            failure_ordering=AtomicOrdering.MONOTONIC,
        )


def _as(emit: LlvmEmitter, value: Value, type: Any) -> Value:
    """Return the bits of `value` as a value of `type`, of the same width."""
    return value if value.type is type else emit(llvm_conversion.BitcastOp, value, type=type)


ACCESS_RULES: dict[type[Operation], Rule] = {
    ops_access.LoadOp: _load,
    ops_access.StoreOp: _store,
    ops_access.PrefetchOp: _prefetch,
    ops_access.AtomicRMWOp: _atomic,
    ops_access.GenericAtomicRMWOp: _generic_atomic,
}
"""The function that lowers each access."""

"""Patterns for loads, stores and atomics through pointers, memory of a tile block, and tokens.

Every access waits for its token operand and produces a token: nothing else orders accesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.common.grid import SMALLER, alloca_obstacle
from tilewright.dialects.cuda_tile.enums import AtomicRMWMode, MemoryOrderingSemantics, MemoryScope
from tilewright.dialects.cuda_tile.ops import memory
from tilewright.dialects.cuda_tile.rules.hints import INTEGER_HINTS, OPERATION_HINTS
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, memory as llvm_memory
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic, RmwMode
from tilewright.dialects.nv_tileaa.ops import memory as aa
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir import builtin_attributes, diagnostic
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import codes
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering, TilePattern
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor

SCOPES = {
    MemoryScope.TL_BLK: MemScope.TL_BLK,
    MemoryScope.DEVICE: MemScope.GPU,
    MemoryScope.SYS: MemScope.SYS,
}


class OrderedAccess(Protocol):
    """An access of Tile IR with ``memory_ordering_semantics``, and the scope of the order, ``memory_scope``,
    which is None for a weak access.
    """

    memory_ordering_semantics: MemoryOrderingSemantics

    @property
    def memory_scope(self) -> MemoryScope | None:
        """The scope of threads that observe the order; weak accesses have none."""


def order(op: OrderedAccess) -> dict[str, Any]:
    """Return the memory ordering of an access as attributes of the new operation: ``mem_semantic``, and
    ``mem_scope`` unless the access is weak.
    """
    semantic, scope = op.memory_ordering_semantics, op.memory_scope
    if semantic is MemoryOrderingSemantics.WEAK:
        return {"mem_semantic": MemSemantic.WEAK}
    assert scope is not None, "the verifier asks for the scope of ordered accesses"
    return {"mem_semantic": MemSemantic[semantic.name], "mem_scope": SCOPES[scope]}


def rmw_mode(mode: AtomicRMWMode) -> RmwMode:
    """Return the read-modify-write mode of `nv_tileaa` that has the name of the given mode of Tile IR; there
    is one for each.
    """
    return RmwMode[mode.name]


HintedAccess = memory.LoadPtrTkoOp | memory.LoadViewTkoOp | memory.StorePtrTkoOp | memory.StoreViewTkoOp
"""Accesses of Tile IR that can have optimization hints, which are given by target."""


def hints_of(op: HintedAccess, lowering: TileAALowering) -> dict[str, Any]:
    """Return the optimization hints of an access for the target, as keyword arguments for the new operation.
    Hints that have no effect are left out; the command line warns of them.
    """
    hints = op.optimization_hints
    given = hints.for_target(lowering.capability.hint_target) if hints is not None else None
    found: dict[str, Any] = {}
    for name, value in given or ():
        if not isinstance(value, builtin_attributes.IntegerAttr) or name not in OPERATION_HINTS[op.name]:
            continue
        rule = INTEGER_HINTS.get(name)
        if rule is None:
            found[name] = bool(value.value)
        elif rule.accepts(value.value):
            found[name] = value.value
    return found


class LoadPtrPattern(TilePattern[memory.LoadPtrTkoOp]):
    """Converts a load through a tile of pointers to the `load` of `nv_tileaa`, with its mask, padding,
    ordering and the hints for the target.
    """

    def lower(
        self, op: memory.LoadPtrTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.insert(
            aa.LoadOp,
            at.source,
            mask=at.mask,
            other=at.padding_value,
            token=at.token,
            result_types=types,
            **order(op),
            **hints_of(op, self.lowering),
        )


class StorePtrPattern(TilePattern[memory.StorePtrTkoOp]):
    """Converts a store through a tile of pointers to the `store` of `nv_tileaa`, with its mask, ordering and
    the hints for the target.
    """

    def lower(
        self, op: memory.StorePtrTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.insert(
            aa.StoreOp,
            at.destination,
            at.value,
            mask=at.mask,
            token=at.token,
            result_types=types,
            **order(op),
            **hints_of(op, self.lowering),
        )


class AtomicRmwPattern(TilePattern[memory.AtomicRMWTkoOp]):
    """Converts an atomic read-modify-write through a tile of pointers to the `atomic_rmw` of `nv_tileaa`,
    with its mask, mode and ordering.
    """

    def lower(
        self, op: memory.AtomicRMWTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.insert(
            aa.AtomicRmwOp,
            at.pointers,
            at.arg,
            (),
            at.mask,
            at.token,
            rmw_mode(op.mode),
            result_types=types,
            **order(op),
        )


class AtomicCasPattern(TilePattern[memory.AtomicCASTkoOp]):
    """Converts an atomic compare-and-swap through a tile of pointers to the `atomic_cas` of `nv_tileaa`, with
    its mask and ordering.
    """

    def lower(
        self, op: memory.AtomicCASTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.insert(
            aa.AtomicCasOp,
            at.pointers,
            at.cmp,
            at.val,
            mask=at.mask,
            token=at.token,
            result_types=types,
            **order(op),
        )


# --- memory of a tile block


def storage_bytes(element: Type, count: int) -> int:
    """Return the bytes of `count` elements in memory. An element takes its bits rounded up to 1, 2, 4, ...
    bytes, so that an i1 takes a byte; two elements of four bits share one.
    """
    assert isinstance(element, IntegerType | FloatType), "pointees are numbers"
    if element.width == 4:
        return (count + 1) // 2
    return count * (1 << max(element.width - 1, 7).bit_length()) // 8


class AllocaPattern(TilePattern[memory.AllocaOp]):
    """Converts `alloca`: on the host to bytes on the stack and a cast to the pointers of `nv_tileaa`, on GPUs
    to their own operation. Raises `DiagnosticError` for a size or alignment beyond the limit.

    On the host every thread may read the stack of another, so memory that other tile blocks may read is no
    special case. On a GPU no thread may read the stack of another, not even of its own tile block.
    """

    def lower(
        self, op: memory.AllocaOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        (type,) = types
        assert isinstance(type, PtrType), "the result is a pointer"
        size = storage_bytes(type.pointee, op.num_elem)
        reason = alloca_obstacle(max(size, op.alignment))
        if reason is not None:
            raise diagnostic.failure(codes.NOT_LOWERED_FOR_TARGET, reason, op.location, hint=SMALLER)
        if not self.lowering.capability.is_host:
            return emit(aa.AllocateOp, size, op.alignment or 1, type=type)
        count = emit(llvm_aggregate.ConstantOp, builtin_attributes.IntegerAttr(i64, size), type=i64)
        place = emit(llvm_memory.AllocaOp, count, i8, alignment=op.alignment or None, type=LLVMPointerType())
        return emit.insert(UnrealizedConversionCastOp, [place], result_types=[type])


# --- tokens


class MakeTokenPattern(TilePattern[memory.MakeTokenOp]):
    """Converts `make_token` to an operation that creates a memory token with no predecessors."""

    def lower(
        self, op: memory.MakeTokenOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit(aa.CreateMemTokenOp, type=types[0])


def token_after(emit: TileAAEmitter, tokens: Sequence[Value], type: Type) -> Value:
    """Return a token that is ready after all of `tokens`: a new token if there are none, the token itself if
    there is one, otherwise their join.
    """
    different = list(dict.fromkeys(tokens))
    if len(different) == 1:
        return different[0]
    if not different:
        return emit(aa.CreateMemTokenOp, type=type)
    return emit(aa.JoinMemTokenOp, different, type=type)


class JoinTokensPattern(TilePattern[memory.JoinTokensOp]):
    """Converts a join of tokens: to a new token if there are none, to the token itself if there is one,
    otherwise to a join of `nv_tileaa` without repetitions.
    """

    def lower(
        self, op: memory.JoinTokensOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return token_after(emit, at.tokens, types[0])


@dataclass(frozen=True, slots=True)
class GpuReplacement:
    """The operation of `nv_tileaa`, ``becomes``, that replaces an operation on GPUs of compute capability
    ``since`` or later; ``host`` is the reason, for a message, why the host has no such operation.
    """

    becomes: type[Operation]
    since: int
    host: str


ORDERINGS: Mapping[type[Operation], GpuReplacement] = {
    memory.GdcLaunchDependentsTkoOp: GpuReplacement(
        aa.LaunchDependentsOp, 90, "grids run one after the other"
    ),
    memory.GdcWaitTkoOp: GpuReplacement(aa.WaitForGridOp, 90, "grids run one after the other"),
    memory.MemoryFenceAliasTkoOp: GpuReplacement(aa.FenceAliasOp, 70, "memory has one mapping"),
}
"""For each operation that orders grids or memory on GPUs and does nothing on the host, its replacement."""


def require_chip(op: Operation, lowering: TileAALowering, since: int) -> None:
    """Raise `DiagnosticError` if the target is a GPU with a compute capability (``major * 10 + minor``) below
    ``since``.
    """
    capability = lowering.capability
    if capability.is_host or capability.number >= since:
        return
    message = f"{capability.chip} cannot do '{op.name}', which GPUs have from sm_{since} on"
    hint = f"compile for sm_{since} or a later GPU, or leave the operation out"
    raise diagnostic.failure(codes.NOT_LOWERED_FOR_TARGET, message, op.location, hint=hint)


class OrderingPattern(TilePattern[Operation]):
    """Converts an operation of `ORDERINGS`, which orders grids or memory on GPUs; raises `DiagnosticError`
    for a GPU without it. On the host it is replaced by its token, or by a new token if it has none.
    """

    def lower(self, op: Operation, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        if self.lowering.capability.is_host:
            return token_after(emit, at.operands, types[0])
        row = ORDERINGS[op.__class__]
        require_chip(op, self.lowering, row.since)
        return emit(row.becomes, *at.operands, type=types[0])


def memory_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns for loads, stores and atomics through pointers, for `alloca`, tokens, and the
    operations of `ORDERINGS`.
    """
    classes = (
        LoadPtrPattern,
        StorePtrPattern,
        AtomicRmwPattern,
        AtomicCasPattern,
        AllocaPattern,
        MakeTokenPattern,
        JoinTokensPattern,
    )
    made = [pattern(lowering) for pattern in classes]
    return [*made, *(OrderingPattern(lowering, root=op_class) for op_class in ORDERINGS)]

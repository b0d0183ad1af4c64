"""Pipelines by groups of asynchronous copies (`cp.async`): a ring of buffers in shared memory.

A stage of the pipeline is a slot of the ring, with a buffer for each tile. An iterator is the number of the slot and a
phase, which changes with each turn of the ring; a token is `(slot << 1) | phase`. Each `produce_one_async` is a group
of copies. Groups end in their order, so `consume_one` waits until at most `stages - 2` groups run: then the oldest
group that was not consumed has ended. The barrier behind makes the copies of all threads visible, and says that no
thread still reads the slot that is filled next.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeVar

from tilewright.dialects.llvm.ops import arithmetic as llvm, memory as llvm_memory
from tilewright.dialects.llvm.ops.aggregate import ExtractValueOp, InsertValueOp, PoisonOp
from tilewright.dialects.llvm.ops.conversion import ZExtOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileas import ops_memory as tileas_memory, ops_pipeline as tileas_pipeline
from tilewright.dialects.nv_tileas.ops_async import AsyncLoadOp, TokenToAsyncOp, WaitOp
from tilewright.dialects.nv_tileas.types import PipelineIteratorType, PipelineType
from tilewright.dialects.nvvm.enums.memory import LoadCacheModifierKind
from tilewright.dialects.nvvm.ops import barrier as nvvm_barrier, copy as nvvm_copy
from tilewright.ir.builtin_attributes import UNIT, IntegerAttr, integer32
from tilewright.ir.builtin_types import i8, i32
from tilewright.ir.interfaces.effects import has_no_memory_effect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types import address_spaces, tile_types as llvm_types_tile_types
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.type_converter import Converted
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.exchanges import RegisterAddresses
from tilewright.targets.nvptx.pipelines.rings import RingTile, loads_of
from tilewright.targets.nvptx.shared_memory.model import RING
from tilewright.targets.nvptx.tileas_to_nvvm import accesses, register_addresses
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import synchronize_block
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern

_Op = TypeVar("_Op", bound=Operation)
IN_STAGES = (AsyncLoadOp, tileas_memory.TiledLoadOp, tileas_pipeline.PipelineYieldOp)
"""Operations in the regions of stages, which are lowered with the operation around them."""
LARGEST_COPY = 16
"""The size in bytes of copies, and their alignment, that leave out the cache of the multiprocessor."""
DEEPEST = 16
"""How many operations behind each other `SameValues` compares."""
SHARED_POINTER = LLVMPointerType(address_spaces.LlvmAddressSpace.SHARED.value)
Rings = Mapping[Operation, Sequence[RingTile]]
"""The tiles of a stage, by the operations that make, fill and read a pipeline."""


def ring_of(type: PipelineType) -> Converted:
    """Return the converted types of a pipeline: for each tile of a stage, the address of its ring in shared
    memory.
    """
    return (SHARED_POINTER,) * len(type.element_types)


def iterator_at(code: PatternCode, slot: Value, phase: Value) -> Value:
    """Emit the iterator at the slot `slot` in the phase `phase`, both i32, and return it."""
    begun = code(InsertValueOp, code(PoisonOp, type=llvm_types_tile_types.PIPELINE_ITERATOR), slot, (0,))
    return code(InsertValueOp, begun, phase, (1,))


def position(code: PatternCode, iterator: Value) -> tuple[Value, Value]:
    """Return the members of a pipeline's `iterator`: the index of the slot, and the phase, as i32."""
    slot, phase = (code(ExtractValueOp, iterator, (at,), type=i32) for at in (0, 1))
    return slot, phase


class StagePattern(ThreadPattern[_Op]):
    """The base of patterns for operations on a pipeline. `rings` has, for each operation that makes, fills or
    reads a pipeline, the arrangement of the tiles of a stage.
    """

    def __init__(self, converter: LLVMTypeConverter, rings: Rings) -> None:
        super().__init__(converter)
        self.rings = rings


class CreatePipeline(StagePattern[tileas_pipeline.CreatePipelineOp]):
    """Lowers the creation of a pipeline to the allocation of its rings, after a barrier. Their offsets are
    assigned when all buffers of the kernel are known.

    If a ring then lies where an exchange before it lay, the barrier keeps the first copies after the reads of
    that exchange; otherwise the barrier is removed.
    """

    def lower(
        self, op: tileas_pipeline.CreatePipelineOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers]:
        created = [one for one in self.rings if isinstance(one, tileas_pipeline.CreatePipelineOp)]
        number = integer32(created.index(op))
        synchronize_block(code)
        return [[self._ring(code, op.num_stages * tile.bytes, number) for tile in self.rings[op]]]

    def _ring(self, code: PatternCode, size: int, pipeline: IntegerAttr) -> Value:
        count = code.integer(size, i32)
        made = code(llvm_memory.AllocaOp, count, elem_type=i8, alignment=LARGEST_COPY, type=SHARED_POINTER)
        assert isinstance(made.owner, Operation), "allocations are operations"
        made.owner.attributes[RING] = pipeline
        return made


class CreateIterator(ThreadPattern[tileas_pipeline.CreateIteratorOp]):
    """Lowers the creation of an iterator to the one at slot 0, in phase 0."""

    def lower(
        self, op: tileas_pipeline.CreateIteratorOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers]:
        return [[iterator_at(code, code.integer(0, i32), code.integer(0, i32))]]


class NextSlot(ThreadPattern[tileas_pipeline.IncIterOp]):
    """Lowers the increment of an iterator to the next slot; after the last slot comes slot 0, in the other
    phase.
    """

    def lower(self, op: tileas_pipeline.IncIterOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        type = op.iterator.type
        assert isinstance(type, PipelineIteratorType), "the operand constraint holds"
        slot, phase = position(code, at.iterator[0])
        following = code.plus(slot, 1)
        wraps = code.compare_integers("eq", following, code.integer(type.count, i32))
        if type.count & (type.count - 1):
            kept = code(llvm.SelectOp, wraps, code.integer(0, i32), following, type=i32)
        else:
            kept = code(llvm.AndOp, following, code.integer(type.count - 1, i32))
        return [[iterator_at(code, kept, code(llvm.XOrOp, phase, code(ZExtOp, wraps, type=i32)))]]


class Produce(StagePattern[tileas_pipeline.ProduceOneAsyncOp]):
    """Lowers the filling of a slot to a group of asynchronous copies from global memory. Elements whose mask
    is false become zero.
    """

    def lower(
        self, op: tileas_pipeline.ProduceOneAsyncOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers]:
        slot, phase = position(code, at.iterator[0])
        loads = zip(loads_of(op), self.rings[op], at.pipeline, strict=True)
        for load, tile, ring in loads:
            self._copy(code, load, tile, slot_of(code, ring, slot, tile))
        code.effect(nvvm_copy.CpAsyncCommitGroupOp)
        token = code(llvm.OrOp, code(llvm.ShlOp, slot, code.integer(1, i32)), phase)
        return [[token]]

    def _copy(self, code: PatternCode, load: AsyncLoadOp, tile: RingTile, base: Value) -> None:
        """Emit a thread's copies of a tile to the slot at `base`. The mask of the first element of a copy decides for
        all of its elements, unless the copy is partial.
        """
        sources = registers(code, load.base)
        masks: Registers = registers(code, load.mask) if load.mask is not None else []
        looked_at = tile.vector_width if load.partial else 1
        held = tile.exchange.store
        numbers = {offset: number for number, offset in enumerate(held.offsets)}
        places = RegisterAddresses.of(held, tile.exchange.place)

        def copy() -> Sequence[Value]:
            address = register_addresses.addresses_of(code, base, places, tile.element)
            same = SameValues()
            for offset, elements in groups(places, tile.vector_width):
                held_by = [numbers[element] for element in elements]
                exist = [masks[number] for number in held_by[:looked_at]] if masks else []
                _copied(code, address(offset), sources[held_by[0]], tile, exist, same)
            return []

        accesses.guarded(code, accesses.is_first_holder(code, held.threads), [], copy)


def registers(code: PatternCode, tile: Value) -> Registers:
    """Return the registers of `tile`, which an operation in the region of a stage uses."""
    found = code.rewriter.lookup(tile)
    return [found] if isinstance(found, Value) else found


def groups(places: RegisterAddresses, vector_width: int) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield, for each copy of `vector_width` elements by a thread, the offset in shared memory in elements
    and the numbers of its elements. `places` has the rows of adjacent elements.
    """
    for offset, row in places.vectors.items():
        for at in range(0, len(row), vector_width):
            yield offset + at, row[at : at + vector_width]


def _copied(
    code: PatternCode, target: Value, source: Value, tile: RingTile, exist: Sequence[Value], same: SameValues
) -> None:
    """Emit one asynchronous copy from `source` to `target`, which reads the elements whose conditions `exist` are true,
    and writes zeros for the others. Elements that exist come first. One condition holds for all elements, and without conditions all
    exist.
    """
    size = tile.vector_width * size_of(tile.element)
    cache = LoadCacheModifierKind.CG if size == LARGEST_COPY else LoadCacheModifierKind.CA
    read = _size_if(code, exist, size // max(len(exist), 1), same) if exist else None
    code.effect(nvvm_copy.CpAsyncOp, target, source, size, cache, read)


def _size_if(code: PatternCode, exist: Sequence[Value], size: int, same: SameValues) -> Value:
    """Emit and return the number of bytes of the elements whose conditions `exist` are true, as an i32; each
    element has `size` bytes. Conditions that all elements share, such as the limit of the rows, are tested
    once: the sum of the others is the same for all rows.
    """
    nothing = code.integer(0, i32)
    if len(exist) == 1:
        return code(llvm.SelectOp, exist[0], code.integer(size, i32), nothing, type=i32)
    tests = [dict.fromkeys(map(same.first, _tests(one))) for one in exist]
    shared = [one for one in tests[0] if all(one in other for other in tests)]
    counted = [[one for one in test if one not in shared] for test in tests]
    if not any(counted):
        return code(llvm.SelectOp, code.both(shared), code.integer(size * len(exist), i32), nothing, type=i32)
    sizes = [
        code(llvm.SelectOp, code.both(test), code.integer(size, i32), nothing, type=i32) for test in counted
    ]
    total = reduce(lambda one, other: code(llvm.AddOp, one, other), sizes)
    return code(llvm.SelectOp, code.both(shared), total, nothing, type=i32) if shared else total


def _tests(condition: Value) -> Iterator[Value]:
    """Yield the conditions whose conjunction is `condition`, through nested `llvm.and`; only `condition` if
    it is no conjunction.
    """
    owner = condition.owner
    if isinstance(owner, llvm.AndOp):
        for operand in owner.operands:
            yield from _tests(operand)
    else:
        yield condition


class SameValues:
    """Finds values that equal operations compute from equal values, before such operations are joined."""

    def __init__(self) -> None:
        self._first = dict[Value, Value]()
        self._known = dict[Hashable, Value]()

    def first(self, value: Value, depth: int = DEEPEST) -> Value:
        """Return the first value that this object has seen, as an argument or as an operand behind an
        argument, that equal operations compute from equal values as `value`; `value` itself if there is none.
        At most `depth` operations behind each other are compared; beyond that, and for block arguments and
        operations with effects or regions, only identical values are equal.
        """
        found = self._first.get(value)
        if found is None:
            found = self._first[value] = self._known.setdefault(self._key(value, depth), value)
        return found

    def _key(self, value: Value, depth: int) -> Hashable:
        owner = value.owner
        if not isinstance(owner, Operation) or not depth or owner.regions or not has_no_memory_effect(owner):
            return value
        operands = tuple(self.first(operand, depth - 1) for operand in owner.operands)
        return owner.kind, operands, frozenset(owner.held_attributes.items()), value.type, value.index


def slot_of(code: PatternCode, ring: Value, slot: Value, tile: RingTile) -> Value:
    """Return the address of the slot number `slot` of the ring at the address `ring`, whose slots hold
    `tile`.
    """
    return code.pointer(ring, code.index(code.times(slot, tile.bytes)), i8)


class Consume(StagePattern[tileas_pipeline.ConsumeOneOp]):
    """Lowers the use of a slot: waits until the group of copies of the slot has ended in all threads, and
    reads the tiles of the slot.
    """

    def lower(self, op: tileas_pipeline.ConsumeOneOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        type, (slot, _) = op.pipeline.type, position(code, at.iterator[0])
        assert isinstance(type, PipelineType), "the operand constraint holds"
        await_copies(code, type.stages - 2)
        tiles = zip(self.rings[op], at.pipeline, strict=True)
        return [read_tile(code, tile, slot_of(code, ring, slot, tile)) for tile, ring in tiles]


def await_copies(code: PatternCode, running: int) -> None:
    """Emit a wait until at most `running` groups of copies of this thread have not ended, and a barrier, so
    that it holds for all threads.
    """
    code.effect(nvvm_copy.CpAsyncWaitGroupOp, running)
    code.effect(nvvm_barrier.Barrier0Op, attributes={RING: UNIT})


def read_tile(code: PatternCode, tile: RingTile, base: Value) -> Registers:
    """Emit the reads of a tile of a slot at the address `base`, and return its registers in the layout of its
    use.
    """
    made = tile.exchange
    if made.rows is not None:
        return register_addresses.read_matrices(code, base, made.rows, made.load, tile.element)
    return register_addresses.read_placed(code, base, made.place, made.load, tile.element)


class AwaitAll(ThreadPattern[WaitOp]):
    """Lowers a wait to a wait until all copies have ended in all threads: the rings are free for the next
    loop.

    If all tokens are of accesses it becomes nothing: a barrier follows each access whose token is used.
    """

    def lower(self, op: WaitOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        if not all(isinstance(token.owner, TokenToAsyncOp) for token in op.tokens):
            await_copies(code, 0)
        return []


class AccessToken(ThreadPattern[TokenToAsyncOp]):
    """Lowers the conversion of the token of an access to the token of an asynchronous operation: the token is
    unchanged, because a barrier follows the access.
    """

    def lower(self, op: TokenToAsyncOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [at.source]


def populate_pipelines(patterns: RewritePatternSet, converter: LLVMTypeConverter, rings: Rings) -> None:
    """Add the patterns of this file; `rings` has the tiles of all pipelines (`rings.rings_of`)."""
    patterns.add(*(pattern(converter) for pattern in (CreateIterator, NextSlot, AwaitAll, AccessToken)))
    patterns.add(*(pattern(converter, rings) for pattern in (CreatePipeline, Produce, Consume)))

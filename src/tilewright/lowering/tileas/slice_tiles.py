"""`nv-tileas-slice-tiles`: tiles that are too large for registers become arrays and loops over their slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from tilewright.dialects.arith import ops_conversion as arith_conversion, ops_integer as arith
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicCasOp, AtomicRmwOp, CreateMemTokenOp
from tilewright.dialects.nv_tileaa.ops.program import AssertOp, FuncOp
from tilewright.dialects.nv_tileaa.ops.structure import ExtractOp, MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas import ops_memory as tileas_memory, ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.attributes import ARRAY_VECTOR_WIDTH, ThreadArraysAttr
from tilewright.dialects.scf.ops_loop import ForOp, IfOp
from tilewright.ir import builtin_attributes, location as ir_location
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.interfaces.effects import erase_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileas import slice_products, slice_reductions, slice_views
from tilewright.lowering.tileas.array_rules import broken_rules
from tilewright.lowering.tileas.encodings import encoded, tile_type, values_in
from tilewright.lowering.tileas.layout_rules import is_elementwise, is_in_arrays
from tilewright.lowering.tileas.slices import CarriedTiles, SliceBuilder, Slices, SliceState, sliced_clone
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.passes.pass_ import Pass, PassState

SLICE = 1 << 12
"""The default number of elements of a slice: `ARRAY_VECTOR_WIDTH` elements for each thread of the largest
block.
"""
ACCESSES = (tileas_memory.LoadOp, tileas_memory.StoreOp, AtomicRmwOp, AtomicCasOp, AssertOp)
"""Accesses and assertions: each element is independent, so they can be executed slice by slice, but they may
not be moved.
"""


class Slicer:
    """Rewrites the large tiles of a kernel of ``threads`` threads, which have more than `limit` elements,
    operation by operation in order; a slice has ``slice_elements`` elements.

    Elementwise operations are repeated, slice by slice, in the loop of their user; other large tiles become
    arrays in the memory of threads. An operation without a rule gets its tiles in registers.
    """

    def __init__(self, kernel: FuncOp, threads: int, limit: int, slice_elements: int) -> None:
        self.kernel = kernel
        self.threads = threads
        self.limit = limit
        self.arrays: dict[Value, Value] = {}
        self.lazy: dict[Operation, None] = {}
        self.slice_elements = slice_elements
        self.slicers = self._slicers()

    def run(self) -> int:
        """Rewrite the kernel; return the number of large tiles that it had. Without large tiles nothing is
        changed.
        """
        found = sum(map(self.is_large, values_in(self.kernel)))
        if found:
            for block in self.kernel.regions[0].blocks:
                self._visit_all(block)
            for op in reversed(self.lazy):
                if op.parent is not None:
                    erase_dead(op.results)
        return found

    def is_large(self, value: Value) -> bool:
        """Return whether a value is a tile of more than `limit` elements, which does not fit into registers."""
        return isinstance(value.type, RankedTensorType) and prod(value.type.shape) > self.limit

    # --- operations in their order

    def _visit_all(self, block: Block, kept: Sequence[Value] | None = None) -> None:
        """Rewrite the operations of `block`. If the block is the body of a loop that carries large tiles,
        `kept` are the iteration arguments: the arrays, and the other values unchanged. If it is in a branch
        with large results, `kept` is empty. In both cases the terminator yields arrays. With None the
        terminator is rewritten as any other operation.
        """
        for op in list(block.ops):
            if kept is not None and op is block.last:
                self._hand_on(op, kept)
            elif isinstance(op, ForOp | IfOp) and any(map(self.is_large, op.results)):
                self._carry(op)
            else:
                self._visit(op)

    def _visit(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                self._visit_all(block)
        if any(map(self.is_large, (*op.operands, *op.results))):
            self._rewrite(op)

    def _rewrite(self, op: Operation) -> None:
        if self.is_lazy(op):
            self.lazy[op] = None
            if not (is_source(op) or sum(op.results[0].uses.values()) <= 1):
                self.array(op.results[0])
        elif isinstance(op, ACCESSES):
            self._access(op)
        elif isinstance(op, tileas_tile.ReduceOp):
            slice_reductions.reduced(self, op)
        elif isinstance(op, tileas_tile.InsertSliceOp) and self.is_large(op.destination):
            self._insert(op)
        elif isinstance(op, tileas_tile.ExtractSliceOp):
            op.set_operand(0, self.array(op.source))
        elif isinstance(op, ExtractOp):
            self._element(op)
        elif isinstance(op, tileas_tile.ScanOp) and op.inclusive:
            self._scan(op)
        elif not (isinstance(op, tileas_tile.DotOp) and slice_products.multiplied(self, op)):
            for at, value in enumerate(op.operands):
                if self.is_large(value):
                    op.set_operand(at, self.in_registers(value, op))

    def is_lazy(self, op: Operation) -> bool:
        """Return whether the results of an operation are computed slice by slice where they are used: its
        first result is a large tile, and it is elementwise, has a rule that makes slices, or is a view in
        which each bit of a number is a bit of the source's number.
        """
        if not op.results or not self.is_large(op.results[0]):
            return False
        return (
            slice_views.is_linear(op)
            if isinstance(op, tileas_tile.ViewOp)
            else is_elementwise(op) or op.__class__ in self.slicers
        )

    def is_sliced(self, op: Operation) -> bool:
        """Return whether the rules replace an operation that has large tiles, so that none of its tiles stays
        in registers.
        """
        if isinstance(op, tileas_tile.ViewOp):
            return slice_views.is_linear(op) and self.is_large(op.result)
        is_part = isinstance(op, tileas_tile.ExtractSliceOp)
        has_rule = (
            isinstance(op, (tileas_tile.ReduceOp, ForOp, IfOp, *ACCESSES)) or op.__class__ in self.slicers
        )
        return is_elementwise(op) or (has_rule and not is_part)

    def broken_rules(self) -> list[Diagnostic]:
        """Return an error for each invariant that does not hold after `run`: an operation with a rule has a
        large tile in registers; an array is overwritten while it is still used, or in another block; a loop
        yields another array than its own; or an array is distributed to another number of threads.
        """
        return list(broken_rules(self.kernel, self.threads, self.limit, self.is_sliced))

    # --- tiles

    def array(self, value: Value) -> Value:
        """Return a large tile as an array; if there is none yet, emit code after the definition of the tile
        that fills one.
        """
        if is_in_arrays(value.type):
            return value
        if value not in self.arrays:
            op = value.owner
            point = InsertionPoint.at_start(op) if isinstance(op, Block) else InsertionPoint.after(op)
            emit = SliceBuilder(point, op.lazy_location if isinstance(op, Operation) else ir_location.UNKNOWN)
            if isinstance(op, Operation) and op in self.lazy:
                self.arrays[value] = self.filled(emit, value)
            else:
                whole = self.new_array(emit, value.type)
                self.arrays[value] = emit.put(value, whole, emit.origin(len(shape_of(value.type))))
        return self.arrays[value]

    def in_registers(self, value: Value, before: Operation) -> Value:
        """Return a large tile in registers, for the operation `before`, which has no rule: loaded from its
        array right before it, or `value` itself if it is in registers.
        """
        is_array = is_in_arrays(value.type)
        if not is_array and not (isinstance(value.owner, Operation) and value.owner in self.lazy):
            return value
        emit, shape = SliceBuilder.before(before), shape_of(value.type)
        return emit.extract(self.array(value), emit.origin(len(shape)), shape)

    def new_array(self, emit: SliceBuilder, type: Type) -> Value:
        """Return a new uninitialised array for tiles with the shape and elements of `type`."""
        wanted = RankedTensorType(shape_of(type), element_of(type), ThreadArraysAttr(self.threads))
        return emit(tileas_tile.AllocTensorOp, type=wanted)

    def filled(self, emit: SliceBuilder, value: Value) -> Value:
        """Emit a loop that copies the elements of a tile, slice by slice, into a new array; return the array."""
        shape = shape_of(value.type)

        def round(inside: SliceBuilder, number: Value, carried: CarriedTiles) -> CarriedTiles:
            place = SliceState(inside, number, self.slice_elements)
            part = self.slice(value, place)
            return [inside.put(part, carried[0], place.offsets(shape))]

        return emit.loop(prod(shape) // self.slice_elements, [self.new_array(emit, value.type)], round)[0]

    def slice(self, value: Value, place: SliceState) -> Value:
        """Return the current slice of a large tile: computed in the current loop if possible, otherwise
        extracted from its array.
        """
        if value not in place.made:
            op = value.owner
            if isinstance(op, Operation) and op in self.lazy and value not in self.arrays:
                made = self._made(op, place)
                place.made.update(zip(op.results, made, strict=True))
            else:
                shape = shape_of(value.type)
                place.made[value] = place.emit.extract(
                    self.array(value), place.offsets(shape), place.box(shape)
                )
        return place.made[value]

    def _made(self, op: Operation, place: SliceState) -> Sequence[Value]:
        slicer = self.slicers.get(op.__class__)
        return self.clone(op, place).results if slicer is None else slicer(op, place)

    def clone(self, op: Operation, place: SliceState) -> Operation:
        """Insert a copy of an operation that computes the current slice of its results, from the current
        slices of its operands.
        """
        large = filter(self.is_large, dict.fromkeys(op.operands))
        return sliced_clone(op, {value: self.slice(value, place) for value in large}, place)

    # --- operations that make slices

    def _slicers(self) -> Mapping[type[Operation], Callable[[Operation, SliceState], Sequence[Value]]]:
        return {
            SplatOp: _splat,
            tileas_tile.AllocTensorOp: _unset,
            MakeRangeOp: _range,
            tileas_tile.GenerateOp: self._generate,
            tileas_tile.ExpandDimsOp: self._in_order,
            tileas_tile.ViewOp: self._view,
            tileas_tile.ExtractSliceOp: self._part,
        }

    def _generate(self, op: Operation, place: SliceState) -> Sequence[Value]:
        """Return the current slice of a `generate`: the region adds the offsets of the slice to the indices."""
        assert isinstance(op, tileas_tile.GenerateOp), "the rule of generated tiles"
        shape = shape_of(op.results[0].type)
        offsets = place.offsets(shape)
        made = self.clone(op, place)
        body = made.regions[0].blocks[0]
        inside = SliceBuilder(InsertionPoint.at_start(body), op.lazy_location)
        for argument, offset in zip(body.arguments[: len(shape)], offsets, strict=True):
            moved = inside.sum(argument, offset)
            argument.replace_all_uses_with(moved)
            moved.owner.set_operand(0, argument)
        return made.results

    def _in_order(self, op: Operation, place: SliceState) -> Sequence[Value]:
        """Return the current slice of a view that keeps the row-major order of elements: a view of the slice
        of its source.
        """
        source = self.slice(op.operands[0], place)
        return [place.emit(tileas_tile.ViewOp, source=source, type=place.sliced_type(op.results[0]))]

    def _view(self, op: Operation, place: SliceState) -> Sequence[Value]:
        assert isinstance(op, tileas_tile.ViewOp), "the rule of views"
        if op.layout is None:
            return self._in_order(op, place)
        return [slice_views.viewed(self, op, place)]

    def _part(self, op: Operation, place: SliceState) -> Sequence[Value]:
        """Return the current slice of the result of `extract_slice`, extracted directly from the array of its
        source.
        """
        assert isinstance(op, tileas_tile.ExtractSliceOp), "the rule of parts"
        emit, shape = place.emit, shape_of(op.result.type)
        begins = [
            emit.start(*part) for part in zip(op.offsets, op.sizes, shape_of(op.source.type), strict=True)
        ]
        starts = [emit.sum(begin, behind) for begin, behind in zip(begins, place.offsets(shape), strict=True)]
        return [emit.extract(self.array(op.source), starts, place.box(shape))]

    # --- operations with effects

    def _access(self, op: Operation) -> None:
        """Replace a load, store or update by a loop that accesses one slice in each iteration; each access
        waits for the token of the previous one.
        """
        emit = SliceBuilder.before(op)
        used = [value for value in op.results if value.has_uses]
        tiles = list(filter(self.is_large, used))
        token = next((value for value in used if value not in tiles), None)
        carried = [self.new_array(emit, value.type) for value in tiles]
        given = getattr(op, "token", None)
        if token is not None:
            carried.append(given if given is not None else emit(CreateMemTokenOp, type=token.type))
        shape = next(shape_of(value.type) for value in (*op.operands, *op.results) if self.is_large(value))

        def round(inside: SliceBuilder, number: Value, before: CarriedTiles) -> CarriedTiles:
            place = SliceState(inside, number, self.slice_elements)
            mapping = {value: self.slice(value, place) for value in filter(self.is_large, op.operands)}
            if token is not None and given is not None:
                mapping[given] = before[-1]
            made = sliced_clone(op, mapping, place)
            parts = [made.results[value.index] for value in tiles]
            after = [
                inside.put(part, whole, place.offsets(shape))
                for part, whole in zip(parts, before, strict=False)
            ]
            return after if token is None else [*after, made.results[token.index]]

        made = emit.loop(prod(shape) // self.slice_elements, carried, round)
        replaced: Sequence[Value] = tiles if token is None else [*tiles, token]
        for old, new in zip(replaced, made, strict=True):
            old.replace_all_uses_with(new)
        op.erase()

    def _insert(self, op: tileas_tile.InsertSliceOp) -> None:
        """Replace `insert_slice` into a large tile by an insertion into its array. The array is changed in
        place if an `insert_slice` or a loop of the same block made it and it has no other use; otherwise the
        tile is first copied to a new array. A part of more than `slice_elements` elements is inserted slice
        by slice.
        """
        emit, whole, part = SliceBuilder.before(op), op.destination, op.source
        maker = whole.owner
        is_own = isinstance(maker, tileas_tile.InsertSliceOp | ForOp) and maker.parent is op.parent
        is_last = is_own and is_in_arrays(whole.type) and sum(whole.uses.values()) == 1
        own = whole if is_last else self.filled(emit, whole)
        shape, sizes = shape_of(whole.type), shape_of(part.type)
        starts = [emit.start(*one) for one in zip(op.offsets, sizes, shape, strict=True)]
        if prod(sizes) <= self.slice_elements:
            made = emit.put(part, own, starts)
        else:
            source = self.array(part) if self.is_large(part) else part

            def round(inside: SliceBuilder, number: Value, carried: CarriedTiles) -> CarriedTiles:
                place = SliceState(inside, number, self.slice_elements)
                offsets = place.offsets(sizes)
                some = inside.extract(source, offsets, place.box(sizes))
                at = [inside.sum(start, offset) for start, offset in zip(starts, offsets, strict=True)]
                return [inside.put(some, carried[0], at)]

            made = emit.loop(prod(sizes) // self.slice_elements, [own], round)[0]
        op.result.replace_all_uses_with(made)
        op.erase()

    def _element(self, op: ExtractOp) -> None:
        """Replace the extraction of an element by an extraction from the slice that contains the element."""
        emit, shape = SliceBuilder.before(op), shape_of(op.source.type)
        box = Slices.of(shape, self.slice_elements).box
        starts = [emit.start(at, 1, extent) for at, extent in zip(op.indices, shape, strict=True)]
        offsets = [
            emit.times(emit.bits(start, size.bit_length() - 1, extent.bit_length()), size)
            for start, size, extent in zip(starts, box, shape, strict=True)
        ]
        part = emit.extract(self.array(op.source), offsets, box)
        inner = [emit.bits(start, 0, size.bit_length() - 1) for start, size in zip(starts, box, strict=True)]
        op.set_operand(0, part)
        for at, value in enumerate(inner):
            op.set_operand(1 + at, value)

    def _scan(self, op: tileas_tile.ScanOp) -> None:
        """Let a scan read and write whole arrays, because each element depends on elements of other slices."""
        for at, value in enumerate(op.inputs):
            op.set_operand(at, self.array(value))
        for result in op.results:
            result.type = encoded(tile_type(result), ThreadArraysAttr(self.threads))

    # --- loops and branches

    def _carry(self, op: ForOp | IfOp) -> None:
        """Let a loop or branch pass on arrays instead of large tiles.

        A loop has its own array for each iteration argument; the tile of the next iteration is copied into
        it.
        """
        kept: list[Value] = []
        if isinstance(op, ForOp):
            first = len(op.operands) - len(op.initArgs)
            emit = SliceBuilder.before(op)
            for at, value in enumerate(op.initArgs):
                if self.is_large(value):
                    own = self.filled(emit, value)
                    op.set_operand(first + at, own)
                    op.region.blocks[0].arguments[1 + at].type = own.type
            kept = list(op.region.blocks[0].arguments[1:])
        for result in filter(self.is_large, op.results):
            result.type = encoded(tile_type(result), ThreadArraysAttr(self.threads))
        for region in op.regions:
            for block in region.blocks:
                self._visit_all(block, kept)

    def _hand_on(self, end: Operation, kept: Sequence[Value]) -> None:
        """Let the terminator `end` yield arrays. In a loop, where ``kept`` are the iteration arguments, the
        yielded tiles are copied into the loop's arrays, after all of them have been read.
        """
        emit = SliceBuilder.before(end)
        large = {at: value for at, value in enumerate(end.operands) if self.is_large(value)}
        if not kept:
            for at, value in large.items():
                end.set_operand(at, self.array(value))
            return
        read = {at: self.filled(emit, value) for at, value in large.items() if value is not kept[at]}
        for at, value in read.items():
            end.set_operand(at, self._copied(emit, value, kept[at]))

    def _copied(self, emit: SliceBuilder, value: Value, into: Value) -> Value:
        shape = shape_of(value.type)

        def round(inside: SliceBuilder, number: Value, carried: CarriedTiles) -> CarriedTiles:
            place = SliceState(inside, number, self.slice_elements)
            part = inside.extract(value, place.offsets(shape), place.box(shape))
            return [inside.put(part, carried[0], place.offsets(shape))]

        return emit.loop(prod(shape) // self.slice_elements, [into], round)[0]


def is_source(op: Operation) -> bool:
    """Return whether an operation can be repeated at little cost to compute slices of its result, as it has
    no tiles as operands.
    """
    return isinstance(op, SplatOp | MakeRangeOp) or (isinstance(op, tileas_tile.GenerateOp) and not op.inputs)


def _splat(op: Operation, place: SliceState) -> Sequence[Value]:
    assert isinstance(op, SplatOp), "the rule of splats"
    return [place.emit(SplatOp, source=op.source, value=op.value, type=place.sliced_type(op.result))]


def _unset(op: Operation, place: SliceState) -> Sequence[Value]:
    return [place.emit(tileas_tile.AllocTensorOp, type=place.sliced_type(op.results[0]))]


def _range(op: Operation, place: SliceState) -> Sequence[Value]:
    assert isinstance(op, MakeRangeOp), "the rule of ranges"
    emit, type = place.emit, op.lower.type
    (offset,) = place.offsets(shape_of(op.result.type))
    (size,) = place.box(shape_of(op.result.type))
    behind = offset if offset.type is type else emit(arith_conversion.IndexCastOp, offset, type=type)
    lower = emit(arith.AddIOp, op.lower, behind)
    upper = emit(arith.AddIOp, lower, emit(arith.ConstantOp, builtin_attributes.IntegerAttr(type, size)))
    return [emit(MakeRangeOp, lower, upper, type=place.sliced_type(op.result))]


@dataclass(frozen=True)
class SliceTiles(Pass):
    """Converts tiles of more than `elements` elements per thread, if they are larger than a slice, to arrays
    in the memory of threads.

    The code for a tile in registers grows with the tile, and a thread has a few hundred registers. So a
    larger tile is computed by a loop over slices (of `slice` elements in row-major order, or more where
    threads would be idle otherwise), with the same operations on smaller tiles; later passes need no other
    rules. An array is a tile whose type says that it is in memory. `extract_slice` and `insert_slice` read
    and write slices, in place, as an array is written only where it is created. Element-wise operations are
    computed in the loop of their user; loads, stores and updates have a loop each; a reduction reduces
    slices, then their results, which is the order of the whole. Loops copy the arrays that they carry. A
    product is computed part by part of its result, and a scan reads and writes whole arrays.

    Without encodings the module has tiles without layouts, and computes the same results bit for bit.
    Operations without a rule (messages, `scf.while`) get their tiles in registers, loaded from arrays and
    stored back. At its end the pass checks that no operation with a rule has a large tile in registers, and
    that no array is read after it was overwritten.
    """

    name: ClassVar[str] = "nv-tileas-slice-tiles"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith", "scf")
    elements: int = 128
    slice: int = SLICE

    def run(self, op: Operation, state: PassState) -> None:
        for kernel in [inner for inner in op.walk() if isinstance(inner, FuncOp)]:
            spec = kernel.kernel_spec
            if spec is not None:
                threads = THREADS * spec.warps
                slice = max(self.slice, ARRAY_VECTOR_WIDTH * threads)
                slicer = Slicer(kernel, threads, max(self.elements * threads, slice), slice)
                found = slicer.run()
                state.count("num-sliced", found)
                broken = slicer.broken_rules() if found else []
                if broken:
                    raise DiagnosticError(broken)

"""Products of matrices.

A block of the result that fits into registers goes once along the depth: for each word of it a few vectors of B, and
as many elements of A as there are rows, each repeated over the lanes.  Factors are packed first (`dot_pack`), straight
from the memory that they are loaded from.  What a product is added to is read, and the result written, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.builtin_types import f32, f64
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.memory.buffer import Buffer
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.products.ahead import Place, Walk, panel_of_right, rows_of_left
from tilewright.targets.cpu.products.block import Block, Stream, stream
from tilewright.targets.cpu.products.factor import Factor, left_factor, right_factor
from tilewright.targets.cpu.products.kinds import MICRO_KERNELS, Kind, kind_of
from tilewright.targets.cpu.products.pack import Panels, Rows, Words
from tilewright.targets.cpu.products.sums import Sums
from tilewright.targets.elements.types import element_of, memory_type, size_of
from tilewright.targets.llvm.code import Code, Index, Loop

if TYPE_CHECKING:
    from tilewright.targets.cpu.kernel.function import KernelEmitter


def dot(emit: KernelEmitter, op: DotOp) -> None:
    """``c + a @ b`` in memory: in that of ``c`` if the product is its last use."""
    room = _room(emit, op)
    left, right = left_factor(emit, op), right_factor(emit, op)
    lanes = emit.target.vector_bytes // 4
    transposed = right.width < lanes and right.width < left.width
    if transposed:
        left, right = right, left
    sums = Sums(emit, op, room, _kind(emit, op, left, right), transposed=transposed)
    batches = room.shape[0] if len(room.shape) > 2 else 1
    _Product(emit, left, right, sums, batches).emit()
    emit.buffers[op.result] = room
    emit.overwritable.add(op.result)


def _room(emit: KernelEmitter, op: DotOp) -> Buffer:
    """Memory for the result."""
    replaced = _replaced(emit, op.c, op)
    return emit.buffers[replaced] if replaced is not None else emit.buffer_for(op.result)


def _replaced(emit: KernelEmitter, value: Value, user: Operation) -> Value | None:
    """A tile in memory that is read for the last time, at the element that is written then."""
    if value in emit.buffers:
        mine = emit.may_overwrite(value, user)
        return value if mine and value.type is user.results[0].type else None
    if (
        not isinstance(value, OpResult)
        or not value.has_one_use
        or not operation_table.keeps_place(value.owner)
    ):
        return None
    found = [_replaced(emit, operand, value.owner) for operand in value.owner.operands]
    return next((leaf for leaf in found if leaf is not None), None)


class _Product:
    """Loops over blocks of the result that fit into registers."""

    def __init__(self, emit: KernelEmitter, left: Factor, right: Factor, sums: Sums, batches: int) -> None:
        self.code: Code = emit.code
        self.sums, self.kind = sums, sums.kind
        self.batches, self.rows = batches, left.width
        lanes = emit.target.vector_bytes // size_of(self.kind.word)
        self.block = _block(emit, self.kind, left, right, lanes)
        self.width = self.block.lanes * self.block.vectors
        self.panels = right.width // self.width
        once = self.rows <= 2 * self.block.height
        self.left = Rows(emit, left, self.kind, lanes, self.rows)
        self.right = Panels(emit, right, self.kind, lanes, self.width, once=once)

    def emit(self) -> None:
        """Write the loops over matrices, panels of B and rows of A."""

        def matrix(batch: Index) -> None:
            left = self.left.in_place(batch, 0) or self.left.packed(batch, 0)
            self.code.each(self.panels, 1, lambda number: self._panel(Panel(batch, number, left)))

        self.code.each(self.batches, 1, matrix)

    def _panel(self, at: Panel) -> None:
        """All rows of the result for one panel of B; the rows that do not fill a block come first."""
        words = self.right.in_place(at.batch, at.number) or self.right.packed(at.batch, at.number)
        right = self._columns(words)
        first = self.rows % self.block.height
        if first:
            self._rows(replace(self.block, height=first), at, 0, right)

        def rows(loop: Loop) -> Sequence[Value]:
            self._rows(self.block, at, loop.index, right)
            return ()

        self.code.loop(first, self.rows, self.block.height, (), rows)

    def _columns(self, words: Words) -> Stream:
        """The vectors of a panel of B."""
        vectors = [at * self.block.lanes * self.kind.group for at in range(self.block.vectors)]
        return stream(self.code, words.address, vectors, words.depth, self.block.unroll)

    def _rows(self, block: Block, at: Panel, row: Index, right: Stream) -> None:
        """One block of the result."""
        walks = self._walks(Place(row, at.number, block.height, self.rows, self.panels))

        def ask(stretch: Index) -> None:
            for walk in walks:
                walk.ask(self.code, stretch, block.stretches)

        left = self._words(block.height, row, at.left)
        sums = block.sums(left, right, self.sums.nothing(block.lanes), ask)
        column = self.code.multiply(at.number, self.width)
        self.sums.add((at.batch, row, column), sums, block.vectors, block.lanes)

    def _words(self, height: int, row: Index, left: Words) -> Stream:
        """The words of rows of A."""
        code = self.code
        start = code.address(left.address, code.multiply(row, left.across), memory_type(self.kind.held))
        across = [code.multiply(left.across, at) for at in range(height)]
        return stream(code, start, across, left.depth, self.block.unroll)

    def _walks(self, at: Place) -> list[Walk]:
        """What the loop along the depth asks for."""
        code, found = self.code, list[Walk]()
        left, right = self.left.load(), self.right.load()
        if left is not None and self.left.along_depth and self.rows > at.height:
            found.append(rows_of_left(code, self.left.factor, left, at))
        if right is not None and self.panels > 1:
            along = self.right.along_depth
            found.append(panel_of_right(code, self.right.factor, right, at, self.width, along_depth=along))
        return found


@dataclass(frozen=True, slots=True)
class Panel:
    """Which panel of B is used, and the rows of A."""

    batch: Index
    number: Index
    left: Words


def _block(emit: KernelEmitter, kind: Kind, left: Factor, right: Factor, lanes: int) -> Block:
    """How much of the result is computed at once."""
    kernel = MICRO_KERNELS[emit.target.vector_bytes]
    lanes, height, words = min(lanes, right.width), kernel.height(left.width), left.length // kind.group
    vectors = kernel.width(height, right.width // lanes)
    return Block(emit.code, kind, lanes, height, vectors, words, min(kernel.unroll, words))


def _kind(emit: KernelEmitter, op: DotOp, left: Factor, right: Factor) -> Kind:
    """How the products of two factors are summed."""
    exact = left.scales is not None or f64 in (left.element, right.element)
    element = left.element if left.element is right.element else f32
    total = element_of(op.c.type)
    return kind_of(element, total, emit.target, right.width, left.length, exact=exact)

"""Matrix products.

A block of the result that fits into registers runs once along the depth: for each word of the depth it loads
a few vectors of B, and one element of A for each row, broadcast over the lanes. Factors are packed first
(`dot_pack`), straight from the memory that they are loaded from. The accumulator is read once, and the result
written once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.value import Value
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.plan.products import ProductPlan
from tilewright.targets.cpu.products import ahead
from tilewright.targets.cpu.products.block import FactorStream, ProductBlock, stream
from tilewright.targets.cpu.products.loops import Panel, ProductLoops
from tilewright.targets.cpu.products.matrix_tiles import TileProduct
from tilewright.targets.cpu.products.pack import PanelWords
from tilewright.targets.cpu.products.sums import ProductAccumulation
from tilewright.targets.elements.element_types import memory_type
from tilewright.targets.llvm.code import Index, LoopBody


def dot(emit: BlockCode, op: DotOp, plan: ProductPlan) -> None:
    """Emit the product ``c + a @ b`` of the operation, and store it in the buffer of its result. If the
    operation has a flag ``accumulate`` that is false at run time, ``c`` counts as 0.
    """
    result = emit.buffer_for(op.result)
    loops = TileProduct if plan.kind.is_tiled else VectorProduct
    loops(
        emit, plan, ProductAccumulation(emit, op, result, plan.kind, is_transposed=plan.is_transposed)
    ).emit()
    emit.buffers[op.result] = result


class VectorProduct(ProductLoops):
    """Emit one product by vector instructions: the sums of a block of the result are kept in registers along
    the whole depth, and then `sums` adds them to the accumulator.
    """

    def __init__(self, emit: BlockCode, plan: ProductPlan, sums: ProductAccumulation) -> None:
        super().__init__(emit, plan, sums)
        shape = plan.block
        self.block = ProductBlock(
            emit.code, plan.kind, shape.lanes, shape.height, shape.vectors, shape.words, shape.unroll
        )

    def panel(self, at: Panel) -> None:
        """Emit all rows of the result for one panel of B; the rows that do not fill a block come first."""
        words = self.right.panel(at.batch, at.number)
        right = self._columns(words)
        first = self.rows % self.block.height
        if first:
            self._rows(replace(self.block, height=first), at, 0, right)

        def rows(loop: LoopBody) -> Sequence[Value]:
            self._rows(self.block, at, loop.index, right)
            return ()

        self.code.loop(first, self.rows, self.block.height, (), rows)

    def _columns(self, words: PanelWords) -> FactorStream:
        """Return the vectors of the panel `words` of B as a stream."""
        vectors = [at * self.block.lanes * self.kind.group for at in range(self.block.vectors)]
        return stream(self.code, words.address, vectors, words.depth, self.block.unroll)

    def _rows(self, block: ProductBlock, at: Panel, row: Index, right: FactorStream) -> None:
        """Emit one block of the result: the sums of products of the rows of A from `row` on with the panel
        `at` of B, whose words are ``right``, added to the accumulator and stored. The loop along the depth
        also prefetches.
        """
        walks = self._walks(ahead.BlockPosition(row, at.number, block.height, self.rows, self.panels))

        def ask(stretch: Index) -> None:
            for walk in walks:
                walk.prefetch(self.code, stretch, block.stretches)

        left = self._words(block.height, row, at.left)
        sums = block.sums(left, right, self.sums.nothing(block.lanes), ask)
        column = self.code.multiply(at.number, self.width)
        self.sums.add((at.batch, row, column), sums, block.vectors, block.lanes)

    def _words(self, height: int, row: Index, left: PanelWords) -> FactorStream:
        """Return the words of `height` rows of A, from row number `row` of the panel `left` on, as a stream."""
        code = self.code
        start = code.address(left.address, code.multiply(row, left.across), memory_type(self.kind.held))
        across = [code.multiply(left.across, at) for at in range(height)]
        return stream(code, start, across, left.depth, self.block.unroll)

    def _walks(self, at: ahead.BlockPosition) -> list[ahead.CacheLineWalk]:
        """Return the cache lines that the loop along the depth prefetches for the block at `at`: rows of A, a
        panel of B.
        """
        code, found = self.code, list[ahead.CacheLineWalk]()
        left, right = self.plan.left, self.plan.right
        if left.is_asked_ahead:
            found.append(ahead.rows_of_left(code, left.factor, self.left.load(), at))
        if right.is_asked_ahead:
            load, along = self.right.load(), right.along_depth
            found.append(ahead.panel_of_right(code, right.factor, load, at, self.width, along_depth=along))
        return found

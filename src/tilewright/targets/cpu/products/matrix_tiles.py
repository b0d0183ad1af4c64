"""Products by the matrix tiles of AMX: registers of 16 rows of 64 bytes, and an instruction for their product.

Four tiles hold sums, two hold rows of A, and two hold columns of B, in turn. Rows of A lie in memory with the
depth contiguous, and panels of B word by word, as for instructions that work on words. A tile of sums is
stored once, after the last product, and from there added to the accumulator row by row. Extents are powers of
two, so smaller tiles at edges are a matter of the configuration, which is loaded once for each product.
"""

from __future__ import annotations

from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.ir.builtin_types import i8, i32
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.product_kinds import TILE_ROWS, TILES_OF_SUMS
from tilewright.targets.cpu.plan.products import BlockShape
from tilewright.targets.cpu.products.loops import Panel, ProductLoops
from tilewright.targets.cpu.products.pack import PanelWords
from tilewright.targets.elements.element_types import memory_type, size_of, vector
from tilewright.targets.llvm.code import Index

LEFT, RIGHT, TILES = TILES_OF_SUMS, TILES_OF_SUMS + 2, 8
"""The numbers of the first tile for A, of the first for B, and of all tiles."""
WORD = 4
"""The size of a word, or of a sum, in bytes."""
CONFIGURATION = 64
"""The size of a configuration in bytes."""
_PALETTE, _COLUMNS_AT, _ROWS_AT = 1, 16, 48


def configuration(shape: BlockShape) -> bytes:
    """Return the 64 bytes that configure the matrix tiles for blocks of this shape: the number of rows of
    each tile, and the bytes of a row.
    """
    rows, columns = min(TILE_ROWS, shape.height), WORD * shape.lanes
    of_sums, of_left, of_right = (rows, columns), (rows, WORD * shape.unroll), (shape.unroll, columns)
    shapes = [of_sums] * LEFT + [of_left] * (RIGHT - LEFT) + [of_right] * (TILES - RIGHT)
    found = bytearray(CONFIGURATION)
    found[0] = _PALETTE
    for tile, (count, size) in enumerate(shapes):
        found[_COLUMNS_AT + 2 * tile : _COLUMNS_AT + 2 * tile + 2] = size.to_bytes(2, "little")
        found[_ROWS_AT + tile] = count
    return bytes(found)


class TileProduct(ProductLoops):
    """Emit one product by the matrix tiles of AMX: four tiles hold the sums of a block over the whole depth.
    They are then stored to the stack, and added to the accumulator row by row.
    """

    def emit(self) -> None:
        """Emit the configuration of the tiles, the loops over matrices and blocks, and the release."""
        shape, code = self.plan.block, self.code
        self.rows_of_tiles = -(-shape.height // TILE_ROWS)
        self.scratch = code.stack(shape.height * shape.vectors * shape.lanes, self.kind.sum, CONFIGURATION)
        place, data = code.stack(CONFIGURATION, i8, CONFIGURATION), configuration(shape)
        for at in range(0, CONFIGURATION, 8):
            word = int.from_bytes(data[at : at + 8], "little")
            code.store(code.integer(word), code.address(place, at), 8)
        self._call("ldtilecfg", place)
        super().emit()
        self._call("tilerelease")

    def _call(self, name: str, *arguments: Value) -> None:
        self.code.effect(
            CallIntrinsicOp, f"llvm.x86.{name}", op_bundle_sizes=(), args=arguments, result_types=[]
        )

    def _tile(self, number: int) -> Value:
        return self.code.integer(number, i8)

    def panel(self, at: Panel) -> None:
        """Emit all rows of the result for the panel `at` of B."""
        words = self.right.panel(at.batch, at.number)
        self.code.each(self.rows, self.plan.block.height, lambda row: self._block(at, row, words))

    def _block(self, at: Panel, row: Index, right: PanelWords) -> None:
        """Emit one block of the result, from row `row` on: the products of rows of A with the panel `at` of
        B, whose words are `right`, and the addition of the sums to the accumulator.
        """
        code, shape = self.code, self.plan.block
        sums = range(self.rows_of_tiles * shape.vectors)
        for tile in sums:
            self._call("tilezero", self._tile(tile))
        code.each(shape.words, shape.unroll, lambda word: self._products(at.left, row, right, word))
        stride = shape.vectors * shape.lanes
        for tile in sums:
            down, along = divmod(tile, shape.vectors)
            first = code.address(self.scratch, down * TILE_ROWS * stride + along * shape.lanes, i32)
            self._call("tilestored64", self._tile(tile), first, code.integer(WORD * stride))
        code.each(shape.height, 1, lambda one: self._add_row(at, code.add(row, one), one))

    def _products(self, left: PanelWords, row: Index, right: PanelWords, word: Index) -> None:
        """Emit the products of the words of one iteration along the depth, from word number `word` on: of the
        rows of A from `row` on with all columns of the panel of B.
        """
        code, shape = self.code, self.plan.block
        for down in range(self.rows_of_tiles):
            start = code.multiply(code.add(row, down * TILE_ROWS), left.across)
            self._load(
                LEFT + down, left.address, code.add(start, code.multiply(word, left.depth)), left.across
            )
        for along in range(shape.vectors):
            tile = RIGHT + along % 2
            column = along * shape.lanes * self.kind.group
            self._load(tile, right.address, code.add(code.multiply(word, right.depth), column), right.depth)
            for down in range(self.rows_of_tiles):
                self._call(
                    self.kind.name.removeprefix("llvm.x86."),
                    *map(self._tile, (down * shape.vectors + along, LEFT + down, tile)),
                )

    def _load(self, tile: int, base: Value, offset: Index, stride: Index) -> None:
        """Emit the load of a tile whose first row is `offset` elements after `base`, and whose rows are
        `stride` elements apart.
        """
        code, held = self.code, self.kind.held
        place = code.address(base, offset, memory_type(held))
        self._call("tileloadd64", self._tile(tile), place, code.value(code.multiply(stride, size_of(held))))

    def _add_row(self, at: Panel, row: Index, one: Index) -> None:
        """Add row number `one` of the block of sums in memory to row `row` of the accumulator, in the columns
        of the panel `at`, and write the result.
        """
        code, shape = self.code, self.plan.block
        start = code.multiply(one, shape.vectors * shape.lanes)
        type = vector(self.kind.sum, shape.lanes)
        sums = [
            code.load(code.address(self.scratch, code.add(start, each * shape.lanes), i32), type, WORD)
            for each in range(shape.vectors)
        ]
        self.sums.add((at.batch, row, code.multiply(at.number, self.width)), sums, shape.vectors, shape.lanes)

"""Estimates the registers that the tiles of a kernel take in each thread, before the tiles have layouts.

The estimate is an upper bound. A tile is live from its definition to its last use; if the last use is in a
loop that began after the definition, to the end of the loop. Factors that are loaded for a single product
come from shared memory, a few elements at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, prod
from typing import NamedTuple

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp, GenerateOp, ViewOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileas.encodings import values_in
from tilewright.lowering.tileas.matrix_layouts import WarpTiles, chosen
from tilewright.lowering.tileas_to_llvm.functions import THREADS

WORD = 32
ADDRESS_WORDS = 2
"""The number of 32-bit registers that an address takes."""
SMALLEST_COPIED = 16
"""The minimum width in bits of elements that are copied to shared memory without registers in between, for a
product.
"""
COPIES_SINCE = 80
"""The first compute capability with asynchronous copies to shared memory."""
COMPUTED = (GenerateOp, SplatOp, MakeRangeOp, ConstantTensorOp)
"""Operations whose results take no registers, because their elements are computed where they are used."""


class LiveTile(NamedTuple):
    """The live range of a tile: ``begin`` and ``end`` are the positions of its definition and of its last
    use, and ``bits`` is the size of the whole tile.
    """

    begin: int
    end: int
    bits: int


@dataclass(frozen=True)
class RegisterPressure:
    """The live ranges of the tiles of a kernel (``intervals``), and ``products``: the products that have a
    matrix instruction on ``chip``, by their position. Positions count the operations in the order of the
    text.
    """

    intervals: tuple[LiveTile, ...]
    products: Mapping[int, DotOp]
    chip: Chip

    @classmethod
    def of(cls, kernel: Operation, chip: Chip) -> RegisterPressure:
        """Return the live ranges of the tiles of `kernel` that take registers, of the addresses of its atomic
        updates, and its products that have a matrix instruction on `chip`. Tiles of pointers, of i1 and of
        computed elements take none; if `chip` has asynchronous copies, neither do the factors that are loaded
        in the loop of their product.
        """
        order = {op: at for at, op in enumerate(kernel.walk())}
        products = {at: op for op, at in order.items() if isinstance(op, DotOp) and chosen(op, chip)}
        copied = set[Value]() if chip.number < COPIES_SINCE else set(_copied(products.values()))
        found = (_interval(value, order) for value in values_in(kernel) if value not in copied)
        atomics = (_addresses(op, at) for op, at in order.items() if isinstance(op, AtomicRmwOp))
        return cls((*filter(None, found), *filter(None, atomics)), products, chip)

    def maximum(self, warps: int) -> int:
        """Return the maximum number of 32-bit registers that live tiles, and the fragments of the factors of
        a product, take in a thread at one position, in a block of `warps` warps. The kernel must have at
        least one tile or product.
        """
        at_places = {at: _fragments(op, self.chip, warps) for at, op in self.products.items()}
        for one in self.intervals:
            at_places.setdefault(one.begin + 1, 0)
        threads = warps * THREADS
        return max(
            (extra + sum(_words(one, threads) for one in self.intervals if one.begin < at <= one.end))
            for at, extra in at_places.items()
        )


def _words(one: LiveTile, threads: int) -> int:
    return ceil(one.bits / (WORD * threads))


def _interval(value: Value, order: Mapping[Operation, int]) -> LiveTile | None:
    """Return the live range of a value; None for a value that takes no registers of its own."""
    bits, owner = bits_of(value.type), value.owner
    if not bits or isinstance(owner, COMPUTED) or not isinstance(value.type, builtin_types.RankedTensorType):
        return None
    if isinstance(owner, ViewOp):
        bits = min(bits, bits_of(owner.source.type))
    block = value.parent_block
    begin = order[owner] if isinstance(owner, Operation) else order[owner.parent_op]
    if isinstance(owner, Operation) and owner.regions:
        begin = _end(owner, order)
    return LiveTile(begin, max((_last(user, block, order) for user in value.uses), default=begin), bits)


def _last(user: Operation, block: ir_block.Block | None, order: Mapping[Operation, int]) -> int:
    """Return the last position at which `user` uses a value defined in `block`. If `user` is inside of an
    operation of `block` with regions, that is the end of this operation.
    """
    if user.parent is block:
        return order[user]
    around = user
    while around.parent is not block:
        parent = around.parent_op
        assert parent is not None, "uses stand in the region of a value, or inside of it"
        around = parent
    return _end(around, order)


def _end(op: Operation, order: Mapping[Operation, int]) -> int:
    """Return the position of the last operation inside of `op`, or of `op` itself if it has no regions."""
    while op.regions and op.regions[-1].blocks and op.regions[-1].blocks[-1].last is not None:
        op = op.regions[-1].blocks[-1].last
    return order[op]


def bits_of(type: Type) -> int:
    """Return the size in bits of a tile of integers or floats, and 0 for tiles of pointers and of i1, and for
    other types.
    """
    if not isinstance(type, builtin_types.RankedTensorType):
        return 0
    element = type.element_type
    width = element.width if isinstance(element, builtin_types.FloatType | builtin_types.IntegerType) else 0
    return prod(type.shape) * width if width > 1 else 0


def _addresses(op: AtomicRmwOp, at: int) -> LiveTile | None:
    """Return the live range of the addresses of the atomic update at position `at`: one address for each
    element, live only at the update itself.
    """
    shape = shape_of(op.value.type) if isinstance(op.value.type, builtin_types.RankedTensorType) else (1,)
    return LiveTile(at - 1, at, prod(shape) * ADDRESS_WORDS * WORD)


def _copied(products: Iterable[DotOp]) -> Iterator[Value]:
    """Yield the tiles that are copied asynchronously to shared memory instead of being held in registers:
    factors of at least `SMALLEST_COPIED` bits that are loaded in the loop of their product, and the tiles
    that they are views of.
    """
    for op in products:
        for factor in (op.a, op.b):
            path: list[Value] = [factor]
            while isinstance(path[-1].owner, ViewOp):
                path.append(path[-1].owner.source)
            load = path[-1].owner
            if (
                bits_in_memory(factor.type) >= SMALLEST_COPIED
                and isinstance(load, LoadOp)
                and load.parent is op.parent
                and isinstance(op.parent_op, ForOp)
            ):
                yield from path


def _fragments(op: DotOp, chip: Chip, warps: int) -> int:
    """Return the registers of a thread for the fragments of both factors in one step along the common
    dimension.
    """
    product = chosen(op, chip)
    assert product is not None, "the product has an instruction"
    shape, depth = shape_of(op.result.type), shape_of(op.a.type)[-1]
    tiles = WarpTiles.of(product, shape, depth, warps, along_rows=False)
    lines = shape[-2] // tiles.rows + shape[-1] // tiles.columns
    return ceil(lines * product.instruction.shape[2] * product.instruction.bits / (WORD * THREADS))

"""The matrix instruction of a product, and the distribution of its tiles over the warps of a block.

The result is cut into one rectangle for each warp, and the rectangle into atoms, the tiles of one instruction.
Registers count the elements of an atom first, then atoms: atoms of A along the common dimension first, atoms of the
result along a row. Atoms of B come along a row as well, except for elements of a byte, where they come along the common
dimension first. A warp holds all of A and B that its rectangle needs, so that warps of one row share the same part of A.

Columns may be in another order than in the instruction: which column of the result is which of the instruction is free,
if B has the same order; and so is the order along the common dimension, if A and B have the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.cute_nvgpu.mma_types import ptx_name
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, rules as tileas_rules
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, f32, f64, i8, i32
from tilewright.layouts.bits import set_bits
from tilewright.layouts.fragments import mma_fragment
from tilewright.layouts.linear import LinearLayout, log2
from tilewright.layouts.matrix_instructions import Multiplication, multiplication, multiplications

SUMS = frozenset({f32, f64, i32})
"""The element types of the sums of matrix instructions; products with f16 sums are computed by threads, in
f32.
"""
SMALLEST_TRANSPOSED = 16
"""The minimum width in bits of elements that `ldmatrix` can transpose."""
UNSIGNED_BYTE = IntegerType(8, "unsigned")


def chosen(op: DotOp, chip: Chip) -> Multiplication | None:
    """Return the largest matrix instruction of a chip that fits into the tiles of a product. Return None if
    the chip has none, and for a product with scales, with an ``accumulate`` flag, or whose atom says that
    threads compute it.
    """
    if tileas_rules.is_universal(op.atom) or op.sfa is not None or op.accumulate is not None:
        return None
    a, b = (_factor(value.type, sign) for value, sign in ((op.a, op.signedness_a), (op.b, op.signedness_b)))
    total = element_of(op.result.type)
    if a is None or b is None or total not in SUMS:
        return None
    extents = (*shape_of(op.result.type)[-2:], shape_of(op.a.type)[-1])
    fitting = (
        one
        for one in multiplications(a, b, ptx_name(total), chip.number)
        if all(extent >= atom for extent, atom in zip(extents, one.instruction.shape, strict=True))
    )
    return next(fitting, None)


def _factor(type: Type, sign: Signedness | None) -> str | None:
    """Return PTX's name of a factor's element type, such as `bf16` or `s8`. The name of i8 depends on `sign`;
    return None for i8 without one.
    """
    element = element_of(type)
    if element is not i8:
        return ptx_name(element)
    return None if sign is None else ptx_name(UNSIGNED_BYTE if sign is Signedness.UNSIGNED else i8)


def atom_of(op: DotOp) -> Multiplication | None:
    """Return the matrix instruction that the atom of a product names; None if it has no atom or the atom
    names none: then threads compute the product.
    """
    return multiplication(op.atom.instruction) if op.atom is not None else None


def as_atom(found: Multiplication) -> tileas_attributes.AtomAttr:
    """Return the atom attribute for a product that is computed by the matrix instruction `found`."""
    return tileas_attributes.AtomAttr(found.name)


def has_steps_first(product: Multiplication) -> bool:
    """Return whether consecutive registers of B hold atoms along the common dimension, and not along a row.

    An instruction loads several atoms; those along a row are all needed in one step, so fewer registers hold
    fragments. Bytes are an exception, since no instruction transposes them: neighbours along the common
    dimension share a register.
    """
    return product.instruction.bits < SMALLEST_TRANSPOSED


@dataclass(frozen=True)
class WarpTiles:
    """The distribution of the tiles of a product, by the matrix instruction ``product``, over warps: ``rows``
    by ``columns`` warps along the result.

    ``shape`` is the shape of the result, ``depth`` the extent of the common dimension, ``batches`` the number
    of warps over which batches are distributed, ``spare`` the number of warps that hold the same elements.
    The product of ``rows``, ``columns``, ``batches`` and ``spare`` is the number of warps. ``order`` is the order of the
    columns of the result, and ``depth_order`` that along the common dimension: for each bit of a number in the
    instructions, the bit of the number in the tile; empty for the same order.
    """

    product: Multiplication
    shape: tuple[int, ...]
    depth: int
    rows: int
    columns: int
    batches: int
    spare: int
    order: tuple[int, ...] = ()
    depth_order: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, product: Multiplication, shape: Sequence[int], depth: int, warps: int, *, along_rows: bool
    ) -> WarpTiles:
        """Return the distribution over `warps` warps that leaves the fewest of them spare, and then loads the
        fewest elements: each warp's part of the result is as square as possible. ``shape`` is the shape of
        the result, ``depth`` the extent of the common dimension. With ``along_rows`` distributions with fewer
        ``columns`` come first, so that a warp has whole rows if possible.
        """
        m, n, _ = product.instruction.shape
        atoms = shape[-2] // m, shape[-1] // n
        choices = [
            (batches, rows, columns)
            for batches in _powers(min(prod(shape[:-2]), warps))
            for rows in _powers(min(atoms[0], warps // batches))
            for columns in _powers(min(atoms[1], warps // batches // rows))
        ]

        def cost(choice: tuple[int, int, int]) -> tuple[int, int, float]:
            batches, rows, columns = choice
            idle = warps // prod(choice)
            loaded = (shape[-2] // rows + shape[-1] // columns) / batches
            return idle, columns if along_rows else 0, loaded

        batches, rows, columns = min(choices, key=cost)
        spare = warps // (batches * rows * columns)
        return cls(product, tuple(shape), depth, rows, columns, batches, spare)

    def a(self) -> LinearLayout:
        """Return the layout of the left-hand factor, whose shape is the batches, the rows of the result and
        ``depth``.
        """
        tile = (*self.shape[:-1], self.depth)
        found = self._spread("A", tile, (-1, -2), ((None, self.columns), (-2, self.rows)))
        return _reordered(found, {-1: self.depth_order})

    def b(self) -> LinearLayout:
        """Return the layout of the right-hand factor, whose shape is the batches, ``depth`` and the columns
        of the result.
        """
        tile = (*self.shape[:-2], self.depth, self.shape[-1])
        order = (-2, -1) if has_steps_first(self.product) else (-1, -2)
        found = self._spread("B", tile, order, ((-1, self.columns), (None, self.rows)))
        return _reordered(found, {-2: self.depth_order, -1: self.order})

    def c(self) -> LinearLayout:
        """Return the layout of the result and of the addend."""
        found = self._spread("C", self.shape, (-1, -2), ((-1, self.columns), (-2, self.rows)))
        return _reordered(found, {-1: self.order})

    def with_neighbours(self) -> WarpTiles:
        """Return the distribution with the columns in an order in which each thread holds neighbours, and the lanes that
        share a row hold consecutive parts of it. It is the same if warps share a row.

        Then a sum of neighbours first is a sum of registers first.
        """
        if self.columns > 1:
            return self
        found, steps = self.c(), prod(self.shape[:-1])
        bits = [column // steps for column in (*found.register, *found.lane) if column >= steps]
        order = {log2(bit): at for at, bit in enumerate(bits)}
        return replace(self, order=tuple(order[at] for at in range(len(order))))

    def _spread(
        self,
        operand: str,
        shape: tuple[int, ...],
        order: tuple[int, int],
        warps: Sequence[tuple[int | None, int]],
    ) -> LinearLayout:
        """Return the layout of an operand (`A`, `B` or `C`): the atom is repeated along the dimensions of
        ``order``, then along the batches. ``warps`` lists pairs of a dimension and the number of warps that
        divide it; None stands for warps that hold copies.
        """
        type = {"A": self.product.a, "B": self.product.b, "C": self.product.sum}[operand]
        atom = mma_fragment(self.product.instruction.shape, operand, type)
        swapped = operand == "B"  # the fragment of B is laid out as the transposed matrix
        extents = atom.shape[::-1] if swapped else atom.shape
        steps = [prod(shape[:at]) for at in range(len(shape))]

        def columns(found: Sequence[int]) -> tuple[int, ...]:
            places = (atom.coordinates(column) for column in found)
            return tuple(
                sum(place * step for place, step in zip(at[::-1] if swapped else at, steps[-2:], strict=True))
                for at in places
            )

        cut = {at: count for at, count in warps if at is not None}
        repeats = [
            steps[at] << bit
            for at in order
            for bit in range(log2(extents[at]), log2(shape[at] // cut.get(at, 1)))
        ]
        warp = [
            0 if at is None else steps[at] * (shape[at] // count) << bit
            for at, count in warps
            for bit in range(log2(count))
        ]
        batches = [steps[0] << bit for bit in range(log2(prod(shape[:-2])))]
        kept = len(batches) - log2(self.batches)
        warp += [*batches[kept:], *[0] * log2(self.spare)]
        batches = batches[:kept]
        return LinearLayout(
            shape, (*columns(atom.register), *repeats, *batches), columns(atom.lane), tuple(warp)
        )


def _reordered(layout: LinearLayout, orders: Mapping[int, Sequence[int]]) -> LinearLayout:
    """Return a layout with the numbers along some dimensions in another order. ``orders`` maps a dimension to
    its order, as in `WarpTiles.order`; an empty order changes nothing. The layout spans one block.
    """
    steps = [prod(layout.shape[:at]) for at in range(len(layout.shape))]

    def column(number: int) -> int:
        place = list(layout.coordinates(number))
        for dimension, order in orders.items():
            if order:
                place[dimension] = sum(1 << order[bit] for bit in set_bits(place[dimension]))
        return sum(at * step for at, step in zip(place, steps, strict=True))

    parts = (tuple(map(column, found)) for found in (layout.register, layout.lane, layout.warp))
    return LinearLayout(layout.shape, *parts)


def _powers(limit: int) -> list[int]:
    """Return the powers of two from 1 up to a limit, which is included."""
    return [1 << bit for bit in range(limit.bit_length())]

"""`nv-tileas-assign-layouts`: assigns layouts to tiles.

The layout in the type of a tile defines which thread holds which element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import ClassVar

from tilewright.dialects.arith.ops_conversion import ExtFOp, TruncFOp
from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas import ops_arith as tileas_arith, ops_memory as tileas_memory
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, row_major, view_strides
from tilewright.dialects.nv_tileas.ops_tile import DotOp, ReduceOp, ScanOp, ViewOp
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Region
from tilewright.ir.interfaces import control_flow, interface as interfaces_interface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.linear import LinearLayout, log2
from tilewright.lowering.schedule.early_loads import early_loads
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileas import coalescing, layout_rules, matrix_layouts, reduced_layouts
from tilewright.lowering.tileas.conversions.rematerialisation import RematerialisationCosts, converted, size
from tilewright.lowering.tileas.distribution import blocked, coordinates_of
from tilewright.lowering.tileas.encodings import encode, tile_type
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.passes.pass_ import Pass, PassState

Operand = tuple[Operation, int]
"""An operand: an operation, and the index of the operand."""


@dataclass(frozen=True)
class RegionDataFlow:
    """The data flow between the regions of branches and loops: ``targets`` maps each operand that is passed
    on, as (operation, index of the operand), to the block arguments and results that receive it.
    """

    targets: dict[Operand, list[Value]]

    @classmethod
    def of(cls, root: Operation) -> RegionDataFlow:
        """Return the data flow between the regions of all operations inside of `root`."""
        found: dict[Operand, list[Value]] = {}
        for op in root.walk():
            edges = interfaces_interface.concept(op, control_flow.RegionBranchOpInterface)
            if edges is not None:
                for operand, value in _edges(op, edges):
                    found.setdefault(operand, []).append(value)
        return cls(found)


def _edges(op: Operation, edges: control_flow.RegionBranchOpInterface) -> Iterator[tuple[Operand, Value]]:
    origins: list[Region | None] = [None, *op.regions]
    for origin in origins:
        source = op if origin is None else origin.blocks[0].last if origin.blocks else None
        if source is None:
            continue
        for successor in edges.successors(op, origin):
            given, taken = edges.forwarded(op, origin, successor), edges.inputs(op, successor)
            first = len(source.operands) - len(given)  # the passed values follow the condition
            for at, (_, value) in enumerate(zip(given, taken, strict=True)):
                yield (source, first + at), value


CASTS = (tileas_arith.BY_SOURCE[TruncFOp], tileas_arith.BY_SOURCE[ExtFOp])
"""Float conversions that may stand between the load of a factor and its product."""


def assign_layouts(root: Operation) -> tuple[int, int]:
    """Assign a layout to every tile of the kernels inside of `root`; functions without a kernel specification
    are left unchanged. Return the number of types that changed, and the number of conversions that were
    inserted. Without a target with a GPU, products get no matrix instructions.
    """
    target = target_of(root)
    chip = target.gpu if target is not None else None
    kernels = [op for op in root.walk() if isinstance(op, FuncOp)]
    done = [_assign(op, op.kernel_spec, chip) for op in kernels if op.kernel_spec is not None]
    return sum(types for types, _ in done), sum(conversions for _, conversions in done)


def _assign(kernel: FuncOp, spec: KernelSpecAttr, chip: Chip | None) -> tuple[int, int]:
    found = Assignment(kernel, spec.warps)
    if chip is not None:
        found.spread_products(chip)
    found.spread_copies()
    found.coalesce(early_loads(kernel, chip) if chip is not None else ())
    found.keep_results()
    changed = encode(kernel, found.encoding)
    return changed, found.convert()


class Assignment:
    """Chooses the layouts of the tiles of a kernel of `warps` warps. The methods `spread_products`,
    `spread_copies`, `coalesce` and `keep_results` are called in this order, and `convert` when the types have
    the layouts.

    The layouts of matrix instructions are propagated through elementwise operations, branches and loops.
    ``products`` has the matrix instruction of each product, distributed over warps.
    """

    def __init__(self, kernel: FuncOp, warps: int) -> None:
        self.kernel = kernel
        self.warps = warps
        self.flows = RegionDataFlow.of(kernel)
        self.products: dict[DotOp, matrix_layouts.WarpTiles] = {}
        self.spread: dict[Value, LinearLayoutAttr] = {}
        """The layouts of the tiles that do not have the default (blocked) layout."""
        self.vector_widths: coalescing.VectorWidths = {}
        self.by_rows: dict[tuple[int, ...], LinearLayoutAttr] = {}
        """The default layout, by shape, of tiles that are reduced or scanned along rows: each row is held by
        a single warp.
        """

    def layout(self, value: Value) -> LinearLayoutAttr:
        """Return the layout that was chosen for a tile, or else its default layout."""
        found = self.spread.get(value)
        return found if found is not None else self._blocked(value)

    def _blocked(self, value: Value) -> LinearLayoutAttr:
        """Return the default layout of the shape of the tile `value`: its layout in `by_rows` if it has one,
        otherwise a blocked layout with the vector width that `vector_widths` has for its number of elements
        (default: `coalescing.USUAL`).
        """
        shape = shape_of(value.type)
        if shape in self.by_rows:
            return self.by_rows[shape]
        return blocked_layout(
            shape, THREADS * self.warps, self.vector_widths.get(prod(shape), coalescing.USUAL)
        )

    def coalesce(self, early: Sequence[tileas_memory.LoadOp]) -> None:
        """Choose the vector width of blocked tiles by their accesses; the loads `early` become asynchronous copies.

        A tile that is loaded only as a factor of products is converted for the product anyway, so it gets the
        best layout for its load. Tiles that are reduced or scanned along rows have a vector width of at least
        `coalescing.USUAL`, so that a thread combines neighbours before lanes exchange data.
        """
        threads, shared = THREADS * self.warps, list[tuple[Value, coalescing.AccessWidth]]()
        for tile, moved in coalescing.accesses_of(self.kernel, frozenset(early)):
            if tile in self.spread:
                continue
            factor = self._factor(tile) if isinstance(tile.owner, tileas_memory.LoadOp) else ()
            if factor:
                vector_width = coalescing.best([moved], max(prod(shape_of(tile.type)) // threads, 1))
                for one in factor:
                    self.spread[one] = blocked_layout(shape_of(one.type), threads, vector_width)
            else:
                shared.append((tile, moved))
        self.vector_widths = coalescing.vector_widths_of(shared, threads)
        for op in self.kernel.walk():
            if isinstance(op, ReduceOp | ScanOp) and _combines_rows(op):
                elements = prod(shape_of(op.inputs[0].type))
                self.vector_widths[elements] = max(
                    self.vector_widths.get(elements, coalescing.USUAL), coalescing.USUAL
                )
        self.vector_widths |= coalescing.slices_of_arrays(self.kernel)
        if not self.products:
            self._give_rows_to_warps()

    def _give_rows_to_warps(self) -> None:
        """Give each shape that is reduced or scanned along rows a default layout in which every row is held
        by one warp: then warps exchange no data. Shapes with fewer rows than warps, or with rows too short
        for all lanes, are left out.
        """
        for op in self.kernel.walk():
            if (
                isinstance(op, ReduceOp | ScanOp)
                and _combines_rows(op)
                and layout_rules.is_tile(op.inputs[0])
            ):
                shape = shape_of(op.inputs[0].type)
                found = rows_of_warps(
                    shape, self.warps, self.vector_widths.get(prod(shape), coalescing.USUAL)
                )
                if found is not None:
                    self.by_rows[shape] = found

    def _factor(self, tile: Value) -> Sequence[Value]:
        """Return `tile` and the order-preserving views and float conversions of it, if all other uses of
        these are as factors of products with a matrix instruction; otherwise return nothing. Conversions are
        included so that each element is converted once, by the thread that loads it.
        """
        found = [tile]
        for one in found:
            for user in one.uses:
                if (isinstance(user, ViewOp) and _keeps_order(user)) or isinstance(user, CASTS):
                    found.append(user.results[0])
                elif not (isinstance(user, DotOp) and user in self.products and one in (user.a, user.b)):
                    return ()
        return found

    def encoding(self, value: Value) -> Attribute | None:
        """Return the encoding for the type of a tile: its layout, or the present encoding if the tile is an
        array in memory.
        """
        return tile_type(value).encoding if layout_rules.is_in_arrays(value.type) else self.layout(value)

    def spread_products(self, chip: Chip) -> None:
        """Select the matrix instructions of products, set their atoms, and assign the layout of the
        instruction to their results and to all tiles that the results reach. Products without an instruction
        are left alone.
        """
        for op in [op for op in self.kernel.walk() if isinstance(op, DotOp)]:
            product = matrix_layouts.chosen(op, chip)
            if product is None:
                continue
            reached = list(self._reached(op.result))
            depth = shape_of(op.a.type)[-1]
            shape = shape_of(op.result.type)
            earlier = self._with_rows(op.a)
            along_rows = any(map(_wants_rows, reached)) or earlier is not None
            found = matrix_layouts.WarpTiles.of(product, shape, depth, self.warps, along_rows=along_rows)
            if any(map(_sums_rows, reached)):
                found = found.with_neighbours()
            if earlier is not None:
                found = replace(found, depth_order=earlier.order)
            self.products[op] = found
            op.atom = matrix_layouts.as_atom(product)
            layout = LinearLayoutAttr.of(found.c())
            for value in reached:
                self.spread.setdefault(value, layout)

    def _with_rows(self, factor: Value) -> matrix_layouts.WarpTiles | None:
        """Return the distribution of another product if `factor` is computed from its result, and each of its rows is
        held by one warp: then its registers can be used as fragments without exchange. None otherwise.
        """
        made = next((one for one in self.products if factor in self._reached(one.result)), None)
        return self.products[made] if made is not None and self.products[made].columns == 1 else None

    def keep_results(self) -> None:
        """Keep the results of reductions in the layout of their source, if they are broadcast again over the
        reduced rows.
        """
        for op in self.kernel.walk():
            if isinstance(op, ReduceOp):
                found = reduced_layouts.kept_results(op, self.layout, self._carried, _keeps_order)
                for value, layout in found.items():
                    self.spread.setdefault(value, layout)

    def spread_copies(self) -> None:
        """Assign layouts to the results of `multimem` accesses to 16-bit elements: one thread holds both
        elements of the pair that an instruction accesses.
        """
        for op in self.kernel.walk():
            if layout_rules.moves_pairs(op):
                for value in filter(layout_rules.is_tile, op.results):
                    self.spread.setdefault(value, self._paired(value))

    def _paired(self, value: Value) -> LinearLayoutAttr:
        return blocked_layout(shape_of(value.type), THREADS * self.warps, coalescing.USUAL, layout_rules.PAIR)

    def _reached(self, start: Value) -> Iterator[Value]:
        """Yield `start` and all tiles that elementwise operations compute from it, or that loops and branches
        receive it as, directly or indirectly.
        """
        seen = {start}
        pending = [start]
        while pending:
            value = pending.pop()
            yield value
            new = [one for one in self._carried(value) if one not in seen]
            seen.update(new)
            pending += new

    def _carried(self, value: Value) -> Iterator[Value]:
        for user in value.uses:
            if layout_rules.is_elementwise(user):
                yield from filter(layout_rules.is_tile, user.results)
            for at, operand in enumerate(user.operands):
                if operand is value:
                    yield from self.flows.targets.get((user, at), ())

    # --- conversions

    def convert(self) -> int:
        """Insert conversions before operations whose operands do not have the required layout, one for each
        tile and layout of an operation; return their number. The types must have their layouts (`encode`).
        """
        made = 0
        for op in list(self.kernel.walk()):
            kept: dict[tuple[Value, LinearLayoutAttr], Value] = {}
            for at, wanted in self._wanted(op).items():
                value = op.operands[at]
                if tile_type(value).encoding is wanted:
                    continue
                key = value, wanted
                if key not in kept:
                    kept[key] = converted(value, wanted, op)
                    made += 1
                op.set_operand(at, kept[key])
        return made

    def _wanted(self, op: Operation) -> Mapping[int, LinearLayoutAttr]:
        """Return the layouts that an operation needs its operands in, by the index of the operand. An operand
        that is left out may have any layout.
        """
        flowing = {
            at: self.layout(self.flows.targets[op, at][0])
            for at, _ in layout_rules.tiles(op)
            if (op, at) in self.flows.targets
        }
        if flowing:
            return flowing
        if isinstance(op, DotOp) and op in self.products:
            found = self.products[op]
            return {
                at: LinearLayoutAttr.of(layout) for at, layout in enumerate((found.a(), found.b(), found.c()))
            }
        if layout_rules.moves_pairs(op):
            return {at: self._paired(value) for at, value in layout_rules.tiles(op)}
        if isinstance(op, tileas_memory.StoreOp) and not self._follows_value(op):
            return self._all_blocked(op)
        required = layout_rules.required_layouts_of(op)
        return self._all_blocked(op) if required is None else required(op, self.layout)

    def _all_blocked(self, op: Operation) -> Mapping[int, LinearLayoutAttr]:
        return {at: self._blocked(value) for at, value in layout_rules.tiles(op)}

    def _follows_value(self, op: tileas_memory.StoreOp) -> bool:
        """Return whether a store is done in the layout of its value. It is, if the conversions of addresses
        and mask to this layout cost no more than a conversion of the value to the default layout, or if the
        value is no tile.
        """
        if not layout_rules.is_tile(op.value):
            return True
        wanted, costs = self.layout(op.value), RematerialisationCosts(self.layout)
        others = [value for _, value in layout_rules.tiles(op) if value is not op.value]
        return sum(costs.of(value, wanted, alone=False) for value in others) <= size(op.value)


def _wants_rows(value: Value) -> bool:
    """Return whether each row of `value`, which is computed from the result of a product, should be held by
    one warp: a reduction uses it, or a product uses it as the left factor.
    """
    return any(
        isinstance(user, ReduceOp) or (isinstance(user, DotOp) and user.a is value) for user in value.uses
    )


def _sums_rows(value: Value) -> bool:
    """Return whether a reduction along the last dimension uses `value`."""
    last = len(shape_of(value.type)) - 1
    return any(isinstance(user, ReduceOp) and user.axis == last for user in value.uses)


def _keeps_order(op: ViewOp) -> bool:
    """Return whether a view has all elements of its source in the same row-major order."""
    shapes = [shape_of(value.type) for value in (op.source, op.result)]
    strides = row_major(shapes[1]) if op.layout is None else view_strides(op.layout)
    ordered = all(
        stride == step
        for extent, stride, step in zip(shapes[1], strides, row_major(shapes[1]), strict=True)
        if extent > 1
    )
    return ordered and prod(shapes[0]) == prod(shapes[1])


def _combines_rows(op: ReduceOp | ScanOp) -> bool:
    """Return whether a reduction or scan combines elements that are adjacent in row-major order: no dimension
    after its axis is longer than 1.
    """
    return prod(shape_of(op.inputs[0].type)[op.axis + 1 :]) == 1


@lru_cache
def rows_of_warps(shape: tuple[int, ...], warps: int, vector_width: int) -> LinearLayoutAttr | None:
    """Return the layout in which each warp holds whole rows of the last dimension, and a lane `vector_width`
    adjacent elements at a time. Return None if there are fewer rows than `warps`, or if a row has fewer
    elements than `vector_width` for each lane. All numbers are powers of two.
    """
    columns, rows = shape[-1], prod(shape[:-1])
    if rows < warps or columns < THREADS * vector_width:
        return None
    bits = [1 << at for at in range(log2(rows * columns))]
    near, lanes = log2(vector_width), log2(THREADS * vector_width)
    owned = log2(rows * columns // warps)
    place = LinearLayout(shape).number
    registers, threads, others = (
        tuple(place(coordinates_of(bit, shape)) for bit in found)
        for found in ((*bits[:near], *bits[lanes:owned]), bits[near:lanes], bits[owned:])
    )
    return LinearLayoutAttr.of(LinearLayout(shape, registers, threads, others))


@lru_cache
def blocked_layout(
    shape: tuple[int, ...], threads: int, vector_width: int, least: int = 1
) -> LinearLayoutAttr:
    """Return the default layout of a shape for `threads` threads: each thread in turn holds ``vector_width``
    neighbours in row-major order. A small tile gets a smaller vector width, but at least ``least``. All
    numbers are powers of two.
    """
    return LinearLayoutAttr.of(blocked(prod(shape), threads, vector_width, least).over(shape))


@dataclass(frozen=True)
class AssignLayouts(Pass):
    """Gives every tile of a kernel a layout, as the encoding of its type. Functions without a kernel
    specification are left alone.

    If the GPU has a matrix instruction for a product, the instruction becomes the product's atom. Its result
    has the layout of the instruction, distributed over warps, and elementwise operations, loops and branches
    propagate that layout. All other tiles have the default layout: blocked, with the vector width of the
    accesses. Exceptions: a tile that is only loaded as a factor has the best layout for its load; a result of
    a `multimem` access to 16-bit elements has both elements of a pair in one thread; in a kernel without such
    products a tile that is reduced or scanned along rows has each row in one warp, if rows are many and long
    enough; a reduction result that is broadcast again stays replicated across its row.

    If an operation needs a tile in another layout, an `nv_tileas.convert_layout` converts it: no other
    operation has an operand and a result of different layouts. The conversion of a view's result stands
    before the view.
    """

    name: ClassVar[str] = "nv-tileas-assign-layouts"

    def run(self, op: Operation, state: PassState) -> None:
        changed, conversions = assign_layouts(op)
        state.report("num-changed", changed)
        state.count("num-conversions", conversions)

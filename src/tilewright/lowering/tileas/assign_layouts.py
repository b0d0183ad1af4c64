"""`nv-tileas-assign-layouts`: the types of tiles say which thread holds which element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import ClassVar

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.dialects.nv_tileas.ops_memory import StoreOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp, ReduceOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileas.control_flow import Flows
from tilewright.lowering.tileas.distribution import blocked
from tilewright.lowering.tileas.encodings import encode, tile_type
from tilewright.lowering.tileas.layout_rules import is_elementwise, is_tile, tiles, wish_of
from tilewright.lowering.tileas.matrix_layouts import WarpTiles, as_atom, chosen
from tilewright.lowering.tileas.rematerialisation import Costs, converted, size
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.passes.pass_ import Pass, PassState


def assign_layouts(root: Operation) -> tuple[int, int]:
    """Give every tile of the kernels below an operation a layout; answers how many types changed, and conversions."""
    target = target_of(root)
    chip = target.gpu if target is not None else None
    kernels = [op for op in root.walk() if isinstance(op, FuncOp)]
    done = [_assign(op, op.kernel_spec, chip) for op in kernels if op.kernel_spec is not None]
    return sum(types for types, _ in done), sum(conversions for _, conversions in done)


def _assign(kernel: FuncOp, spec: KernelSpecAttr, chip: Chip | None) -> tuple[int, int]:
    found = Assignment(kernel, spec.num_warps)
    if chip is not None:
        found.spread_products(chip)
    changed = encode(kernel, found.layout)
    return changed, found.convert()


class Assignment:
    """The layouts of the tiles of a kernel: those of matrix instructions go as far as operations on elements carry them."""

    def __init__(self, kernel: FuncOp, warps: int) -> None:
        self.kernel = kernel
        self.warps = warps
        self.flows = Flows.of(kernel)
        self.products: dict[DotOp, WarpTiles] = {}
        self.spread: dict[Value, LinearLayoutAttr] = {}
        """The tiles that are not blocked."""

    def layout(self, value: Value) -> LinearLayoutAttr:
        """The layout of a tile."""
        found = self.spread.get(value)
        return found if found is not None else blocked_layout(shape_of(value.type), THREADS * self.warps)

    def spread_products(self, chip: Chip) -> None:
        """Choose instructions for products, and let their results keep the layout of the instruction."""
        for op in [op for op in self.kernel.walk() if isinstance(op, DotOp)]:
            product = chosen(op, chip)
            if product is None:
                continue
            reached = list(self._reached(op.result))
            depth = shape_of(op.a.type)[-1]
            shape = shape_of(op.result.type)
            along_rows = any(map(_wants_rows, reached))
            found = WarpTiles.of(product, shape, depth, self.warps, along_rows=along_rows)
            self.products[op] = found
            op.atom = as_atom(product)
            layout = LinearLayoutAttr.of(found.c())
            for value in reached:
                self.spread.setdefault(value, layout)

    def _reached(self, start: Value) -> Iterator[Value]:
        """The tiles into which operations on elements, loops and branches carry one."""
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
            if is_elementwise(user):
                yield from filter(is_tile, user.results)
            for at, operand in enumerate(user.operands):
                if operand is value:
                    yield from self.flows.targets.get((user, at), ())

    # --- conversions

    def convert(self) -> int:
        """Put conversions in front of operations that want tiles in other layouts; answers how many."""
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
        """The layouts that an operation wants, by the numbers of its operands."""
        flowing = {
            at: self.layout(self.flows.targets[op, at][0])
            for at, _ in tiles(op)
            if (op, at) in self.flows.targets
        }
        if flowing:
            return flowing
        if isinstance(op, DotOp) and op in self.products:
            found = self.products[op]
            return {
                at: LinearLayoutAttr.of(layout) for at, layout in enumerate((found.a(), found.b(), found.c()))
            }
        if isinstance(op, StoreOp) and not self._follows_value(op):
            return self._blocked(op)
        wish = wish_of(op)
        return self._blocked(op) if wish is None else wish(op, self.layout)

    def _blocked(self, op: Operation) -> Mapping[int, LinearLayoutAttr]:
        return {at: blocked_layout(shape_of(value.type), THREADS * self.warps) for at, value in tiles(op)}

    def _follows_value(self, op: StoreOp) -> bool:
        """Whether it is cheaper to have addresses where the value is than the value where addresses are."""
        if not is_tile(op.value):
            return True
        wanted, costs = self.layout(op.value), Costs(self.layout, loads=False)
        others = [value for _, value in tiles(op) if value is not op.value]
        return sum(costs.of(value, wanted) for value in others) <= size(op.value)


def _wants_rows(value: Value) -> bool:
    """Whether a row is better held by one warp: it is reduced, or is a row of another product."""
    return any(
        isinstance(user, ReduceOp) or (isinstance(user, DotOp) and user.a is value) for user in value.uses
    )


@lru_cache
def blocked_layout(shape: tuple[int, ...], threads: int) -> LinearLayoutAttr:
    """The layout of a shape for which nobody has another wish."""
    return LinearLayoutAttr.of(blocked(prod(shape), threads).over(shape))


@dataclass(frozen=True)
class AssignLayouts(Pass):
    """Gives every tile of a kernel a layout, as the encoding of its type.

    Products for which the GPU has a matrix instruction are given it as their atom; their results have the layout of the
    instruction, spread over warps, and operations on elements, loops and branches carry it on.  All other tiles get the
    blocked layout of their number of elements.  Where an operation wants a tile in another layout, there is an
    `nv_tileas.convert_layout`, the one operation whose operand and result differ in it.
    """

    name: ClassVar[str] = "nv-tileas-assign-layouts"

    def run(self, op: Operation, state: PassState) -> None:
        changed, conversions = assign_layouts(op)
        state.report("num-changed", changed)
        state.count("num-conversions", conversions)

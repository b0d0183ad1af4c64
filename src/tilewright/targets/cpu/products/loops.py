"""The loops of a product over the matrices of a batch and over panels of B, whatever computes the blocks."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.plan.products import ProductPlan
from tilewright.targets.cpu.products.pack import PanelPacker, PanelWords
from tilewright.targets.cpu.products.sums import ProductAccumulation
from tilewright.targets.llvm.code import Index, LlvmBuilder


@dataclass(frozen=True, slots=True)
class Panel:
    """Panel number `number` of B in matrix number `batch` of a batch, and the rows of A, `left`, that are
    multiplied with it.
    """

    batch: Index
    number: Index
    left: PanelWords


class ProductLoops:
    """Emit one product as planned: loops over the matrices of a batch and over panels of B. `sums` adds the
    sums of products to the accumulator and writes the result. Subclasses implement `panel`.
    """

    def __init__(self, emit: BlockCode, plan: ProductPlan, sums: ProductAccumulation) -> None:
        self.code: LlvmBuilder = emit.code
        self.plan, self.sums, self.kind = plan, sums, plan.kind
        self.batches, self.rows, self.panels = plan.batches, plan.rows, plan.panels
        self.width = plan.right.width
        self.left = PanelPacker(emit, plan.left, plan.kind)
        self.right = PanelPacker(emit, plan.right, plan.kind)

    def emit(self) -> None:
        """Emit the loops over matrices, panels of B and rows of A."""

        def matrix(batch: Index) -> None:
            left = self.left.panel(batch, 0)
            self.code.each(self.panels, 1, lambda number: self.panel(Panel(batch, number, left)))

        self.code.each(self.batches, 1, matrix)

    def panel(self, at: Panel) -> None:
        """Emit all rows of the result for the panel `at` of B. Subclasses implement this method."""
        raise NotImplementedError

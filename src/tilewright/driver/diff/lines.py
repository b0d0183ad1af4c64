"""Operations as single lines in their custom syntax, values of both modules named alike."""

from __future__ import annotations

from tilewright.driver.diff.matching import ModuleMatching
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hook
from tilewright.ir.text.names import OperationNames
from tilewright.ir.text.printer import Printer, PrintOptions

_LINE = PrintOptions(skip_regions=True, elide_elements_above=16)
_WHOLE = PrintOptions(elide_elements_above=16)
NEW = "%new."


class Lines(Printer):
    """Prints operations of one module one by one, named as in the text of the whole module."""

    def __init__(self, root: Operation) -> None:
        super().__init__(_LINE)
        self._numbering = OperationNames(root, hints=True, unique=False)
        self.names = self._numbering.values

    def rename(self, ours: Lines, matching: ModuleMatching) -> None:
        """Use the names of the first module for values with a counterpart there; mark the names of the others."""
        assert self._numbering is not None
        assert ours._numbering is not None
        partners = {b: a for a, b in matching.values.items()}
        for value, name in self.names.items():
            partner = partners.get(value)
            self.names[value] = name.replace("%", NEW, 1) if partner is None else ours.names[partner]
        groups, our_groups = self._numbering.groups, ours._numbering.groups
        same = {b: a for a, b in matching.pairs if len(a.results) == len(b.results)}
        for op, left in groups.items():
            partner = same.get(op)
            groups[op] = left.replace("%", NEW) if partner is None else our_groups.get(partner, left)

    def line(self, op: Operation) -> str:
        """Return an operation with ``{...}`` in place of its regions."""
        return self._text(op, _LINE)

    def lines(self, op: Operation) -> list[str]:
        """Return an operation with everything in it."""
        return self._text(op, _WHOLE).split("\n")

    def label(self, block: Block) -> str:
        """``^bb1`` of a block."""
        return self._label(block)

    def _text(self, op: Operation, options: PrintOptions) -> str:
        self.options = options
        self._indent = ""
        owner = op.parent_op
        self._default_dialect = (hook(owner, "default_dialect") or "") if owner is not None else "builtin"
        self._operation(op)
        return self.finish()

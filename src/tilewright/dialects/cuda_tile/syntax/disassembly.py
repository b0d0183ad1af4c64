"""Text of bytecode as ``tileirdisasm`` prints it: globals and kernels without a module around them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.cuda_tile.ops.control import ForOp, GlobalOp, IfOp, LoopOp, ModuleOp
from tilewright.dialects.cuda_tile.syntax.custom import DIALECT, TextStyle
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.text.aliases import LocationAliases
from tilewright.ir.text.printer import Printer, PrintOptions, is_empty_terminator

DISASSEMBLY_STYLE = TextStyle(mnemonics={"cuda_tile.pow": "fpowf"}, terse=True)
PRODUCER = "// Producer: "
"""The text before the name of the producer."""
_ELIDING = (ForOp, IfOp, LoopOp)
"""Operations whose text omits a terminator without operands."""


class _DisassemblyAliases(LocationAliases):
    """Location aliases that are all defined after the text, none before it."""

    def early(self) -> Iterator[Attribute]:
        return iter(())

    def deferred(self) -> Iterator[Attribute]:
        return iter(self.names)


class DisassemblyPrinter(Printer):
    """Prints the producer of a Tile IR module as a comment, then its globals and its kernels, without the
    module itself. The module's location is printed only if the module is empty.
    """

    tile_style = DISASSEMBLY_STYLE

    def operation_name(self, op: Operation) -> str:
        """Return the name of an operation without its dialect, or its spelling in `DISASSEMBLY_STYLE`, such
        as ``fpowf``.
        """
        return self.tile_style.mnemonics.get(op.kind.name) or op.kind.name.removeprefix(f"{DIALECT}.")

    def aliases(self, root: Operation) -> LocationAliases:
        """Return the aliases of the locations of the printed operations, or of the location of ``root``, the
        module, if nothing is printed. They are all defined after the text.
        """
        printed = [inner for op in _top_level(root) for inner in op.walk() if not _is_left_out(inner)]
        return _DisassemblyAliases(root, printed or [root], shows_arguments=lambda block: False)

    def _operation(self, op: Operation) -> None:
        if not isinstance(op, ModuleOp):
            super()._operation(op)
            return
        if op.producer is not None:
            self.write(f"{PRODUCER}{op.producer}\n")
        for number, inner in enumerate(_top_level(op)):
            self.write("\n" if number else "")
            super()._operation(inner)


def _top_level(module: Operation) -> list[Operation]:
    """Return the globals of a module, then its kernels, each in source order."""
    return sorted(module.regions[0].block.ops, key=lambda op: not isinstance(op, GlobalOp))


def _is_left_out(op: Operation) -> bool:
    """Return whether an operation is a terminator that the text omits: one without operands in a `for`, `if`
    or `loop`.
    """
    return isinstance(op.parent_op, _ELIDING) and is_empty_terminator(op)


def disassemble(module: ModuleOp, *, debug_info: bool = False) -> str:
    """Return the text of a module's globals and kernels, ended by a newline; ``debug_info`` adds locations."""
    with paused_collection():
        return DisassemblyPrinter(PrintOptions(debug_info=debug_info)).print_module(module) + "\n"

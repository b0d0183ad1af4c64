"""Reads back what `tilewright.dialects.cuda_tile.syntax.disassembly` prints: globals and kernels without a module around."""

from __future__ import annotations

import re

from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.syntax.custom import DIALECT
from tilewright.dialects.cuda_tile.syntax.disassembly import DISASSEMBLY_STYLE, PRODUCER
from tilewright.ir import block as ir_block, builtin_attributes, context as ir_context
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.support import collection, strings
from tilewright.ir.text import lexer as text_lexer, parser as text_parser

MODULE_NAME = "kernels"
"""The name given to the module, which such text does not state."""
_PRODUCER = strings.pattern(rf"\s*{re.escape(PRODUCER)}([^\n]*)")
_KIND_NAMES = {mnemonic: name for name, mnemonic in DISASSEMBLY_STYLE.mnemonics.items()}


class DisassemblyParser(text_parser.Parser):
    """A parser with the default dialect ``cuda_tile`` that accepts the mnemonics of `DISASSEMBLY_STYLE`, such
    as ``fpowf``.
    """

    def __init__(self, context: ir_context.Context, text: str, file_name: str = "<string>") -> None:
        super().__init__(context, text, file_name)
        self.default_dialect = DIALECT

    def custom_kind(self, name: str) -> OperationKind | None:
        """Return the kind of the operation that a text in custom form calls ``name``, such as ``fpowf`` for
        `cuda_tile.pow`; None if it is unknown.
        """
        return super().custom_kind(_KIND_NAMES.get(name, name))


def parse_disassembly(context: ir_context.Context, text: str, file_name: str = "<string>") -> ModuleOp:
    """Parse globals and kernels without a module around them; return them in a module called `kernels`. A
    ``// Producer:`` comment at the start becomes its attribute ``producer``. Locations of arguments are
    unknown, since such text does not show them. Raises `DiagnosticError` with all errors of the text. The
    module is not verified.
    """
    with collection.paused_collection():
        operations = DisassemblyParser(context, text, file_name).parse_top_level()
    block = ir_block.Block()
    for op in operations:
        block.append(op)
    attributes: dict[str, Attribute] = {"sym_name": builtin_attributes.StringAttr(MODULE_NAME)}
    producer = _PRODUCER.match(text)
    if producer is not None:
        attributes["producer"] = builtin_attributes.StringAttr(producer[1])
    location = text_lexer.SourceText(text, file_name).location(0)
    regions = [ir_block.Region([block])]
    made = Operation.from_parts(ModuleOp.op_kind, attributes=attributes, regions=regions, location=location)
    assert isinstance(made, ModuleOp)
    return made

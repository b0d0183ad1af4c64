"""Through the generic text and back."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module

CONTEXT = Context([CUDA_TILE])
GENERIC = PrintOptions(generic=True)


def reparsed(module: Operation) -> Operation:
    """The module that the generic text of ``module`` says, after checking that it is the same one."""
    text = module.print(GENERIC)
    parsed = parse_module(CONTEXT, text)
    assert difference(module, parsed) is None
    assert parsed.print(GENERIC) == text
    return parsed

"""Modules of Tile IR on their way to `nv_tileaa`."""

from __future__ import annotations

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.driver.startup import context
from tilewright.ir.block import Block, Region
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering.cuda_tile_to_tileaa.conversion import ConvertCudaTileToTileAA
from tilewright.passes.manager import PassManager

CONTEXT = context()


def parsed(text: str) -> Operation:
    """A text in a module."""
    return parse_module(CONTEXT, text, implicit_module=True)


def kernel(body: str, parameters: str = "", name: str = "k") -> str:
    """The text of a module with one kernel."""
    return f"cuda_tile.module @kernels {{\n entry @{name}({parameters}) {{\n{body}\n return\n }}\n}}"


def wrapped(module: Operation) -> ModuleOp:
    """A Tile IR module in a module."""
    if isinstance(module, ModuleOp):
        return module
    block = Block()
    block.append(module)
    return ModuleOp(bodyRegion=Region([block]))


def lowered(module: Operation | str, capability: str = "host") -> ModuleOp:
    """The module after the pass; nothing of Tile IR is left, and the text reads back as it was written."""
    made = wrapped(parsed(module) if isinstance(module, str) else module)
    manager = PassManager(CONTEXT)
    manager.add(ConvertCudaTileToTileAA(compute_capability=capability))
    manager.run(made)
    return made


def check(module: Operation) -> str:
    """The text of a lowered module, which is valid, reads back, and has nothing of Tile IR."""
    assert verify(module) == []
    text = str(module)
    assert "cuda_tile" not in text
    assert str(parse_module(CONTEXT, text)) == text
    return text


def failure_of(module: Operation | str, capability: str = "host") -> DiagnosticError:
    """Why a module cannot be lowered."""
    made = wrapped(parsed(module) if isinstance(module, str) else module)
    before = str(made)
    try:
        lowered(made, capability)
    except DiagnosticError as error:
        assert str(made) == before, "nothing may change"
        return error
    raise AssertionError("it was lowered")

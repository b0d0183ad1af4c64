"""Every operation of Tile IR on a few drawn types: the text that it becomes, which is valid and reads back.

``pytest --bless`` writes the texts anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import compare
from tests.lowering.cuda_tile_to_tileaa.lowered import check, lowered
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops import preview
from tilewright.ir.operation import Operation
from tilewright.testing import enclosing_module, sample_operations

FOLDER = Path(__file__).parent / "golden"
SAMPLES = 2
OPERATIONS = [op for op in CUDA_TILE.operations if issubclass(op, TileOp) and op not in preview.OPERATIONS]
"""Operations that are refused, not converted, are left out."""


def lowered_text(op: Operation) -> str:
    """The module of an operation before and after; long constants are cut."""
    module = enclosing_module(op)
    before = module.get_asm(large_elements_limit=8)
    made = lowered(module)
    check(made)
    return f"{before}\n// becomes\n{made.get_asm(large_elements_limit=8)}\n"


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda op: op.op_kind.mnemonic)
def test_operation(op_class: type[TileOp], bless: bool) -> None:
    drawn = sample_operations(op_class, SAMPLES, seed="golden")
    texts = [lowered_text(op) for op in drawn]
    compare(FOLDER / f"{op_class.op_kind.mnemonic}.mlir", "\n// -----\n\n".join(texts), bless=bless)

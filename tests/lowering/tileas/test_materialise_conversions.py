"""`nv-tileas-materialise-conversions`: the way of each conversion, and the check that it leads to the threads."""

from __future__ import annotations

import re

import pytest

from tests.lowering.tileas.layout_passes import passed
from tests.targets.nvptx.tileas_to_nvvm.gpu_conversions import MATERIALISE, conversion
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_matrix import chain
from tilewright import Module, PassManager
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import RankedTensorType, f16, i1, i8, i64
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.linear_text import parse_linear
from tilewright.lowering.tileas.conversions.materialise import broken_transfers
from tilewright.lowering.tileas.conversions.rematerialisation import size

ROWS = "(128) register=4:1@0 lane=32:4@0"
WAYS = {
    "registers": (ROWS, "(128) register=(2,2):(2@0,1@0) lane=32:4@0"),
    "shuffles": (ROWS, "(128) register=(2,2):(1@0,4@0) lane=(2,16):(2@0,8@0)"),
    "shared": (ROWS, "(128) register=4:32@0 lane=32:1@0"),
}
WRONG = {
    "shuffles in the place of registers": (WAYS["shuffles"], "registers", "renames registers"),
    "other registers in other lanes": (
        ("(8) register=8:1@0 lane=32:0", "(8) register=4:1@0 lane=(2,16):(4@0,0)"),
        "registers",
        "renames registers",
    ),
    "between warps": (
        ("(64) lane=32:1@0 warp=2:32@0", "(64) lane=32:2@0 warp=2:1@0"),
        "shuffles",
        "shuffles elements that other warps have",
    ),
}


def converted(source: str, target: str, transfer: str = "") -> Module:
    return Module.parse(conversion("i32", parse_linear(source), parse_linear(target), transfer))


@pytest.mark.parametrize("way", WAYS)
def test_the_way_is_written_down(way: str) -> None:
    module = converted(*WAYS[way])
    PassManager.parse(f"builtin.module({MATERIALISE})").run(module)
    assert re.findall(r"transfer<(\w+)>", str(module)) == [way]
    assert list(broken_transfers(module.operation)) == []


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_a_wrong_way_is_found(case: tuple[tuple[str, str], str, str]) -> None:
    layouts, way, message = case
    (found,) = broken_transfers(converted(*layouts, way).operation)
    assert message in found.message


def test_an_undecided_conversion_is_found() -> None:
    (found,) = broken_transfers(converted(*WAYS["shared"]).operation)
    assert "does not say how elements get to their threads" in found.message


def test_the_pass_stops_at_a_wrong_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.dialects.nv_tileas.attributes import Transfer
    from tilewright.lowering.tileas.conversions.movements import ElementMovement

    monkeypatch.setattr(ElementMovement, "transfer", Transfer.REGISTERS)
    with pytest.raises(DiagnosticError, match=r"TW0831.*renames registers whose elements"):
        PassManager.parse(f"builtin.module({MATERIALISE})").run(converted(*WAYS["shared"]))


def test_erasing_layouts_takes_the_ways_away() -> None:
    text = str(passed(chain(64, 32, 16, 16)[0], f"nv-tileas-assign-layouts,{MATERIALISE}"))
    assert "transfer" not in text


@pytest.mark.parametrize(("type", "bytes_of_element"), [(i1, 1), (i8, 1), (f16, 2), (i64, 8)], ids=str)
def test_an_exchange_moves_whole_bytes(type: Type, bytes_of_element: int) -> None:
    """An element of a mask takes a byte, so that a mask is often computed anew."""
    (tile,) = Block([RankedTensorType((128, 32), type)]).arguments
    assert size(tile) == 128 * 32 * bytes_of_element

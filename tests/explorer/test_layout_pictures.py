"""Pictures of layouts: what they show is what the code does, and their values are on the lines that say so."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from tilewright.driver.artifact import Artifact
from tilewright.driver.compile import compile
from tilewright.explorer import layout_pictures
from tilewright.explorer.layout_pictures import MOST_CELLS, pictures_of
from tilewright.explorer.places import SourcePositions
from tilewright.explorer.schema import LayoutPicture, Page, StageRecord
from tilewright.explorer.stages import stages_of
from tilewright.layouts.grids import picture
from tilewright.targets.nvptx.drawings import DrawingKind, drawings

PRODUCT = """
#mma = loc("kernel.py":7:4)
cuda_tile.module @m {
  entry @f(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %va = make_tensor_view %a, shape = [SIZE, 32], strides = [32, 1] : tensor_view<SIZEx32xf16, strides=[32,1]>
    %vb = make_tensor_view %b, shape = [32, SIZE], strides = [SIZE, 1] : tensor_view<32xSIZExf16, strides=[SIZE,1]>
    %vc = make_tensor_view %c, shape = [SIZE, SIZE], strides = [SIZE, 1] : tensor_view<SIZExSIZExf32, strides=[SIZE,1]>
    %pa = make_partition_view %va : partition_view<tile=(SIZEx32), tensor_view<SIZEx32xf16, strides=[32,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(32xSIZE), tensor_view<32xSIZExf16, strides=[SIZE,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(SIZExSIZE), tensor_view<SIZExSIZExf32, strides=[SIZE,1]>>
    %o = constant <i32: 0> : tile<i32>
    %x, %t0 = load_view_tko weak %pa[%o, %o] : partition_view<tile=(SIZEx32), tensor_view<SIZEx32xf16, strides=[32,1]>>, tile<i32> -> tile<SIZEx32xf16>, token
    %y, %t1 = load_view_tko weak %pb[%o, %o] : partition_view<tile=(32xSIZE), tensor_view<32xSIZExf16, strides=[SIZE,1]>>, tile<i32> -> tile<32xSIZExf16>, token
    %z = constant <f32: 0.0> : tile<SIZExSIZExf32>
    %p = mmaf %x, %y, %z : tile<SIZEx32xf16>, tile<32xSIZExf16>, tile<SIZExSIZExf32> loc(#mma)
    %t2 = store_view_tko weak %p, %pc[%o, %o] : tile<SIZExSIZExf32>, partition_view<tile=(SIZExSIZE), tensor_view<SIZExSIZExf32, strides=[SIZE,1]>>, tile<i32> -> token
    return
  }
}
"""


@cache
def product() -> Artifact:
    """A product of matrices for a GPU."""
    return compile(PRODUCT.replace("SIZE", "32"), target="sm_80")


@cache
def explored() -> tuple[Page, list[StageRecord]]:
    """The stages of the product."""
    page = Page("t", "")
    return page, stages_of(product(), SourcePositions(page))


def layouts() -> StageRecord:
    return next(stage for stage in explored()[1] if stage.name == "layouts")


def of_kind(kind: str) -> list[LayoutPicture]:
    return [one for one in layouts().pictures if one.kind == kind]


def test_every_value_is_on_a_line_that_names_it_and_its_layout() -> None:
    stage = layouts()
    lines = stage.text.split("\n")
    assert of_kind("registers")
    for one in of_kind("registers"):
        for value in one.values:
            line = lines[value.line - 1]
            assert value.name.partition("#")[0] in line
            assert one.text in line or line.endswith("{"), "types stand behind regions"


def test_the_two_views_of_a_tile_agree() -> None:
    for one in of_kind("registers"):
        tensor, thread = one.tables
        held = {name: row.split(" ") for name, row in zip(thread.rows, thread.cells, strict=True)}
        assert {len(row) for row in held.values()} == {len(thread.columns)}
        for x, row in enumerate(tensor.cells):
            for y, holder in enumerate(row.split(" ")):
                name, _, register = holder.partition(":")
                assert held[name][int(register)] == f"({x},{y})"


def test_lanes_of_a_tile_in_shared_memory_are_in_different_banks() -> None:
    pictures = of_kind("shared memory")
    assert [one.text.startswith("S<") for one in pictures] == [True, True], "both factors are swizzled"
    for one in pictures:
        assert "bank conflicts: none of the store, none of the load" in one.words
        banks, by_bank = one.tables
        rows = [[int(bank) for bank in row.split(" ")] for row in banks.cells]
        assert sorted({bank for row in rows for bank in row}) == list(range(32))
        assert by_bank.columns[:4] == ["b0", "b0", "b1", "b1"]
        for line in by_bank.cells:
            for column, place in enumerate(line.split(" ")):
                x, y = map(int, re.findall(r"\d+", place))
                assert f"b{rows[x][y]}" == by_bank.columns[column]


def test_rows_that_a_matrix_load_reads_at_a_time_are_in_different_banks() -> None:
    left = of_kind("shared memory")[0].tables[0]
    rows = [[int(bank) for bank in row.split(" ")] for row in left.cells]
    assert len({rows[at][column] for at in range(8) for column in range(8)}) == 32


def test_cells_are_counted_before_tables_are_made() -> None:
    drawn = drawings(product().module("layouts"))
    assert {one.kind for one in drawn} == set(DrawingKind)
    for one in drawn:
        rows = [row for table in one.tables(one.cells) for row in table.cells]
        assert one.cells == sum(map(len, rows)), one.text


def test_fragments_of_a_product_are_those_of_its_instruction() -> None:
    page, _ = explored()
    fragments = of_kind("fragment")
    assert [one.text for one in fragments] == [
        "mma.m16n8k16.A.f16",
        "mma.m16n8k16.B.f16",
        "mma.m16n8k16.C.f32",
    ]
    assert fragments[0].tables[0].cells[0].split(" ")[:4] == ["T0:0", "T0:1", "T1:0", "T1:1"]
    assert {page.places[value.place].line for one in fragments for value in one.values} == {7}


def test_large_tables_are_left_out_with_the_command_that_draws_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_pictures, "MOST_CELLS", 3_000)
    module = compile(PRODUCT.replace("SIZE", "32"), target="sm_80").module("layouts")
    pictures = pictures_of(module, SourcePositions(Page("t", "")), {})
    rows = [row for one in pictures for table in one.tables for row in table.cells]
    assert 0 < sum(len(row.split(" ")) for row in rows) <= 3_000
    left_out = [one for one in pictures if not one.tables]
    assert left_out
    assert all(one.left_out.startswith("Its tables have ") for one in left_out)
    assert all(one.tables for one in pictures if one.kind == "fragment"), "small ones come first"


def test_a_processor_has_no_layouts() -> None:
    artifact = compile(PRODUCT.replace("SIZE", "32"))
    assert not any(stage.pictures for stage in stages_of(artifact, SourcePositions(Page("t", ""))))


def test_the_command_draws_the_same_tables() -> None:
    module = compile(PRODUCT.replace("SIZE", "32"), target="sm_80").module("layouts")
    found = pictures_of(module, SourcePositions(Page("t", "")), {})
    for drawing, made in zip(drawings(module), found, strict=True):
        svg = ElementTree.fromstring(picture(drawing.tables(MOST_CELLS)))
        texts = [
            one.text for one in svg.iter("{http://www.w3.org/2000/svg}text") if one.get("class") == "cell"
        ]
        assert texts == [text for table in made.tables for row in table.cells for text in row.split(" ")]

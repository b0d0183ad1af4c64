"""Expressions over layouts, what is said of them, and their tables and pictures."""

from __future__ import annotations

import contextlib
import json
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.description import description, record
from tilewright.layouts.expressions import OPERATIONS, evaluate
from tilewright.layouts.grids import grids, picture

FIRST_LINES = {
    "((2,4),8):((1,16),2)": "((2,4),8):((1,16),2)",
    "coalesce((2,(1,6)):(1,(6,2)))": "12:1",
    "coalesce(S<1,4,3> o 0 o (2,4):(1,2))": "S<1,4,3> o 0 o 8:1",
    "filter_zeros((2,4):(1,0))": "(2,1):(1,0)",
    "composition(8:2, 4:1)": "4:2",
    "composition((12,(4,8)):(59,(13,1)), [3:4;8:2])": "(3,(2,4)):(236,(26,1))",
    "composition(S<2,4,3>, (8,64):(64,1))": "S<2,4,3> o 0 o (8,64):(64,1)",
    "composition(S<2,4,3> o 0 o (8,64):(64,1), [4:1;_])": "S<2,4,3> o 0 o (4,64):(64,1)",
    "complement(4:2, 24)": "(2,3):(1,8)",
    "right_inverse((4,8):(8,1))": "(8,4):(4,1)",
    "left_inverse(4:2)": "(2,4):(4,1)",
    "max_common_vector((8,4):(1,16), (8,4))": "8",
    "logical_divide((4,2,3):(2,1,8), 4:2)": "((2,2),(2,3)):((4,1),(2,8))",
    "zipped_divide((128,128), [64;32])": "((64,32),(2,4)):((1,128),(64,4096))",
    "tiled_divide((128,128), [64;64])": "((64,64),2,2):((1,128),64,8192)",
    "flat_divide((128,128), [64;_])": "(64,128,2,1):(1,128,64,0)",
    "logical_product((2,2):(4,1), 6:1)": "((2,2),(2,3)):((4,1),(2,8))",
    "zipped_product((2,5):(5,1), [3;4])": "((2,5),(3,4)):((5,1),(1,5))",
    "blocked_product((2,5):(5,1), (3,4))": "((2,3),(5,4)):((5,10),(1,30))",
    "raked_product((2,5):(5,1), (3,4))": "((3,2),(4,5)):((10,5),(30,1))",
    "right_inverse(left_inverse(4:2))": "(4,2):(2,1)",
    "S<3,4,3>": "S<3,4,3>",
    "[4:1;_;[2:1;8:2]]": "[4:1;_;[2:1;8:2]]",
    "mma.m16n8k16.C.f32": "(16,8) register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)",
    "spread(((4,8),(2,2)):((32,1),(16,8)), (16,8))": "(16,8) register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)",
    "blocked((4,8),(1,2),(2,2),(1,1),(1,0))": "(4,8) register=(2,2,2):(1@1,4@1,2@0) lane=(2,2):(2@1,1@0)",
    "conversion((2) lane=2:1@0, (2) register=2:1@0 lane=2:0)": "shuffle: warps have the elements that they get",
    "(4,(2,2))": "(4,(2,2))",
    "():()": "():()",
    "coalesce(():())": "1:0",
    "blocked_product((), ())": "():()",
    "composition((), ())": "():()",
    "S<1,0,1> o 0 o ():()": "S<1,0,1> o 0 o ():()",
}
"""An expression, and the first line of what is said of it."""


@pytest.mark.parametrize(("text", "expected"), FIRST_LINES.items())
def test_expressions(text: str, expected: str) -> None:
    value = evaluate(text)
    assert description(value).splitlines()[0] == expected
    json.dumps(record(value))


def test_every_operation_has_an_example() -> None:
    called = {text.partition("(")[0] for text in FIRST_LINES}
    assert called >= OPERATIONS.keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a number in '', got 'its end'"),
        ("foo(1)", "there is no operation 'foo'; there are coalesce, "),
        ("composition(4:1)", "expected ',' in 'composition(4:1)', got ')'"),
        ("complement(4:1, 4:1)", "complement takes a number here, in 'complement(4:1, 4:1)'"),
        ("right_inverse(S<3,4,3>)", "right_inverse takes a layout such as (4,8):(1,4) here"),
        ("right_inverse(S<3,4,3> o 0 o 8:1)", "right_inverse takes a layout such as (4,8):(1,4) here"),
        ("conversion(4:1, 4:1)", "conversion takes a fragment, or a layout of registers and lanes here"),
        ("blocked(4, 1, 1, 1, 0)", "blocked takes extents such as (16,8) here"),
        ("composition(S<3,4,3>, [4:1])", "a swizzle is composed with a layout"),
        ("[4:1", "expected ']' in '[4:1', got 'its end'"),
        ("[S<3,4,3>]", "a tiler takes a layout, or a tiler such as [4:1;8:2] here"),
        ("(4,?)", "expected plain numbers, got (4,?)"),
        ("1:1:1", "expected the end in '1:1:1', got ':'"),
        ("coalesce(" * 200 + "1:1" + ")" * 200, "operations are nested more than 100 deep"),
        ("mma.m16n8k16.A", "'mma.m16n8k16.A' is no fragment"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        evaluate(text)
    (found,) = refused.value.diagnostics
    assert found.message.startswith(message)
    assert found.hints


WORDS = [
    *OPERATIONS,
    *"()[]480:,;_?@",
    "S<1,2,3>",
    " o ",
    "register=",
    "()",
    "(4,8)",
    "8:1",
    "(8:1)",
    "(8:1,4:2)",
]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join))
def test_any_text_is_a_value_or_refused(text: str) -> None:
    with contextlib.suppress(DiagnosticError):
        description(evaluate(text))


def test_the_table_of_a_layout() -> None:
    shown = description(evaluate("(2,3):(3,1)"))
    assert shown == (
        "(2,3):(3,1)\n6 elements, offsets span 6\n\n"
        "offsets: mode 0 down, the others across\n   0  1  2\n0  0  1  2\n1  3  4  5"
    )


def test_the_views_of_a_tile() -> None:
    shown = description(evaluate("(2,4) register=2:1@1 lane=2:2@1 warp=2:1@0 block=2:0"))
    assert shown == (
        "(2,4) register=2:1@1 lane=2:2@1 warp=2:1@0 block=2:0\n"
        "8 elements in 2 registers x 2 lanes x 2 warps x 2 blocks, each held 2 times\n\n"
        "tensor view: the holder of each element (thread:register)\n"
        "         0        1        2        3\n"
        "0  B0:T0:0  B0:T0:1  B0:T1:0  B0:T1:1\n"
        "1  B0:T2:0  B0:T2:1  B0:T3:0  B0:T3:1\n\n"
        "thread view: coordinates by register\n"
        "           0      1\n"
        "B0:T0  (0,0)  (0,1)\nB0:T1  (0,2)  (0,3)\nB0:T2  (1,0)  (1,1)\nB0:T3  (1,2)  (1,3)\n"
        "B1:T0  (0,0)  (0,1)\nB1:T1  (0,2)  (0,3)\nB1:T2  (1,0)  (1,1)\nB1:T3  (1,2)  (1,3)"
    )


def test_the_rounds_of_a_conversion() -> None:
    text = "conversion((2,2) register=2:1@0 lane=2:1@1, (2,2) register=2:1@1 lane=2:1@0)"
    assert description(evaluate(text)).splitlines()[4:] == [
        "rounds of warp 0: register filled < lane:register read",
        "      0: own  1: xor 1",
        "T0  0 < T0:0  1 < T1:0",
        "T1  1 < T1:1  0 < T0:1",
    ]


def test_elements_that_nobody_holds() -> None:
    shown = description(evaluate("(4) lane=2:1@0"))
    assert "which do not hold all of them" in shown
    assert "\n2     -\n" in shown


def test_large_layouts_have_no_table() -> None:
    value = evaluate("(1024,1048576)")
    assert not isinstance(value, int)
    large = evaluate("coalesce((1024,1048576))")
    assert description(large).endswith("(no table: it has more than 4096 cells)")
    assert "offsets" not in record(large)
    with pytest.raises(DiagnosticError, match=r"TW1407.*1073741824 cells is too large"):
        grids(large)


@pytest.mark.parametrize(
    "text", ["S<2,0,3> o 0 o (8,4):(1,8)", "mma.m16n8k16.C.f32", "conversion((2) lane=2:1@0, (2) lane=2:1@0)"]
)
def test_pictures_have_every_cell(text: str) -> None:
    tables = grids(evaluate(text))
    drawn = picture(tables)
    svg = ElementTree.fromstring(drawn)
    texts = [node.text for node in svg.iter("{http://www.w3.org/2000/svg}text")]
    boxes = list(svg.iter("{http://www.w3.org/2000/svg}rect"))
    cells = [cell.text for table in tables for row in table.cells for cell in row]
    assert len(boxes) == len(cells)
    assert all(texts.count(cell) >= cells.count(cell) for cell in set(cells))
    assert {table.title for table in tables} <= set(texts)
    _, _, width, height = (int(number) for number in svg.attrib["viewBox"].split())
    for box in boxes:
        assert int(box.attrib["x"]) + int(box.attrib["width"]) <= width
        assert int(box.attrib["y"]) + int(box.attrib["height"]) <= height
    assert picture(grids(evaluate(text))) == drawn

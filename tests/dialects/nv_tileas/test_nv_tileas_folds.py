"""Folds of ``nv_tileas``."""

from __future__ import annotations

import pytest

from tilewright.dialects.nv_tileas.folds import FOLDS, SOURCES
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE
from tilewright.driver.startup import context
from tilewright.ir.dialect import OperandFold
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager
from tilewright.passes.transforms.canonicalize import Canonicalize

LAYOUT = "#nv_tileas.layout<(1,4),(0,1)>"
OTHER = "#nv_tileas.layout<(4,1),(1,0)>"


def canonical(body: str, type: str) -> list[str]:
    """What is left of a body that hands out ``%r``, and what the function returns."""
    known = context()
    known.load_available()
    text = (
        '"builtin.module"() ({\n'
        f'"func.func"() <{{function_type = (tensor<4xi32>, tensor<2xi32>, index) -> {type}, sym_name = "f"}}> ({{\n'
        f"^bb0(%a: tensor<4xi32>, %b: tensor<2xi32>, %i: index):\n{body}\n"
        f'"func.return"(%r) : ({type}) -> ()\n}}) : () -> ()\n}}) : () -> ()\n'
    )
    module = parse_module(known, text)
    assert [str(error) for error in verify(module)] == []
    PassManager(known).add(Canonicalize()).run(module)
    assert [str(error) for error in verify(module)] == []
    return [line.strip() for line in module.print().splitlines()[2:-2]]


@pytest.mark.parametrize(
    ("body", "type", "becomes"),
    [
        (
            '%z = "nv_tileaa.constant_tensor"() <{value = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>\n'
            '%r = "nv_tileas.addi"(%a, %z) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>',
            "tensor<4xi32>",
            "%arg0",
        ),
        (
            '%s = "nv_tileas.insert_slice"(%b, %a, %i) <{sizes = array<i64: 2>}> : '
            "(tensor<2xi32>, tensor<4xi32>, index) -> tensor<4xi32>\n"
            '%r = "nv_tileas.extract_slice"(%s, %i) <{sizes = array<i64: 2>}> : '
            "(tensor<4xi32>, index) -> tensor<2xi32>",
            "tensor<2xi32>",
            "%arg1",
        ),
        (
            f'%r = "nv_tileas.convert_layout"(%a) <{{nv_tileas.layout = {LAYOUT}, source_layout = {LAYOUT}}}> : '
            "(tensor<4xi32>) -> tensor<4xi32>",
            "tensor<4xi32>",
            "%arg0",
        ),
    ],
    ids=["sum with zero", "inserted part", "same layout"],
)
def test_operations_that_change_nothing_go(body: str, type: str, becomes: str) -> None:
    assert canonical(body, type) == [f"return {becomes} : {type}"]


def test_arithmetic_on_constants_is_done() -> None:
    body = (
        '%x = "nv_tileaa.constant_tensor"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>\n'
        '%r = "nv_tileas.muli"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>'
    )
    found = canonical(body, "tensor<4xi32>")
    assert found[0].endswith("<{value = dense<[1, 4, 9, 16]> : tensor<4xi32>}> : () -> tensor<4xi32>")
    assert len(found) == 2


@pytest.mark.parametrize(
    ("number", "source", "target"), [("1065361407", "i32", "tf32"), ("1.0", "tf32", "i32")]
)
def test_constants_that_are_wider_in_memory_keep_their_cast(number: str, source: str, target: str) -> None:
    body = (
        f'%x = "nv_tileaa.constant_tensor"() <{{value = dense<{number}> : tensor<4x{source}>}}> : () -> tensor<4x{source}>\n'
        f'%r = "nv_tileas.bitcast"(%x) : (tensor<4x{source}>) -> tensor<4x{target}>'
    )
    assert "nv_tileas.bitcast" in canonical(body, f"tensor<4x{target}>")[1]


def test_conversions_between_encodings() -> None:
    """One to the type of its operand goes; one to another encoding stays, whatever the attributes say."""
    first, second = (
        f'tensor<4xi32, #nv_tileas.linear_layout<"(4) register=2:{step}@0 lane=2:{3 - step}@0">>'
        for step in (1, 2)
    )
    ways = f"<{{nv_tileas.layout = {LAYOUT}, source_layout = {LAYOUT}}}>"
    body = (
        f'%x = "nv_tileas.alloc_tensor"() : () -> {first}\n'
        f'%y = "nv_tileas.convert_layout"(%x) : ({first}) -> {first}\n'
        f'%r = "nv_tileas.convert_layout"(%y) {ways} : ({first}) -> {second}'
    )
    lines = canonical(body, second)
    assert [line.split('"')[1] for line in lines[:-1]] == [
        "nv_tileas.alloc_tensor",
        "nv_tileas.convert_layout",
    ]


@pytest.mark.parametrize(
    "body",
    [
        f'%r = "nv_tileas.convert_layout"(%a) <{{nv_tileas.layout = {LAYOUT}, source_layout = {OTHER}}}> : '
        "(tensor<4xi32>) -> tensor<4xi32>",
        f'%r = "nv_tileas.convert_layout"(%a) <{{nv_tileas.layout = {LAYOUT}}}> : (tensor<4xi32>) -> tensor<4xi32>',
    ],
)
def test_conversions_to_other_layouts_stay(body: str) -> None:
    assert len(canonical(body, "tensor<4xi32>")) == 2


@pytest.mark.parametrize(
    ("between", "folds"),
    [
        ('"nv_tileas.async.wait"() : () -> ()', False),
        ('%t = "nv_tileas.alloc_tensor"() : () -> tensor<4xi32>', True),
        ('"test.other"() : () -> ()', True),
    ],
)
def test_no_match_crosses_an_operation_of_the_memory_order(between: str, folds: bool) -> None:
    known = context(allow_unregistered=True)
    text = f"""
func.func @f(%a: tensor<4xi32>, %b: tensor<2xi32>, %i: index) -> tensor<2xi32> {{
  %s = "nv_tileas.insert_slice"(%b, %a, %i) <{{sizes = array<i64: 2>}}> : (tensor<2xi32>, tensor<4xi32>, index) -> tensor<4xi32>
  {between}
  %r = "nv_tileas.extract_slice"(%s, %i) <{{sizes = array<i64: 2>}}> : (tensor<4xi32>, index) -> tensor<2xi32>
  return %r : tensor<2xi32>
}}"""
    module = parse_module(known, text, implicit_module=True)
    PassManager(known).add(Canonicalize()).run(module)
    left = [op.name for op in module.walk()]
    assert ("nv_tileas.extract_slice" not in left) is folds


def test_arithmetic_is_asked_only_where_its_source_may_know_something() -> None:
    modest = [op for source, op in BY_SOURCE.items() if isinstance(SOURCES.get(source), OperandFold)]
    assert len(modest) > 10
    assert all(isinstance(FOLDS[op], OperandFold) for op in modest)

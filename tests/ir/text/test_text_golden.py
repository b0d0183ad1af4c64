"""Printed text, letter by letter; what is here was checked against mlir-opt 22."""

from __future__ import annotations

import pytest

from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    UNIT,
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    StringAttr,
    boolean,
    dense,
    float_attribute,
    integer64,
)
from tilewright.ir.builtin_types import (
    FunctionType,
    IntegerType,
    RankedTensorType,
    VectorType,
    f16,
    f32,
    f64,
    i1,
    i32,
)
from tilewright.ir.context import Context
from tilewright.ir.equality import difference
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation, FusedLocation, NameLocation
from tilewright.ir.operation import Operation
from tilewright.ir.text.attribute_printer import AttributePrinter
from tilewright.ir.text.parser import parse_module
from tilewright.ir.text.printer import PrintOptions, attribute_text, operation_text

CONTEXT = Context(allow_unregistered=True)

GENERIC = """\
"test.top"() ({
  %0 = "t.constant"() {value = 1 : i32} : () -> i32
  %1:2 = "t.x"(%0, %3) {b = 3.141590e+00 : f32, c = 0x4996B438 : f32, dd = array<i32: 1, -2>, de = array<i8>, \
df = array<f32: 1.000000e+00, 0x7F800000>, di = array<i1: true, false>, e = 9.99999998E+18 : f32, \
g = 0.33333333333333331 : f64, h = 1.23456705 : f32, i0 = 0 : i0, loc = [1, 1.000000e+00, 3 : i32, true, unit, \
0x7FF0000000000000 : f64], neg = -0.000000e+00 : f32, o = #foo.bar<baz [1,2] "x>">, o2 = #foo<"bar">, \
"q r" = "a\\\\b\\22\\0A\\C3\\A9\\7F", s = @"a b"::@c, si = -5 : si8, ts = "typed" : i32, ty = (i32) -> (), u, \
z = {u, x = 1 : i64, y = 2.000000e+00 : f64}} : (i32, i32) -> (i32, i64)
  %2 = "t.reg"(%0) ({
  ^bb0(%arg0: i32, %arg1: !foo.ty<a>):
    %5 = "t.in"(%arg0) ({
      %7 = "t.leaf"() : () -> i1
    }) : (i32) -> i32
    "t.br"(%5)[^bb1, ^bb2] {k = 1 : i32} : (i32) -> ()
  ^bb1:  // pred: ^bb0
    "t.br"(%1#1)[^bb2] : (i64) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    "t.ret"() : () -> ()
  ^bb3(%6: i1):  // no predecessors
    "t.ret"() : () -> ()
  }, {
    %4 = "t.in"(%0) : (i32) -> i32
  }, {
  }, {
  ^bb0:
  }) {d4 = dense<> : tensor<0xi32>, d5 = dense<[1.000000e+00, 2.500000e+00]> : vector<2xf32>} : (i32) -> (() -> ())
  %3 = "t.late"() : () -> i32
  "t.types"() {a = vector<4x[8]xf32>, b = tensor<4x?xf32, "enc">, c = tensor<*xf32>, d = memref<4x?xf32, 3>, \
e = memref<*xf32, 1 : i32>, f = complex<f32>, g = tuple<i32, (i32, f32) -> f32>, h = none, \
j = (() -> ()) -> (() -> ()), k = vector<f32>} : () -> ()
}) : () -> ()"""

DEBUG = """\
#loc1 = loc("q":9:9)
#loc2 = loc("f":1:2)
#loc6 = loc("a"(#loc2))
"test.top"() ({
^bb0(%arg0: i32 loc("q":9:9), %arg1: i32 loc("a"(#loc2))):
  "t.x"() : () -> () loc(#loc8)
  "t.x"() : () -> () loc(#loc7)
  "t.x"() : () -> () loc(#loc5)
}) : () -> () loc(#loc)
#loc = loc(unknown)
#loc3 = loc("g":3:4)
#loc4 = loc("y")
#loc5 = loc("only")
#loc7 = loc(fused<"meta">[#loc3, #loc4])
#loc8 = loc(callsite(#loc6 at #loc3))"""


def test_generic_form_is_a_fixed_point():
    assert operation_text(parse_module(CONTEXT, GENERIC), PrintOptions(generic=True)) == GENERIC


def test_locations_as_mlir_numbers_them():
    f, g = FileLineColLocation("f", 1, 2), FileLineColLocation("g", 3, 4)
    named = NameLocation("a", f)
    block = Block([i32, i32], [FileLineColLocation("q", 9, 9), named])
    kind = CONTEXT.unregistered_kind("t.x")
    for location in (
        CallSiteLocation(named, g),
        FusedLocation((g, NameLocation("y")), StringAttr("meta")),
        NameLocation("only"),
    ):
        block.append(Operation.from_parts(kind, location=location))
    top = Operation.from_parts(
        CONTEXT.unregistered_kind("test.top"), regions=[Region([block])], location=UNKNOWN
    )
    options = PrintOptions(generic=True, debug_info=True)
    assert operation_text(top, options) == DEBUG
    assert difference(parse_module(CONTEXT, DEBUG), top, locations=True) is None


def test_sibling_regions_reuse_names_unless_generic():
    text = '"a"() ({\n  %0 = "b"() : () -> i1\n}, {\n  %1 = "b"() : () -> i1\n}) : () -> ()'
    module = parse_module(CONTEXT, text)
    assert operation_text(module) == text.replace("%1", "%0")
    assert operation_text(module, PrintOptions(unique_names=True)) == text.replace("%0", "%x").replace(
        "%1", "%0"
    ).replace("%x", "%1")


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        (boolean(True), "true"),
        (integer64(-1), "-1 : i64"),
        (ArrayAttr((integer64(-1), float_attribute(1.0, f64), UNIT)), "[-1, 1.000000e+00, unit]"),
        (float_attribute(1e10, f32), "1.000000e+10 : f32"),
        (float_attribute(0.1, f32), "1.000000e-01 : f32"),
        (float_attribute(1 / 3, f32), "0.333333343 : f32"),
        (float_attribute(1e-5 / 3, f32), "3.33333332E-6 : f32"),
        (FloatAttr(f16, 0x7E00), "0x7E00 : f16"),
        (DictionaryAttr.of({"b": UNIT, "a c": boolean(False)}), '{"a c" = false, b}'),
        (dense(RankedTensorType((2, 2), i32), [1, 2, 3, 4]), "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>"),
        (dense(VectorType((4,), f32), [1.5]), "dense<1.500000e+00> : vector<4xf32>"),
        (dense(RankedTensorType((104,), i1), [1, 0] * 52), f'dense<"0x{"55" * 13}"> : tensor<104xi1>'),
        (
            dense(RankedTensorType((101,), IntegerType(4)), [-2] * 101),
            f'dense<"0x{"0E" * 101}"> : tensor<101xi4>',
        ),
        (FunctionType((), (FunctionType(),)), "() -> (() -> ())"),
        (FileLineColLocation("a b", 3, 4), 'loc("a b":3:4)'),
    ],
)
def test_attributes(attribute: Attribute, text: str):
    assert attribute_text(attribute) == text


def test_long_data_can_be_elided():
    data = dense(RankedTensorType((4,), i32), [1, 2, 3, 4])
    printer = AttributePrinter(PrintOptions(elide_elements_above=3))
    assert printer.attribute_text(data) == "dense_resource<__elided__> : tensor<4xi32>"
    printer = AttributePrinter(PrintOptions(hex_elements_above=3))
    assert printer.attribute_text(data) == 'dense<"0x01000000020000000300000004000000"> : tensor<4xi32>'


def test_values_from_outside_have_no_name():
    outside = Block([i32])
    op = Operation.from_parts(CONTEXT.unregistered_kind("t.use"), [outside.arguments[0]])
    assert operation_text(op) == '"t.use"(<<UNKNOWN SSA VALUE>>) : (i32) -> ()'

"""Printing, assertions, and arguments of a launch."""

import ctypes
import math

import ml_dtypes
import numpy as np
import pytest

from tests.interp.kernels import Kernel, pointer
from tilewright.dialects.cuda_tile.ops import control as ops_control, tile as ops_tile
from tilewright.dialects.cuda_tile.types import tile
from tilewright.interp.launch import interpret
from tilewright.interp.numerics.element import FORMATS
from tilewright.interp.values import render
from tilewright.ir.builtin_types import bf16, f16, f32, f64, i1, i8, i32, i64
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.print_conversions import parse_format


def printed(format, *tiles):
    kernel = Kernel()
    values = [kernel.constant(values, kind) for values, kind in tiles]
    kernel.add(ops_control.PrintTkoOp(format=format, args=values))
    kernel.run()
    return kernel.output


def test_tiles_print_as_nested_lists():
    assert (
        printed("original: %i\n", (list(range(8)), tile(2, 4, i32)))
        == "original: [[0, 1, 2, 3], [4, 5, 6, 7]]\n"
    )
    assert (
        printed("tile[%d]:%.5f|\n", (3, tile(i32)), ([0, 1.5], tile(2, f32)))
        == "tile[3]:[0.00000, 1.50000]|\n"
    )
    assert printed("100%% %d", (1, tile(1, 1, i32))) == "100% [[1]]"
    assert printed("%d", ([1, 0], tile(2, i1))) == "[1, 0]"


@pytest.mark.parametrize(
    ("format", "value", "kind", "expected"),
    [
        ("%u", -1, "i8", "255"), ("%llu", -1, "i64", str(2**64 - 1)), ("%lld", -1, "i64", "-1"),
        ("%5d|", 42, "i32", "   42|"), ("%-5d|", 42, "i32", "42   |"), ("%05d", 42, "i32", "00042"),
        ("%+d", 42, "i32", "+42"), ("%x", -1, "i16", "ffff"), ("%#X", 255, "i32", "0XFF"), ("%#o", 8, "i32", "010"),
        ("%c", 65, "i8", "A"), ("%10.4f", 3.14159, "f32", "    3.1416"), ("%g", 0.0001, "f64", "0.0001"),
        ("%e", 12345.678, "f64", "1.234568e+04"), ("%a", 1.0, "f64", "0x1p+0"), ("%f", math.inf, "f32", "inf"),
        ("%lf", 0.5, "bf16", "0.500000"), ("%.2d", 3, "i32", "03"), ("%d", 2.75, "f32", "2"),
        ("%p", 4096, "ptr", "0x1000"),
    ],
)  # fmt: skip
def test_conversions(format, value, kind, expected):
    element = FORMATS[kind]
    array = np.array(value).astype(element.array_dtype)
    assert render(parse_format(format), [(array, element)]) == expected


@pytest.mark.parametrize("format", ["%s", "%n", "%S"])
def test_conversions_that_no_tile_has(format):
    with pytest.raises(DiagnosticError, match=r"TW0412.*cannot print"):
        printed(format, (1, tile(i32)))


def test_prints_go_to_file_descriptor_1(capfd):
    kernel = Kernel()
    kernel.add(ops_control.PrintTkoOp(format="hällo %d\n", args=[kernel.block_id()]))
    interpret(kernel.module(), "k", (2, 1, 1), [])
    assert capfd.readouterr().out == "hällo 0\nhällo 1\n"


def failing_kernel():
    kernel = Kernel(pointer(i32))
    condition = kernel.constant([1, 0, 1, 0], tile(4, i1))
    kernel.add(ops_control.AssertOp(condition, "must hold"))
    kernel.store(kernel.add(ops_tile.OffsetOp(kernel.arguments[0], kernel.block_id())), kernel.i32(1))
    return kernel


def test_assertions_are_collected_and_the_grid_runs_on():
    out = np.zeros(3, np.int32)
    with pytest.raises(DiagnosticError) as caught:
        failing_kernel().run(out, grid=(3, 1, 1))
    assert out.tolist() == [1, 1, 1]
    assert len(caught.value.diagnostics) == 3
    first = caught.value.diagnostics[0]
    assert str(first.code) == "TW0407"
    assert first.message == ("kernel 'k' in tile block (0, 0, 0): assertion 'must hold' failed at [1], [3]")
    assert first.location.source == ("kernel.py", 2, 1)


def test_the_number_of_reports_is_limited():
    with pytest.raises(DiagnosticError, match="96 more are not shown") as caught:
        failing_kernel().run(np.zeros(100, np.int32), grid=(100, 1, 1), max_reports=4)
    assert len(caught.value.diagnostics) == 4


SCALARS = [
    (i32, -5, -5), (i32, ctypes.c_int32(-5), -5), (i32, 2**32 - 1, -1), (i32, np.int64(7), 7), (i32, True, 1),
    (i64, ctypes.c_int64(1 << 40), 1 << 40), (i8, ctypes.c_uint8(255), -1), (i1, ctypes.c_bool(True), True),
    (i1, False, False), (f32, 1.5, 1.5), (f32, 3, 3.0), (f32, ctypes.c_float(0.25), 0.25), (f64, 0.1, 0.1),
    (f16, 1.5, 1.5), (f16, ctypes.c_uint16(0x3C00), 1.0), (bf16, ml_dtypes.bfloat16(2.5), 2.5),
    (f32, np.float64(0.5), 0.5),
]  # fmt: skip


@pytest.mark.parametrize(("element", "given", "expected"), SCALARS, ids=repr)
def test_scalar_arguments(element, given, expected):
    kernel = Kernel(pointer(element), tile(element))
    kernel.store(*kernel.arguments)
    out = np.zeros(1, FORMATS[element.spelling].array_dtype)
    kernel.run(out, given)
    assert float(out[0]) == expected


class Buffer:
    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize(
    "wrap",
    [
        lambda a: a, lambda a: a.ctypes.data, lambda a: ctypes.c_void_p(a.ctypes.data), memoryview, Buffer,
        lambda a: a.view(np.uint32), lambda a: a.view(np.uint8),
    ],
    ids=["array", "address", "void*", "memoryview", "interface", "bits", "bytes"],
)  # fmt: skip
def test_pointer_arguments(wrap):
    kernel = Kernel(pointer(f32))
    kernel.store(kernel.arguments[0], kernel.constant(1.5, tile(f32)))
    x = np.zeros(1, np.float32)
    kernel.run(wrap(x))
    assert x[0] == 1.5


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        (tile(i32), 2**32, "does not fit in 32 bits"), (tile(i32), 1.5, "not an integer"),
        (tile(i32), ctypes.c_float(1), "not an integer"), (tile(f32), "1", "not a number"),
        (tile(f32), 1j, "not a number"), (tile(i32), None, "not an integer"), (tile(f32), np.zeros(3), "not a number"),
        (pointer(f32), 1.5, "no memory"), (pointer(f32), [1.0], "no memory"), (pointer(f32), True, "no memory"),
        (pointer(f32), np.zeros(4, np.int64), "its elements are int64, not f32"),
        (pointer(i32), np.zeros(4, np.float32), "its elements are float32, not i32"),
        (pointer(i32), 1 << 64, "64 bits"), (tile(f16), ctypes.c_uint8(1), "16 bits"),
    ],
)  # fmt: skip
def test_arguments_that_do_not_fit(kind, given, reason):
    with pytest.raises(DiagnosticError) as caught:
        Kernel(tile(i1), kind).run(True, given)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.code) == "TW0401"
    assert diagnostic.message.startswith(f"argument 1 of entry 'k' is {kind}, but ")
    assert reason in diagnostic.message
    assert diagnostic.hints


def test_argument_count_names_and_grid():
    with pytest.raises(DiagnosticError, match=r"takes 1 arguments, 2 were given"):
        Kernel(tile(i32)).run(1, 2)
    module = Kernel().module()
    with pytest.raises(DiagnosticError, match=r"TW0400.*no entry 'other'"):
        interpret(module, "other", (1, 1, 1), [])
    for grid in ((0, 1, 1), (1 << 24, 1, 1), (), (1, 1, 1, 1)):
        with pytest.raises(DiagnosticError, match="TW0400"):
            interpret(module, "k", grid, [])

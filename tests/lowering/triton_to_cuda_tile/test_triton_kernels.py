"""Kernels of Triton, converted and run, against NumPy.

The kernels are those of `tests/filecheck/lowering/triton-*.mlir`: text that Triton's front end made.  The interpreter runs
most of them, which takes a tenth of the time; those whose pointers are a matter of the CPU back end are compiled.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.driver.launch import launch
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.lowering.triton_to_cuda_tile import convert_triton_module

TEXTS = Path(__file__).parents[2] / "filecheck" / "lowering"
RANDOM = np.random.default_rng(0)


@cache
def family(name: str) -> Operation:
    """The converted kernels of a file."""
    file = TEXTS / f"triton-{name}.mlir"
    return converted(file.read_text(encoding="utf-8"))


def converted(text: str, **options: Any) -> Operation:
    """A module of Triton as one of Tile IR."""
    known = context()
    return convert_triton_module(parse_module(known, text, "kernel.ttir"), known, **options)


def run(name: str, entry: str, *arguments: Any, grid: tuple[int, ...] = (1,), target: str = "interp") -> None:
    """Launch a kernel; arrays are changed in place."""
    launch(family(name), entry, grid, arguments, target=target)


def floats(*shape: int) -> np.ndarray:
    """Numbers from 0 to 1."""
    return RANDOM.random(shape, dtype=np.float32)


def test_sums_of_vectors_stop_at_the_end() -> None:
    x, y, o = floats(300), floats(300), np.zeros(320, np.float32)
    run("memory", "vector_add", x, y, o, 300, grid=(3,), target="cpu")
    assert np.array_equal(o, np.concatenate([x + y, np.zeros(20)]))


def test_truth_values_are_bytes_in_memory() -> None:
    x, o = floats(16) < 0.5, np.zeros(16, bool)
    run("memory", "flags", x, o)
    assert np.array_equal(o, ~x)


def test_atomic_operations_change_memory() -> None:
    p, q, o = np.zeros(16, np.int32), np.zeros(16, np.float32), np.zeros(2, np.int32)
    run("memory", "atomics", p, q, o)
    assert p[:4].tolist() == [24, 28, 32, 36]
    assert q[:4].tolist() == [0, 1, 2, 0]
    assert o.tolist() == [7, 5]


def test_blocks_outside_of_a_described_tensor_are_zero() -> None:
    x, o = floats(20, 30), np.zeros((20, 30), np.float32)
    run("memory", "described", x, o, 20, 30)
    wide = np.zeros((40, 60), np.float32)
    wide[1:21, :30] = 2 * x
    wanted = np.zeros_like(o)
    wanted[:, :14] = wide[:20, 5:19]
    assert np.array_equal(o, wanted)


CHECKED: Any = {"check": "memcheck,racecheck,promises"}


@pytest.mark.parametrize("target", ["interp", "cpu"])
def test_blocks_on_a_grid_that_reach_over_edges_or_lie_outside(target: str) -> None:
    x, o = floats(20, 40), np.zeros((20, 40), np.float32)
    launch(family("descriptors"), "grid", (4,), [x, o, 20, 40], target=target, **CHECKED)
    wanted = np.full_like(o, math.nan)
    wanted[8:, 16:] = x[:-8, :-16]
    assert np.array_equal(o, wanted, equal_nan=True)


@pytest.mark.parametrize("target", ["interp", "cpu"])
def test_blocks_of_which_everything_is_known(target: str) -> None:
    x, o = RANDOM.integers(1, 100, (20, 20)).astype(np.int8), np.full((20, 20), -1, np.int8)
    launch(family("descriptors"), "fixed", (1,), [x, o], target=target, **CHECKED)
    wanted = np.full_like(o, -1)
    wanted[16:, :16] = 0
    wanted[16:, :4] = x[8:12, 16:]
    assert np.array_equal(o, wanted)


@pytest.mark.parametrize("at", [-20, -5, 0, 16, 9, 100])
def test_blocks_that_begin_anywhere(at: int) -> None:
    x, o = floats(20) < 0.5, np.zeros(20, bool)
    launch(family("descriptors"), "anywhere", (1,), [x, o, 20, at], target="interp", **CHECKED)
    inside = np.isin(np.arange(20), np.arange(at, at + 16))
    assert np.array_equal(o, x & inside)


@pytest.mark.parametrize("fills_with_nan", [False, True])
@pytest.mark.parametrize("stride", [40, 0])
def test_descriptors_from_the_host(stride: int, fills_with_nan: bool) -> None:
    """Rows that are no distance apart are no grid."""
    x = floats(3, 40).astype(np.float16)
    wanted = x.copy()
    for program in range(3):
        columns = slice(16 * program, 16 * program + 16)
        wanted[program * stride // 40, columns] = x[stride // 40, columns]
    launch(
        family("descriptors"),
        "given",
        (3,),
        [x, 3, 40, stride, 1, fills_with_nan, 1],
        target="interp",
        **CHECKED,
    )
    assert np.array_equal(x, wanted)


def test_what_a_kernel_says_is_heard(capfd: pytest.CaptureFixture[str]) -> None:
    run("memory", "told", np.arange(4, dtype=np.int32))
    assert capfd.readouterr().out == " value: [0, 1, 2, 3]\n"


def test_functions_of_elements() -> None:
    x, o = np.linspace(-3, 3, 32).astype(np.float32), np.zeros((7, 32), np.float32)
    run("elementwise", "elements", x, o)
    wide, bits = x.astype(np.float64), x.view(np.uint32).astype(np.uint64)
    wanted = [
        [math.erf(value) for value in wide],
        np.clip(wide, -0.5, 0.5),
        np.sqrt(np.abs(wide)) / 3,
        np.fmod(wide * wide + 1, 1.5),
        np.maximum(wide, 0.25),
        (x.astype(np.float16).view(np.uint16) & 0xFF00).view(np.float16),
        (bits << 20 >> 32) >> 3,
    ]
    assert np.allclose(o, wanted, rtol=1e-6, atol=1e-6)


def test_functions_of_the_library() -> None:
    x, o = np.linspace(-3, 3, 32).astype(np.float32), np.zeros((8, 32), np.float32)
    run("elementwise", "library", x, o)
    wide = x.astype(np.float64)
    ones = [value.bit_count() for value in x.view(np.uint32).tolist()]
    wanted = [
        np.tanh(wide),
        np.arcsin(wide / 4),
        np.log1p(np.abs(wide)),
        np.rint(wide * 4),
        np.expm1(wide),
        np.zeros(32),
        ones,
        np.cbrt(wide),
    ]
    assert np.allclose(o, wanted, rtol=1e-6, atol=1e-6)


def test_a_function_with_a_loop_of_its_own() -> None:
    x, o = np.arange(1, 17, dtype=np.int32), np.zeros(16, np.int32)
    run("elementwise", "mapped", x, o)
    assert o.tolist() == [0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4]


def test_a_function_of_elements_that_returns_early() -> None:
    x, y = (RANDOM.integers(0, 3, 16).astype(np.int32) for _ in range(2))
    o = np.zeros(16, np.int32)
    run("elementwise", "compared", x, y, o)
    assert np.array_equal(o, np.sign(x - y))


BLOCKS_OF_ELEMENTS = """    %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %2 = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %3 = tt.addptr %2, %1 : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %4 = "tt.map_elementwise"(%1) <{pack = 1 : i32}> ({
    ^bb0(%x: i32):
      %c2 = arith.constant 2 : i32
      %less = arith.cmpi slt, %x, %c2 : i32
      cf.cond_br %less, ^one, ^two(%c2 : i32)
    ^one:
      tt.map_elementwise.return %x : i32
    ^two(%y: i32):
      tt.map_elementwise.return %y : i32
    }) : (tensor<4xi32>) -> tensor<4xi32>
    tt.store %3, %4 : tensor<4x!tt.ptr<i32>>"""


def test_a_function_of_elements_in_several_blocks() -> None:
    module, o = converted(kernel(BLOCKS_OF_ELEMENTS, "%p: !tt.ptr<i32>")), np.zeros(4, np.int32)
    launch(module, "k", 1, [o], target="interp")
    assert o.tolist() == [0, 1, 2, 2]


def test_shapes() -> None:
    x, o = np.arange(16, dtype=np.float32), np.zeros(32, np.float32)
    run("shapes", "shapes", x, o)
    square = x.reshape(4, 4)
    permuted = x.reshape(2, 2, 4).transpose(2, 0, 1)
    assert np.array_equal(o, np.concatenate([(square + 2 * square.T).ravel(), permuted.ravel()]))


def test_gathers_along_a_dimension() -> None:
    x, o = floats(8, 4), np.zeros((8, 4), np.float32)
    places = RANDOM.integers(0, 8, (8, 4)).astype(np.int32)
    run("shapes", "gathered", x, places, o)
    assert np.array_equal(o, np.take_along_axis(x, places, 0))


def test_histograms_count_what_the_mask_lets_through() -> None:
    x, o = RANDOM.integers(0, 8, 64).astype(np.int32), np.zeros(8, np.int32)
    run("shapes", "counted", x, o)
    wanted = np.bincount(x, minlength=8)
    wanted[3] = 0
    assert np.array_equal(o, wanted)


def test_softmax() -> None:
    x, o = floats(3, 100), np.zeros((3, 100), np.float32)
    run("folds", "softmax", o, x, 100, 100, grid=(3,))
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    assert np.allclose(o, powers / powers.sum(axis=1, keepdims=True), atol=1e-6)


def test_folds_of_any_function() -> None:
    x, o = floats(16), np.zeros(64, np.float32)
    run("folds", "folds", x, o)
    assert o[:2].tolist() == [x.max(), x.argmax()]
    assert np.allclose(o[16:32], np.cumsum(x[::-1])[::-1])
    products, sums = [x[0]], [x[0] / 2]
    for value in x[1:]:
        sums.append(sums[-1] * value + value / 2)
        products.append(products[-1] * value)
    assert np.allclose(o[32:48], np.add(products, sums))
    assert np.array_equal(o[48:], np.sort(x))


LARGEST = """    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %a = tt.addptr %s, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %v = tt.load %a : tensor<4x!tt.ptr<f32>>
    %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<4xf32>) -> f32
    tt.store %q, %m : !tt.ptr<f32>"""


@pytest.mark.parametrize("values", [[math.nan] * 4, [math.nan, -3, math.nan, -5], [-math.inf] * 4])
def test_the_largest_of_numbers_is_nan_only_among_nothing_else(values: list[float]) -> None:
    x, o = np.array(values, np.float32), np.zeros(1, np.float32)
    launch(converted(kernel(LARGEST)), "k", 1, [x, o], target="interp")
    assert np.array_equal(o, [np.fmax.reduce(x)], equal_nan=True)


def test_products_with_carried_pointers() -> None:
    a, b, c = floats(20, 37), floats(37, 18), np.zeros((20, 18), np.float32)
    run("products", "matmul", a, b, c, 20, 18, 37, grid=(2, 2), target="cpu")
    assert np.allclose(c, a.astype(np.float64) @ b, rtol=1e-5)


def test_products_with_factors() -> None:
    """Numbers of 4 bits times numbers of 8 bits, each 32 of them with one power of two."""
    a, c = RANDOM.integers(0, 256, (16, 32)).astype(np.uint8), np.zeros((16, 16), np.float32)
    b = RANDOM.integers(0, 0x7C, (64, 16)).astype(np.uint8)
    scales = RANDOM.integers(120, 134, (2, 16, 2)).astype(np.uint8)
    run("products", "scaled", a, scales[0], b, scales[1], c)
    sizes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    numbers = np.concatenate([sizes, -sizes])
    factors = np.repeat(2.0 ** (scales.astype(np.float64) - 127), 32, axis=2)
    left = np.stack([numbers[a & 15], numbers[a >> 4]], -1).reshape(16, 64) * factors[0]
    right = (b.astype(np.uint16) << 8).view(np.float16) * factors[1].T
    assert np.allclose(c, left @ right, atol=1e-6 * np.abs(left @ right).max())


def test_pointers_are_chosen_and_counted() -> None:
    x, o = np.zeros(4, np.int32), np.zeros(1, np.int64)
    launch(converted(kernel(CHOSEN, "%p: !tt.ptr<i32>, %q: !tt.ptr<i64>")), "k", 1, [x, o], target="interp")
    assert o.tolist() == [x.ctypes.data + 8]


CHOSEN = """    %two = arith.constant 2 : i32
    %true = arith.constant true
    %a = tt.addptr %p, %two : !tt.ptr<i32>, i32
    %b = arith.select %true, %a, %p : !tt.ptr<i32>
    %n = tt.ptr_to_int %b : !tt.ptr<i32> -> i64
    tt.store %q, %n : !tt.ptr<i64>"""


@pytest.mark.parametrize(("n", "m", "wanted"), [(1, 1, [0, 2]), (5, 1, [1, 2]), (5, 5, [0, 0])])
def test_early_returns(n: int, m: int, wanted: list[int]) -> None:
    o = np.zeros(2, np.int32)
    run("control", "early", o, n, m)
    assert o.tolist() == wanted


def test_loops_with_a_condition() -> None:
    o = np.array([9, 1, 3, 4, 5], np.int32)
    run("control", "search", o, 5)
    assert o.tolist() == [6, 1, 3, 4, 5]


def test_calls_of_functions_that_return_early() -> None:
    o = np.array([1, 3, -7, 5, 0], np.int32)
    run("control", "caller", o)
    assert o.tolist() == [2, 6, 7, 10, 5]


def kernel(body: str, parameters: str = "%p: !tt.ptr<f32>, %q: !tt.ptr<f32>", rest: str = "") -> str:
    """A module with one kernel."""
    return f"module {{\n  tt.func public @k({parameters}) {{\n{body}\n    tt.return\n  }}\n{rest}}}\n"


TWO_STORES = kernel(
    """    %v = tt.load %p : !tt.ptr<f32>
    tt.store %q, %v : !tt.ptr<f32>
    tt.store %p, %v : !tt.ptr<f32>"""
)


@pytest.mark.parametrize(("order", "starts"), [("program", 1), ("pointers", 2)])
def test_one_chain_of_tokens_for_all_or_for_each_pointer(order: str, starts: int) -> None:
    text = str(converted(TWO_STORES, memory_order=order))
    assert text.count("make_token") == starts
    assert text.count("token=%0") == 1


OVERLAPPING = kernel(
    """    %one = arith.constant 1.0 : f32
    tt.store %p, %one : !tt.ptr<f32>
    tt.store %q, %one : !tt.ptr<f32>"""
)


def test_stores_through_two_pointers_to_one_place_are_a_race_if_nothing_orders_them() -> None:
    memory = np.zeros(4, np.float32)
    arguments: dict[str, Any] = {"check": "racecheck", "target": "interp", "memory": [memory]}
    launch(converted(OVERLAPPING), "k", 1, [memory, memory], **arguments)
    with pytest.raises(DiagnosticError, match="races with the store") as found:
        launch(converted(OVERLAPPING, memory_order="pointers"), "k", 1, [memory, memory], **arguments)
    assert "kernel.ttir" in str(found.value.diagnostics[0].location)


def test_rounding_to_tf32_is_a_choice() -> None:
    text = kernel(
        """    %a = arith.constant dense<1.0> : tensor<16x16xf32>
    %b = tt.dot %a, %a, %a, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>"""
    )
    assert "tf32" not in str(converted(text))
    assert "rounding" not in str(converted(text))
    assert "tile<16x16xtf32>" in str(converted(text, round_to_tf32=True))


REFUSALS = {
    "TW0840": (
        '    %0 = tt.elementwise_inline_asm "mov $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, '
        "pure = true} %p : !tt.ptr<f32> -> i32",
        "inline assembly is written for one chip",
    ),
    "TW0841": (
        "    %0 = arith.constant dense<0.0> : tensor<4xf8E5M2FNUZ>",
        "tensor<4xf8E5M2FNUZ> has no form in Tile IR: Tile IR has no element type f8E5M2FNUZ",
    ),
    "TW0842": ("    cf.br ^again\n  ^again:\n    cf.br ^again\n  ^never:", "a jump leads back"),
    "TW0843": ("    tt.call @f() : () -> ()", "'@f' calls itself"),
}
RECURSION = """  tt.func private @f() {
    tt.call @f() : () -> ()
    tt.return
  }
"""


@pytest.mark.parametrize("code", REFUSALS)
def test_refusals_have_a_place_and_a_way_out(code: str) -> None:
    body, message = REFUSALS[code]
    with pytest.raises(DiagnosticError) as refused:
        converted(kernel(body, rest=RECURSION if code == "TW0843" else ""))
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code is not None
    assert str(diagnostic.code) == code
    assert diagnostic.message.startswith(message)
    assert diagnostic.hints
    assert "kernel.ttir" in str(diagnostic.location)


def test_descriptors_of_unknown_elements_name_the_element() -> None:
    with pytest.raises(DiagnosticError) as refused:
        converted(kernel("    %0 = ub.poison : !tt.tensordesc<4x4xf8E5M2FNUZ>"))
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.message == (
        "!tt.tensordesc<4x4xf8E5M2FNUZ> has no form in Tile IR: Tile IR has no pointer to f8E5M2FNUZ"
    )


def test_compare_and_swap_of_16_bits_is_refused() -> None:
    """A word around the last 16 bits of a tensor would reach beyond its end."""
    body = """    %0 = arith.constant 0.0 : f16
    %1 = tt.atomic_cas relaxed, gpu, %p, %0, %0 : (!tt.ptr<f16>, f16, f16) -> f16"""
    with pytest.raises(
        DiagnosticError, match=r"'tt.atomic_cas' updates f16 in one step, and Tile IR only"
    ) as refused:
        converted(kernel(body, "%p: !tt.ptr<f16>"))
    (diagnostic,) = refused.value.diagnostics
    assert str(diagnostic.code) == "TW0840"
    assert diagnostic.hints


def test_places_survive() -> None:
    text = kernel('    tt.store %p, %p2 : !tt.ptr<f32> loc("k.py":3:5)', "%p: !tt.ptr<f32>, %p2: f32")
    stores = [op for op in converted(text).walk() if op.name == "cuda_tile.store_ptr_tko"]
    assert [str(op.location) for op in stores] == ['loc("k.py":3:5)']

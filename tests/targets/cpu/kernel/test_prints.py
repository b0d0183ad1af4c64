"""What compiled kernels print is what the interpreter prints."""

from __future__ import annotations

import contextlib
import io
from types import SimpleNamespace

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import Kernel, pointer
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.builtin_types import (
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    i1,
    i4,
    i8,
    i16,
    i32,
    i64,
    tf32,
)


def both(capfd: pytest.CaptureFixture[str], make, *arrays: np.ndarray) -> str:
    """What the interpreter prints, which is what machine code prints."""
    kernel = make()
    kernel.run(*arrays)
    tilewright.compile(SimpleNamespace(operation=make().module())).launch((1, 1, 1), list(arrays))
    assert capfd.readouterr().out == kernel.output
    return kernel.output


def printing(kernel: Kernel, text: str, *values) -> Kernel:
    kernel.add(ops_control.PrintTkoOp(args=values, format=text))
    return kernel


NUMBERS = [(element, "%d,%x;%u ", [1, 0, -1, 2]) for element in (i8, i16, i32, i64)]
FLOATS = [
    (element, "%f,%g;%e ", [1.0, 0.5, 2.0, 4.0])
    for element in (f16, bf16, f32, f64, tf32, f8E4M3FN, f4E2M1FN, f8E8M0FNU)
]


@pytest.mark.parametrize(("element", "text", "numbers"), [(i1, "%d%d%d", [0, 1, 1, 0]), *NUMBERS, *FLOATS])
def test_elements(capfd, element, text, numbers):
    def make() -> Kernel:
        kernel = Kernel()
        value = kernel.constant(numbers, tile(4, element))
        return printing(kernel, text, value, value, value)

    assert both(capfd, make)


def test_elements_of_four_bits(capfd):
    def make() -> Kernel:
        kernel = Kernel()
        bytes_ = kernel.constant([0x10, -0x34, 0x7F, -1], tile(4, i8))
        value = kernel.add(ops_conversion.UnpackOp(bytes_, result_types=[tile(8, i4)]))
        return printing(kernel, "%d %x\n", value, value)

    assert "-4" in both(capfd, make)


def test_addresses(capfd):
    def make() -> Kernel:
        kernel = Kernel(pointer(f32))
        pointers = kernel.pointers(kernel.arguments[0], kernel.iota(4))
        return printing(kernel, "%p %p", pointers, kernel.arguments[0])

    assert "0x" in both(capfd, make, np.zeros(4, np.float32))


def test_large_tiles(capfd):
    assert both(capfd, lambda: large_tile()).count(",") == (1 << 17) - 1


def large_tile() -> Kernel:
    kernel = Kernel()
    return printing(kernel, "%d", kernel.iota(1 << 17))


@pytest.mark.parametrize("target", ["cpu", "interp"])
def test_redirected(target):
    """Prints arrive where Python's own do, in their order."""
    kernel = Kernel()
    module = SimpleNamespace(operation=printing(kernel, "block %d\n", kernel.block_id()).module())
    made, out = tilewright.compile(module, target=target), io.StringIO()
    with contextlib.redirect_stdout(out):
        print("before")
        made.launch((3, 1, 1), [], threads=1)
        print("after")
    assert out.getvalue() == "before\nblock 0\nblock 1\nblock 2\nafter\n"


def test_many_threads_lose_nothing():
    """More text than may wait, from more threads than there are processors."""
    kernel = Kernel()
    value = kernel.add(ops_tile.IotaOp(result_types=[tile(256, i32)]))
    module = SimpleNamespace(operation=printing(kernel, "%d %d\n", kernel.block_id(), value).module())
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        tilewright.compile(module).launch((200, 1, 1), [], threads=8)
    lines = sorted(out.getvalue().splitlines(), key=lambda line: int(line.split()[0]))
    assert lines == [f"{block} {list(range(256))}" for block in range(200)]

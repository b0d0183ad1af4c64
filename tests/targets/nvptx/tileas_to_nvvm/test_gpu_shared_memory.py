"""Shared memory of kernels: one variable for all exchanges, sizes that launches have to ask for, exchanges in rounds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_kernels import KERNELS
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, ptx_of, same, store, view
from tilewright import Module, PassManager, launch
from tilewright.dialects.common.chips import CHIPS, KIB
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.description import KernelImage, describe, described
from tilewright.targets.nvptx import exchanges

ALLOCATE = PassManager.parse("builtin.module(nvvm-allocate-shared-memory)")


def transposition(rows: int, columns: int, element: str, type: Any) -> tuple[str, tuple[int, ...], list[Any]]:
    x, cut = view("x", (rows, columns), (rows, columns), element)
    y, turned = view("y", (columns, rows), (columns, rows), element)
    tile, result = f"tile<{rows}x{columns}x{element}>", f"tile<{columns}x{rows}x{element}>"
    body = x + y + load("a", "x", cut, "%zero, %zero", tile)
    body += f"%c = permute %a [1, 0] : {tile} -> {result}\n"
    body += store("c", "y", turned, "%zero, %zero", result)
    pointers = f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>"
    arrays = [np.arange(rows * columns).reshape(rows, columns).astype(type), np.zeros((columns, rows), type)]
    return kernel(pointers, body), (1,), arrays


def test_up_to_48_kib_are_declared() -> None:
    text, grid, arrays = transposition(64, 128, "f32", np.float32)
    assert ".shared .align 16 .b8 k_shared[32768];" in ptx_of(text, "sm_80")
    same(text, grid, arrays, "sm_80")


def test_more_is_asked_for_by_the_launch() -> None:
    text, grid, arrays = transposition(128, 128, "f32", np.float32)
    assert ".extern .shared .align 16 .b8 k_shared[];" in ptx_of(text, "sm_80")
    same(text, grid, arrays, "sm_80")


@pytest.mark.parametrize(("chip", "rounds"), [("sm_75", 2), ("sm_80", 1), ("sm_120", 2)])
def test_what_a_chip_does_not_have_at_once_goes_in_rounds(chip: str, rounds: int) -> None:
    text, grid, arrays = transposition(128, 128, "i64", np.int64)
    assert ptx_of(text, chip).count("bar.sync") == 2 * rounds - 1
    same(text, grid, arrays, chip)


@pytest.mark.parametrize("shape", [(2, 8192), (8192, 2), (256, 64)])
def test_rounds_of_other_shapes(shape: tuple[int, int]) -> None:
    """The bits of a piece are among those of registers, of threads, and of both."""
    text, grid, arrays = transposition(*shape, "i64", np.int64)
    same(text, grid, arrays, "sm_75")


def halves(count: int, take: str) -> tuple[str, tuple[int, ...], list[Any]]:
    """A kernel that takes halves of a tile, by one of `TAKEN`, and stores what they make."""
    x, whole = view("x", (count,), (count,), "i64")
    y, _ = view("y", (count,), (count,), "i64")
    tile, half = f"tile<{count}xi64>", f"tile<{count // 2}xi64>"
    body = x + y + load("a", "x", whole, "%zero", tile)
    body += f"""%j1 = subi %one, %i : tile<i32>
    %f = extract %a[{take}] : {tile} -> {half}
    %g = extract %a[%j1] : {tile} -> {half}
    %e = extract %a[%j1] : {tile} -> tile<1xi64>
    %e1 = reshape %e : tile<1xi64> -> tile<i64>
    print_tko "%ld ", %e1 : tile<i64> -> token
    %c = cat %g, %f dim = 0 : {half}, {half} -> {tile}
    """
    body += store("c", "y", whole, "%zero", tile)
    pointers = "%x: tile<ptr<i64>>, %y: tile<ptr<i64>>"
    return kernel(pointers, body), (1,), [np.arange(count) * 3 - 1, np.zeros(count, np.int64)]


TAKEN = {"at a known place": "%zero", "at a place of the block": "%i"}


@pytest.mark.parametrize("take", TAKEN.values(), ids=TAKEN)
def test_parts_of_tiles_go_in_rounds(take: str) -> None:
    """Of a tile of 128 KiB, of which the chip has a half at once."""
    text, grid, arrays = halves(1 << 14, take)
    same(text, grid, arrays, "sm_75")


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shared memory of 256 bytes: tiles that do not fit are small."""
    monkeypatch.setattr(exchanges, "shared_memory", lambda op: 256)


@pytest.mark.parametrize("count", [32, 64, 128, 512])
@pytest.mark.parametrize("take", TAKEN.values(), ids=TAKEN)
@pytest.mark.usefixtures("little_memory")
def test_parts_of_parts_go_in_rounds(count: int, take: str) -> None:
    text, grid, arrays = halves(count, take)
    same(text, grid, arrays, "sm_90")


@pytest.mark.usefixtures("little_memory")
def test_a_tile_is_printed_in_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    x, whole = view("x", (2, 64), (2, 64), "i64")
    tile = "tile<2x64xi64>"
    body = x + load("a", "x", whole, "%zero, %zero", tile) + f'print_tko "%ld|", %a : {tile} -> token\n'
    array = np.arange(128).reshape(2, -1)
    launch(kernel("%x: tile<ptr<i64>>", body), "k", 1, [array], target="sim:sm_90")
    rows = (", ".join(map(str, row)) for row in array.tolist())
    assert capsys.readouterr().out == f"[[{'], ['.join(rows)}]]|"


def test_the_second_factor_of_a_large_product_lies_over_the_first() -> None:
    """Factors of 32 and 64 KiB, on a chip with 64 KiB."""
    x, first = view("x", (128, 128), (128, 128), "f16")
    y, second = view("y", (128, 256), (128, 256), "f16")
    z, whole = view("z", (128, 256), (128, 256), "f32")
    a, b, c = "tile<128x128xf16>", "tile<128x256xf16>", "tile<128x256xf32>"
    places = "%zero, %zero"
    body = x + y + z + load("a", "x", first, places, a) + load("b", "y", second, places, b)
    body += load("c", "z", whole, places, c)
    body += f"%d = mmaf %a, %b, %c : {a}, {b}, {c}\n" + store("d", "z", whole, places, c)
    pointers = "%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %z: tile<ptr<f32>>"
    assert "mma.sync" in ptx_of(kernel(pointers, body), "sm_75")


def test_every_chip_says_how_much_a_block_may_have() -> None:
    assert {chip.shared_memory // KIB for chip in CHIPS.values()} == {64, 99, 163, 227}


# --- places


def code(body: str) -> Any:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return Module.parse(f"""
module attributes {{nv_tileaa.compute_capability = #nv_tileaa.compute_capability<75>,
    nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_75">}} {{
  llvm.func @k(%n: i1, %v: i32) attributes {{nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>}} {{
{lines}
    llvm.return
  }}
}}""")


def buffer(name: str, size: int, alignment: int = 16) -> str:
    return f"""%n_{name} = llvm.mlir.constant({size} : i32) : i32
%{name} = llvm.alloca %n_{name} x i8 {{alignment = {alignment} : i64}} : (i32) -> !llvm.ptr<3>
"""


def write(name: str) -> str:
    return f"llvm.store %v, %{name} : i32, !llvm.ptr<3>\n"


def read(name: str, number: int = 0) -> str:
    return f"%r_{name}{number} = llvm.load %{name} : !llvm.ptr<3> -> i32\n"


MEET = "nvvm.barrier0 {tilewright.exchange}\n"


def placed(module: Any) -> str:
    ALLOCATE.run(module)
    return str(module)


def buffers(text: str) -> list[tuple[int, int]]:
    """The offset and the bytes of each buffer."""
    found = re.findall(r"getelementptr %\S+\[(\d+)\] \{tilewright.buffer_bytes = (\d+)", text)
    return [(int(offset), int(size)) for offset, size in found]


def test_buffers_that_are_in_use_together_lie_apart() -> None:
    body = buffer("a", 100) + write("a") + buffer("b", 50, 64) + write("b") + MEET + read("b") + read("a")
    text = placed(code(body))
    assert buffers(text) == [(0, 100), (128, 50)]
    assert "!llvm.array<178 x i8>" in text
    assert "alignment = 64" in text


def test_buffers_that_are_not_share_their_bytes() -> None:
    parts = [buffer(name, 96) + MEET + write(name) + MEET + read(name) for name in "abcd"]
    text = placed(code("".join(parts)))
    assert buffers(text) == [(0, 96), (96, 96)] * 2
    assert text.count("nvvm.barrier0") == 4


def test_where_two_would_be_too_much_all_barriers_stay() -> None:
    parts = [buffer(name, 40 * KIB) + MEET + write(name) + MEET + read(name) for name in "ab"]
    text = placed(code("".join(parts)))
    assert buffers(text) == [(0, 40960)] * 2
    assert "!llvm.array<40960 x i8>" in text
    assert text.count("nvvm.barrier0") == 3


def test_a_loop_has_its_buffer_in_use_until_threads_meet() -> None:
    body = "llvm.br ^loop\n^loop:\n" + buffer("a", 32) + MEET + write("a") + MEET + read("a")
    text = placed(code(body + "llvm.cond_br %n, ^loop, ^end\n^end:\n"))
    assert text.count("nvvm.barrier0") == 2, "one turn reads what the next one overwrites"


def test_a_barrier_that_orders_global_memory_stays_or_is_done_by_another() -> None:
    def text(first: str, second: str) -> str:
        accesses = "%g = llvm.inttoptr %w : i64 to !llvm.ptr<1>\n%w2 = llvm.load %g : !llvm.ptr<1> -> i32\n"
        body = "%w = llvm.mlir.constant(0 : i64) : i64\n" + accesses + first + second
        return placed(code(body + "llvm.store %v, %g : i32, !llvm.ptr<1>\n"))

    assert text("nvvm.barrier0\n", "").count("nvvm.barrier0") == 1
    assert text("nvvm.barrier0\n", "nvvm.barrier0\n").count("nvvm.barrier0") == 1
    assert text("nvvm.barrier0\n", MEET).count("nvvm.barrier0") == 1
    assert text(MEET, "").count("nvvm.barrier0") == 0


def test_more_than_the_chip_has_is_refused_with_the_number() -> None:
    module = code(buffer("a", 70 * KIB) + write("a"))
    with pytest.raises(DiagnosticError, match="71680 bytes of shared memory; a block on sm_75 has 65536"):
        ALLOCATE.run(module)


def test_the_description_of_a_kernel_carries_the_bytes() -> None:
    image = KernelImage("k", "k", (), 0, shared_bytes=70 * KIB)
    assert described(describe([image])) == (image,)
    assert described(describe([KernelImage("k", "k", (), 0)])) == (KernelImage("k", "k", (), 0),)


def test_kernels_without_exchanges_have_no_variable() -> None:
    assert ".shared" not in ptx_of(KERNELS["addition"][0], "sm_80")


def test_the_checker_knows_buffers_of_other_sizes_at_one_place_apart() -> None:
    """A read at any place of a buffer is not one of the larger buffer that lies there later."""

    def at(name: str, index: str) -> str:
        return f"%{name}_{index} = llvm.getelementptr %{name}[%{index}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8\n"

    def exchange(name: str) -> str:
        written = at(name, "t") + f"llvm.store %byte, %{name}_t : i8, !llvm.ptr<3>\n{MEET}"
        return written + at(name, "v") + f"%r_{name} = llvm.load %{name}_v : !llvm.ptr<3> -> i8\n"

    start = "%t = nvvm.read.ptx.sreg.tid.x : i32\n%byte = llvm.trunc %v : i32 to i8\n"
    parts = [
        buffer(name, size) + MEET + exchange(name)
        for name, size in zip("abdc", (96, 96, 96, 192), strict=True)
    ]
    module = code(start + "".join(parts))
    assert buffers(placed(module)) == [(0, 96), (96, 96), (192, 96), (0, 192)]
    PassManager.parse("builtin.module(nvvm-check-shared-memory)").run(module)

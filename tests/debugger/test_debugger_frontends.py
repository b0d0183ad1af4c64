"""Values at breakpoints in kernels of all frontends, as NumPy computes them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.debugger.sessions import debugged
from tilewright.debugger.session import Action, Session
from tilewright.debugger.stop import KernelStop
from tilewright.driver.debugging import attached
from tilewright.driver.launch import launch
from tilewright.triton.stages import tile_module_of

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


class Collected:
    """Collects the values of expressions at each stop of a breakpoint, with the tile block and the iteration."""

    def __init__(self, *expressions: str) -> None:
        self._expressions = expressions
        self.found: list[tuple[Any, ...]] = []

    def stopped(self, session: Session, stop: KernelStop) -> Action:
        """Evaluate the expressions, and go on."""
        values = [stop.evaluate(one, stop.frames[0]).value for one in self._expressions]
        self.found.append((stop.block.position, stop.iteration, *map(np.copy, values)))
        return Action.CONTINUE


def collected(
    place: str, expressions: tuple[str, ...], launches: Callable[[], object]
) -> list[tuple[Any, ...]]:
    """The values of expressions at each stop at ``FILE:LINE if CONDITION``."""
    front = Collected(*expressions)
    session = Session(front, stop_at_entry=False)
    file, line, condition = place.split(":", 2)
    session.add_breakpoint(file, int(line), condition)
    with attached(session):
        launches()
    return front.found


class FirstLaunch:
    """Makes the first launch of an example, and keeps its arguments."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("cuda.tile")
        monkeypatch.syspath_prepend(str(EXAMPLES))
        self._results = import_module(name).run(self._launch)
        self.arguments: tuple[Any, ...] = ()
        text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
        self.file, self._lines = f"{name}.py", text.splitlines()

    def _launch(self, grid: Any, kernel: Any, arguments: Any) -> None:
        self.arguments = tuple(one.copy() if isinstance(one, np.ndarray) else one for one in arguments)
        import_module("tilewright.cutile.launcher").run(grid, kernel, arguments, target="interp", check="")

    def __call__(self) -> None:
        next(self._results)

    def at(self, text: str, condition: str = "") -> str:
        """The breakpoint at the first line of the example with a text."""
        line = next(number for number, one in enumerate(self._lines, 1) if text in one)
        return f"{self.file}:{line}:{condition}"


def running_maximum(q: Any, k: Any, scale: float, queries: slice, keys: int) -> Any:
    """The largest score of each query, over the first keys."""
    return (q[queries].astype(np.float64) @ k[:keys].astype(np.float64).T * scale).max(axis=1, keepdims=True)


def test_the_running_maximum_of_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    example = FirstLaunch("flash_attention", monkeypatch)
    place = example.at("largest = now", "j == 1 and head == 1")
    found = collected(place, ("largest", "now", "batch", "head", "block"), example)
    q, k, _, _, scale, *_ = example.arguments
    assert len(found) == 2 * 3, "two batches, and three tiles of queries"
    for (x, y, _), iteration, largest, now, batch, head, block in found:
        rows = slice(16 * x, min(16 * x + 16, 40))
        count = rows.stop - rows.start
        matrices = q[batch, head], k[batch, head]
        assert (iteration, int(block), int(batch), int(head)) == (1, x, y // 2, 1)
        np.testing.assert_allclose(largest[:count], running_maximum(*matrices, scale, rows, 16), rtol=1e-5)
        np.testing.assert_allclose(now[:count], running_maximum(*matrices, scale, rows, 32), rtol=1e-5)


def test_softmax(monkeypatch: pytest.MonkeyPatch) -> None:
    example = FirstLaunch("softmax", monkeypatch)
    found = collected(example.at("ct.store(out"), ("tile", "total", "columns", "rows"), example)
    x, _, rows, columns = example.arguments
    (first, _, tile, total, *sizes), *_ = found
    assert (first, tuple(map(int, sizes))) == ((0, 0, 0), (columns, rows))
    np.testing.assert_array_equal(tile[:rows, : x.shape[1]], x[:rows].astype(np.float32))
    wide = x[:rows].astype(np.float64)
    np.testing.assert_allclose(total[:, 0], np.exp(wide - wide.max(1, keepdims=True)).sum(1), rtol=1e-4)


def test_layer_norm(monkeypatch: pytest.MonkeyPatch) -> None:
    example = FirstLaunch("layer_norm", monkeypatch)
    found = collected(
        example.at("ct.store(mean_out", "row == 2"), ("mean", "variance.sum()", "columns"), example
    )
    x = example.arguments[0].astype(np.float64)
    ((position, _, mean, variance, columns),) = found
    assert (position, int(columns)) == ((2, 0, 0), x.shape[1])
    np.testing.assert_allclose(mean.item(), x[2].mean(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(variance / x.shape[1], x[2].var(), rtol=1e-4)


def test_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    example = FirstLaunch("histogram", monkeypatch)
    found = collected(example.at("ct.atomic_min"), ("at", "values", "numbers", "counts"), example)
    x, counts, _, low, width, block = example.arguments
    (_, _, at, values, numbers, after), *_ = found
    np.testing.assert_array_equal(at, np.arange(block))
    np.testing.assert_array_equal(values, x[:block])
    bins = np.floor((x[:block] - low) / width)
    inside = (bins >= 0) & (bins < len(counts))
    np.testing.assert_array_equal(numbers, np.where(inside, bins, -1).astype(np.int32))
    np.testing.assert_array_equal(after, np.bincount(bins[inside].astype(int), minlength=len(counts)))


def test_matmul_inside_of_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    example = FirstLaunch("matmul", monkeypatch)
    found = collected(example.at("total = ct.mma", "k == 1"), ("total", "i", "j", "left"), example)
    a, b, *_ = example.arguments
    assert found
    for (x, *_), _, total, i, j, left in found[:2]:
        (rows, columns), depth = total.shape, left.shape[1]
        wanted = a[i * rows :][:rows, :depth].astype(np.float64) @ b[:depth, j * columns :][:, :columns]
        part = total[: wanted.shape[0], : wanted.shape[1]]
        np.testing.assert_allclose(part, wanted, rtol=1e-3, atol=1e-3, err_msg=f"tile block {x}")


def test_attention_in_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = tile_module_of((EXAMPLES / "triton_kernels/attention.mlir").read_text(encoding="utf-8"))
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((64, 32)).astype(np.float16) for _ in range(3))
    out, scale = np.zeros((64, 32), np.float32), 32**-0.5 * math.log2(math.e)
    found = collected(
        "attention.py:32:start == 32 and tile_block[0] == 2",
        ("largest", "now", "keys", "rows"),
        lambda: launch(module, "attention", (4,), (q, k, v, out, scale, 64), target="interp"),
    )
    ((_, iteration, largest, now, keys, rows),) = found
    assert (iteration, int(keys)) == (1, 64)
    np.testing.assert_array_equal(rows, np.arange(32, 48))
    for value, count in ((largest, 32), (now, 64)):
        wanted = running_maximum(q, k, scale, slice(32, 48), count)[:, 0]
        np.testing.assert_allclose(value, wanted, rtol=1e-4)


def test_matmul_in_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ROOT / "tests/dialects/tt"
    monkeypatch.chdir(folder)
    module = tile_module_of((folder / "data/matmul.located.mlir").read_text(encoding="utf-8"))
    a, b = (np.random.default_rng(at).random((32, 32)).astype(np.float16) for at in range(2))
    c = np.zeros((32, 32), np.float16)
    shown = debugged(
        ["n"] * 12 + ["p step", "p sum[0, :2]", "p rows + 0", "p SIZE", "p inside", "c"],
        lambda: launch(module, "matmul", (2, 1), (a, b, c, *[32] * 6), target="interp"),
        blocks=[(1, 0, 0)],
    )
    stops = [int(line) for line in re.findall(r"> kernels\.py\((\d+)\)matmul\(\)", shown)]
    assert stops == [27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 33]
    assert "p step\ntile<i32>: 0\n" in shown
    first = (a[16:, :16].astype(np.float32) @ b[:16].astype(np.float32))[0, :2]
    numbers = re.search(r"p sum\[0, :2\]\n.*\n\[(.*)\]", shown)
    assert numbers is not None
    np.testing.assert_allclose([float(one) for one in numbers[1].split(",")], first, rtol=1e-3)
    assert "p SIZE\n*** SIZE is not known here: the launch does not tell it" in shown
    assert "p inside\n*** inside is not known here: it is not assigned yet" in shown
    np.testing.assert_allclose(
        c[16:, :16], (a.astype(np.float32) @ b.astype(np.float32))[16:, :16], rtol=1e-2
    )


def test_a_kernel_in_cpp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent / "data")
    x, out = np.arange(300, dtype=np.float32), np.zeros(300, np.float32)
    commands = [
        "n",
        "n",
        "n",
        "vars",
        "n",
        "p column[:2]",
        "p row[200]",
        "p mask.sum()",
        "p sum",
        "bt",
        "b 14",
        "c",
    ]
    shown = debugged(
        [*commands, "p 12:15[1]", "c"],
        lambda: launch(Path("scale.mlir"), None, (2,), (x, out, 2.0, 200), target="interp"),
        blocks=[(0, 0, 0)],
    )
    assert [int(line) for line in re.findall(r"> scale\.cu\((\d+)\)scale<float, 256>\(\) tile", shown)] == [
        7,
        8,
        9,
        11,
        12,
        14,
    ]
    assert "p column[:2]\nint32[2]: min 0, max 1, mean 0.5\n[0, 1]" in shown
    assert "p row[200]\nfloat32[]: 0.0" in shown
    assert "p mask.sum()\nint64[]: 200" in shown
    assert "*** sum is not known here: the file assigns it several times" in shown
    assert "-> ct::store_masked(out + column, sum, mask);" in shown
    np.testing.assert_array_equal(out[:200], x[:200] * 15)

"""Kernels through Triton's own package."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright.triton
from tests.house.tree import import_statements, parsed
from tilewright.ir.diagnostic import DiagnosticError

HOME = Path(tilewright.triton.__file__).parent


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """The module of kernels, where Triton has chosen our back end."""
    pytest.importorskip("triton.language")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "tilewright")
    triton: Any = import_module("triton")
    found = triton.backends.backends.get("tilewright")
    if found is None:
        pytest.skip("the installed tilewright has no entry point yet")
    config = triton.runtime.driver
    before = config._active
    config.set_active(found.driver())
    yield import_module("tests.triton_backend.jitted")
    config._active = before


@pytest.mark.parametrize("module", ["__init__.py", "compiler.py", "driver.py"])
def test_what_triton_imports_loads_nothing_of_the_rest(module: str) -> None:
    eager = [node for node, runs in import_statements(parsed(HOME / module)) if runs]
    names = [node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name for node in eager]
    assert {name for name in names if name.startswith("tilewright")} <= {"tilewright.triton"}


def test_a_kernel_runs_on_arrays(kernels: Any) -> None:
    x, out = np.arange(100, dtype=np.float32), np.zeros(128, np.float32)
    made = kernels.add_kernel[lambda named: (-(-named["n"] // named["BLOCK"]),)](
        x, x, out, n=100, BLOCK=32, num_warps=8
    )
    assert (out[:100] == 2 * x).all()
    assert not out[100:].any()
    assert {"ttir", "tileir", "tileaa", "tileas", "llir", "asm"} <= set(made.asm)
    assert set(made.metadata.ignored) == {"num_warps"}
    again = kernels.add_kernel[(1,)](x, x, out, n=100, BLOCK=32, num_warps=8)
    assert again is made


def test_findings_name_the_line_of_the_kernel(kernels: Any) -> None:
    x, out = np.ones(5, np.float32), np.zeros(1, np.float32)
    with pytest.raises(DiagnosticError, match=r"load of x\[5\]") as caught:
        kernels.sum_kernel[(1,)](x, out, BLOCK=8, check="memcheck")
    lines, start = inspect.getsourcelines(kernels.sum_kernel.fn)
    wanted = start + next(at for at, line in enumerate(lines) if "nobody asks" in line)
    assert caught.value.diagnostics[0].location.source == (kernels.__file__, wanted, 14)


def test_configurations_are_tried_and_heuristics_are_asked(kernels: Any) -> None:
    x = np.zeros(6, np.int32)
    kernels.tuned_kernel[lambda named: (-(-6 // named["BLOCK"]),)](x, 6)
    assert x.tolist() == [1, 2, 3, 4, 5, 6]
    assert kernels.tuned_kernel.base_fn is not None


def test_warming_up_compiles_and_runs_nothing(kernels: Any) -> None:
    x = np.full(5, 7, np.float32)
    made = kernels.sum_kernel.warmup(x, x, BLOCK=4, grid=(1,))
    assert made.asm["tileir"].startswith("cuda_tile.module")
    assert (x == 7).all()


def test_launches_like_one_before_go_the_short_way(kernels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    made = kernels.add_kernel[(2,)](x, x, out, 64, BLOCK=32)
    launcher: Any = made.run.__self__
    monkeypatch.setattr(launcher, "_prepared", None)
    assert kernels.add_kernel[(2,)](out, x, out, 64, BLOCK=32) is made
    assert (out == 3 * x).all()


@pytest.mark.parametrize(
    "other",
    [
        lambda x, out: (x.astype(np.float64), out, 60),
        lambda x, out: (x[1:], out, 60),
        lambda x, out: (x, out, 1),
        lambda x, out: (x, out, 1 << 33),
    ],
    ids=["type", "alignment", "one", "wide"],
)
def test_what_makes_another_kernel(kernels: Any, other: Any) -> None:
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    made = kernels.add_kernel[(1,)](x, x, out, 60, BLOCK=32)
    given, out, n = other(x, out)
    assert kernels.add_kernel[(1,)](given, given, out, n, BLOCK=32) is not made
    assert (out[: min(n, 32)] == 2 * given[: min(n, 32)]).all()


def test_settings_of_the_process_hold_for_the_kernel_that_is_compiled_next(
    kernels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, out = np.ones(5, np.float32), np.zeros(1, np.float32)
    monkeypatch.setenv("TILEWRIGHT_CHECK", "memcheck")
    with pytest.raises(DiagnosticError, match=r"load of x\[5\]"):
        kernels.sum_kernel[(1,)](x, out, BLOCK=16)


def test_hooks_that_are_added_later_are_called(kernels: Any) -> None:
    knobs: Any = import_module("triton.knobs")
    x, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    told: list[object] = []

    def note(data: Any) -> None:
        told.append(data.get()["name"])

    for hook in (knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook):
        kernels.add_kernel[(1,)](x, x, out, 32, BLOCK=32)
        hook.add(note)
        kernels.add_kernel[(1,)](x, x, out, 32, BLOCK=32)
        hook.remove(note)
    kernels.add_kernel[(1,)](x, x, out, 32, BLOCK=32)
    assert told == ["add_kernel"] * 2


@pytest.mark.parametrize("which", ["launch_enter_hook", "launch_exit_hook"])
def test_hooks_of_either_kind_are_told_what_triton_tells_them(kernels: Any, which: str) -> None:
    knobs: Any = import_module("triton.knobs")
    x, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    made = kernels.add_kernel[(1,)](x, x, out, 32, BLOCK=32)
    assert made.launch_metadata((1,), 0) is None
    hook = getattr(knobs.runtime, which)
    hook.add(print)
    assert made.launch_metadata((1,), 0).get()["name"] == "add_kernel"
    hook.remove(print)
    assert made.launch_metadata((1,), 0) is None
    setattr(knobs.runtime, which, print)
    assert made.launch_metadata((1,), 0).get()["name"] == "add_kernel"
    setattr(knobs.runtime, which, hook)


def test_what_is_replaced_of_triton_is_replaced_once(kernels: Any) -> None:
    jit: Any = import_module("triton.runtime.jit")
    compiled: Any = import_module("triton.compiler.compiler").CompiledKernel
    before = jit.native_specialize_impl, compiled.launch_metadata
    import_module("tilewright.triton.driver").CPUDriver()
    assert (jit.native_specialize_impl, compiled.launch_metadata) == before

"""Arrays of others through every launch: torch tensors are written in place, JAX arrays are only read.

The tests of real packages run where these are installed; those of a producer of DLPack run everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.cutile.foreign import OldDlpack, OnlyDlpack
from tilewright import cutile
from tilewright.ir.diagnostic import DiagnosticError

pytest.importorskip("llvmlite")
COPY = """
cuda_tile.module @m {
  entry @copy(%x: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %n = iota : tile<8xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x8 = broadcast %x1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %xs = offset %x8, %n : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %v, %t0 = load_ptr_tko weak %xs : tile<8xptr<f32>> -> tile<8xf32>, token
    %o1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %o8 = broadcast %o1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %os = offset %o8, %n : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %t = store_ptr_tko weak %os, %v : tile<8xptr<f32>>, tile<8xf32> -> token
    return
  }
}
"""
NAMES = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "int32": "i32", "float8_e5m2": "f8E5M2"}
"""Element types as these packages call them, and as Tile IR does."""
Launch = Callable[[Any, Any, str], Any]


def by_module(target: str, check: str = "") -> Launch:
    """Eight elements, by pointers."""

    def launch(x: Any, out: Any, element: str) -> None:
        text = COPY.replace("f32", NAMES[element])
        tilewright.launch(text, None, 1, [x, out], target=target, check=check)

    return launch


def by_bridge(target: str) -> Launch:
    """A matrix of two by four, by views."""

    def launch(x: Any, out: Any, element: str) -> None:
        kernels: Any = pytest.importorskip("tests.cutile.kernels", exc_type=ImportError)
        cutile.launch(1, kernels.copy_matrix, (x, out), target=target)

    return launch


LAUNCHES: dict[str, Launch] = {
    "cpu": by_module("cpu"),
    "checked": by_module("cpu", "memcheck"),
    "interp": by_module("interp"),
    "bridge to cpu": by_bridge("cpu"),
    "bridge to interp": by_bridge("interp"),
}
REFUSALS = (DiagnosticError, cutile.LaunchError)


@pytest.fixture(params=LAUNCHES)
def launch(request: pytest.FixtureRequest) -> Launch:
    return LAUNCHES[request.param]


def numbers() -> Any:
    return np.arange(1, 9, dtype=np.float32).reshape(2, 4)


# --- anything with DLPack


def test_producers(launch: Launch) -> None:
    out = np.zeros((2, 4), np.float32)
    launch(OnlyDlpack(numbers()), OnlyDlpack(out), "float32")
    assert (out == numbers()).all()


def test_capsules_without_a_version_are_only_read(launch: Launch) -> None:
    out = np.zeros((2, 4), np.float32)
    launch(OldDlpack(numbers()), out, "float32")
    assert (out == numbers()).all()
    with pytest.raises(REFUSALS, match="read-only"):
        launch(numbers() + 1, OldDlpack(out), "float32")
    assert (out == numbers()).all()


# --- torch


@pytest.mark.parametrize("element", NAMES)
def test_torch_tensors(launch: Launch, element: str) -> None:
    torch: Any = pytest.importorskip("torch")
    dtype = getattr(torch, element)
    x, out = torch.from_numpy(numbers()).to(dtype), torch.zeros((2, 4), dtype=dtype)
    launch(x, out, element)
    assert torch.equal(out.float(), x.float())


def test_torch_tensors_with_gradients(launch: Launch) -> None:
    torch: Any = pytest.importorskip("torch")
    x = torch.from_numpy(numbers()).requires_grad_()
    out = torch.zeros((2, 4), requires_grad=True)
    launch(x, out, "float32")
    assert torch.equal(out, x)
    assert out.requires_grad
    assert out.grad is None


@pytest.mark.parametrize("target", ["cpu", "interp"])
def test_torch_tensors_with_gaps(target: str) -> None:
    torch: Any = pytest.importorskip("torch")
    kernels: Any = pytest.importorskip("tests.cutile.kernels", exc_type=ImportError)
    whole = torch.zeros((4, 8))
    x, out = torch.from_numpy(numbers().T.copy()).t(), whole[1:3, ::2]
    cutile.launch(1, kernels.copy_matrix, (x, out), target=target)
    assert torch.equal(out, x)
    assert whole.sum() == out.sum()


def test_torch_tensors_of_other_elements() -> None:
    torch: Any = pytest.importorskip("torch")
    out = torch.zeros((2, 4), dtype=torch.float64)
    with pytest.raises(DiagnosticError, match="its elements are float64, not f32"):
        by_module("cpu")(numbers(), out, "float32")
    assert not out.any()


# --- JAX


@pytest.mark.parametrize("element", ["float32", "bfloat16", "int32"])
def test_jax_arrays_are_only_read(launch: Launch, element: str) -> None:
    pytest.importorskip("jax")
    import jax.numpy as jnp

    x = jnp.asarray(numbers(), dtype=element)
    out = np.zeros((2, 4), x.dtype)
    launch(x, out, element)
    assert (out == np.asarray(x)).all()
    written = jnp.zeros((2, 4), dtype=element)
    with pytest.raises(REFUSALS, match="read-only"):
        launch(out, written, element)
    assert not np.asarray(written).any()

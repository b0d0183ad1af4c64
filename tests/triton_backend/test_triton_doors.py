"""Launches of Triton refuse what every other way to launch refuses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.refusals import REFUSALS, TRITON, Launch, Refusal, check
from tilewright.gpu_programs.settings import CHECK_VARIABLE, TARGET_VARIABLE

DOORS = {"cpu": "", "interp": "", "sim:sm_80": "", "cpu with memcheck": "memcheck"}
"""Targets by the names of doors, and the checks."""


@pytest.fixture(scope="module", params=DOORS)
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The kernel, where Triton has chosen our back end with a target."""
    pytest.importorskip("triton.language")
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield from chosen(request.param, monkeypatch, tmp_path_factory.mktemp("triton"))


def chosen(door: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """The kernel at a door, as long as that is chosen."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "tilewright")
    monkeypatch.setenv(TARGET_VARIABLE, door.split()[0])
    monkeypatch.setenv(CHECK_VARIABLE, DOORS[door])
    triton: Any = import_module("triton")
    found = triton.backends.backends.get("tilewright")
    if found is None:
        pytest.skip("the installed tilewright has no entry point yet")
    config = triton.runtime.driver
    before = config._active
    config.set_active(found.driver())
    copied = import_module("tests.triton_backend.jitted").copy_kernel
    copied.device_caches.clear()
    yield copied
    copied.device_caches.clear()
    gc.collect()  # compiled kernels ask for the driver when they go
    config._active = before


def launched(kernel: Any, given: Launch) -> None:
    arguments = [given.x, given.out, *given.extra]
    kernel[given.grid](*arguments[: len(arguments) - given.drops])


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda one: one.name)
def test_every_door_refuses(kernel: Any, refusal: Refusal) -> None:
    if TRITON not in refusal.not_at:
        check(TRITON, refusal, lambda given: launched(kernel, given))


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda one: one.name)
def test_launches_after_the_first_refuse_as_well(kernel: Any, refusal: Refusal) -> None:
    if TRITON in refusal.not_at:
        return
    for dtype in (np.int32, np.uint8):
        launched(kernel, Launch(np.zeros(4, dtype), np.zeros(4, dtype)))
    check(TRITON, refusal, lambda given: launched(kernel, given))


def test_arrays_of_other_kinds_are_taken(kernel: Any, tmp_path: Path) -> None:
    """`numpy.memmap`, buffers and DLPack, and read-only arrays that the kernel reads."""
    x = np.arange(1, 5, dtype=np.int32)
    x.flags.writeable = False
    mapped = np.memmap(tmp_path / "out", np.int32, "w+", shape=(4,))
    for out in (np.zeros(4, np.int32), np.zeros(8, np.int32)[::2], mapped, memoryview(np.zeros(4, np.int32))):
        launched(kernel, Launch(out, x))
        assert np.asarray(out)[0] == 1
    kernel[(0,)](x, mapped)


def test_grids_of_functions_are_refused_by_what_they_make(kernel: Any) -> None:
    x = np.zeros(4, np.int32)
    for grid in (lambda named: 5, lambda named: (1, 1, 1, 1), lambda named: (-1,), lambda named: None):
        check(TRITON, REFUSALS_OF_GRIDS, lambda given, grid=grid: kernel[grid](x, x.copy()))


REFUSALS_OF_GRIDS = next(one for one in REFUSALS if one.name == "four extents")


def test_tensors_on_other_devices_are_refused(kernel: Any) -> None:
    torch: Any = pytest.importorskip("torch")
    x, out = torch.zeros(4, dtype=torch.int32), torch.zeros(4, dtype=torch.int32)
    elsewhere = torch.zeros(4, dtype=torch.int32, device="meta")
    wrong = Refusal("a tensor elsewhere", lambda: Launch(elsewhere, x), "TW0401")
    check(TRITON, wrong, lambda given: launched(kernel, given))
    launched(kernel, Launch(out, x))
    check(TRITON, wrong, lambda given: launched(kernel, given))

"""Every way to launch a kernel refuses the same, each with a diagnostic: doors and targets by refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

import tilewright  # noqa: E402
from tests.support.refusals import CUTILE, FLAT, GPU, REFUSALS, TRITON, Launch, Refusal, check  # noqa: E402
from tests.support.synthetic.synthetic_driver import driven  # noqa: E402
from tilewright.gpu_programs.routing import routed  # noqa: E402
from tilewright.gpu_programs.settings import ProgramSettings  # noqa: E402
from tilewright.ir.diagnostic import DiagnosticError  # noqa: E402

FLAT_KERNEL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
Door = Callable[[Launch], object]


def flat_arguments(given: Launch) -> list[Any]:
    arguments = [given.x, given.out, *given.extra]
    return arguments[: len(arguments) - given.drops]


@cache
def artifact(target: str) -> Any:
    return tilewright.compile(FLAT_KERNEL, target=target)


def launch_flat(target: str, given: Launch, **options: Any) -> None:
    tilewright.launch(FLAT_KERNEL, "k", given.grid, flat_arguments(given), target=target, **options)


def launch_artifact(target: str, given: Launch) -> None:
    artifact(target).launch(given.grid, flat_arguments(given))


def prepare_artifact(target: str, given: Launch) -> None:
    artifact(target).prepare(given.grid, flat_arguments(given))()


@cache
def artifact_for_gpu() -> Any:
    with pytest.MonkeyPatch.context() as monkeypatch, driven(monkeypatch):
        return tilewright.compile(FLAT_KERNEL, target="cuda")


def launch_on_gpu(given: Launch) -> None:
    """With a double of the driver, which a launch that is refused does not ask to run or copy anything."""
    with pytest.MonkeyPatch.context() as monkeypatch, driven(monkeypatch) as driver:
        try:
            artifact_for_gpu().launch(given.grid, flat_arguments(given))
        except DiagnosticError:
            assert not driver.memory
            assert not driver.configurations
            raise


@cache
def kernel() -> Any:
    ct: Any = pytest.importorskip("cuda.tile")

    @ct.kernel
    def k(x, out):
        ct.store(out, 0, ct.load(x, 0, shape=(4,)))

    return k


def launch_cutile(target: str, given: Launch, **options: Any) -> None:
    from tilewright import cutile

    cutile.launch(given.grid, kernel(), tuple(flat_arguments(given)), target=target, **options)


def launch_again(target: str, given: Launch) -> None:
    """After a launch that is kept to be repeated."""
    for _ in range(2):
        launch_cutile(target, Launch(np.zeros(4, np.int32), np.zeros(4, np.int32)))
    launch_cutile(target, given)


def run_program(target: str, given: Launch) -> None:
    """As programs under `tilewright run` and suites under `pytest --tilewright` launch."""
    ct: Any = pytest.importorskip("cuda.tile")
    with routed(ProgramSettings.of(target, "", "")):
        ct.launch(0, given.grid, kernel(), tuple(flat_arguments(given)))


DOORS: dict[str, tuple[str, Door]] = {
    **{f"launch {name}": (FLAT, partial(launch_flat, name)) for name in ("cpu", "interp", "sim:sm_80")},
    "launch cpu with memcheck": (FLAT, partial(launch_flat, "cpu", check="memcheck")),
    **{f"artifact {name}": (FLAT, partial(launch_artifact, name)) for name in ("cpu", "sim:sm_80")},
    "artifact cuda": (GPU, launch_on_gpu),
    "prepared cpu": (FLAT, partial(prepare_artifact, "cpu")),
    **{f"cuTile {name}": (CUTILE, partial(launch_cutile, name)) for name in ("cpu", "interp", "sim:sm_80")},
    "cuTile cpu with memcheck": (CUTILE, partial(launch_cutile, "cpu", check="memcheck")),
    "cuTile cpu again": (CUTILE, partial(launch_again, "cpu")),
    **{f"program {name}": (CUTILE, partial(run_program, name)) for name in ("cpu", "interp")},
}


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda one: one.name)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses(door: str, refusal: Refusal) -> None:
    kind, launch = DOORS[door]
    if kind == CUTILE:
        pytest.importorskip("cuda.tile")
    if kind not in refusal.not_at:
        check(kind, refusal, launch)


def test_reasons_name_kinds_of_doors() -> None:
    """A door where something is no mistake takes it."""
    for refusal in REFUSALS:
        assert all(reason for reason in refusal.not_at.values())
        assert not (refusal.not_at.keys() - {FLAT, GPU, CUTILE, TRITON})


@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_arrays_that_may_be_written(door: str) -> None:
    kind, launch = DOORS[door]
    if kind == CUTILE:
        pytest.importorskip("cuda.tile")
    locked = np.arange(1, 5, dtype=np.int32)
    locked.flags.writeable = False
    outs: Sequence[Any] = (np.zeros(4, np.int32), np.zeros(8, np.int32)[::2])
    for out in outs:
        launch(Launch(out, locked))
        assert out[0] == 1
    overlapping = np.lib.stride_tricks.as_strided(
        np.zeros(1, np.int32), (4,), (0,)
    )  # the kernel's own affair
    launch(Launch(overlapping, np.ones(4, np.int32)))
    assert overlapping[0] == 1


def test_a_refusal_is_one_exception_of_the_door() -> None:
    """No exception of a lower floor stands behind it, which would name the kernel as the compiler does."""
    from tilewright.cutile import LaunchError

    pytest.importorskip("cuda.tile")
    locked = np.zeros(4, np.int32)
    locked.flags.writeable = False
    with pytest.raises(LaunchError) as raised:
        launch_cutile("cpu", Launch(locked, np.zeros(4, np.int32)))
    assert raised.value.__suppress_context__
    assert raised.value.__cause__ is None
    assert isinstance(raised.value, DiagnosticError)

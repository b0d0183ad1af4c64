"""Replacing ``cuda.tile.launch``, and putting it back."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.cutile.recorder import Recorder
from tilewright import cutile
from tilewright.cutile import BridgeWarning, launcher

kernels: Any = pytest.importorskip("tests.cutile.kernels", exc_type=ImportError)
ct: Any = pytest.importorskip("cuda.tile")

ORIGINAL = (ct.launch,)  # in a container, where the bridge does not look for it
X = np.zeros(16, np.float32)


@pytest.fixture(autouse=True)
def recorder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    made = Recorder()
    monkeypatch.setattr(launcher, "usual_launch", lambda: made)
    yield made
    cutile.uninstall()
    assert ct.launch is ORIGINAL[0]


def run() -> None:
    ct.launch(0, (1,), kernels.one, (X,))


def test_launch_is_replaced_and_put_back(recorder: Recorder) -> None:
    cutile.install("cpu", check=["memcheck"])
    run()
    ((*_, options),) = recorder.calls
    assert (options["target"], options["check"]) == ("cpu", ("memcheck",))
    assert sys.modules["cuda.tile._cext"].launch is ct.launch is not ORIGINAL[0]
    cutile.uninstall()
    assert sys.modules["cuda.tile._cext"].launch is ct.launch is ORIGINAL[0]


def test_installing_again_changes_the_target(recorder: Recorder) -> None:
    cutile.install("cpu")
    cutile.install("interpreter")
    run()
    assert recorder.calls[0][4]["target"] == "interpreter"


def test_the_bridges_own_launch_follows(recorder: Recorder) -> None:
    cutile.install("interp", check="memcheck")
    cutile.launch(1, kernels.one, (X,))
    cutile.launch(1, kernels.one, (X,), target="cpu", check="racecheck")
    cutile.uninstall()
    cutile.launch(1, kernels.one, (X,))
    made = [(options["target"], options["check"]) for *_, options in recorder.calls]
    assert made == [("interp", ("memcheck",)), ("cpu", ("memcheck", "racecheck")), ("cpu", ())]


def test_backend_is_undone_also_after_an_error(recorder: Recorder) -> None:
    def fail() -> None:
        with cutile.backend("cpu"):
            run()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(recorder.calls) == 1
    assert ct.launch is ORIGINAL[0]


def test_backends_nest(recorder: Recorder) -> None:
    with cutile.backend("outer"):
        with cutile.backend("inner"):
            run()
        run()
    assert [call[4]["target"] for call in recorder.calls] == ["inner", "outer"]


def test_names_bound_before_are_found_and_told(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    user: Any = types.ModuleType("some_program")
    user.go = ORIGINAL[0]
    monkeypatch.setitem(sys.modules, "some_program", user)
    with pytest.warns(BridgeWarning, match=r"some_program\.go"):
        cutile.install()
    user.go(0, (1,), kernels.one, (X,))
    assert len(recorder.calls) == 1
    cutile.uninstall()
    assert user.go is ORIGINAL[0]


def test_nothing_is_told_when_nobody_held_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cutile.install()


def test_a_name_bound_meanwhile_falls_back_to_the_original() -> None:
    cutile.install()
    bound = ct.launch
    cutile.uninstall()
    with pytest.raises(TypeError, match="expects a tile kernel"):
        bound(0, (1,), None, ())


def test_a_foreign_replacement_is_left_alone() -> None:
    cutile.install()
    mine: Any = object()
    ct.launch = mine
    cutile.uninstall()
    assert ct.launch is mine
    ct.launch = ORIGINAL[0]


def test_tuning_runs_on_the_bridge(recorder: Recorder) -> None:
    with cutile.backend("cpu"):
        result = ct.tune.exhaustive_search(
            [4, 8],
            0,
            lambda block: (16 // block,),
            kernels.scale,
            lambda block: (X, X.copy(), 1.0, block),
            quiet=True,
            single_run_timeout_sec=60,
        )
    assert result.best.config in (4, 8)
    assert not result.failures
    assert {call[2] for call in recorder.calls} == {(4, 1, 1), (2, 1, 1)}


def test_timing_runs_of_the_extension_are_replaced(recorder: Recorder) -> None:
    extension = sys.modules["cuda.tile._cext"]
    with cutile.backend("cpu"):
        assert extension._benchmark(0, (1,), kernels.one, (X,)) > 0
        assert extension._export_ipc_benchmark_payload(0, (1,), kernels.one, (X,)) is None
    assert len(recorder.calls) == 1

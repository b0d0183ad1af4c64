"""Launches of a program for GPUs: host memory for arguments, records for listeners, launches that a graph captures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tilewright.gpu_programs import launches as gpu_launches
from tilewright.gpu_programs.launches import Launches, LaunchRecord, kernel_name


class OnGpu:
    """An array of a GPU, which is host memory here."""

    def __init__(self, memory: str) -> None:
        self.memory = memory


def memory_of(value: Any) -> Any:
    """Return the host memory of an array of a GPU."""
    return value.memory if isinstance(value, OnGpu) else value


X, Y = OnGpu("x"), OnGpu("y")


def kernel() -> Any:
    """Return a kernel of cuTile called ``add``."""

    def add() -> None: ...

    return SimpleNamespace(_annotated_function=SimpleNamespace(pyfunc=add))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> tuple[Launches, list[Any], list[LaunchRecord]]:
    """Launches with a listener and a clock that goes on by a second with every look."""
    found, runs, records, now = Launches(), list[Any](), list[LaunchRecord](), [0.0]

    def look() -> float:
        now[0] += 1.0
        return now[0]

    monkeypatch.setattr(gpu_launches, "time", SimpleNamespace(perf_counter=look))
    found.run = lambda *given, **options: runs.append((given, options))
    found.listeners.append(records.append)
    return found, runs, records


def test_arguments_are_host_memory_once_there_is_a_gpu(made: Any) -> None:
    launches, runs, records = made
    one = kernel()
    launches.launch((2, 1), one, (X, 3, [Y, (X,)]), check="all")
    assert runs == [(((2, 1), one, (X, 3, [Y, (X,)])), {"check": "all"})]
    launches.memory = memory_of
    launches.engine = print
    launches.launch(5, one, (X, 3, [Y, (X,)]))
    assert runs[1] == ((5, one, ("x", 3, ["y", ("x",)])), {"engine": print})
    assert records == [LaunchRecord("add", (2, 1), 1.0), LaunchRecord("add", 5, 1.0)]


@pytest.mark.parametrize("captures", [True, False])
def test_a_graph_may_take_a_launch(captures: bool, made: Any) -> None:
    launches, _, records = made
    launches.memory = memory_of
    captured: list[Any] = []

    def capture(step: Any, arguments: Any) -> bool:
        captured.append((step, arguments))
        return captures

    launches.capture = capture
    ran: list[str] = []
    launches.make("k", (7,), (X, [Y]), lambda: ran.append("ran"))
    ((step, arguments),) = captured
    assert arguments == ("x", ["y"])
    assert len(ran) == len(records) == (0 if captures else 1)
    step()
    assert records[-1] == LaunchRecord("k", (7,), 1.0)
    assert ran[-1:] == ["ran"]


def test_errors_are_recorded_and_raised(made: Any) -> None:
    launches, _, records = made
    error = ValueError("no")

    def fails() -> None:
        raise error

    with pytest.raises(ValueError, match="no"):
        launches.make("k", 1, (), fails)
    assert records == [LaunchRecord("k", 1, 1.0, error)]
    launches.listeners.clear()
    with pytest.raises(ValueError, match="no"):
        launches.make("k", 1, (), fails)


def test_tensors_of_the_host_are_refused_by_their_place(made: Any) -> None:
    launches, runs, records = made
    ran: list[str] = []
    launches.on_host = lambda value: value == "host"
    with pytest.raises(ValueError, match=r"'k': Pointer argument \(at 1\) cannot be accessed from Triton"):
        launches.make("k", 1, (X, "host"), lambda: ran.append("ran"))
    with pytest.raises(ValueError, match="'add' gets a tensor of the host as argument 2"):
        launches.launch(1, kernel(), (X, 3, [X, "host"]))
    assert (runs, records, ran) == ([], [], [])
    launches.make("k", 1, (X, "gpu", [3]), lambda: ran.append("ran"))
    assert ran == ["ran"]


def test_names_of_kernels() -> None:
    assert kernel_name(kernel()) == "add"
    assert kernel_name(3) == "int"
    assert kernel_name(SimpleNamespace(_annotated_function=None)) == "SimpleNamespace"

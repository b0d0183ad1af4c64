"""Executors of clusters: addresses, what is told when there is none, and commands that use one."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.test_batch import sources  # noqa: F401  (the fixture)
from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.runtime.distributed_work import squared
from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.errors import UsageError
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.distribution import distribute
from tilewright.runtime.workers import schedulers
from tilewright.runtime.workers.schedulers import ClusterExecutor, executor_at

Command = Callable[..., Answer]
ADDRESS = "dask://127.0.0.1:8786"


class Fake(ClusterExecutor):
    """Three workers in this process, of which one is killed with its second piece of work."""

    made: list[Fake]

    def __init__(self, address: str) -> None:
        self.address = address
        self.submitted = 0
        self.most_in_flight = 0
        self.is_shut_down = False
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        Fake.made.append(self)

    def processors(self) -> int:
        return 3

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.submitted += 1
        if self.submitted == 5:
            future.set_exception(BrokenExecutor("KilledWorker"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.is_shut_down = True


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> list[Fake]:
    Fake.made = []
    monkeypatch.setitem(schedulers.SCHEMES, "dask", Fake)
    return Fake.made


def test_an_address_names_host_and_port(fake: list[Fake]) -> None:
    make = executor_at("dask://[::1]:8786")
    assert fake == []  # nothing is connected before there is work
    make()
    assert [one.address for one in fake] == ["[::1]:8786"]


@pytest.mark.parametrize(
    "address",
    [
        "dask",
        "dask://",
        "dask://host",
        "dask://host:x",
        "dask://host:1/path",
        "dask://[::1:5",
        "ray://host:1",
        "",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(DiagnosticError, match="TW0960") as refused:
        executor_at(address)
    assert f"'{address}' is no address of an executor" in str(refused.value)
    assert "write dask://HOST:PORT" in str(refused.value)


def test_dask_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DiagnosticError, match=r"TW0961.*needs Dask, which is not installed") as refused:
        executor_at(ADDRESS)()
    assert 'install "dask[distributed]"' in str(refused.value)


@pytest.mark.parametrize("has_scheduler", [False, True])
def test_a_scheduler_that_does_not_answer_or_has_no_worker_is_told(
    has_scheduler: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []

    def client(address: str, **_: Any) -> Any:
        assert address == "tcp://127.0.0.1:8786"
        if not has_scheduler:
            raise OSError("Timed out trying to connect")
        return SimpleNamespace(wait_for_workers=too_late, close=lambda: closed.append(True))

    def too_late(workers: int, timeout: float) -> None:
        raise TimeoutError(f"{workers} in {timeout}")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    words = "has no worker" if has_scheduler else "does not answer"
    with pytest.raises(DiagnosticError, match=f"TW0961.*'{ADDRESS}' {words} within 10 seconds") as refused:
        executor_at(ADDRESS)()
    assert "dask worker 127.0.0.1:8786" in str(refused.value)
    assert closed == [True] * has_scheduler


def test_work_of_a_killed_worker_is_done_again(fake: list[Fake]) -> None:
    done = list(distribute(squared, range(20), executor_at(ADDRESS)))
    assert [one.result() for one in done] == [n * n for n in range(20)]
    assert fake[0].submitted == 21
    assert fake[-1].is_shut_down


def test_a_cluster_has_as_much_work_as_its_workers_can_do() -> None:
    """And not as much as this machine can do, which has other processors."""
    handed: list[Future[int]] = []

    class Slow(Fake):
        def processors(self) -> int:
            return 700

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            handed.append(Future())
            if len(handed) == 1400:
                for future in handed:
                    future.set_result((0, None))
            return handed[-1]

    Fake.made = []
    assert len(list(distribute(squared, range(1400), lambda: Slow("")))) == 1400


@pytest.mark.parametrize("name", ["compile", "verify"])
def test_commands_take_a_cluster(
    name: str,
    tilewright: Command,  # noqa: F811
    sources: Path,  # noqa: F811
    fake: list[Fake],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (sources / "wrong.mlir").unlink()
    monkeypatch.chdir(sources)
    words = ("--emit=bytecode", "-o", "built") if name == "compile" else ()
    status, out, err = tilewright(name, ".", *words, "--json", "--executor", ADDRESS)
    assert (status, err, len(fake)) == (0, "", 1)
    files = [row["file"] if name == "compile" else row["name"] for row in json.loads(out).popitem()[1]]
    assert files == [str(sources / "b.mlir"), str(sources / "inner" / "a.mlir")]


@pytest.mark.parametrize("name", ["compile", "verify"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--executor", "ray://host:1"), "TW0960"),
        (("--executor", ADDRESS, "--jobs", "2"), "--jobs is for processes of this machine"),
    ],
)
def test_commands_refuse_what_is_wrong(
    name: str,
    words: tuple[str, ...],
    message: str,
    tilewright: Command,  # noqa: F811
    sources: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    output = ("-o", str(tmp_path / "built")) if name == "compile" else ()
    status, _, err = tilewright(name, str(sources), *output, *words)
    assert (status, message in err) == (2, True), err


def test_one_file_needs_no_cluster(tilewright: Command, sources: Path) -> None:  # noqa: F811
    status, _, err = tilewright("compile", str(sources / "b.mlir"), "--executor", ADDRESS)
    assert (status, "--executor are for several files" in err) == (2, True)


def test_programs_have_the_same_options(fake: list[Fake], capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    add_batch_options(parser)
    given = parser.parse_args(["--executor", ADDRESS])
    executor_for(3, given.jobs, given.executor)()
    assert [one.address for one in fake] == ["127.0.0.1:8786"]
    with pytest.raises(SystemExit):
        parser.parse_args(["--executor", "ray://host:1"])
    assert "TW0960" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        parser.parse_args(["--executor", ADDRESS, "--jobs", "2"])


def test_processes_and_a_cluster_are_not_asked_for_at_once() -> None:
    with pytest.raises(UsageError, match="--jobs"):
        executor_for(3, 2, executor_at(ADDRESS))

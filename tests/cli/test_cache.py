"""`tilewright cache`, and what `tilewright run` keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
Command = Callable[..., Answer]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")
    return tmp_path / "kernels"


def test_an_empty_cache(tilewright: Command, place: Path) -> None:  # noqa: F811
    assert tilewright("cache", "path") == (0, f"{place}\n", "")
    assert tilewright("cache", "ls") == (0, "", "0 records, 0 bytes\n")
    assert json.loads(tilewright("cache", "ls", "--json").out) == []
    assert tilewright("cache", "verify") == (0, "", "0 records, 0 damaged\n")
    assert tilewright("cache", "prune") == (0, "", "0 bytes removed\n")


def test_from_run_to_prune(tilewright: Command, place: Path, tmp_path: Path) -> None:  # noqa: F811
    np = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    from tilewright.runtime import crashes
    from tilewright.runtime.workers import pool

    crashes.install()  # their code is kept, too, by whoever is first to launch
    pool.code()
    tilewright("cache", "prune", "--size", "0")
    np.save(tmp_path / "x.npy", np.arange(4, dtype=np.float32))
    words = ("run", KERNEL, "--arg", f"{tmp_path}/x.npy:{tmp_path}/y.npy", "--arg", "1.5", "--threads", "2")
    for _ in range(2):
        assert tilewright(*words) == (0, "", "")
        assert np.load(tmp_path / "y.npy").tolist() == [0.0, 3.0, 6.0, 9.0]
    (row,) = json.loads(tilewright("cache", "ls", "--json").out)
    assert tilewright("cache", "ls").out.startswith(row["key"])
    (name,) = row["kernels"]
    assert tilewright("cache", "ls").out.endswith(f"  {name}\n")
    assert tilewright("cache", "ls", name[1:]).out == tilewright("cache", "ls", row["key"][3:9]).out != ""
    assert tilewright("cache", "ls", "no such kernel") == (0, "", "0 records, 0 bytes\n")
    assert json.loads(tilewright("cache", "ls", "--json", name).out) == [row]
    (path,) = place.glob("*/*")
    path.write_bytes(path.read_bytes()[:-1])
    assert tilewright("cache", "ls").out.endswith("  (damaged)\n")
    assert tilewright("cache", "verify") == (1, f"{row['key']}\n", "1 records, 1 damaged\n")
    assert tilewright(*words).status == 0
    assert tilewright("cache", "prune", "--size", "0").err == f"{row['bytes']} bytes removed\n"
    assert not list(place.glob("*/*"))


def test_code_that_tilewright_brings_itself(tilewright: Command, place: Path) -> None:  # noqa: F811
    pytest.importorskip("llvmlite")
    from tilewright.runtime.engine import own_library

    own_library("define void @nothing() {\n  ret void\n}\n", ["nothing"])
    (row,) = json.loads(tilewright("cache", "ls", "--json").out)
    assert row["kernels"] == []
    assert tilewright("cache", "ls").out.endswith("  (of tilewright itself)\n")


def test_refusals(tilewright: Command, place: Path) -> None:  # noqa: F811
    assert "TW0955" in tilewright("cache", "prune", "--size", "much").err
    place.mkdir()
    place.chmod(0o777)
    status, _, err = tilewright("cache", "ls")
    assert (status, "TW0954" in err) == (1, True)
    assert "TW0951" in tilewright("run", KERNEL, "--arg", "zeros(4, f32)", "--arg", "1", "--threads", "0").err

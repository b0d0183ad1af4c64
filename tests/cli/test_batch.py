"""`compile` and `verify` on many files: directories, processes, resumed runs, and files that are wrong."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT
from tilewright.cli.commands.verify import Verifier
from tilewright.driver.batch.compilation import CompileJob, compile_file

KERNEL = (ROOT / "tests" / "house" / "data" / "kernel.mlir").read_text()
Command = Callable[..., Answer]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Three modules in two folders, one of which is wrong, and a file that is none."""
    folder = tmp_path / "kernels"
    (folder / "inner").mkdir(parents=True)
    for name in ("b.mlir", "inner/a.mlir"):
        (folder / name).write_text(KERNEL)
    (folder / "notes.txt").write_text("not a module")
    (folder / "wrong.mlir").write_text("foo.a")
    return folder


def test_the_modules_of_a_directory_are_verified(tilewright: Command, sources: Path) -> None:  # noqa: F811
    status, out, _ = tilewright("verify", str(sources), "--json")
    inputs = json.loads(out)["inputs"]
    assert status == 1
    assert [(os.path.relpath(one["name"], sources), one["valid"]) for one in inputs] == [
        ("b.mlir", True),
        ("inner/a.mlir", True),
        ("wrong.mlir", False),
    ]
    verifier = pickle.loads(pickle.dumps(Verifier("json", None, False, False)))  # as for another process
    verified = [pickle.loads(pickle.dumps(verifier(one["name"]))) for one in inputs]
    assert [one.shown[0] for one in verified] == inputs


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_pipes_in_a_directory_are_no_modules(tilewright: Command, sources: Path) -> None:  # noqa: F811
    """Nobody writes to them, so whoever opened one would wait for ever."""
    os.mkfifo(sources / "pipe.mlir")
    _, out, _ = tilewright("verify", str(sources), "--json")
    assert [os.path.basename(one["name"]) for one in json.loads(out)["inputs"]] == [
        "b.mlir",
        "a.mlir",
        "wrong.mlir",
    ]


def test_a_directory_without_modules_is_refused(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    for words in (("verify",), ("compile", "-o", str(tmp_path / "out"))):
        status, _, err = tilewright(*words, str(tmp_path))
        assert (status, "ends with .mlir or .tileirbc" in err) == (2, True)


def test_a_directory_is_compiled_into_another(tilewright: Command, sources: Path, tmp_path: Path) -> None:  # noqa: F811
    built = tmp_path / "built"
    status, out, _ = tilewright("compile", str(sources), "--emit=bytecode,tileaa", "-o", str(built), "--json")
    assert status == 1
    assert sorted(str(path.relative_to(built)) for path in built.rglob("*.*")) == [
        "b.tileaa.mlir",
        "b.tileirbc",
        "inner/a.tileaa.mlir",
        "inner/a.tileirbc",
    ]
    files = json.loads(out)["files"]
    assert [(Path(one["file"]).name, one["status"], len(one["outputs"])) for one in files] == [
        ("b.mlir", 0, 2),
        ("a.mlir", 0, 2),
        ("wrong.mlir", 1, 0),
    ]
    assert "TW0002" in files[2]["messages"][0]


def test_processes_write_the_same_bytes(tilewright: Command, sources: Path, tmp_path: Path) -> None:  # noqa: F811
    for jobs in ("1", "2"):
        words = ("compile", str(sources), "--emit=bytecode", "-o", str(tmp_path / jobs), "--jobs", jobs)
        status, _, err = tilewright(*words)
        assert (status, "TW0002" in err) == (1, True)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / jobs).rglob("*.tileirbc")} for jobs in "12"
    )
    assert one == two
    assert len(one) == 2


def test_what_is_done_is_not_done_again(tilewright: Command, sources: Path, tmp_path: Path) -> None:  # noqa: F811
    (sources / "wrong.mlir").unlink()
    built, results = tmp_path / "built", tmp_path / "results.jsonl"
    words = ("compile", str(sources), "--emit=bytecode", "-o", str(built), "--results", str(results))
    assert tilewright(*words).status == 0
    for path in built.rglob("*.tileirbc"):
        path.unlink()
    os.utime(sources / "b.mlir", (0, 0))
    assert tilewright(*words).status == 0
    assert [path.name for path in built.rglob("*.tileirbc")] == ["b.tileirbc"]
    status, _, err = tilewright(*words, "-O0")
    assert (status, "TW0959" in err) == (1, True)


@pytest.mark.parametrize("flag", ["--json", "--results=r", "--mlir-timing"])
def test_options_for_one_file_or_for_several(
    flag: str,
    tilewright: Command,  # noqa: F811
    sources: Path,
) -> None:
    inputs = [str(sources)] if flag == "--mlir-timing" else [str(sources / "b.mlir")]
    status, _, err = tilewright("compile", *inputs, "--emit=bytecode", flag)
    assert (status, "one file" in err or "several files" in err) == (2, True)


def test_an_input_that_is_gone_is_an_answer(tmp_path: Path) -> None:
    found = compile_file(CompileJob(str(tmp_path / "gone.mlir"), str(tmp_path / "out"), ["bytecode"]))
    assert found.status == 2
    assert "No such file" in found.messages[0]


def test_what_the_simulator_runs_is_compiled_like_other_code(sources: Path, tmp_path: Path) -> None:
    """With lines, which the findings of the simulator name."""
    (file, *_) = sorted(sources.glob("*.mlir"))
    found = compile_file(CompileJob(str(file), str(tmp_path / "out"), ["ptx"], "sim:sm_80"))
    assert (found.status, found.messages) == (0, ())
    text = Path(found.outputs[0]).read_text(encoding="utf-8")
    assert ".target sm_80" in text
    assert ".loc" in text

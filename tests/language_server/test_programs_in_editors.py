"""What editors are told about programs with kernels: shapes, findings, proofs, operations, stages."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.language_server.protocol import conversation, opened
from tilewright.cutile.compiler import compile_to_bytecode
from tilewright.driver.sources import read_any
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.printer import Printer
from tilewright.runtime import last_runs
from tilewright.runtime.last_runs import PROOFS, RUN, LastRun

KERNELS = Path(__file__).with_name("kernels.py")
CPP = Path(__file__).parents[1] / "debugger" / "data"
RACE = """import cuda.tile as ct


@ct.kernel
def add_up(x, out):
    part = ct.sum(ct.load(x, ct.bid(0), shape=(16,)))
    ct.store(out, 0, ct.load(out, 0, shape=(1,)) + part)
"""


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "16M")


@cache
def modules() -> tuple[bytes, ...]:
    from tests.language_server.kernels import launches

    return tuple(compile_to_bytecode(kernel, arguments).bytecode for kernel, arguments in launches())


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A file with `RACE`, and its kernel as bytecode."""
    path = tmp_path_factory.mktemp("race") / "race.py"
    path.write_text(RACE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("race", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arguments = np.ones(128, np.float32), np.zeros(1, np.float32)
    return path, compile_to_bytecode(module.add_up, arguments).bytecode


def kept(path: Path, text: str, kind: str = RUN, began: float = 1e9, **fields: Any) -> LastRun:
    """Keep a run of a program with one file."""
    given: dict[str, Any] = {
        "report": {"findings": []},
        "target": "cpu",
        "directory": str(path.parent),
        **fields,
    }
    run = LastRun(kind=kind, program=str(path), began=began, sources={str(path): text}, **given)
    last_runs.store(run)
    return run


def asked(path: Path, text: str, *requests: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The results of requests about an open document, and the parameters of the server's own messages."""
    where = {"textDocument": {"uri": path.as_uri()}}
    numbered = [
        {**one, "id": number, "params": {**where, **one["params"]}} for number, one in enumerate(requests, 2)
    ]
    said = conversation(opened(path.as_uri(), text, "python"), *numbered)
    results = {one["id"]: one["result"] for one in said if "result" in one}
    return [results[one["id"]] for one in numbered], [one["params"] for one in said if "method" in one]


def hints_of(path: Path, text: str) -> list[Any]:
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
    (found,), _ = asked(path, text, {"method": "textDocument/inlayHint", "params": {"range": whole}})
    return found


def labels(found: Sequence[Any]) -> dict[int, list[str]]:
    """The types in hints by line."""
    by_line: dict[int, list[str]] = {}
    for one in found:
        by_line.setdefault(one["position"]["line"], []).append(one["label"].removeprefix(": "))
    return by_line


def test_shapes_of_ten_kernels_are_as_the_compiler_has_them() -> None:
    text = KERNELS.read_text(encoding="utf-8")
    kept(KERNELS, text, modules=modules())
    found = labels(hints_of(KERNELS, text))
    lines = list(enumerate(text.splitlines()))
    wanted = {at: re.findall(r"tile<\S+>", line) for at, line in lines if "# tile<" in line}
    assert found == wanted
    assert len(modules()) == 10


def test_each_type_is_that_of_an_operation_at_the_assigned_expression() -> None:
    text = KERNELS.read_text(encoding="utf-8")
    kept(KERNELS, text, modules=modules())
    printed = "".join(
        Printer(PrintOptions(debug_info=True, use_local_scope=True)).print_module(read_any(one, "kernel"))
        for one in modules()
    )
    places = set[tuple[int, int, str]]()
    for line in printed.splitlines():
        at = re.search(r'kernels\.py":(\d+):(\d+)', line)
        if at is not None:
            places |= {(int(at[1]), int(at[2]), one) for one in re.findall(r"tile<[^>]+>", line)}
    checked = 0
    for line, types in labels(hints_of(KERNELS, text)).items():
        source = text.splitlines()[line]
        if "normalised(tile)" in source or len(types) > 1:
            continue
        column = source.index("=") + 2
        assert (line + 1, column, types[0]) in places, source
        checked += 1
    assert checked >= 28


def finding(path: Path, **fields: Any) -> dict[str, Any]:
    """A finding in a report."""
    place = {"file": path.name, "line": 7, "column": 22}
    more = {"notes": [], "hints": [], "calls": [], "severity": "error", "code": "TW0406"}
    return {**place, **more, "message": "it races", **fields}


def published(said: Sequence[Any]) -> list[Any]:
    """The diagnostics that were sent last."""
    return next(one["diagnostics"] for one in reversed(said) if "diagnostics" in one)


def test_findings_of_the_last_run_are_at_their_expressions(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    note = {"message": "the other access is here", "file": "race.py", "line": 7, "column": 5}
    found = finding(path, notes=[note], hints=["use atomics"])
    kept(path, RACE, report={"findings": [finding(path, message="an older run")]})
    kept(path, RACE, began=2e9, report={"findings": [found]})
    _, said = asked(path, RACE)
    (shown,) = published(said)
    line = RACE.splitlines()[6]
    begin, end = shown["range"]["start"]["character"], shown["range"]["end"]["character"]
    assert line[begin:end] == "ct.load(out, 0, shape=(1,))"
    assert shown["message"] == "it races\nhint: use atomics"
    assert shown["code"] == "TW0406"
    (related,) = shown["relatedInformation"]
    assert related["location"]["range"]["start"] == {"line": 6, "character": 4}


def test_findings_and_shapes_follow_their_lines(race: tuple[Path, bytes]) -> None:
    path, content = race
    kept(path, RACE, modules=[content], report={"findings": [finding(path)]})
    moved = RACE.replace("@ct.kernel", "# a comment\n\n@ct.kernel")
    _, said = asked(path, moved)
    assert [one["range"]["start"]["line"] for one in published(said)] == [8]
    assert labels(hints_of(path, moved)) == {7: ["tile<f32>"]}
    mended = RACE.replace("ct.load(out, 0, shape=(1,)) + part", "part")
    _, said = asked(path, mended)
    assert published(said) == []
    assert labels(hints_of(path, mended)) == {5: ["tile<f32>"]}


def test_hovers_have_the_operation_and_its_page_and_stages_open(race: tuple[Path, bytes]) -> None:
    path, content = race
    kept(path, RACE, modules=[content])
    character = RACE.splitlines()[6].index("load") + 1
    hover = {"method": "textDocument/hover", "params": {"position": {"line": 6, "character": character}}}
    elsewhere = {"method": "textDocument/hover", "params": {"position": {"line": 0, "character": 3}}}
    arguments = [path.as_uri(), 6, "tileaa"]
    show = {
        "method": "workspace/executeCommand",
        "params": {"command": "tilewright.showStage", "arguments": arguments},
    }
    lists = {
        "method": "workspace/executeCommand",
        "params": {"command": "tilewright.stages", "arguments": arguments[:2]},
    }
    found, said = asked(path, RACE, hover, elsewhere, lists, show)
    text = found[0]["contents"]["value"]
    assert "`cuda_tile.load_view_tko` → `tile<1xf32>`" in text
    assert "# `cuda_tile.load_view_tko`" in text
    assert found[1:] == [None, ["tileir", "tileaa", "tileas", "plan", "llvm", "asm"], True]
    (shown,) = [one for one in said if "takeFocus" in one]
    assert shown["uri"].endswith("/add_up.tileaa.mlir")


def test_a_line_leads_to_its_line_in_each_stage(race: tuple[Path, bytes]) -> None:
    from tilewright.language_server.programs import ProgramDocument
    from tilewright.language_server.runs import LastRuns

    path, content = race
    kept(path, RACE, modules=[content])
    runs = LastRuns()
    runs.refresh()
    document = ProgramDocument(runs, str(path), RACE)
    for name, first in (("tileir", "get_tile_block_id"), ("tileaa", "get_program_id")):
        stage = document.stage(5, name)
        assert stage is not None
        assert first in stage.text.splitlines()[stage.line]
    assert document.stage(5, "ptx") is None


def test_what_is_proved_is_at_the_end_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    place = {"file": "race.py", "line": 6, "column": 19, "operation": "cuda_tile.load_view_tko"}
    proved = {
        **place,
        "subject": "bounds",
        "status": "proved",
        "conditions": ["grid.x == 8"],
        "because": None,
    }
    refuted = {**proved, "line": 7, "column": 5, "status": "refuted", "subject": "races"}
    report = {"findings": [finding(path)], "kernels": [{"name": "add_up", "statements": [proved, refuted]}]}
    kept(path, RACE, PROOFS, report=report)
    (shown,) = hints_of(path, RACE)
    assert shown["position"] == {"line": 5, "character": len(RACE.splitlines()[5])}
    assert shown["label"] == "proved"
    assert "`cuda_tile.load_view_tko` is in bounds if `grid.x == 8`" in shown["tooltip"]["value"]
    _, said = asked(path, RACE)
    assert [one["code"] for one in published(said)] == ["TW0406"]


def test_a_hover_has_the_proofs_of_its_file_and_of_the_line_as_it_was_then(race: tuple[Path, bytes]) -> None:
    from tilewright.language_server.programs import ProgramDocument
    from tilewright.language_server.runs import LastRuns

    path, content = race
    here = {"file": "race.py", "line": 9, "column": 22, "operation": "here"}
    elsewhere = {**here, "file": "other.py", "operation": "in another file"}
    changed = {**here, "line": 7, "operation": "at the line before it moved"}
    rest = {"subject": "bounds", "status": "proved", "conditions": [], "because": None}
    statements = [{**one, **rest} for one in (here, elsewhere, changed)]
    report = {"findings": [], "kernels": [{"name": "add_up", "statements": statements}]}
    kept(path, RACE, modules=[content])
    kept(path, RACE.replace("@ct.kernel", "# a comment\n\n@ct.kernel"), PROOFS, report=report)
    runs = LastRuns()
    runs.refresh()
    meaning = ProgramDocument(runs, str(path), RACE).meaning(6, 22)
    assert meaning is not None
    assert re.findall(r"^- proved: .*", meaning[1], re.MULTILINE) == ["- proved: `here` is in bounds"]


def test_names_of_cpp_have_their_shapes() -> None:
    path = CPP / "scale.cu"
    text = path.read_text(encoding="utf-8")
    kept(path, text, modules=[(CPP / "scale.mlir").read_bytes()])
    found = labels(hints_of(path, text))
    assert found == {6: ["tile<256xi32>"], 7: ["tile<256xi8>"], 8: ["tile<256xf32>"]}


def test_a_program_that_never_ran_is_said_once(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    closed = {"method": "textDocument/didClose", "params": {"textDocument": {"uri": path.as_uri()}}}
    again = [opened(path.as_uri(), text, "python") for text in (RACE, "x = 1\n", RACE)]
    said = conversation(again[0], closed, again[1], closed, again[2])
    told = [one["params"]["message"] for one in said if one.get("method") == "window/showMessage"]
    assert len(told) == 1
    assert "tilewright run --check all" in told[0]
    assert labels(hints_of(path, RACE)) == {}


def test_fixes_are_edits(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    fix = {
        "file": "race.py",
        "line": 7,
        "column": 22,
        "end_column": 29,
        "replaced": "ct.load",
        "text": "ct.gather",
    }
    kept(path, RACE, report={"findings": [finding(path, fixes=[fix])]})
    here = {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 0}}
    given = {"range": here, "context": {"diagnostics": [], "triggerKind": 2}}
    ((action,),), _ = asked(path, RACE, {"method": "textDocument/codeAction", "params": given})
    (edit,) = action["edit"]["changes"][path.as_uri()]
    assert edit["newText"] == "ct.gather"
    assert (edit["range"]["start"]["character"], edit["range"]["end"]["character"]) == (21, 28)


def test_a_record_of_another_version_is_no_run(tmp_path: Path) -> None:
    run = kept(tmp_path / "race.py", RACE)
    assert list(last_runs.read_all()) == [run.key]
    last_runs._records(1 << 20).put(run.key, run.to_bytes().replace(b'"schema": 1', b'"schema": 0'))
    assert last_runs.read_all() == {}


def test_files_that_changed_since_are_left_out(tmp_path: Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    for one in (old, new):
        one.write_text("x = 1\r\n", encoding="utf-8", newline="")
    began = time.time()
    os.utime(new, (began + 5, began + 5))
    texts = last_runs.texts_of([str(old), str(new), str(tmp_path / "missing.py"), "<cell>"], began)
    assert texts == {str(old): "x = 1\r\n"}


def command(name: str, path: Path) -> dict[str, Any]:
    """The request of a command about a document."""
    given = {"command": f"tilewright.{name}", "arguments": [path.as_uri()]}
    return {"method": "workspace/executeCommand", "params": given}


def test_a_program_is_run_again_as_it_ran_last(
    race: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilewright.language_server import program_server

    path, content = race
    kept(path, RACE, arguments=["--size", "8"])
    run = list[tuple[Sequence[str], str, float]]()

    async def output(words: Sequence[str], folder: str, seconds: float) -> tuple[int, str]:
        run.append((words[2:], folder, seconds))
        kept(path, RACE, began=2e9, modules=[content], report={"findings": [finding(path)]})
        return 1, "it printed\n\ntilewright: 1 finding\n"

    monkeypatch.setattr(program_server, "_output", output)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    hints = {"method": "textDocument/inlayHint", "params": {"range": whole}}
    (told, proved, found), said = asked(path, RACE, command("check", path), command("prove", path), hints)
    program = [str(path), "--size", "8"]
    assert run == [
        (["tilewright", "run", "--check", "all", *program], str(path.parent), 300),
        (["tilewright", "verify", "--prove", str(path)], str(path.parent), 60),
    ]
    assert told == proved == "tilewright: 1 finding"
    assert labels(found) == {5: ["tile<f32>"]}
    assert len(published(said)) == 1
    saved = {"method": "textDocument/didSave", "params": {"textDocument": {"uri": path.as_uri()}}}
    conversation(opened(path.as_uri(), RACE), saved, onSave="check", checks="memcheck", checkSeconds=5)
    assert run[2:] == [(["tilewright", "run", "--check", "memcheck", *program[:1]], str(path.parent), 5)]


def test_a_command_ends_after_its_time() -> None:
    from tilewright.language_server.program_server import _output

    async def both() -> list[tuple[int | None, str]]:
        given = ("print(1); raise SystemExit(3)", 60), ("while True: pass", 0.05)
        return [await _output([sys.executable, "-ISc", code], "", seconds) for code, seconds in given]

    (status, text), (stopped, _) = asyncio.run(both())
    assert (status, text.strip(), stopped) == (3, "1", None)


def test_runs_are_kept_with_findings_modules_and_files(
    race: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilewright.cli import kept_runs
    from tilewright.cli.program import run_program
    from tilewright.driver import launch
    from tilewright.runtime.keyed_cache import KeyedCache

    path, content = race
    path = path.with_name("main.py")
    lines = ["import numpy as np", "import cuda.tile as ct", "from race import add_up"]
    lines += ["ct.launch(None, (8,), add_up, (np.ones(128, np.float32), np.zeros(1, np.float32)))", ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(kept_runs, "is_own_process", lambda: True)
    monkeypatch.setattr(launch, "KERNELS", KeyedCache[Any, Any](8))
    assert run_program(str(path), ["7"], check="racecheck") == 1
    ((_, run),) = last_runs.read_all().values()
    assert (run.kind, run.program, run.arguments, run.target) == (RUN, str(path), ["7"], "cpu")
    assert [one["code"] for one in run.report["findings"]] == ["TW0406"]
    assert [*run.modules] == [content]
    assert run.sources == {str(path): path.read_text(), str(path.with_name("race.py")): RACE}
    assert labels(hints_of(path.with_name("race.py"), RACE)) == {5: ["tile<f32>"]}

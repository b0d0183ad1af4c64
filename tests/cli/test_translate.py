"""`tilewright translate` in both directions, with the flags of `cuda-tile-translate`."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.bytecode.fixture_files import FIXTURES
from tests.house.tree import ROOT
from tilewright.bytecode import read_container
from tilewright.cli.main import main
from tilewright.testing.run_lines import run_file

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
FIXTURE = str(FIXTURES / "exp.f32@13.1.tileirbc")
NEWER = """
"cuda_tile.module"() <{sym_name = "kernels"}> ({
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<f32>) -> ()}> ({
  ^bb0(%x: !cuda_tile.tile<f32>):
    // expected-error@below {{operation 'cuda_tile.atan2' is not available in bytecode version 13.1}}
    %r = "cuda_tile.atan2"(%x, %x) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
FOREIGN = """
"cuda_tile.module"() <{sym_name = "kernels"}> ({
  "cuda_tile.entry"() <{sym_name = "k", function_type = () -> ()}> ({
    // expected-error@below {{only ops from the 'cuda_tile' dialect are allowed}}
    "foreign.op"() : () -> ()
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""


class Answer(NamedTuple):
    """What a command said."""

    status: int
    out: bytes
    err: str


Run = Callable[..., Answer]


@pytest.fixture
def translate(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command with the given words."""

    def run(*words: str) -> Answer:
        status = 0
        try:
            main(["translate", *words])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        out, err = capfdbinary.readouterr()
        return Answer(status, out, err.decode())

    return run


@pytest.fixture
def newer(tmp_path: Path) -> str:
    """A text that needs 13.2."""
    path = tmp_path / "newer.mlir"
    path.write_text(NEWER)
    return str(path)


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_there_and_back(translate: Run, tmp_path: Path, newer: str, dashes: str) -> None:
    target = tmp_path / "k.tileirbc"
    assert translate(f"{dashes}mlir-to-cudatilebc", newer, "-o", str(target)) == (0, b"", "")
    assert str(read_container(target.read_bytes()).version) == "13.2"
    answer = translate(f"{dashes}cudatilebc-to-mlir", str(target))
    assert answer == translate(newer)
    assert answer.status == 0
    assert b" atan2 " in answer.out


def test_bytes_on_stdout(translate: Run) -> None:
    data = Path(FIXTURE).read_bytes()
    assert translate("--mlir-to-cudatilebc", FIXTURE) == (0, data, "")


@pytest.mark.parametrize("version", ["13.1", "13.3", "13.5"])
def test_bytecode_in_another_version(translate: Run, version: str) -> None:
    answer = translate("--mlir-to-cudatilebc", f"--bytecode-version={version}", FIXTURE)
    assert str(read_container(answer.out).version) == version


def test_a_version_that_is_too_old(translate: Run, newer: str, tmp_path: Path) -> None:
    target = tmp_path / "none"
    status, out, err = translate("-mlir-to-cudatilebc", "-bytecode-version=13.1", newer, "-o", str(target))
    assert (status, out) == (1, b"")
    assert "newer.mlir:6:10: error[TW0317]: operation 'cuda_tile.atan2' is not available" in err
    assert "hint: write bytecode version 13.2 or newer" in err
    assert not target.exists()


def test_round_trip(translate: Run, newer: str) -> None:
    assert translate("--test-cudatile-roundtrip", "--no-implicit-module", newer) == translate(newer)
    assert translate("--test-cudatile-roundtrip", "--bytecode-version=13.1", newer).status == 1


def test_versions(translate: Run) -> None:
    assert translate("--list-versions") == (0, b"13.1\n13.2\n13.3\n13.4\n13.5\n", "")


def test_an_unknown_version(translate: Run) -> None:
    status, out, err = translate("--mlir-to-cudatilebc", "--bytecode-version=12.0", KERNEL)
    assert (status, out) == (2, b"")
    assert "Invalid argument '12.0': the supported versions are [13.1 - 13.5]" in err


def test_who_asks_for_bytecode_gets_no_text(translate: Run) -> None:
    status, out, err = translate("--cudatilebc-to-mlir", KERNEL)
    assert (status, out) == (1, b"")
    assert "error[TW0300] at offset 0: input does not correspond to Tile IR bytecode" in err


def test_wrong_usage(translate: Run, tmp_path: Path) -> None:
    for words, text in (
        (("--mlir-to-cudatilebc", "--cudatilebc-to-mlir", KERNEL), "exclude each other"),
        ((KERNEL, KERNEL), "one input file at most, got 2"),
        (("--mlir-to-cudatile", KERNEL), "hint: did you mean '--mlir-to-cudatilebc'?"),
        ((KERNEL, "-o", str(tmp_path)), f"cannot write '{tmp_path}'"),
    ):
        status, out, err = translate(*words)
        assert (status, out) == (2, b"")
        assert text in err


def test_input_that_cannot_be_read(translate: Run, tmp_path: Path) -> None:
    path = tmp_path / "neither"
    path.write_bytes(b"\xff\xfe")
    assert "neither Tile IR bytecode nor text" in translate(str(path)).err
    status, _, err = translate(str(tmp_path / "missing"))
    assert status == 2
    assert "error[TW0503]: cannot read" in err


def test_pieces_and_expectations(translate: Run, newer: str, tmp_path: Path) -> None:
    words = ("-mlir-to-cudatilebc", "-split-input-file", "-verify-diagnostics", "-bytecode-version=13.1")
    assert translate(*words, newer) == (0, b"", "")
    assert translate(*words[:-1], newer).status == 1, "what is expected does not come"
    pieces = tmp_path / "pieces.mlir"
    pieces.write_text(f"{NEWER}// -----\n{NEWER}// -----\n{FOREIGN}")
    assert translate(*words, "-allow-unregistered-dialect", str(pieces)) == (0, b"", "")
    status, out, err = translate(
        "-mlir-to-cudatilebc", "-split-input-file", "-bytecode-version=13.1", str(pieces)
    )
    assert (status, out) == (1, b"")
    assert err.count("is not available in bytecode version 13.1") == 2


def test_pieces_of_text(translate: Run, tmp_path: Path) -> None:
    pieces = tmp_path / "pieces.mlir"
    pieces.write_text(f"{NEWER}// -----\n{NEWER}")
    once = translate("-split-input-file", str(pieces)).out
    assert once.count(b"// -----\n") == 1
    assert once.count(b" atan2 ") == 2
    assert translate("-split-input-file", "--mlir-to-cudatilebc", str(pieces)).status == 2


def test_a_stdout_that_takes_no_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.cli.commands.translate import run_translate

    err = io.StringIO()
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr("sys.stderr", err)
    assert run_translate(["--mlir-to-cudatilebc", KERNEL]) == 2
    assert "hint: name a file with -o" in err.getvalue()


def test_run_lines(tmp_path: Path) -> None:
    file = tmp_path / "test.mlir"
    file.write_text(
        "// RUN: tilewright translate -mlir-to-cudatilebc -bytecode-version=13.2 %s -o %t.bc\n"
        "// RUN: tilewright translate -cudatilebc-to-mlir %t.bc | FileCheck %s\n"
        "// RUN: not tilewright translate -mlir-to-cudatilebc -bytecode-version=13.1 %s 2>&1 | FileCheck %s --check-prefix=OLD\n"
        "// CHECK: {{ }}atan2 \n// OLD: not available in bytecode version 13.1\n" + NEWER
    )
    run_file(file, tmp_path / "scratch")


GPU_KERNEL = str(ROOT / "tests" / "house" / "data" / "gpu_kernel.mlir")


def test_ptx_of_a_module(translate: Run, tmp_path: Path) -> None:
    """The chip says what may stand in the text; lines of the source are told if asked for."""
    target = tmp_path / "k.ptx"
    answer = translate("--mlir-to-ptx", "--chip", "sm_90a", "--line-info", GPU_KERNEL, "-o", str(target))
    assert answer.status == 0
    text = target.read_text(encoding="utf-8")
    assert ".target sm_90a\n" in text
    assert ".loc 1 " in text
    assert b".loc" not in translate("--mlir-to-ptx", "--chip", "sm_80", GPU_KERNEL).out


def test_ptx_of_a_function_alone(translate: Run) -> None:
    file = str(ROOT / "tests" / "house" / "data" / "gpu_copies.mlir")
    assert b"multimem.ld_reduce" in translate("--mlir-to-ptx", "--chip", "sm_90a", file).out


def test_ptx_is_for_a_gpu(translate: Run) -> None:
    answer = translate("--mlir-to-ptx", GPU_KERNEL)
    assert answer.status == 2
    assert "--chip" in answer.err
    answer = translate("--mlir-to-ptx", "--chip", "sm_999", GPU_KERNEL)
    assert answer.status == 1
    assert "sm_90a" in answer.err
    answer = translate("--mlir-to-ptx", "--chip", "sm_75", GPU_KERNEL)
    assert answer.status == 1
    assert "sm_75 cannot do 'nvvm." in answer.err

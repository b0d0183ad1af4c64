"""`tilewright inspect`: reports on stdout, problems on stderr, exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_program import SMALL, Program
from tilewright.inspect.findings import KINDS

Command = Callable[..., Answer]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("inspect") / "program"
    path.write_bytes(Program(figures=SMALL).executable())
    return str(path)


def test_table(tilewright: Command, program: str) -> None:  # noqa: F811
    status, out, err = tilewright("inspect", program)
    assert (status, err) == (0, "")
    assert "executable, x86-64" in out
    assert ".eh_frame_hdr" in out
    assert "more (--all)" in out
    assert len(tilewright("inspect", program, "--all").out) > len(out)


def test_one_kind(tilewright: Command, program: str) -> None:  # noqa: F811
    out = tilewright("inspect", program, "--kind", "string_pools").out
    assert "string pools:" in out
    assert "\ndialects:" not in out
    status, _, err = tilewright("inspect", program, "--kind", "ghosts")
    assert status == 2
    assert "unknown kind 'ghosts'" in err
    assert "hint: kinds: dialects" in err


def test_json(tilewright: Command, program: str) -> None:  # noqa: F811
    status, out, err = tilewright("inspect", program, "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    assert set(KINDS.values()) <= data.keys()
    assert "nv_tileaa" in {dialect["name"] for dialect in data["dialects"]}
    for key in KINDS.values():
        assert all(finding["evidence"] and 0 < finding["confidence"] <= 1 for finding in data[key])
    assert out == tilewright("inspect", program, "--json").out


def test_html(tilewright: Command, program: str, tmp_path: Path) -> None:  # noqa: F811
    page = tmp_path / "page.html"
    assert tilewright("inspect", program, "--html", str(page)).status == 0
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert text.count("<script") == 1
    assert "http:" not in text
    assert "https:" not in text
    assert "mlir::nv_tile_ir::as::{anonymous}::FuncOpConversion" in text
    assert "&lt;" in text


def test_output_into_a_file(tilewright: Command, program: str, tmp_path: Path) -> None:  # noqa: F811
    target = tmp_path / "report.json"
    assert tilewright("inspect", program, "--json", "-o", str(target)) == (0, "", "")
    assert json.loads(target.read_text())["machine"] == "x86-64"


def test_a_cubin(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "x.cubin"
    path.write_bytes(cubin())
    status, out, err = tilewright("inspect", str(path))
    assert (status, err) == (0, "")
    assert "cubin, sm_90" in out
    assert "kernel first" in out
    assert json.loads(tilewright("inspect", str(path), "--json").out)["architecture"] == "sm_90"


def test_a_raw_image(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "memory"
    path.write_bytes(b"\xc3" * 16 + b"mlir::arith::AddFOp]\0".ljust(48, b"\0"))
    status, out, _ = tilewright("inspect", str(path), "--raw", "--base", "0x1000", "--code", "0x1000+16")
    assert status == 0
    assert "mlir::arith::AddFOp" in out
    assert "raw image, x86-64" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--base", "0"), "--base and --code are for raw images"),
        (("--raw", "--base", "zero"), "'zero' is no number"),
        (("--raw", "--code", "5"), "'5' is no range"),
    ],
)
def test_wrong_usage(tilewright: Command, program: str, arguments: tuple[str, ...], message: str) -> None:  # noqa: F811
    status, _, err = tilewright("inspect", program, *arguments)
    assert status == 2
    assert message in err


def test_files_that_cannot_be_inspected(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "text"
    path.write_text("no program")
    status, out, err = tilewright("inspect", str(path))
    assert (status, out) == (1, "")
    assert "TW1051" in err
    assert "--raw" in err
    assert "TW1050" in tilewright("inspect", str(tmp_path / "missing")).err


def test_problems_go_to_stderr(tilewright: Command, program: str, tmp_path: Path) -> None:  # noqa: F811
    data = bytearray(Path(program).read_bytes())
    data[60:62] = (60000).to_bytes(2, "little")
    path = tmp_path / "broken"
    path.write_bytes(bytes(data))
    status, out, err = tilewright("inspect", str(path))
    assert status == 0
    assert "TW1052" in err
    assert "string pools" in out

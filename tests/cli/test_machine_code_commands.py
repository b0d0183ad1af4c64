"""`tilewright ptx assemble` and `tilewright sass`, with programs that stand in for NVIDIA's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import StandIn, assembler, disassembler
from tilewright.targets.nvptx import tools

PTX = ROOT / "tests" / "ptxsim" / "data" / "scale.ptx"
Command = Callable[..., Answer]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "k.cubin").write_bytes(cubin())
    assembler(tmp_path / "ptxas")
    disassembler(tmp_path / "nvdisasm")
    return tmp_path


def test_assemble(tilewright: Command, folder: Path) -> None:  # noqa: F811
    words = ("ptx", "assemble", str(PTX), "--assembler", f"{folder}/ptxas", "-o", f"{folder}/x.cubin")
    said = (
        "first: 24 registers, 8 bytes of stack, 4 bytes of spill stores, 12 bytes of spill loads, "
        "96 bytes of shared memory, 3 barriers\n"
    )
    assert tilewright(*words) == (0, said, "")
    assert (folder / "x.cubin").read_bytes() == cubin()
    data = json.loads(tilewright(*words, "--json", "--gpu", "sm_120a").out)
    assert (data["gpu"], data["cubin"], data["cubin_bytes"]) == ("sm_120a", f"{folder}/x.cubin", len(cubin()))
    assert data["kernels"][0]["constant"] == {"0": 540, "2": 4}


def test_what_is_refused_leaves_no_file(tilewright: Command, folder: Path) -> None:  # noqa: F811
    StandIn("ptxas k, line 1; error : Odd\n", end="sys.exit(1)").write(folder / "ptxas")
    words = ("ptx", "assemble", str(PTX), "--assembler", f"{folder}/ptxas", "-o", f"{folder}/x.cubin")
    status, out, err = tilewright(*words)
    assert (status, out) == (1, "")
    assert err.startswith(f"{PTX}:1:1: error[TW0911]: Odd\n")
    assert not (folder / "x.cubin").exists()
    assert tilewright("ptx", "assemble", f"{folder}/nowhere.ptx").status == 2
    assert tilewright("ptx", "assemble", str(PTX), "-o", f"{folder}/no/x.cubin").status == 2


def test_the_word_print_may_be_left_out(tilewright: Command) -> None:  # noqa: F811
    assert tilewright("ptx", str(PTX)) == tilewright("ptx", "print", str(PTX))
    assert tilewright("ptx", str(PTX), "--check") == (0, "", "")
    assert tilewright("ptx", "--check", str(PTX)) == (0, "", "")
    assert tilewright("ptx").status == 2
    assert "assemble" in tilewright("ptx", "--help").out


def test_sass(tilewright: Command, folder: Path) -> None:  # noqa: F811
    words = ("sass", f"{folder}/k.cubin", "--disassembler", f"{folder}/nvdisasm")
    status, out, err = tilewright(*words)
    assert (status, err) == (0, "")
    assert "replayed cycles" in out
    beside = tilewright(*words, "--against", f"{folder}/k.cubin").out
    assert "difference" in beside
    data = json.loads(tilewright(*words, "--json").out)
    assert data["kernels"][0]["code"]["hot_loop"] == 0x20


def test_sass_without_a_disassembler(
    tilewright: Command,  # noqa: F811
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tools, "_places", lambda name: iter(()))
    status, out, err = tilewright("sass", f"{folder}/k.cubin")
    assert status == 0
    assert "warning[TW0916]" in err
    assert "pip install nvidia-cuda-nvdisasm" in err
    assert "registers" in out
    assert "replayed" not in out


@pytest.mark.parametrize(
    ("end", "word"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "by signal SIGSEGV"),
        ("sys.stderr.write('unknown SM'); sys.exit(3)", "with status 3: unknown SM"),
    ],
)
def test_a_disassembler_that_fails(
    tilewright: Command,  # noqa: F811
    folder: Path,
    end: str,
    word: str,
) -> None:
    StandIn(end=end).write(folder / "nvdisasm")
    status, out, err = tilewright("sass", f"{folder}/k.cubin", "--disassembler", f"{folder}/nvdisasm")
    assert status == 0
    assert "warning[TW0917]" in err
    assert word in err
    assert "registers" in out


def test_a_listing_that_cannot_be_read_is_told(tilewright: Command, folder: Path) -> None:  # noqa: F811
    text = "\t.section\t.text.first\n        /*0000*/ ??? ;\n        /*0010*/ EXIT ;\n"
    StandIn(end=f"sys.stdout.write({text!r})").write(folder / "nvdisasm")
    status, _, err = tilewright("sass", f"{folder}/k.cubin", "--disassembler", f"{folder}/nvdisasm")
    assert status == 0
    assert "warning[TW1058]" in err
    assert "line 2" in err


def test_only_cubins(tilewright: Command, folder: Path) -> None:  # noqa: F811
    program = bytearray(cubin())
    program[18] = 62
    (folder / "program").write_bytes(program)
    (folder / "text").write_text("no ELF file")
    for name in ("program", "text"):
        status, out, err = tilewright("sass", f"{folder}/{name}", "--disassembler", f"{folder}/nvdisasm")
        assert (status, out) == (1, "")
        assert "TW1056" in err
    assert tilewright("sass", f"{folder}/nowhere").status == 2

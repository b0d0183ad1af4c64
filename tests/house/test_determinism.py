"""The same input gives the same bytes, whatever the hash seed of the process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.tree import ROOT, run_python

SEEDS = ("0", "1", "4242")
FIXTURE = ROOT / "tests" / "house" / "data" / "kernel.mlir"


def outputs(program: str, *arguments: str) -> set[str]:
    """The different outputs of a program under several hash seeds."""
    return {run_python(program, seed=seed, arguments=arguments) for seed in SEEDS}


COMMAND = "import sys; from tilewright.cli.main import main; main(sys.argv[1:])"


def test_translating_text() -> None:
    (text,) = outputs(COMMAND, "translate", "-g", str(FIXTURE))
    assert " addf " in text


def test_translating_bytecode(tmp_path: Path) -> None:
    from tests.support.corpora.frontend_corpus import launches
    from tilewright import cutile

    launch = launches()[0]
    path = tmp_path / "kernel.tileirbc"
    path.write_bytes(cutile.compile_to_bytecode(launch.kernel, launch.arguments).bytecode)
    (text,) = outputs(COMMAND, "translate", "-g", str(path))
    assert "entry @" in text


def test_reference_pages() -> None:
    pages = "import tilewright.reference as r; print(*[r.explain(n) for n in ('addf', 'for', 'TW0101')])"
    pytest.importorskip("tilewright.reference")
    (text,) = outputs(pages)
    assert "addf" in text


def test_diagnostics() -> None:
    program = (
        "from tilewright.driver.sources import load\n"
        'try: load(\'"cuda_tile.modul"() ({}) : () -> ()\\n"cuda_tile.x"() : () -> ()\\n\')\n'
        "except Exception as error: print(error)\n"
    )
    (text,) = outputs(program)
    assert "error[TW0002]" in text

"""The benchmark of start-up: its commands run, and its tables say what was measured."""

from __future__ import annotations

from pathlib import Path

from benchmarks import startup
from benchmarks.toolchain import Spent


def test_imports_of_a_command_are_timed(tmp_path: Path) -> None:
    lines = startup.arguments_of(tmp_path)
    assert set(startup.GOALS) <= set(lines)
    spent = startup.import_seconds(lines["opt, empty module"], 1)
    assert spent.keys() >= {"tilewright.cli.commands.opt", "tilewright.ir.text.parser", "typing"}


def test_the_largest_import_comes_first() -> None:
    spent = {f"tilewright.m{number}": number / 1e3 for number in range(50)} | {"typing": 1.0}
    rows = startup.import_table(spent)[2:]
    assert len(rows) == startup.SHOWN + 3
    assert rows[0].startswith("| `typing` | 1000.00 |")
    assert rows[1].startswith("| `tilewright.m49` | 49.00 |")
    assert rows[-3].startswith("| 11 further modules |")
    assert rows[-2].startswith("| 50 of tilewright | 1225.00 |")


def test_processes_are_compared_with_an_empty_one() -> None:
    times = {
        startup.EMPTY: [Spent(1.0, 0.01), Spent(1.0, 0.02)],
        "opt, empty module": [Spent(1.0, 0.05), Spent(1.0, 0.1)],
        "--help": [Spent(1.0, 0.02), Spent(1.0, 0.04)],
    }
    empty, opt, help = startup.process_table(times)[2:]
    assert "| 1.00 |" in empty
    assert opt == "| opt, empty module | 50.0 | 75.0 | 5.00 | at most 4x: 1.25x the limit |"
    assert help.endswith("| 2.00 |  |")

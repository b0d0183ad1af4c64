"""Proofs hold: errors of one are refuted, right kernels proved, and nothing that fails at run time is proved."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("z3")

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.documents import blocks
from tests.house.tree import ROOT
from tests.prover.generated import Tally, drawn, sampled
from tests.prover.seeded import SeededKernel, array, masked_vector, seeded, viewed_vector
from tilewright.cli.proofs import report_of
from tilewright.prover.kernels import BOUNDS, OPEN, PROVED, RACES, REFUTED, ProofResult
from tilewright.prover.report import prove
from tilewright.prover.solver import Linear, proves_absent, z3
from tools.report_schema import of_command

GRID = (4, 1, 1)
Command = Callable[..., Answer]


def results(kernel: SeededKernel) -> dict[str, ProofResult]:
    return {one.subject: one for one in kernel.prover().results()}


@pytest.mark.parametrize("kernel", list(seeded())[::13], ids=lambda kernel: kernel.name)
def test_errors_of_one_are_refuted_and_right_kernels_proved(kernel: SeededKernel) -> None:
    found = results(kernel)[BOUNDS]
    assert found.status == (REFUTED if kernel.is_wrong else PROVED)
    if kernel.is_wrong:
        assert found.finding is not None
        assert found.finding.location.source == found.op.location.source


def test_conditions_are_those_that_the_proof_needs() -> None:
    view = SeededKernel("view", viewed_vector(16, 0, store=True), GRID, array((50,)), False)
    found = results(view)
    name = "argument 0"
    assert found[BOUNDS].conditions == (f"grid.x == cdiv({name}.shape[0], 16)",)
    assert found[RACES].conditions == ("grid.y == 1", "grid.z == 1")
    masked = SeededKernel("mask", masked_vector(16, 0, "less_than", store=False), GRID, array((50,)), False)
    assert results(masked)[BOUNDS].conditions == ()


def test_arguments_of_a_refutation_are_small_and_like_those_of_the_launch() -> None:
    wrong = SeededKernel("mask", masked_vector(16, 1, "less_than", store=False), GRID, array((50,)), True)
    found = results(wrong)[BOUNDS]
    assert found.arguments[0].startswith("grid (")
    assert found.arguments[1].startswith("argument 0: float32[")
    assert found.finding is not None
    assert "outside of argument 0" in found.finding.message


def test_an_index_that_is_loaded_is_not_proved() -> None:
    text = masked_vector(4, 0, "less_than", store=False)
    text = text.replace(
        "    %place = addi %i, %by",
        "    %place, %u = load_ptr_tko weak %q_all : tile<4xptr<i32>> -> tile<4xi32>, token\n    %unused = addi %i, %by",
    )
    text = text.replace("%s: tile<i32>)", "%s: tile<i32>, %q: tile<ptr<i32>>)")
    spread = "    %q_1 = reshape %q : tile<ptr<i32>> -> tile<1xptr<i32>>\n    %q_all = broadcast %q_1 : tile<1xptr<i32>> -> tile<4xptr<i32>>\n"
    text = text.replace("    %place, %u", f"{spread}    %place, %u")
    arguments = (*array((13,)), np.zeros(1, np.int32))
    first, second = SeededKernel("loaded", text, GRID, arguments, False).prover().results()
    assert first.status == PROVED
    assert (second.status, second.because) == (OPEN, "it depends on a value that is loaded from memory")


@pytest.mark.parametrize("number", range(4))
def test_nothing_that_fails_is_proved(number: int) -> None:
    tally = Tally()
    (sampled if number % 3 == 0 else drawn)(number, tally)
    assert tally.kernels
    assert tally.contradictions == []


def test_products_are_compared_by_their_factors() -> None:
    i, n, s = z3.Ints("i n s")
    bound = [i >= 0, i < n, s >= 0]
    assert proves_absent([*bound, i * s > (n - 1) * s], [], Linear(["s"])) == []
    assert proves_absent([*bound, i * s >= (n - 1) * s], [], Linear(["s"])) is None
    assert proves_absent([i * s > (n - 1) * s], [i < n, s == 7, s >= 0, i >= 0], Linear(["s"])) == [0, 2]


def test_the_command_prints_what_its_page_says(
    tilewright: Command,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("cuda.tile")
    monkeypatch.chdir(tmp_path)
    page = blocks((ROOT / "docs" / "guides" / "prove.md").read_text(encoding="utf-8"))
    (program,) = (block.text for block in page if block.file == "program.py")
    (shown,) = (block.text for block in page if block.language == "console")
    Path("program.py").write_text(program)
    status, out, err = tilewright("verify", "--prove", "--target=interp", "program.py")
    assert (status, f"$ tilewright verify --prove program.py\n{out}{err}") == (1, shown)


def test_the_report_for_programs(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    schema = pytest.importorskip("jsonschema")
    wrong = SeededKernel("view", viewed_vector(16, 1, store=True), GRID, array((50,)), True)
    made = report_of("program.py", [prove(wrong.prover())])
    schema.validate(json.loads(json.dumps(made)), of_command("verify", closed=True))
    (statement, _) = made["kernels"][0]["statements"]
    assert statement["status"] == REFUTED
    assert "lies outside" in str(statement["finding"])
    assert tilewright("verify", "--prove", "kernel.mlir").status == 2

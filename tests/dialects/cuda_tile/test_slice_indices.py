"""Warnings about constant slice numbers out of range; tileiras is the oracle."""

from __future__ import annotations

import io

import pytest

from tests.support.real.real_kernel import Kernel, write_module
from tests.support.real.real_tools import assemble, error_lines
from tilewright.bytecode.reader.module import read_bytecode
from tilewright.cli.commands.opt import run_opt
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.rules.slice_indices import check_slice_indices
from tilewright.driver.compile import compile
from tilewright.driver.verification import check
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Severity

VERSION = (13, 5)
CASES: tuple[tuple[tuple[int, ...], list[str]], ...] = (
    ((0, 0), []),
    ((3, 1), []),
    ((4, 0), ["{} index 0 value 4 may be out of bounds (max valid index: 3)"]),
    ((0, -1), ["{} index 1 has negative value -1, which may cause undefined behavior"]),
    (
        (2**31 - 1, 2),
        [
            "{} index 0 value 2147483647 may be out of bounds (max valid index: 3)",
            "{} index 1 value 2 may be out of bounds (max valid index: 1)",
        ],
    ),
)


def _module(mnemonic: str, indices: tuple[int, ...]) -> bytes:
    def build(kernel: Kernel) -> None:
        numbers = [kernel.constant("i32", index.to_bytes(4, "little", signed=True)) for index in indices]
        if mnemonic == "extract":
            kernel.op("extract", result_type="2x8xf32", source="8x16xf32", indices=numbers)
        else:
            kernel.op(
                "insert", result_type="8x16xf32", source="2x8xf32", destination="8x16xf32", indices=numbers
            )

    return write_module(build, VERSION)


@pytest.mark.parametrize("mnemonic", ["extract", "insert"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[0]))
def test_constant_indices(mnemonic: str, case: tuple[tuple[int, ...], list[str]]) -> None:
    indices, wanted = case
    data = _module(mnemonic, indices)
    found = check_slice_indices(read_bytecode(data, Context([CUDA_TILE])))
    messages = [diagnostic.message for diagnostic in found]
    assert messages == [text.format(mnemonic) for text in wanted]
    assert all(diagnostic.severity is Severity.WARNING for diagnostic in found)
    _, _, stderr = assemble(data, "sm_100")
    assert messages == [line.removeprefix("warning: ") for line in error_lines(stderr)]


def test_an_index_that_is_computed_is_not_judged() -> None:
    def build(kernel: Kernel) -> None:
        nine = kernel.constant("i32", (9).to_bytes(4, "little"))
        total = kernel.op("addi", result_type="i32", lhs=nine, rhs=nine)
        kernel.op("extract", result_type="2xf32", source="8xf32", indices=[total])

    assert check_slice_indices(read_bytecode(write_module(build, VERSION), Context([CUDA_TILE]))) == []


MESSAGE = "extract index 0 value 4 may be out of bounds (max valid index: 3)"


def test_verification_says_so_and_accepts_the_module() -> None:
    report = check(_module("extract", (4, 0)), "m.tileirbc")
    assert [finding.diagnostic.message for finding in report.findings] == [MESSAGE]
    assert report.errors == 0


def test_compilation_says_so() -> None:
    assert [d.message for d in compile(_module("extract", (4, 0))).diagnostics] == [MESSAGE]
    assert compile(_module("extract", (3, 0))).diagnostics == []


def test_tools_say_so() -> None:
    text = read_bytecode(_module("insert", (0, 2)), Context([CUDA_TILE])).print()
    out, err = io.StringIO(), io.StringIO()
    assert run_opt((), io.StringIO(text), out, err) == 0
    assert "warning" in err.getvalue()
    assert "insert index 1 value 2 may be out of bounds (max valid index: 1)" in err.getvalue()

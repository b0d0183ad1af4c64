"""Ten planted failures are reduced to modules that still fail, within twice the size of minima that were made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import tilewright
from tests.cli.test_commands import Answer, tilewright as tilewright_command
from tilewright.dialects.cuda_tile.ops import control, float as float_ops
from tilewright.driver.reading import parse_text
from tilewright.driver.reduction.failures import CodeFailure
from tilewright.driver.reduction.reducing import reduce_lines, reduce_module
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState

__all__ = ["tilewright_command"]

LARGE = """
cuda_tile.module @kernels {
  global @table <f32: [1.0, 2.0, 4.0, 8.0]> : tile<4xf32>
  entry @unrelated(%a: tile<f32>, %b: tile<i32>) {
    %n = negf %a : tile<f32>
    %s = addi %b, %b : tile<i32>
    print_tko "%f %i", %n, %s : tile<f32>, tile<i32> -> token
    return
  }
  entry @kernel(%p: tile<ptr<f32>>, %q: tile<ptr<f16>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %offsets = iota : tile<32xi32>
    %shaped = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %spread = broadcast %shaped : tile<1xptr<f32>> -> tile<32xptr<f32>>
    %places = offset %spread, %offsets : tile<32xptr<f32>>, tile<32xi32> -> tile<32xptr<f32>>
    %x, %read = load_ptr_tko weak %places : tile<32xptr<f32>> -> tile<32xf32>, token
    %half = constant <f32: 0.5> : tile<32xf32>
    %scaled = mulf %x, %half : tile<32xf32>
    %sum, %last = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%c = %scaled, %d = %x) -> (tile<32xf32>, tile<32xf32>) {
      %square = mulf %c, %c : tile<32xf32>
      %less = subf %square, %d : tile<32xf32>
      %even = cmpi equal %i, %zero, signed : tile<i32> -> tile<i1>
      %chosen = if %even -> (tile<32xf32>) {
        %power = exp %less : tile<32xf32>
        yield %power : tile<32xf32>
      } else {
        %size = absf %less : tile<32xf32>
        %root = sqrt %size : tile<32xf32>
        yield %root : tile<32xf32>
      }
      continue %chosen, %c : tile<32xf32>, tile<32xf32>
    }
    %total = reduce %sum dim=0 identities=[0.0 : f32] : tile<32xf32> -> tile<f32>
    (%l: tile<f32>, %r: tile<f32>) {
      %both = addf %l, %r : tile<f32>
      yield %both : tile<f32>
    }
    %again = reshape %total : tile<f32> -> tile<1xf32>
    %wide = broadcast %again : tile<1xf32> -> tile<32xf32>
    %result = divf %last, %wide : tile<32xf32>
    %narrow = ftof %result : tile<32xf32> -> tile<32xf16>
    %other = reshape %q : tile<ptr<f16>> -> tile<1xptr<f16>>
    %others = broadcast %other : tile<1xptr<f16>> -> tile<32xptr<f16>>
    %targets = offset %others, %offsets : tile<32xptr<f16>>, tile<32xi32> -> tile<32xptr<f16>>
    %t0 = store_ptr_tko weak %targets, %narrow : tile<32xptr<f16>>, tile<32xf16> -> token
    %t1 = store_ptr_tko weak %places, %result : tile<32xptr<f32>>, tile<32xf32> -> token
    return
  }
}
"""
STANDARD = """
module {
  func.func @unrelated(%a: i32) -> i32 {
    %s = arith.addi %a, %a : i32
    return %s : i32
  }
  func.func @loop(%n: index, %x: f32, %on: i1) -> f32 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %half = arith.constant 5.000000e-01 : f32
    %sum = scf.for %i = %zero to %n step %one iter_args(%c = %x) -> (f32) {
      %scaled = arith.mulf %c, %half : f32
      %next = scf.if %on -> (f32) {
        %more = arith.addf %scaled, %x : f32
        scf.yield %more : f32
      } else {
        %less = arith.subf %scaled, %x : f32
        scf.yield %less : f32
      }
      scf.yield %next : f32
    }
    %twice = arith.addf %sum, %sum : f32
    return %twice : f32
  }
}
"""
INVALID = LARGE.replace(
    "%other =", "%wrong = divf %narrow, %narrow rounding<approx> : tile<32xf16>\n    %other ="
)
Fails = Callable[[Operation], bool]


@dataclass(frozen=True)
class CrashOnBranches(Pass):
    """Crashes at a square root in a branch in a loop."""

    name: ClassVar[str] = "crash-on-branches"

    def run(self, op: Operation, state: PassState) -> None:
        for one in op.walk():
            around = [type(outer) for outer in one.ancestors()]
            if isinstance(one, float_ops.SqrtOp) and control.IfOp in around and control.ForOp in around:
                raise AssertionError("a branch in a loop")


@dataclass(frozen=True)
class CrashOnSquares(Pass):
    """Crashes at a product of a value by itself that is subtracted from."""

    name: ClassVar[str] = "crash-on-squares"

    def run(self, op: Operation, state: PassState) -> None:
        for one in op.walk():
            made: Any = one.operands[0].owner if isinstance(one, float_ops.SubFOp) else None
            if isinstance(made, float_ops.MulFOp) and made.lhs is made.rhs:
                raise IndexError("a square")


@dataclass(frozen=True)
class ExchangeQuotients(Pass):
    """Exchanges the operands of divisions, which changes results."""

    name: ClassVar[str] = "exchange-quotients"

    def run(self, op: Operation, state: PassState) -> None:
        for one in op.walk():
            if isinstance(one, float_ops.DivFOp):
                one.set_operands([one.rhs, one.lhs])


def crash(planted: Pass) -> Fails:
    """Whether a pass crashes."""

    def fails(module: Operation) -> bool:
        known = context()
        manager = tilewright.PassManager(module.name, known)
        manager.add(planted)
        try:
            with known.diagnostics.handler(lambda told: True):
                manager.run(module.clone())
        except DiagnosticError as error:
            return any(str(one.code) == "TW0606" for one in error.diagnostics)
        return False

    return fails


def arrays() -> list[Any]:
    return [np.linspace(0.25, 2, 32, dtype=np.float32), np.zeros(32, np.float16), 2]


def outcome(module: Operation, check: str = "") -> Any:
    """The arrays after a launch of the kernel, or the codes of its findings; None if it cannot be launched."""
    given = arrays()
    names = [op.sym_name for op in module.walk() if isinstance(op, control.EntryOp)]
    if "kernel" not in names:
        return None
    entry = next(op for op in module.walk() if isinstance(op, control.EntryOp) and op.sym_name == "kernel")
    try:
        tilewright.launch(
            module, "kernel", 1, given[: len(entry.body.block.arguments)], target="interp", check=check
        )
    except DiagnosticError as error:
        return {str(one.code) for one in error.diagnostics}
    return [array.tobytes() for array in given[:2]]


def finding(code: str, check: str) -> Fails:
    """Whether a launch has a finding."""

    def fails(module: Operation) -> bool:
        found = outcome(module, check)
        return isinstance(found, set) and code in found

    return fails


def wrong_result(module: Operation) -> bool:
    """Whether a launch of the module and of the module after a wrong pass differ."""
    other = module.clone()
    manager = tilewright.PassManager(module.name, context())
    manager.add(ExchangeQuotients())
    manager.run(other)
    before, after = outcome(module), outcome(other)
    return isinstance(before, list) and isinstance(after, list) and before != after


def inexact(module: Operation) -> bool:
    """Whether a compared launch loses digits."""
    entries = [op for op in module.walk() if isinstance(op, control.EntryOp) and op.sym_name == "kernel"]
    if not entries:
        return False
    (entry,) = entries
    given = arrays()[: len(entry.body.block.arguments)]
    try:
        found = tilewright.compare(module, "kernel", 1, given, target="interp")
    except DiagnosticError:
        return False
    return any(str(one.code) == "TW0413" for one in found.findings)


def holds(*names: str) -> Fails:
    """Whether a module has operations of all these names."""
    return lambda module: set(names) <= {op.name for op in module.walk()}


def sized(module: Operation) -> int:
    return sum(1 for _ in module.walk())


LOSSY = LARGE.replace(
    "%t1 = store_ptr_tko weak %places, %result",
    "%back = ftof %narrow : tile<32xf16> -> tile<32xf32>\n    %t1 = store_ptr_tko weak %places, %back",
)
BEYOND = LARGE.replace("iota : tile<32xi32>", "iota : tile<64xi32>").replace("32x", "64x")


@dataclass(frozen=True)
class Planted:
    """A failing module, the failure, and the number of operations of the smallest module that was made by hand."""

    name: str
    text: str
    fails: Fails
    minimum: int


PLANTED = (
    # module, entry, two constants (bounds, value), for, if, sqrt, two yields, continue, return
    Planted("a pass crashes in a nest", LARGE, crash(CrashOnBranches()), 10),
    # module, entry, constant, mulf, subf, return
    Planted("a pass crashes at a pattern", LARGE, crash(CrashOnSquares()), 6),
    # module, entry, constant, mulf, return
    Planted("an operation breaks a rule", INVALID, CodeFailure("TW0101", "cpu", "cse", context()), 5),
    # module, entry, reshape, load, constant, divf, store, return
    Planted("a pass changes results", LARGE, wrong_result, 8),
    # module, entry, reshape, load, divf or constants, sqrt of a negative number, return
    Planted(
        "a number that is no number",
        LARGE.replace("sqrt %size", "sqrt %less"),
        finding("TW0411", "fpcheck"),
        6,
    ),
    # module, entry, iota, reshape, broadcast, offset, load, return
    Planted("an access outside", BEYOND, finding("TW0402", "memcheck"), 8),
    # module, entry, reshape, load, ftof, ftof, store, return
    Planted("a cast that loses digits", LOSSY, inexact, 8),
    # module, func, if, subf, two yields, return
    Planted("operations of other dialects", STANDARD, holds("arith.subf", "scf.if"), 7),
    # module, entry, constant, reduce, addf, yield, return
    Planted("a reduction", LARGE, holds("cuda_tile.reduce", "cuda_tile.addf"), 7),
    # module, entry, two constants, for, exp, continue, return
    Planted("an operation beside a loop", LARGE, holds("cuda_tile.for", "cuda_tile.exp"), 8),
)


def parsed(text: str) -> Operation:
    return parse_text(text, "<planted>", context(), verify=False)


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: case.name)
def test_a_planted_failure_becomes_small(case: Planted) -> None:
    module = parsed(case.text)
    assert case.fails(module), "the failure is planted"
    before, kept = str(module), list[str]()
    found = reduce_module(module, case.fails, kept=kept.append)
    assert str(module) == before, "the input is not changed"
    assert case.fails(found)
    assert kept[-1] == str(found)
    assert sized(found) <= 2 * case.minimum, str(found)


def test_nothing_is_left_to_reduce() -> None:
    fails = crash(CrashOnSquares())
    found = reduce_module(parsed(LARGE), fails)
    assert str(reduce_module(found, fails)) == str(found) == str(reduce_module(parsed(LARGE), fails))


PTX = "".join(f"  add.s32 %r{i}, %r{i - 1}, 1;\n" for i in range(1, 40)) + "  bad.s32 %r1;\n  trap;\n"
FAILING = "grep -q bad.s32 {} && grep -q trap {} && { echo 'a.ptx:1: error[TW1201]'; exit 3; }; exit 7"


def test_a_text_that_is_no_module_becomes_small_by_lines() -> None:
    found = reduce_lines(PTX, lambda text: "bad.s32" in text and "trap" in text)
    assert found == "  bad.s32 %r1;\n  trap;\n"


class TestCommand:
    def test_the_failure_of_a_command(
        self, tilewright_command: Callable[..., Answer], tmp_path: Path
    ) -> None:
        text, small = tmp_path / "kernel.ptx", tmp_path / "kernel.reduced.ptx"
        text.write_text("".join(PTX.splitlines(keepends=True)[-4:]))
        status, out, err = tilewright_command("reduce", str(text), "--", "sh", "-c", FAILING)
        assert (status, out, err) == (0, "", f"{small}: 2 lines of 4 lines\n")
        assert small.read_text() == "  bad.s32 %r1;\n  trap;\n"

    def test_bytecode_stays_bytecode(self, tilewright_command: Callable[..., Answer], tmp_path: Path) -> None:
        file, small = tmp_path / "kernel.tileirbc", tmp_path / "small.tileirbc"
        file.write_bytes(tilewright.Module.parse(LARGE).to_bytecode())
        words = ("--says", "has it", "-o", str(small), "--", "sh", "-c", "grep -q kernel {} && echo has it")
        assert tilewright_command("reduce", str(file), *words).status == 0
        assert [op.name for op in tilewright.load(small).walk()] == [
            "cuda_tile.module",
            "cuda_tile.entry",
            "cuda_tile.return",
        ]
        again = tilewright_command("reduce", str(small), *words)
        assert again.err == f"{small}: 3 operations of 3 operations\n", "the output is an input"

    def test_a_code_of_the_compiler(self, tilewright_command: Callable[..., Answer], tmp_path: Path) -> None:
        file = tmp_path / "kernel.mlir"
        file.write_text(INVALID)
        status, _, err = tilewright_command("reduce", str(file), "--fails-with=TW0101", "--pass-pipeline=cse")
        assert (status, err) == (0, f"{tmp_path}/kernel.reduced.mlir: 5 operations of 43 operations\n")
        status, _, err = tilewright_command("reduce", str(file), "--fails-with=TW0501", "--pass-pipeline=cse")
        assert status == 1
        assert "error[TW0541]: the module does not fail with 'TW0501'" in err

    def test_what_does_not_fail(self, tilewright_command: Callable[..., Answer], tmp_path: Path) -> None:
        file = tmp_path / "kernel.mlir"
        file.write_text(STANDARD)
        status, _, err = tilewright_command("reduce", str(file), "--", "true")
        assert status == 1
        assert "error[TW0541]: the command ends with status 0 on the input" in err
        assert tilewright_command("reduce", str(file)).status == 2

"""The harness of lit suites, on a suite that is made up here."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conformance.lit_suite import SuiteFile, chosen_files, files_with_tests, main, run_suite, table, updated

pytest.importorskip("filecheck", reason="FileCheck needs the package 'filecheck' (extra dev)")

GOOD = {
    "diagnostics.mlir": """// RUN: cuda-tile-opt %s -verify-diagnostics -split-input-file
// expected-error @below {{expected valid '@'-identifier for symbol name}}
cuda_tile.module {}
// -----
cuda_tile.module @m {
  testing$func @f(%x: !cuda_tile.tile<4xf32>) -> tile<4xf32> {
    // expected-error @+2 {{expects different type than prior uses}}
    // expected-note @-2 {{prior use here}}
    return %x : tile<4xi32>
  }
}
""",
    "folder/round.mlir": """// RUN: %round_trip_test %s %t
// RUN: cuda-tile-translate -mlir-to-cudatilebc -no-implicit-module %s -o %t.bc
// RUN: cuda-tile-translate -cudatilebc-to-mlir %t.bc | FileCheck %s
cuda_tile.module @kernels {
  // CHECK: entry @k(%[[X:.*]]: tile<i32>)
  entry @k(%x: tile<i32>) {
    // CHECK-NEXT: addi %[[X]], %[[X]] : tile<i32>
    %0 = addi %x, %x : tile<i32>
    return
  }
}
""",
    "functions.mlir": """// RUN: cuda-tile-opt %s | cuda-tile-opt | FileCheck %s
// RUN: cuda-tile-opt -mlir-print-op-generic %s | cuda-tile-opt | FileCheck %s
cuda_tile.module @m {
  // CHECK: testing$func @pair(%[[A:.*]]: tile<2xi1>, %{{.*}}: token) -> (tile<2xi1>, token) {
  testing$func @pair(%a: !cuda_tile.tile<2xi1>, %b: token) -> (tile<2xi1>, token) {
    // CHECK-NEXT: return %[[A]], %{{.*}} : tile<2xi1>, token
    return %a, %b : tile<2xi1>, token
  }
}
""",
    "headlines.mlir": """// RUN: not cuda-tile-opt %s 2>&1 | FileCheck %s
// CHECK: error: 'cuda_tile.return' op must be the last operation in the parent block
cuda_tile.module @m { entry @k() { return return } }
""",
    "range.mlir": """// RUN: not cuda-tile-translate -mlir-to-cudatilebc -bytecode-version=12.0 %s 2>&1 | FileCheck %s
// CHECK: supported versions are [13.1 - 13.3]
cuda_tile.module @m {}
""",
}
EXCLUDED = {
    "register.c": "// RUN: test-cuda-tile-capi-register\n",
    "bindings.py": "# RUN: %PYTHON -m pytest %s\n",
}
BROKEN = """// RUN: cuda-tile-opt %s -verify-diagnostics -split-input-file
cuda_tile.module @m {}
// -----
// expected-error @below {{no such error}}
cuda_tile.module @m {}
// -----
cuda_tile.module @m {}
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, text in (GOOD | EXCLUDED).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "no-test.mlir").write_text("cuda_tile.module @m {}\n")
    return tmp_path


def test_the_files(suite: Path) -> None:
    names = {path.relative_to(suite).as_posix() for path in files_with_tests(suite)}
    assert names == {*GOOD, *EXCLUDED}


def test_a_good_suite(suite: Path) -> None:
    results = {result.name: result for result in run_suite(chosen_files(suite))}
    assert {name: results[name].failures for name in GOOD} == {name: [] for name in GOOD}
    assert {name for name, result in results.items() if result.outcome == "excluded"} == {*EXCLUDED}
    assert results["diagnostics.mlir"].cases == 2
    assert [len(results[name].updates) for name in ("range.mlir", "headlines.mlir")] == [1, 0]
    assert table(list(results.values())).endswith("6 of 6 inputs as expected; 1 updates")


def test_failures_are_told(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / "broken.mlir").write_text(BROKEN)
    report = suite / "report.json"
    assert main([str(suite), "--only", "broken", "--json", str(report), "--verbose"]) == 1
    shown = capsys.readouterr().out
    assert "1 of 3 inputs wrong" in shown
    assert 'expected error "no such error" was not produced' in shown
    (result,) = json.loads(report.read_text())
    assert (result["outcome"], result["failed_cases"], result["lines"]) == ("failed", 1, 1)


def test_a_command_that_is_not_there(suite: Path) -> None:
    (suite / "odd.mlir").write_text("// RUN: mystery %s\n")
    (result,) = run_suite(chosen_files(suite, "odd"))
    assert result.outcome == "failed"
    assert "'mystery' is not a command" in result.failures[0]


def test_any_executor_runs_the_files(suite: Path) -> None:
    (suite / "broken.mlir").write_text("// RUN: cuda-tile-opt %t.missing\n")
    with ThreadPoolExecutor(1) as executor:
        results = list(run_suite([*chosen_files(suite), SuiteFile(suite, "missing.mlir")], executor))
    assert results[:-1] == list(run_suite(chosen_files(suite)))
    assert (results[-1].outcome, results[-1].failed_cases) == ("failed", 1)
    assert "No such file" in results[-1].failures[0]
    assert any("%T/broken.tmp.missing" in failure for result in results for failure in result.failures)


def test_updates_change_expectations_only() -> None:
    text = "[13.1 - 13.3]\n// CHECK: [13.1 - 13.3]\n// CHECK-NEXT: 250.0\n"
    changed, reasons = updated(text)
    assert changed.split("\n") == ["[13.1 - 13.3]", "// CHECK: [13.1 - 13.5]", "", ""]
    assert len(reasons) == 2

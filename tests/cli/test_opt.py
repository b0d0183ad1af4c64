"""`tilewright opt`: every flag, in-process."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tilewright.cli.commands.opt import FLAGS, run_opt
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.version import __version__

FUNCTION = """func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
"""
AFTER_CSE = """module {
  func.func @f(%arg0: i32) -> (i32, i32) {
    %0 = arith.addi %arg0, %arg0 : i32
    return %0, %0 : i32, i32
  }
}
"""
SHIFTED = """func.func @f(%x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %0 = arith.addi %x, %c : i32
  %1 = arith.addi %0, %c : i32
  return %1 : i32
}
"""
BROKEN = """func.func @f() -> i32 {
  return
}
"""


class Answer(NamedTuple):
    """What the command said."""

    status: int
    out: str
    err: str


def opt(text: str, *words: str) -> Answer:
    """Run the command on a text given on stdin."""
    out, err = io.StringIO(), io.StringIO()
    status = run_opt(words, io.StringIO(text), out, err)
    return Answer(status, out.getvalue(), err.getvalue())


class TestInput:
    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "in.mlir"
        path.write_text(FUNCTION)
        assert opt("", str(path), "--cse") == (0, AFTER_CSE, "")

    def test_a_missing_file(self) -> None:
        status, out, err = opt("", "nowhere.mlir")
        assert (status, out) == (2, "")
        assert err.startswith("error: cannot read 'nowhere.mlir'")

    def test_a_dash_is_stdin(self) -> None:
        assert opt(FUNCTION, "-", "-cse") == (0, AFTER_CSE, "")

    def test_two_files(self) -> None:
        assert opt("", "a", "b") == (2, "", "error: one input file at most, got 2\n")

    def test_everything_but_a_module_is_put_into_one(self) -> None:
        assert opt("") == (0, "module {\n}\n", "")
        assert opt("module @m {\n}") == (0, "module @m {\n}\n", "")
        assert opt("module {\n}\nmodule {\n}").out == "module {\n  module {\n  }\n  module {\n  }\n}\n"

    def test_no_implicit_module(self) -> None:
        assert opt(FUNCTION, "--no-implicit-module").out.startswith("func.func @f")
        status, out, err = opt(FUNCTION + BROKEN, "--no-implicit-module")
        assert (status, out) == (1, "")
        assert "<stdin>:1:1: error[TW0001]: expected a single operation at the top, got 2" in err
        assert "hint: put a module around them" in err

    def test_split(self) -> None:
        text = "module @a {\n}\n// -----\nmodule @b {\n}\n"
        out = "module @a {\n}\n// -----\nmodule @b {\n}\n"
        assert opt(text, "--split-input-file") == (0, out, "")

    def test_the_good_pieces_come_out(self) -> None:
        status, out, err = opt(f"{BROKEN}// -----\nmodule @b {{\n}}\n", "--split-input-file")
        assert (status, out) == (1, "module @b {\n}\n")
        assert err.startswith("<stdin>:2:3: error[")

    def test_unregistered_dialects(self) -> None:
        status, _, err = opt('"foo.op"() : () -> ()')
        assert status == 1
        assert "operation 'foo.op' is not registered" in err
        assert opt('"foo.op"() : () -> ()', "--allow-unregistered-dialect").status == 0


class TestOutput:
    def test_into_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "out.mlir"
        assert opt(FUNCTION, "--cse", "-o", str(path)) == (0, "", "")
        assert path.read_text() == AFTER_CSE

    def test_into_no_file(self, tmp_path: Path) -> None:
        status, _, err = opt(FUNCTION, "-o", str(tmp_path / "no" / "out.mlir"))
        assert status == 2
        assert "error: cannot write" in err

    def test_generic(self) -> None:
        assert '"arith.addi"(%arg0, %arg0)' in opt(FUNCTION, "--mlir-print-op-generic").out
        assert "arith.addi %arg0, %arg0" in opt(FUNCTION, "--mlir-print-op-generic=false").out

    def test_locations(self) -> None:
        assert "loc(" not in opt(FUNCTION).out
        assert '#loc1 = loc("<stdin>":' in opt(FUNCTION, "--mlir-print-debuginfo").out
        local = opt(FUNCTION, "--mlir-print-debuginfo", "--mlir-print-local-scope").out
        assert 'arith.addi %arg0, %arg0 : i32 loc("<stdin>":2:8)' in local

    def test_broken_input(self) -> None:
        status, out, err = opt(BROKEN)
        assert (status, out) == (1, "")
        assert err.startswith("<stdin>:2:3: error[")
        assert "  2 |   return\n" in err

    def test_the_first_broken_rule_or_all(self) -> None:
        text = BROKEN + BROKEN.replace("@f", "@g")
        assert opt(text).err.count("error[") == 1
        assert opt(text, "--verify-all").err.count("error[") == 2


class TestPages:
    def test_help(self) -> None:
        status, out, err = opt("", "--help")
        assert (status, err) == (0, "")
        assert all(f"--{flag.name}" in out for flag in FLAGS)
        assert re.search(r"--cse +Replaces operations", out)

    def test_manuals_of_passes(self) -> None:
        out = opt("", "--help-passes").out
        assert "print-op-stats: Counts operations" in out
        assert "  json = False" in out

    def test_version(self) -> None:
        assert opt("", "--version").out == f"tilewright {__version__}\n"

    def test_dialects(self) -> None:
        out = opt("", "--show-dialects").out
        assert out.startswith("Available Dialects: arith,builtin,cf,cuda_tile,cute,")


class TestPipelines:
    def test_passes_run_in_the_order_given(self) -> None:
        _, _, err = opt(FUNCTION, "--print-op-stats=json", "--cse", "--print-op-stats=json")
        assert re.findall(r'"arith.addi": (\d)', err) == ["2", "1"]

    def test_options(self) -> None:
        assert '"arith.addi": 2' in opt(FUNCTION, "--print-op-stats=json=true").err
        assert "arith.addi   , 2" in opt(FUNCTION, "--print-op-stats=json=false").err

    def test_as_text(self) -> None:
        pipeline = "builtin.module(func.func(cse),print-op-stats{json=true})"
        status, out, err = opt(FUNCTION, f"--pass-pipeline={pipeline}")
        assert (status, out) == (0, AFTER_CSE)
        assert '"arith.addi": 1' in err

    def test_the_pipeline_is_shown(self) -> None:
        err = opt(
            FUNCTION, "--pass-pipeline=builtin.module(func.func(cse),verify)", "--dump-pass-pipeline"
        ).err
        expected = "Pass Manager with 2 passes:\nbuiltin.module(\n  func.func(\n    cse\n  ),\n  verify\n)\n"
        assert err == expected

    def test_not_both_ways(self) -> None:
        status, _, err = opt(FUNCTION, "--cse", "--pass-pipeline=cse")
        assert (status, err) == (
            2,
            "error: '--pass-pipeline' can't be used with individual pass options\n",
        )

    @pytest.mark.parametrize(
        ("words", "status", "message"),
        [
            ("--csee", 2, "error: unknown argument '--csee'\nhint: did you mean '--cse'?"),
            ("--pass-pipeline=builtin.module(csee)", 1, "'csee' does not refer to a registered pass"),
            ("--pass-pipeline=builtin.module(cse", 1, "expected ')'"),
            ("--pass-pipeline=builtin.module(cse{x=1})", 1, "no such option 'x' of pass 'cse'"),
            (
                "--pass-pipeline=func.func(cse)",
                1,
                "can't run 'func.func' pass manager on 'builtin.module' op",
            ),
            ("--print-op-stats=json=maybe", 1, "takes true or false, got 'maybe'"),
            ("--pass-pipeline", 2, "--pass-pipeline needs a value"),
        ],
    )
    def test_wrong_ones(self, words: str, status: int, message: str) -> None:
        answer = opt(FUNCTION, words)
        assert answer[:2] == (status, "")
        assert message in answer.err

    def test_a_pass_that_fails(self) -> None:
        status, out, err = opt(FUNCTION, "--pass-pipeline=builtin.module(func.func(symbol-dce))")
        assert (status, out) == (1, "")
        assert err.count("was scheduled to run under 'func.func'") == 1


DUMP = re.compile(r"^// -----// (IR Dump .+) //----- //$", re.MULTILINE)


class TestDumps:
    @pytest.mark.parametrize(
        ("words", "titles"),
        [
            ("--mlir-print-ir-before=cse", ["IR Dump Before CSE (cse)"]),
            (
                "--mlir-print-ir-after=cse,verify",
                ["IR Dump After CSE (cse)", "IR Dump After Verify (verify)"],
            ),
            ("--mlir-print-ir-before-all", ["IR Dump Before CSE (cse)", "IR Dump Before Verify (verify)"]),
            ("--mlir-print-ir-after-all", ["IR Dump After CSE (cse)", "IR Dump After Verify (verify)"]),
            ("--mlir-print-ir-after-all --mlir-print-ir-after-change", ["IR Dump After CSE (cse)"]),
            ("--mlir-print-ir-after-failure", []),
        ],
    )
    def test_when(self, words: str, titles: list[str]) -> None:
        status, out, err = opt(FUNCTION, "--cse", "--verify", *words.split())
        assert (status, out) == (0, AFTER_CSE)
        assert DUMP.findall(err) == titles

    def test_after_a_failure(self) -> None:
        pipeline = "--pass-pipeline=builtin.module(func.func(cse,symbol-dce))"
        err = opt(FUNCTION, pipeline, "--mlir-print-ir-after-failure").err
        assert DUMP.findall(err) == ["IR Dump After SymbolDCE Failed (symbol-dce)"]

    def test_the_whole_module(self) -> None:
        pipeline = "--pass-pipeline=builtin.module(func.func(cse))"
        alone = opt(FUNCTION, pipeline, "--mlir-print-ir-after-all").err
        whole = opt(FUNCTION, pipeline, "--mlir-print-ir-after-all", "--mlir-print-ir-module-scope").err
        assert alone.splitlines()[1].startswith("func.func @f")
        assert whole.splitlines()[:2] == [
            "// -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //",
            "module {",
        ]

    def test_into_a_tree_of_files(self, tmp_path: Path) -> None:
        pipeline = "--pass-pipeline=builtin.module(func.func(cse),verify)"
        flags = ("--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={tmp_path}")
        assert opt(FUNCTION, pipeline, *flags).err == ""
        names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.mlir"))
        assert names == [
            "builtin_module_no-symbol-name/1_verify.mlir",
            "builtin_module_no-symbol-name/func_func_f/0_cse.mlir",
        ]


class TestReports:
    def test_timing(self) -> None:
        err = opt(FUNCTION, "--cse", "--verify", "--mlir-timing").err
        assert "... Execution time report ..." in err
        assert re.search(r"\( *[\d.]+%\)    cse\n.*\)    verify\n", err)
        flat = opt(FUNCTION, "--cse", "--mlir-timing", "--mlir-timing-display=list").err
        assert re.search(r"\( *[\d.]+%\)  cse\n", flat)

    def test_statistics(self) -> None:
        err = opt(FUNCTION, "--cse", "--mlir-pass-statistics").err
        assert "... Pass statistics report ..." in err
        assert re.search(r"^cse\n  \(S\) +1 num-cse'd\n  \(S\) +0 num-dce'd$", err, re.MULTILINE)

    def test_statistics_of_patterns(self) -> None:
        err = opt(SHIFTED, "--canonicalize", "--mlir-pass-statistics").err
        assert re.search(r"^canonicalize\n", err, re.MULTILINE)
        assert re.search(r"^  \(P\) +4 tries +1 matches +[\d.]+ s  AddIAddConstant  \(", err, re.MULTILINE)
        assert re.search(
            r" 0 matches +[\d.]+ s  ConstantsLast  \(the constants are last\)$", err, re.MULTILINE
        )

    def test_rewrites(self) -> None:
        """The tree of attempts: which pattern was tried where, and why it declined."""
        err = opt(SHIFTED, "--canonicalize", "--debug-rewrites").err.splitlines()
        assert err[0] == "//===--- rewrites of 'canonicalize' ---===//"
        start = err.index("'arith.addi' at loc(\"<stdin>\":4:8) {")
        assert err[start + 1 : start + 4] == [
            "  ConstantsLast (benefit 65535) {",
            "  } declined: the constants are last",
            "  AddIAddConstant (benefit 1) {",
        ]
        assert "    + inserted 'arith.addi'" in err
        assert "  } matched" in err
        assert "} rewritten" in err


class TestReproducers:
    FAILING = "--pass-pipeline=builtin.module(cse,func.func(symbol-dce))"

    def run_again(self, path: Path) -> Answer:
        return opt("", str(path), "--run-reproducer")

    def test_of_the_whole_pipeline(self, tmp_path: Path) -> None:
        path = tmp_path / "crash.mlir"
        first = opt(FUNCTION, self.FAILING, f"--mlir-pass-pipeline-crash-reproducer={path}")
        text = path.read_text()
        assert text.startswith(f"// configuration: {self.FAILING.replace('=', chr(61) + chr(39), 1)}'\n")
        assert text.count('"arith.addi"') == 2
        again = self.run_again(path)
        assert (again.status, first.status) == (1, 1)
        assert again.err.splitlines()[0] == first.err.splitlines()[0]

    def test_of_the_failing_pass_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "crash.mlir"
        local = "--mlir-pass-pipeline-local-reproducer"
        opt(FUNCTION, self.FAILING, f"--mlir-pass-pipeline-crash-reproducer={path}", local)
        text = path.read_text()
        assert text.startswith("// configuration: --pass-pipeline='func.func(symbol-dce)'\n")
        assert text.count('"arith.addi"') == 1
        answer = opt("", str(path), "--run-reproducer", "--no-implicit-module")
        assert "was scheduled to run under 'func.func'" in answer.err

    def test_nothing_fails_nothing_is_written(self, tmp_path: Path) -> None:
        path = tmp_path / "crash.mlir"
        assert opt(FUNCTION, "--cse", f"--mlir-pass-pipeline-crash-reproducer={path}").status == 0
        assert not path.exists()

    def test_a_file_without_configuration_runs_the_pipeline_of_the_line(self) -> None:
        assert opt(FUNCTION, "--run-reproducer", "--cse").out == AFTER_CSE


class TestCrash:
    def test_a_pass_that_raises_is_a_diagnostic(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def crash(*arguments: object) -> None:
            raise ZeroDivisionError("by zero")

        monkeypatch.setattr("tilewright.passes.transforms.strip_debug_info.StripDebugInfo.run", crash)
        status, out, err = opt(FUNCTION, "--strip-debuginfo")
        assert (status, out) == (1, "")
        assert "error[TW0606]: pass 'strip-debuginfo' crashed: ZeroDivisionError: by zero" in err

    def test_a_pass_that_breaks_the_module_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def damage(self: Pass, op: Operation, state: PassState) -> None:
            for inner in op.walk():
                if inner.name == "func.func":
                    del inner.attributes["function_type"]

        monkeypatch.setattr("tilewright.passes.transforms.strip_debug_info.StripDebugInfo.run", damage)
        status, _, err = opt(FUNCTION, "--strip-debuginfo")
        assert status == 1
        assert "error[TW0607]: between-pass verifier rejected IR after 'strip-debuginfo'" in err
        dumped = opt(FUNCTION, "--strip-debuginfo", "--mlir-print-ir-after-failure").err
        assert '"func.func"() <{sym_name = "f"}>' in dumped
        status, out, _ = opt(FUNCTION, "--strip-debuginfo", "--verify-each=false")
        assert status == 0
        assert '"func.func"() <{sym_name = "f"}>' in out


class TestVerifyDiagnostics:
    """Messages are compared with comments, place by place."""

    def text(self, comment: str, below: str = "") -> str:
        return f"func.func @f() -> i32 {{\n  {comment}\n  return\n  {below}\n}}\n"

    @pytest.mark.parametrize(
        ("comment", "below"),
        [
            ("// expected-error@+1 {{has 0 operands}}", ""),
            ("// expected-error @below {{has 0 operands}}", ""),
            ("", "// expected-error@above {{has 0 operands}}"),
            ("", "// expected-error@-1 {{has 0 operands}}"),
            ("// expected-error-re@+1 {{has {{[0-9]}} operands}}", ""),
        ],
    )
    def test_expected(self, comment: str, below: str) -> None:
        assert opt(self.text(comment, below), "--verify-diagnostics") == (0, "", "")

    @pytest.mark.parametrize(
        ("comment", "problems"),
        [
            ("", ["<stdin>:3: error: unexpected error: 'func.return' op has 0 operands"]),
            (
                "// expected-error {{has 0 operands}}",
                [
                    "<stdin>:3: error: unexpected error: 'func.return' op has 0 operands",
                    '<stdin>:2: error: expected error "has 0 operands" was not produced',
                ],
            ),
            (
                "// expected-error@+1 {{has 7 operands}}",
                [
                    "<stdin>:3: error: unexpected error: 'func.return' op has 0 operands",
                    '<stdin>:2: error: expected error "has 7 operands" was not produced',
                ],
            ),
            (
                "// expected-warning@+1 {{has 0 operands}}",
                [
                    "<stdin>:3: error: unexpected error: 'func.return' op has 0 operands",
                    '<stdin>:2: error: expected warning "has 0 operands" was not produced',
                ],
            ),
            (
                "// expected-error@+1 2 {{has 0 operands}}",
                ['<stdin>:2: error: expected error "has 0 operands" was not produced'],
            ),
        ],
    )
    def test_unexpected(self, comment: str, problems: list[str]) -> None:
        status, out, err = opt(self.text(comment), "--verify-diagnostics")
        assert (status, out) == (1, "")
        assert [
            line[: len(problem)] for line, problem in zip(err.splitlines(), problems, strict=True)
        ] == problems

    def test_notes_count(self) -> None:
        text = (
            "func.func private @f()\n"
            "// expected-error@+1 {{redefinition of symbol named 'f'}}\n"
            "func.func private @f()\n"
        )
        assert opt(text, "--verify-diagnostics").err.startswith(
            "<stdin>:1: error: unexpected note: see existing"
        )
        assert opt(text, "--verify-diagnostics=only-expected").status == 0
        noted = "// expected-note@+1 {{see existing symbol}}\n" + text
        assert opt(noted, "--verify-diagnostics").status == 0

    def test_pieces_keep_their_lines(self) -> None:
        piece = self.text("// expected-error@+1 {{has 0 operands}}")
        text = f"{piece}// -----\n{piece}"
        flags = ("--verify-diagnostics", "--split-input-file")
        assert opt(text, *flags) == (0, "", "")
        status, _, err = opt(f"{piece}// -----\n{self.text('')}", *flags)
        assert status == 1
        assert err.startswith("<stdin>:9: error: unexpected error")

    def test_errors_of_passes(self) -> None:
        text = "// expected-error@+1 {{does not define a symbol table}}\nfunc.func @f() { return }\n"
        pipeline = "--pass-pipeline=builtin.module(func.func(symbol-dce))"
        assert opt(text, pipeline, "--verify-diagnostics") == (0, "", "")

    def test_syntax_errors(self) -> None:
        text = "// expected-error@+1 {{custom op 'func.fun' is unknown}}\nfunc.fun @f()\n"
        assert opt(text, "--verify-diagnostics") == (0, "", "")

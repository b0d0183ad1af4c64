"""Passes without rewrite patterns: what they change, what they leave, and that mlir-opt agrees."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from tests.support.mlir_tools import mlir_opt
from tilewright.driver.startup import context
from tilewright.ir.declaration.traits import Commutative
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import Pass
from tilewright.passes.timing import Statistics
from tilewright.passes.transforms.cse import CSE
from tilewright.passes.transforms.operation_statistics import PrintOpStats
from tilewright.passes.transforms.reconcile_casts import ReconcileUnrealizedCasts
from tilewright.passes.transforms.strip_debug_info import StripDebugInfo
from tilewright.passes.transforms.symbol_dce import SymbolDCE
from tilewright.passes.transforms.verify import Verify

GENERIC = PrintOptions(generic=True, use_local_scope=True)


def after(text: str, *passes: Pass) -> Operation:
    """The module after the passes, which must leave it valid."""
    known = context(allow_unregistered=True)
    module = parse_module(known, text, implicit_module=True)
    assert verify(module) == []
    manager = PassManager(known)
    for pass_ in passes:
        manager.add(pass_)
    manager.run(module)
    return module


def printed(text: str, *passes: Pass) -> str:
    return after(text, *passes).print(GENERIC).strip()


def check_like_mlir(text: str, pass_: Pass) -> None:
    """We and mlir-opt make the same of a module."""
    flags = ("--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-local-scope")
    status, theirs, errors = mlir_opt(text, f"--{pass_.name}", *flags)
    assert status == 0, errors
    assert printed(text, pass_) == theirs.strip()


def body(lines: str) -> str:
    return f"func.func @f(%a: i32, %b: i32, %c: i1, %m: memref<4xi32>) -> i32 {{\n{lines}\n}}\n"


CSE_CASES = {
    "same": body("""
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %a, %b : i32
      %2 = arith.muli %0, %1 : i32
      return %2 : i32"""),
    "commuted": body("""
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %b, %a : i32
      %2 = arith.subi %0, %1 : i32
      return %2 : i32"""),
    "order matters": body("""
      %0 = arith.subi %a, %b : i32
      %1 = arith.subi %b, %a : i32
      %2 = arith.muli %0, %1 : i32
      return %2 : i32"""),
    "attributes matter": body("""
      %0 = arith.constant 1 : i32
      %1 = arith.constant 2 : i32
      %2 = arith.constant 1 : i32
      %3 = arith.muli %0, %1 : i32
      %4 = arith.muli %3, %2 : i32
      return %4 : i32"""),
    "dead": body("""
      %0 = arith.addi %a, %b : i32
      return %a : i32"""),
    "effects stay": body("""
      %0 = "foo.bar"(%a) : (i32) -> i32
      %1 = "foo.bar"(%a) : (i32) -> i32
      %2 = arith.muli %0, %1 : i32
      return %2 : i32"""),
    "seen inside": body("""
      %0 = arith.addi %a, %b : i32
      %r = scf.if %c -> i32 {
        %1 = arith.addi %a, %b : i32
        scf.yield %1 : i32
      } else {
        scf.yield %0 : i32
      }
      return %r : i32"""),
    "not seen outside": body("""
      %r = scf.if %c -> i32 {
        %1 = arith.addi %a, %b : i32
        scf.yield %1 : i32
      } else {
        %2 = arith.addi %a, %b : i32
        scf.yield %2 : i32
      }
      %0 = arith.addi %a, %b : i32
      %s = arith.muli %r, %0 : i32
      return %s : i32"""),
    "dominating block": body("""
      %0 = arith.addi %a, %b : i32
      cf.cond_br %c, ^one, ^two
    ^one:
      %1 = arith.addi %a, %b : i32
      cf.br ^three(%1 : i32)
    ^two:
      %2 = arith.muli %a, %b : i32
      cf.br ^three(%2 : i32)
    ^three(%x: i32):
      %3 = arith.muli %a, %b : i32
      %4 = arith.addi %3, %x : i32
      %5 = arith.addi %4, %0 : i32
      return %5 : i32"""),
    "isolated": """
      func.func @f() -> index {
        %0 = arith.constant 1 : index
        return %0 : index
      }
      func.func @g() -> index {
        %0 = arith.constant 1 : index
        return %0 : index
      }
    """,
    "several in a chain": body("""
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %a, %b : i32
      %2 = arith.muli %0, %0 : i32
      %3 = arith.muli %1, %1 : i32
      %4 = arith.addi %2, %3 : i32
      return %4 : i32"""),
}

SYMBOL_CASES = {
    "private": """
      func.func private @dead()
      func.func private @used()
      func.func @visible() { func.call @used() : () -> () return }
    """,
    "nested": """
      func.func nested @dead()
      func.func nested @used()
      func.func @visible() { func.call @used() : () -> () return }
    """,
    "circle": """
      func.func private @first() { func.call @second() : () -> () return }
      func.func private @second() { func.call @first() : () -> () return }
    """,
    "inside a module": """
      module @inner {
        func.func private @dead()
        func.func nested @reached()
        func.func nested @unreached()
        func.func @visible() { return }
      }
      "foo.use"() {at = @inner::@reached} : () -> ()
    """,
    "dead module": """
      module @inner attributes {sym_visibility = "private"} {
        func.func @f() { func.call @g() : () -> () return }
        func.func @g() { return }
      }
      func.func @visible() { return }
    """,
    "attributes of others": """
      func.func private @in_array()
      func.func private @in_dictionary()
      func.func private @dead()
      "foo.use"() {at = [{x = @in_dictionary}, @in_array]} : () -> ()
    """,
}


@pytest.mark.parametrize("text", CSE_CASES.values(), ids=CSE_CASES)
def test_cse_is_that_of_mlir(text: str) -> None:
    check_like_mlir(text, CSE())


@pytest.mark.parametrize("text", SYMBOL_CASES.values(), ids=SYMBOL_CASES)
def test_symbol_dce_is_that_of_mlir(text: str) -> None:
    check_like_mlir(text, SymbolDCE())


class TestCse:
    """What mlir-opt need not be asked."""

    def test_counts(self) -> None:
        known = context()
        module = parse_module(known, CSE_CASES["several in a chain"], implicit_module=True)
        manager = PassManager(known)
        manager.add(CSE())
        statistics = Statistics()
        manager.instrument(statistics)
        manager.run(module)
        assert statistics.counts["cse"] == {"num-cse'd": 2, "num-dce'd": 0}

    def test_unused_operations_that_may_trap_go_too(self) -> None:
        text = body("%0 = arith.divsi %a, %b : i32\nreturn %a : i32")
        assert "divsi" not in printed(text, CSE())

    @given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), max_size=12))
    def test_the_meaning_stays(self, program: list[tuple[int, int, int]]) -> None:
        """Expressions over two unknowns denote the same after the pass, and none occurs twice."""
        names, lines = ["%a", "%b"], list[str]()
        for kind, left, right in program:
            op = ("addi", "muli", "subi")[kind]
            lines.append(
                f"%v{len(names)} = arith.{op} {names[left % len(names)]}, {names[right % len(names)]} : i32"
            )
            names.append(f"%v{len(names)}")
        text = body("\n".join(lines) + f"\nreturn {names[-1]} : i32")
        before, module = after(text), after(text, CSE())
        assert denotation(before) == denotation(module)
        seen = [meaning for meaning in meanings(module) if meaning[0].startswith("arith")]
        assert len(seen) == len(set(seen))

    def test_depth_is_no_limit(self) -> None:
        depth = 2000
        inner = '%0 = arith.addi %a, %a : i32\n%1 = arith.addi %a, %a : i32\n"foo.use"(%0, %1) : (i32, i32) -> ()\n'
        text = body("scf.if %c {\n" * depth + inner + "}\n" * depth + "return %a : i32")
        assert printed(text, CSE()).count("arith.addi") == 1


def meanings(module: Operation) -> list[tuple[object, ...]]:
    """What each operation computes, as a tree."""
    trees: dict[object, object] = {}
    found: list[tuple[object, ...]] = []
    for op in module.walk():
        for number, argument in enumerate(a for r in op.regions for b in r.blocks for a in b.arguments):
            trees[argument] = number
        operands = [trees[operand] for operand in op.operands]
        tree = (op.name, *(sorted(operands, key=repr) if op.has_trait(Commutative) else operands))
        found.append(tree)
        for result in op.results:
            trees[result] = tree
    return found


def denotation(module: Operation) -> object:
    return next(meaning for meaning in meanings(module) if meaning[0] == "func.return")


def test_symbol_dce_needs_a_symbol_table() -> None:
    known = context()
    module = parse_module(known, "func.func @f() { return }")
    manager = PassManager(known, "func.func").add(SymbolDCE())
    with pytest.raises(DiagnosticError, match="does not define a symbol table"):
        manager.run(module)


def test_strip_debug_info() -> None:
    text = 'func.func @f(%a: i32 loc("x":1:2)) { return loc("y":3:4) } loc("z":5:6)'
    module = after(text, StripDebugInfo())
    shown = module.print(PrintOptions(debug_info=True, use_local_scope=True))
    assert shown.count("loc(unknown)") == 4
    assert '"' not in shown


STATISTICS = """
Operations encountered:
-----------------------
    arith.addi   , 2
  builtin.module , 1
     func.func   , 1
     func.return , 1
"""


class TestPrintOpStats:
    TEXT = body("%0 = arith.addi %a, %b : i32\n%1 = arith.addi %0, %b : i32\nreturn %1 : i32")

    def test_as_a_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        after(self.TEXT, PrintOpStats())
        assert capsys.readouterr() == ("", STATISTICS.lstrip("\n"))

    def test_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        after(self.TEXT, PrintOpStats(json=True))
        expected = {"arith.addi": 2, "builtin.module": 1, "func.func": 1, "func.return": 1}
        assert json.loads(capsys.readouterr().err) == expected


def test_verify_reports_everything() -> None:
    known = context()
    module = parse_module(known, "func.func @f() { return }\nfunc.func @g() { return }")
    for op in list(module.walk()):
        if op.name == "func.func":
            del op.attributes["function_type"]
    manager = PassManager(known).add(Verify())
    with known.diagnostics.collect() as collected, pytest.raises(DiagnosticError):
        manager.run(module)
    assert [d.message for d in collected] == ["'func.func' op requires attribute 'function_type'"] * 2


BRIDGE = '%{1} = "builtin.unrealized_conversion_cast"(%{0}) : ({2}) -> {3}\n'


def test_bridges_there_and_back_go_and_one_that_is_left_fails_the_module() -> None:
    """The documents let a bridge that survives fail the module; MLIR's pass of the name leaves it.

    The choice: the pass fails, and the module is as it was, bridges that could have gone included.
    """
    pair = BRIDGE.format("a", "b", "i32", "i64") + BRIDGE.format("b", "c", "i64", "i32")
    start = '%a = "test.make"() : () -> i32\n'
    assert "cast" not in printed(start + pair + '"test.use"(%c) : (i32) -> ()', ReconcileUnrealizedCasts())
    known = context(allow_unregistered=True)
    text = start + pair + '"test.use"(%b, %c) : (i64, i32) -> ()'
    module = parse_module(known, text, implicit_module=True)
    before = module.print(GENERIC)
    with pytest.raises(DiagnosticError, match=r"unresolved materialization from \(i32\) to \(i64\)"):
        PassManager(known).add(ReconcileUnrealizedCasts()).run(module)
    assert module.print(GENERIC) == before

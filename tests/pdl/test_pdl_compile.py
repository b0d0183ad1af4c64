"""From ``pdl`` to ``pdl_interp``: golden text, one shared tree, every operation of ``pdl``, and modules that are refused."""

from __future__ import annotations

import pytest

from tests.dialects.pdl.samples import SAMPLES
from tests.house.tree import run_python
from tests.pdl.pdl_patterns import KNOWN, parse
from tests.support.mlir_tools import custom_forms
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.verifier import verify
from tilewright.pdl.compiler.compile import compile_module
from tilewright.pdl.dialects.pdl.ops import PatternOp
from tilewright.testing.standard.control import sample_module


def compiled(text: str) -> str:
    module = compile_module(parse(text), KNOWN)
    assert verify(module) == []
    return module.print().strip()


SHARED = """
pdl.pattern @one : benefit(1) {
  %x = operand
  %root = operation "test.a"(%x : !pdl.value)
  rewrite %root with "one"
}
pdl.pattern @two : benefit(2) {
  %x = operand
  %a = attribute = 1 : i32
  %root = operation "test.b"(%x : !pdl.value) {"k" = %a}
  rewrite %root with "two"(%x : !pdl.value)
}
"""

SHARED_COMPILED = """
module {
  pdl_interp.func @matcher(%arg0: !pdl.operation) {
    pdl_interp.switch_operation_name of %arg0 to ["test.a", "test.b"](^bb2, ^bb3) -> ^bb1
  ^bb1:  // 11 preds: ^bb0, ^bb2, ^bb3, ^bb4, ^bb5, ^bb6, ^bb7, ^bb8, ^bb9, ^bb10, ^bb11
    pdl_interp.finalize
  ^bb2:  // pred: ^bb0
    pdl_interp.check_operand_count of %arg0 is 1 -> ^bb9, ^bb1
  ^bb3:  // pred: ^bb0
    pdl_interp.check_operand_count of %arg0 is 1 -> ^bb4, ^bb1
  ^bb4:  // pred: ^bb3
    pdl_interp.check_result_count of %arg0 is 0 -> ^bb5, ^bb1
  ^bb5:  // pred: ^bb4
    %0 = pdl_interp.get_operand 0 of %arg0
    pdl_interp.is_not_null %0 : !pdl.value -> ^bb6, ^bb1
  ^bb6:  // pred: ^bb5
    %1 = pdl_interp.get_attribute "k" of %arg0
    pdl_interp.is_not_null %1 : !pdl.attribute -> ^bb7, ^bb1
  ^bb7:  // pred: ^bb6
    pdl_interp.check_attribute %1 is 1 : i32 -> ^bb8, ^bb1
  ^bb8:  // pred: ^bb7
    pdl_interp.record_match @rewriters::@two(%arg0, %0 : !pdl.operation, !pdl.value) : benefit(2), loc([%arg0]), root("test.b") -> ^bb1
  ^bb9:  // pred: ^bb2
    pdl_interp.check_result_count of %arg0 is 0 -> ^bb10, ^bb1
  ^bb10:  // pred: ^bb9
    %2 = pdl_interp.get_operand 0 of %arg0
    pdl_interp.is_not_null %2 : !pdl.value -> ^bb11, ^bb1
  ^bb11:  // pred: ^bb10
    pdl_interp.record_match @rewriters::@one(%arg0 : !pdl.operation) : benefit(1), loc([%arg0]), root("test.a") -> ^bb1
  }
  module @rewriters {
    pdl_interp.func @one(%arg0: !pdl.operation) {
      pdl_interp.apply_rewrite "one"(%arg0 : !pdl.operation)
      pdl_interp.finalize
    }
    pdl_interp.func @two(%arg0: !pdl.operation, %arg1: !pdl.value) {
      pdl_interp.apply_rewrite "two"(%arg0, %arg1 : !pdl.operation, !pdl.value)
      pdl_interp.finalize
    }
  }
}
"""

SIBLINGS = """
pdl.pattern @siblings : benefit(1) {
  %xs = operands
  %left = operation "test.a"(%xs : !pdl.range<value>)
  %right = operation "test.b"(%xs : !pdl.range<value>)
  rewrite %left with "both"(%right : !pdl.operation)
}
"""

SIBLINGS_COMPILED = """
module {
  pdl_interp.func @matcher(%arg0: !pdl.operation) {
    pdl_interp.check_operation_name of %arg0 is "test.a" -> ^bb2, ^bb1
  ^bb1:  // 3 preds: ^bb0, ^bb2, ^bb3
    pdl_interp.finalize
  ^bb2:  // pred: ^bb0
    pdl_interp.check_result_count of %arg0 is 0 -> ^bb3, ^bb1
  ^bb3:  // pred: ^bb2
    %0 = pdl_interp.get_operands of %arg0 : !pdl.range<value>
    %1 = pdl_interp.extract 0 of %0 : !pdl.value
    %2 = pdl_interp.get_users of %1 : !pdl.value
    pdl_interp.foreach %arg1 : !pdl.operation in %2 {
      pdl_interp.is_not_null %arg1 : !pdl.operation -> ^bb2, ^bb1
    ^bb1:  // 5 preds: ^bb0, ^bb2, ^bb3, ^bb4, ^bb5
      pdl_interp.continue
    ^bb2:  // pred: ^bb0
      pdl_interp.check_operation_name of %arg1 is "test.b" -> ^bb3, ^bb1
    ^bb3:  // pred: ^bb2
      pdl_interp.check_result_count of %arg1 is 0 -> ^bb4, ^bb1
    ^bb4:  // pred: ^bb3
      %3 = pdl_interp.get_operands of %arg1 : !pdl.range<value>
      pdl_interp.are_equal %3, %0 : !pdl.range<value> -> ^bb5, ^bb1
    ^bb5:  // pred: ^bb4
      pdl_interp.record_match @rewriters::@siblings(%arg0, %arg1 : !pdl.operation, !pdl.operation) : benefit(1), loc([%arg0, %arg1]), root("test.a") -> ^bb1
    } -> ^bb1
  }
  module @rewriters {
    pdl_interp.func @siblings(%arg0: !pdl.operation, %arg1: !pdl.operation) {
      pdl_interp.apply_rewrite "both"(%arg0, %arg1 : !pdl.operation, !pdl.operation)
      pdl_interp.finalize
    }
  }
}
"""

WIDE = """
pdl.pattern : benefit(1) {
  %i32 = type : i32
  %ts = types
  %a = attribute : %i32
  %x = operand : %i32
  %inner = operation "test.inner" {"k" = %a} -> (%i32, %ts : !pdl.type, !pdl.range<type>)
  %r = result 0 of %inner
  %rs = results 1 of %inner -> !pdl.range<value>
  %root = operation "test.root"(%x, %r : !pdl.value, !pdl.value) -> (%i32 : !pdl.type)
  %f32 = type : f32
  %lit = attribute = "lit"
  %got = apply_native_constraint "ask"(%x, %f32, %lit : !pdl.value, !pdl.type, !pdl.attribute) : !pdl.attribute
  apply_native_constraint "never"(%got : !pdl.attribute) {isNegated = true}
  rewrite %root {
    %two = attribute = 2 : i32
    %all = range %x, %rs : !pdl.value, !pdl.range<value>
    %made = operation "test.made"(%all : !pdl.range<value>) {"k" = %got, "l" = %two} -> (%i32, %ts : !pdl.type, !pdl.range<type>)
    %v = result 0 of %made
    %w = apply_native_rewrite "wrap"(%v : !pdl.value) : !pdl.value
    %same = operation "test.same"(%w : !pdl.value)
    replace %root with %same
    erase %inner
  }
}
"""

WIDE_REWRITERS = """
  module @rewriters {
    pdl_interp.func @pdl_generated_rewriter(%arg0: !pdl.value, %arg1: !pdl.range<value>, %arg2: !pdl.attribute, %arg3: !pdl.range<type>, %arg4: !pdl.operation, %arg5: !pdl.operation) {
      %0 = pdl_interp.create_attribute 2 : i32
      %1 = pdl_interp.create_range %arg0, %arg1 : !pdl.value, !pdl.range<value>
      %2 = pdl_interp.create_type i32
      %3 = pdl_interp.create_operation "test.made"(%1 : !pdl.range<value>) {"k" = %arg2, "l" = %0}  -> (%2, %arg3 : !pdl.type, !pdl.range<type>)
      %4 = pdl_interp.get_result 0 of %3
      %5 = pdl_interp.apply_rewrite "wrap"(%4 : !pdl.value) : !pdl.value
      %6 = pdl_interp.get_results of %arg4 : !pdl.range<value>
      %7 = pdl_interp.get_value_type of %6 : !pdl.range<type>
      %8 = pdl_interp.create_operation "test.same"(%5 : !pdl.value)  -> (%7 : !pdl.range<type>)
      %9 = pdl_interp.get_results of %8 : !pdl.range<value>
      pdl_interp.replace %arg4 with (%9 : !pdl.range<value>)
      pdl_interp.erase %arg5
      pdl_interp.finalize
    }
  }
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [(SHARED, SHARED_COMPILED), (SIBLINGS, SIBLINGS_COMPILED)],
    ids=["shared", "siblings"],
)
def test_golden(text: str, expected: str) -> None:
    assert compiled(text) == expected.strip()


def test_golden_rewriter() -> None:
    lines = [line.rstrip() for line in compiled(WIDE).splitlines()]
    assert "\n".join(lines).endswith(WIDE_REWRITERS.rstrip() + "\n}")


def test_every_sample_of_the_dialect_compiles_to_what_mlir_accepts() -> None:
    modules = tuple(compiled(text) for text in (*SAMPLES, SHARED, SIBLINGS, WIDE))
    custom_forms(modules, "--allow-unregistered-dialect")


def test_generated_patterns_compile() -> None:
    """Valid patterns of every shape compile to valid modules that MLIR takes, too."""
    modules = [compile_module(sample_module(PatternOp, str(number)), KNOWN) for number in range(200)]
    assert [verify(module) for module in modules] == [[]] * len(modules)
    custom_forms(tuple(module.print() for module in modules), "--allow-unregistered-dialect")


def test_results_are_inferred_where_the_operation_can() -> None:
    """Given, inferred, those of what is replaced, or none."""
    pattern = """
    pdl.pattern : benefit(1) {{
      %x = operand
      %root = operation "test.a"(%x : !pdl.value)
      rewrite %root {{
        %made = operation "{name}"(%x, %x : !pdl.value, !pdl.value){types}
        {use}
      }}
    }}"""
    replace = "replace %root with %made"
    cases = {
        ("arith.addi", "", ""): '"arith.addi"(%arg0, %arg0 : !pdl.value, !pdl.value)  -> <inferred>',
        ("test.b", "", replace): "-> (%1 : !pdl.range<type>)",
        ("test.b", "", ""): '"test.b"(%arg0, %arg0 : !pdl.value, !pdl.value)',
    }
    for (name, types, use), expected in cases.items():
        assert expected in compiled(pattern.format(name=name, types=types, use=use))


def test_patterns_of_one_name_have_rewriters_of_different_names() -> None:
    pattern = 'pdl.pattern : benefit(1) { %r = operation "test.a"\n rewrite %r { erase %r } }'
    text = compiled(f"{pattern}\n{pattern}\n{pattern}")
    for name in ("@pdl_generated_rewriter(", "@pdl_generated_rewriter_0(", "@pdl_generated_rewriter_1("):
        assert f"func {name}" in text


def test_a_module_without_patterns() -> None:
    assert "record_match" not in compiled("module {\n}")


def test_deep_patterns_need_no_stack() -> None:
    depth = 600
    lines = ['%op0 = operation "test.leaf" -> (%t : !pdl.type)']
    for number in range(depth):
        lines.append(f"%r{number} = result 0 of %op{number}")
        lines.append(f'%op{number + 1} = operation "test.a"(%r{number} : !pdl.value) -> (%t : !pdl.type)')
    body = "\n".join(lines)
    text = compiled(f'pdl.pattern : benefit(1) {{ %t = type\n{body}\nrewrite %op{depth} with "x" }}')
    assert text.count("check_operation_name") == depth + 1


REFUSED = {
    "disconnected": (
        """%a = operation "test.a"\n%b = operation "test.b"
        apply_native_constraint "c"(%b : !pdl.operation)\nrewrite %a { erase %a }""",
        "this operation is not connected to the root",
    ),
    "contradiction": (
        """%x = attribute = 1 : i32\n%y = attribute = 2 : i32
        %a = operation "test.a" {"k" = %x, "k" = %y}\nrewrite %a { erase %a }""",
        "the pattern asks for '1 : i32' and for '2 : i32' at the same place: it can never match",
    ),
    "unbound argument": (
        """%x = operand\n%a = operation "test.a"\napply_native_constraint "c"(%x : !pdl.value)
        rewrite %a { erase %a }""",
        "a native constraint takes a value that no operation of the pattern binds",
    ),
    "unbound in the rewrite": (
        """%t = type\n%a = operation "test.a"\nrewrite %a with "f"(%t : !pdl.type)""",
        "the rewrite uses a value that no operation of the pattern binds",
    ),
    "open type in the rewrite": (
        """%a = operation "test.a"\nrewrite %a { %t = type\n%n = operation "test.n" -> (%t : !pdl.type)\nerase %a }""",
        "'pdl.type' in a rewrite has no definition",
    ),
    "invalid": ("rewrite { }", "'pdl.pattern' op the pattern must contain at least one `pdl.operation`"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_patterns_that_are_refused(case: str) -> None:
    body, cause = REFUSED[case]
    with pytest.raises(DiagnosticError) as error:
        compiled(f"pdl.pattern : benefit(1) {{\n{body}\n}}")
    (diagnostic,) = error.value.diagnostics
    assert str(diagnostic.code) == "TW0705"
    assert diagnostic.message == "failed to lower PDL pattern module to the PDL Interpreter"
    assert cause in diagnostic.notes[0].message
    assert diagnostic.hints
    assert diagnostic.location.source is not None


def test_the_same_text_in_every_process() -> None:
    program = (
        "from tests.pdl import test_pdl_compile as t\n"
        "print(t.compiled(t.SHARED + t.SIBLINGS), t.compiled(t.WIDE))"
    )
    texts = {run_python(program, seed=seed) for seed in ("1", "2", "3")}
    assert len(texts) == 1


def test_the_module_needs_a_dialect() -> None:
    module = parse(SHARED)
    with pytest.raises(DiagnosticError, match=r"no 'builtin\.module'"):
        compile_module(module, type(context())())

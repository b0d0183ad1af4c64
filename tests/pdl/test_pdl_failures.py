"""How PDL fails: one code, one text, and the cause in a note."""

from __future__ import annotations

import pytest

from tests.pdl.pdl_patterns import parse
from tests.pdl.test_pdl_patterns import frozen
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.pdl.patterns import add_pdl
from tilewright.rewrite.codes import PDL_LOWERING
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

TEXT = "failed to lower PDL pattern module to the PDL Interpreter"
PLAIN = 'pdl.pattern : benefit(1) {{\n%root = operation "{name}"{more}\nrewrite %root {{ {body} }}\n}}'


def pattern_text(name: str = "arith.addi", more: str = "", body: str = "erase %root") -> str:
    return PLAIN.format(name=name, more=more, body=body)


FAILURES = {
    "unknown operation": (
        pattern_text("arith.adddi"),
        "operation 'arith.adddi' is not registered",
        "did you mean 'arith.addi'?",
        2,
    ),
    "unknown dialect": (
        pattern_text("nobody.zzz"),
        "operation 'nobody.zzz' is not registered",
        "load the dialect that has it",
        2,
    ),
    "unknown operation to create": (
        pattern_text(body='%new = operation "arith.mulli"\nerase %root'),
        "operation 'arith.mulli' is not registered",
        "did you mean 'arith.muli'?",
        3,
    ),
    "undeclared constraint": (
        pattern_text(more='\napply_native_constraint "is_god"(%root : !pdl.operation)'),
        "native constraint 'is_god' is not declared",
        "did you mean 'is_good'? Otherwise hand it to `add_pdl(patterns, module, native={...})`",
        3,
    ),
    "undeclared rewrite": (
        pattern_text(body='apply_native_rewrite "go"(%root : !pdl.operation)'),
        "native rewrite 'go' is not declared",
        "hand it to `add_pdl(patterns, module, native={...})`",
        3,
    ),
    "undeclared external rewrite": (
        'pdl.pattern : benefit(1) {\n%root = operation "arith.addi"\nrewrite %root with "go"\n}',
        "native rewrite 'go' is not declared",
        "hand it to `add_pdl(patterns, module, native={...})`",
        3,
    ),
    "invalid pattern": (
        "pdl.pattern : benefit(1) {\n%x = operand\n%root = operation\nrewrite %root { erase %root }\n}",
        "'pdl.operand' op expected a bindable user when defined in the matcher body of a `pdl.pattern`",
        "correct the module; `tilewright opt` verifies it by itself",
        2,
    ),
}


@pytest.mark.parametrize("case", FAILURES)
def test_failures(case: str) -> None:
    text, cause, hint, line = FAILURES[case]
    with pytest.raises(DiagnosticError) as error:
        frozen(text, {"is_good": lambda rewriter, op: True}, context())
    (diagnostic,) = error.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == (PDL_LOWERING, TEXT)
    assert [note.message for note in diagnostic.notes] == [cause]
    assert diagnostic.hints == [hint]
    assert diagnostic.notes[0].location.source is not None
    assert diagnostic.notes[0].location.source[1] == line


@pytest.mark.parametrize(
    "literal",
    [
        '%k = attribute = #nobody.knows<1>\n%root = operation "arith.addi" {"k" = %k}',
        '%k = attribute = [{a = #nobody.knows<1>}]\n%root = operation "arith.addi" {"k" = %k}',
        '%t = type : !nobody.knows\n%root = operation "arith.addi" -> (%t : !pdl.type)',
        '%t = types : [i32, !nobody.knows]\n%root = operation "arith.addi" -> (%t : !pdl.range<type>)',
    ],
)
def test_attributes_of_dialects_that_are_not_registered(literal: str) -> None:
    text = f"pdl.pattern : benefit(1) {{\n{literal}\nrewrite %root {{ erase %root }}\n}}"
    module = parse(text)
    frozen(text)  # where unknown things are allowed, they are allowed in patterns
    with pytest.raises(DiagnosticError) as error:
        FrozenRewritePatternSet(add_pdl(RewritePatternSet(context()), module))
    (note,) = error.value.diagnostics[0].notes
    assert note.message.endswith("is of dialect 'nobody', which is not registered")


def test_the_rendered_failure() -> None:
    with pytest.raises(DiagnosticError) as error:
        frozen(pattern_text("arith.adddi"), known=context())
    assert str(error.value) == (
        f"<string>:2:9: error[TW0705]: {TEXT}\n"
        "<string>:2:9: note: operation 'arith.adddi' is not registered\n"
        "hint: did you mean 'arith.addi'?"
    )

"""Textual pipelines: what parses, what prints back, what is refused and how."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, strategies as st

from tests.passes.sample_passes import REGISTRY, Mark, fresh_context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.passes.manager import PassManager
from tilewright.passes.pipeline import describe, make_pass, parse_pipeline


def parse(text: str) -> PassManager:
    return parse_pipeline(text, fresh_context(), REGISTRY, anchor="sample.table")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("", "sample.table()"),
        ("mark", "sample.table(mark)"),
        ("any(mark)", "any(mark)"),
        ("sample.table()", "sample.table()"),
        (" sample.table ( mark , mark ) ", "sample.table(mark,mark)"),
        (
            "sample.table(sample.function(on-functions),mark)",
            "sample.table(sample.function(on-functions),mark)",
        ),
        ("mark{text=a}", "sample.table(mark{text=a})"),
        ("mark{ text=a   times=0x10 loud }", "sample.table(mark{text=a times=16 loud=true})"),
        ('mark{text="a b"}', 'sample.table(mark{text="a b"})'),
        ("mark{labels=a,b}", "sample.table(mark{labels=a,b})"),
        ("mark{labels={a, b}}", "sample.table(mark{labels=a,b})"),
        ("mark{scale=0.5 loud=false}", "sample.table(mark{scale=0.5})"),
    ],
)
def test_what_parses(text: str, printed: str) -> None:
    manager = parse(text)
    assert str(manager) == printed
    assert str(parse(str(manager))) == printed


marks = st.builds(
    Mark,
    text=st.text(max_size=6),
    times=st.integers(-5, 5),
    loud=st.booleans(),
    scale=st.floats(allow_nan=False),
    labels=st.lists(st.text("abc-_.", min_size=1, max_size=3)).map(tuple),
)


@given(st.lists(marks, max_size=4))
def test_printing_and_parsing_is_the_identity(passes: list[Mark]) -> None:
    manager = PassManager(fresh_context(), "sample.table")
    for pass_ in passes:
        manager.add(pass_)
    assert list(parse(str(manager)).passes()) == passes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sample.table(mark", r"TW0601.*expected '\)', got 'the end' at column 18"),
        ("sample.table(mark))", r"TW0601.*unexpected '\)' at column 19"),
        ("mark,", r"TW0601.*expected a pass name, got ''"),
        ("mark{", r"TW0601.*expected an option or '}' at column 6"),
        ("mark{=}", r"TW0601.*expected an option or '}'"),
        ("mrk", r"TW0602.*'mrk' does not refer to a registered pass(.|\n)*hint: did you mean 'mark'\?"),
        ("zzz", r"TW0602.*'zzz' does not refer"),
        ("mark{texxt=1}", r"TW0603.*no such option 'texxt' of pass 'mark'(.|\n)*options: text, times"),
        ("mark{times=many}", r"TW0603.*option 'times' of pass 'mark' takes an integer, got 'many'"),
        ("mark{loud=perhaps}", r"TW0603.*takes true or false, got 'perhaps'"),
        ("mark{scale=big}", r"TW0603.*takes a number, got 'big'"),
        (
            "on-functions",
            r"TW0604.*anchored on 'sample.function' added to pipeline anchored on 'sample.table'",
        ),
        ("sample.table(sample.nest(mark))", r"TW0604.*'sample.nest' must be IsolatedFromAbove"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        parse(text)


@given(st.text('ab(){}=,-. "\\\n', max_size=20))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    with contextlib.suppress(DiagnosticError):
        parse(text)


def test_the_caret_shows_the_column() -> None:
    with pytest.raises(DiagnosticError) as raised:
        parse("mark,(")
    message = raised.value.diagnostics[0].message
    assert message.splitlines()[1:] == ["mark,(", "     ^"]


def test_making_a_pass() -> None:
    assert make_pass("mark", {"times": "3"}, REGISTRY) == Mark(times=3)


def test_the_manual_lists_options_and_defaults() -> None:
    lines = describe(Mark).splitlines()
    assert lines[0] == "mark: Gives the operation an attribute."
    assert "  times = 1" in lines

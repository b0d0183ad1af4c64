"""Whatever is text stays text on a page."""

from __future__ import annotations

import pytest

from tilewright.pages.code import highlighted
from tilewright.pages.markup import Markup, element, in_script, markup, page, table
from tilewright.pages.notebook import (
    MOST_LINES,
    NotebookStage,
    compilation,
    embedded,
    finding,
    output,
    program,
)
from tilewright.pages.report import Report, RowGroup, folded, grouped_table

HOSTILE = '</pre></script></style><img src=x onerror="alert(1)"><!--\''


def test_text_is_escaped_and_markup_is_not() -> None:
    shown = element("p", "a<b", [element("br"), "c&d"], class_="x y", hidden=True, open=False, aria_label='"')
    assert shown == '<p class="x y" hidden aria-label="&quot;">a&lt;b<br>c&amp;d</p>'
    assert markup(Markup("<b>"), "<b>") == "<b>&lt;b&gt;"
    assert "<img" not in table((HOSTILE,), [(HOSTILE,)])


@pytest.mark.parametrize(
    "shown",
    [
        program(HOSTILE, "mlir"),
        program(HOSTILE, "text"),
        highlighted(HOSTILE, "python"),
        finding("error", HOSTILE),
        compilation(HOSTILE, [NotebookStage(HOSTILE, HOSTILE, 1, error=HOSTILE)], {HOSTILE: 1.0}),
        output(HOSTILE),
        embedded(f"<!doctype html>{HOSTILE}", HOSTILE),
        grouped_table((HOSTILE,), [(HOSTILE, (HOSTILE,))]),
        folded(HOSTILE, [HOSTILE], HOSTILE),
        Report(HOSTILE, HOSTILE, [RowGroup("k", HOSTILE, markup(HOSTILE), 1)], [HOSTILE]).to_html(),
        page(HOSTILE, markup(), style="", script="x = 1"),
    ],
)
def test_hostile_names_make_no_elements(shown: str) -> None:
    assert "<img" not in shown
    assert shown.count("<script") == shown.count("</script>") <= 1
    assert shown.count("<style") == shown.count("</style>") <= 1
    assert 'onerror="' not in shown


def test_a_script_cannot_end_its_element() -> None:
    assert "</script" not in in_script("'</script>'")


def test_words_of_mlir_are_coloured_and_none_is_lost() -> None:
    text = '%0 = "a.b"(%x) : (!t.tile<4xf32>) -> i32 // c\n\n'
    shown = highlighted(text, "mlir")
    for kind, word in (
        ("name", "%0"),
        ("string", "&quot;a.b&quot;"),
        ("type", "!t.tile"),
        ("comment", "// c"),
    ):
        assert f'<span class="t-{kind}">{word}</span>' in shown
    assert highlighted("a\n\n\nb", "python").count("\n") == 3, "lines keep their numbers"


def test_a_long_program_says_that_it_ends_early() -> None:
    assert "1 more lines" in program("\n" * MOST_LINES, "text")


def test_rows_of_a_family_have_a_heading() -> None:
    shown = grouped_table(("n",), [("", ("x",)), ("a", ("a.b",)), ("a", ("a.c",))])
    assert shown.count("<tbody>") == 2
    assert '<th colspan="1" scope="rowgroup">a (2)</th>' in shown

"""What an editor asks about a text."""

from __future__ import annotations

import pytest

from tilewright.language_server.documents import CharacterRange, definition, formatted, meaning, problems

TEXT = """cuda_tile.module @m {
  entry @f(%n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %s = for %i in (%0 to %n, step %n) : tile<i32> iter_values(%a = %0) -> (tile<i32>) {
      %b = addi %a, %i : tile<i32>
      continue %b : tile<i32>
    }
    return
  }
}
"""
LINES = TEXT.split("\n")


def place(line: int, word: str) -> tuple[int, int]:
    """The middle of a word's first place in a line."""
    return line, LINES[line].index(word) + len(word) // 2


def test_a_valid_text_has_no_problems() -> None:
    assert problems(TEXT, "k.mlir") == []


def test_a_problem_is_at_the_word_that_it_is_about() -> None:
    (found,) = problems(TEXT.replace("addi %a, %i", "addi %a, %j"), "k.mlir")
    assert found.span == CharacterRange(4, LINES[4].index("%i"), LINES[4].index("%i") + 2)
    assert (found.severity, "%j" in found.message) == ("error", True)


def test_every_piece_of_a_split_text_is_read() -> None:
    found = problems("broken\n// -----\nbroken again\n", "k.mlir")
    assert [problem.span.line for problem in found] == [0, 2]


def test_operations_and_types_have_pages_and_names_have_none() -> None:
    assert "addi" in (meaning(TEXT, *place(4, "addi")) or "")
    assert "tile" in (meaning(TEXT, *place(2, "tile")) or "")
    assert meaning(TEXT, *place(4, "%b")) is None
    assert meaning(TEXT, 400, 0) is None


@pytest.mark.parametrize(
    ("line", "word", "defined"),
    [
        (5, "%b", (4, "%b")),
        (4, "%i", (3, "%i")),
        (4, "%a,", (3, "%a")),
        (3, "%n", (1, "%n")),
        (3, "%0", (2, "%0")),
        (1, "@f", (1, "@f")),
        (2, "constant", None),
    ],
)
def test_names_lead_to_their_definitions(line: int, word: str, defined: tuple[int, str] | None) -> None:
    found = definition(TEXT, *place(line, word))
    if defined is None:
        assert found is None
        return
    at, name = defined
    begin = LINES[at].index(name)
    assert found == CharacterRange(at, begin, begin + len(name))


def test_of_several_definitions_of_a_name_the_last_one_in_front_counts() -> None:
    text = "%0 = a\nb %0\n%0 = c\nd %0"
    assert definition(text, 1, 3) == CharacterRange(0, 0, 2)
    assert definition(text, 3, 3) == CharacterRange(2, 0, 2)


def test_a_block_may_be_defined_behind_its_use() -> None:
    assert definition("br ^end\n^end:\n", 0, 4) == CharacterRange(1, 0, 4)


def test_indentation_follows_regions_and_keeps_everything_else() -> None:
    flat = "\n".join(line.strip() + "  " for line in LINES)
    assert formatted(flat) == TEXT
    noted = TEXT.replace("    return", '    // a brace {\n    print_tko "}" -> token\n    return')
    assert formatted(noted) == noted
    assert formatted("}}\n{\na") == "}}\n{\n  a"


def test_line_ends_stay_as_they_are() -> None:
    assert formatted("a\r\n{\r\nb \r\n\r\n}\r\n") == "a\r\n{\r\n  b\r\n\r\n}\r\n"

"""Documents stay true: their code runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from tests.house.documents import blocks, documents, execute
from tests.house.tree import ROOT, relative
from tilewright.cli.group import cli
from tilewright.cli.main import COMMANDS
from tools.readme_demo import BEGIN, END, replaced

DOCUMENTS = documents()
CUTILE = re.compile(r"\bimport cuda\.tile\b")


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_code_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if CUTILE.search(document.read_text(encoding="utf-8")):
        pytest.importorskip("cuda.tile")
    monkeypatch.chdir(tmp_path)
    execute(document, tmp_path)


def command_lines(document: Path) -> list[tuple[int, list[str]]]:
    """The `tilewright` commands in shell blocks, as words."""
    found: list[tuple[int, list[str]]] = []
    for block in blocks(document.read_text(encoding="utf-8")):
        if block.language in ("sh", "console"):
            for offset, line in enumerate(block.text.splitlines()):
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words[:1] == ["tilewright"]:
                    found.append((block.line + offset, words[1:]))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_commands_exist(document: Path) -> None:
    for line, (name, *words) in command_lines(document):
        assert name in COMMANDS, f"{document.name}:{line}"
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if not command.ignore_unknown_options:
            command.make_context(name, words).close()


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", text):
        assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for document in (ROOT / "docs").rglob("*.md"):
        name = document.relative_to(ROOT / "docs").as_posix()
        if name != "index.md" and not name.startswith("reference/"):
            assert f"({name})" in index, name


class TestDemoOutput:
    def test_the_readme_has_the_place(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        assert readme.count(BEGIN) == readme.count(END) == 1

    def test_replacing(self) -> None:
        document = f"a\n{BEGIN}old\n{END}b\n"
        expected = f"a\n{BEGIN}```text\nnew\n```\n{END}b\n"
        assert replaced(document, "new\n") == expected
        assert replaced(expected, "new") == expected
        with pytest.raises(ValueError, match="no place"):
            replaced("a", "new")

    def test_the_results_shown_are_right(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        shown = readme.partition(BEGIN)[2].partition(END)[0].splitlines()[2:-1]
        assert all(row.endswith("  yes") for row in shown)


class TestBlocks:
    TEXT = "x\n```python\nprint(1)\n```\n\n```text\n1\n```\n<!-- not run: why -->\n```python\n1/0\n```\n```text\n?\n```\n"

    def test_expected_output_belongs_to_the_code_before(self) -> None:
        first, second = blocks(self.TEXT)
        assert (first.text, first.expected, first.line, first.runs) == ("print(1)\n", "1\n", 3, True)
        assert (second.runs, second.expected) == (False, "?\n")

    def test_a_wrong_output_fails(self, tmp_path: Path) -> None:
        document = tmp_path / "doc.md"
        document.write_text(self.TEXT.replace("print(1)", "print(2)"))
        with pytest.raises(AssertionError, match=r"doc\.md:3"):
            execute(document, tmp_path)

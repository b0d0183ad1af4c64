"""Documents stay true: their code runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import click
import pytest

from tests.house.documents import blocks, documents, execute
from tests.house.tree import ROOT, relative
from tilewright.cli.group import cli
from tilewright.cli.main import COMMANDS, LOAD_MODULE
from tilewright.cli.program import without_option
from tilewright.driver.launch import CHECKS
from tilewright.driver.stages import stages_of
from tilewright.driver.target import TARGETS, target as target_of
from tools.readme_demo import BEGIN, END, replaced

DOCUMENTS = documents()
CUTILE = re.compile(r"\bimport cuda\.tile\b")


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if "```python" in text_of(one)], ids=relative)
def test_code_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if CUTILE.search(text_of(document)):
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
                    found.append((block.line + offset, without_option(words[1:], LOAD_MODULE)[0]))
    return found


def test_commands_exist() -> None:
    found = [(document, *row) for document in DOCUMENTS for row in command_lines(document)]
    assert len(found) > 100
    problems = [(document, line, problem_of(*words)) for document, line, words in found]
    assert [f"{relative(document)}:{line}: {text}" for document, line, text in problems if text] == []


def problem_of(name: str, *words: str) -> str:
    """What is wrong with a command line of `tilewright`; empty if nothing is."""
    command = cli.get_command(click.Context(cli), name) if name in COMMANDS else None
    if command is None:
        return f"there is no command '{name}'"
    if not command.ignore_unknown_options:
        try:
            command.make_context(name, [*words]).close()
        except click.ClickException as error:
            return error.format_message()
    return ""


def test_what_is_wrong_with_a_command_line() -> None:
    assert problem_of("compile", "k.mlir", "--target", "sm_80") == ""
    assert "no command 'compil'" in problem_of("compil")
    assert "--targte" in problem_of("compile", "k.mlir", "--targte", "sm_80")


def test_links_lead_somewhere() -> None:
    found = [
        (document, target)
        for document in DOCUMENTS
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", _without_code(document))
    ]
    assert len(found) > 500
    missing = [(document, target) for document, target in found if not (document.parent / target).exists()]
    assert [f"{relative(document)}: {target}" for document, target in missing] == []


def linked(document: Path) -> list[tuple[Path, str]]:
    """The files that a document links, each with the heading behind ``#`` (empty: none)."""
    text = _without_code(document)
    targets = (target.partition("#") for target in _LINK.findall(text))
    return [((document.parent / path).resolve() if path else document, anchor) for path, _, anchor in targets]


_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")


def test_links_name_headings_that_there_are() -> None:
    found = [(document, *link) for document in DOCUMENTS for link in linked(document) if link[1]]
    assert len(found) > 100
    missing = [one for one in found if one[2] not in headings(one[1])]
    assert [f"{relative(one[0])}: {relative(one[1])}#{one[2]}" for one in missing] == []


@cache
def headings(document: Path) -> set[str]:
    """What links call the headings of a document."""
    lines = _without_code(document).splitlines()
    titles = (line.lstrip("#").strip().lower() for line in lines if line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def test_the_table_of_contents_leads_to_every_page() -> None:
    """Guides, concepts and the heads of generated folders directly, the pages in those folders through their heads."""
    generated = {"reference", "commands"}
    index = ROOT / "docs" / "index.md"
    direct = {target for target, _ in linked(index)}
    reached, pending = {index}, [index]
    while pending:
        for target, _ in linked(pending.pop()):
            if target.suffix == ".md" and target not in reached:
                reached.add(target)
                pending.append(target)
    for document in (ROOT / "docs").rglob("*.md"):
        folders = document.relative_to(ROOT / "docs").parts[:-1]
        head = generated.isdisjoint(folders) or (len(folders) <= 2 and document.name == "index.md")
        assert document in (direct | {index} if head else reached), relative(document)


def test_the_path_of_a_kernel_is_the_table_of_stages() -> None:
    """The page names the stages that a compilation has, and the pages of the dialects on the way."""
    page = (ROOT / "docs" / "concepts" / "architecture.md").read_text(encoding="utf-8")
    path = page.partition("## The path of a kernel")[2]
    (shown,) = re.findall(r"^(bytecode -> .*)$", path, re.MULTILINE)
    names = {"tileir": "cuda_tile", "tileaa": "nv_tileaa", "tileas": "nv_tileas", "llvm": "LLVM IR"}
    stages = {names.get(name, name) for name in stages_of(TARGETS["cpu"]) if name not in ("asm", "plan-json")}
    assert stages | {"llvm", "launch"} == set(shown.split(" -> "))
    assert all(f'target="{name}"' in path for name in TARGETS)


SHOWN = {
    "docs/concepts/rewriting.md": (
        "RewritePattern[",
        "folds={",
        "TypeConverter()",
        "ConversionTarget()",
        "add_pdl(",
        "rule(",
    ),
    "docs/guides/build-ir.md": ("Operation.create(", "tw.InsertionPoint(", "with tw.Context()"),
}
"""What code on a page shows because other pages say that it does."""


@pytest.mark.parametrize("name", SHOWN)
def test_pages_show_what_others_point_to(name: str) -> None:
    code = "".join(b.text for b in blocks((ROOT / name).read_text(encoding="utf-8")) if b.runs)
    assert [words for words in SHOWN[name] if words not in code] == []


def test_each_check_of_the_readme_has_an_example_in_the_guide() -> None:
    """A section of its own, with code that is executed."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## What `--check` finds")[2]
    guide = (ROOT / "docs" / "guides" / "checks.md").read_text(encoding="utf-8")
    sections = {text.partition(":")[0]: text for text in guide.split("\n## ")[1:]}
    for name in CHECKS:
        assert f"| `{name}` |" in table
        code = [block for block in blocks(sections[name]) if block.language == "python" and block.runs]
        assert code, name


def test_the_page_of_platforms_names_targets_for_gpus_that_there_are() -> None:
    """Those that need no GPU, at least; each of them is looked up as a user names it."""
    page = (ROOT / "docs" / "guides" / "platforms.md").read_text(encoding="utf-8")
    table = page.partition("\n## GPUs\n")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `([\w:]+)`", table, re.MULTILINE)
    assert {"sm_90a", "sim:sm_90a", "cuda"} <= set(named)
    assert [target_of(name).name for name in named if name != "cuda"] == [n for n in named if n != "cuda"]
    assert "ptx" in stages_of(target_of("sm_90a"))


GENERATED = ("docs/coverage.md", "docs/checks-corpus.md")
"""Pages that programs write, besides those of the reference."""

WRITTEN = [
    document
    for document in DOCUMENTS
    if relative(document) not in GENERATED and "reference" not in document.relative_to(ROOT).parts
]


def test_generated_pages_say_so() -> None:
    assert all("enerated" in (ROOT / name).read_text(encoding="utf-8")[:300] for name in GENERATED)


def test_lines_are_short() -> None:
    """At most 100 characters, but for code and rows of tables, which cannot be broken."""
    found = [(document, line) for document in WRITTEN for line in _without_code(document).splitlines()]
    long = [(document, line) for document, line in found if len(line) > 100 and not line.startswith("|")]
    assert [f"{relative(document)}: {line}" for document, line in long] == []


def _without_code(document: Path) -> str:
    return _FENCED.sub("", text_of(document))


_PATH = re.compile(r"`([\w./-]+\.py|[\w-]+(?:/[\w-]+)+/?)`")
_TOP = {
    path.name for folder in (ROOT, ROOT / "src" / "tilewright") for path in folder.iterdir() if path.is_dir()
}


def named_paths(text: str) -> list[str]:
    """The files and folders of the repository that a document names: all `x.py`, and folders from the top on."""
    found = _PATH.findall(_FENCED.sub("", text))
    return [path for path in found if path.endswith(".py") or path.partition("/")[0] in _TOP]


@cache
def tree() -> frozenset[str]:
    """Every file and folder with code, by its path from the root and by the ends of its path below the package."""
    paths = [
        path for folder in CODE for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts
    ]
    parts = [path.relative_to(ROOT).parts for path in paths]
    inner = [names[2:] for names in parts if names[:2] == ("src", "tilewright")]
    ends = {"/".join(names[at:]) for names in inner for at in range(len(names))}
    return frozenset(ends | {"/".join(names) for names in parts})


CODE = ("src", "tests", "tools", "benchmarks", "conformance", "editors", "examples", "fuzz", "packages")


def test_named_files_exist() -> None:
    found = [(document, path) for document in WRITTEN for path in named_paths(text_of(document))]
    missing = [(document, path) for document, path in found if path.rstrip("/") not in tree()]
    assert [f"{relative(document)}: {path}" for document, path in missing] == []


def test_which_paths_are_looked_at() -> None:
    text = "`nest/nest.py` `point.py` `targets/cpu` `lowering/` `and/or` `x.py:3`\n```\n`none.py`\n```\n"
    assert named_paths(text) == ["nest/nest.py", "point.py", "targets/cpu"]
    assert "nest/nest.py" in tree()
    assert "nest/none.py" not in tree()


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

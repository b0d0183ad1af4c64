"""What a newcomer does, in order: the README's kernel, "Your first bug", and a suite as "Kernels in CI" runs it.

Each command is a process of its own, as it is for them.  Code that stands in other blocks of these pages is executed by
`test_documents`; `make newcomer` runs all commands of more pages, in fresh environments.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tools.newcomer.marks import ENVIRONMENTS, MARKS, PAGES, SOURCES, Page
from tools.newcomer.reading import in_words, is_as_printed, mark_of, of_wheel, steps
from tools.newcomer.shell import Shell, variables

pytest.importorskip("cuda.tile")
SHORT = ("README.md", "docs/guides/first-bug.md", "docs/guides/ci.md")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell of a newcomer whose programs are those of this environment and these sources."""
    programs = {
        "tilewright": "-m tilewright",
        "pytest": "-m pytest -p tilewright.pytest_plugin",
        "python": "",
    }
    for name, words in programs.items():
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        program.chmod(0o755)
    given = variables(tmp_path)
    paths = {"PATH": os.pathsep.join([str(tmp_path / "bin"), given["PATH"]]), "PYTHONPATH": str(ROOT / "src")}
    (tmp_path / "reader").mkdir()
    return Shell(tmp_path / "reader", {**given, **paths, "NO_COLOR": "1"})


@pytest.mark.parametrize("page", [page for page in PAGES if page.path in SHORT], ids=lambda page: page.path)
def test_commands_with_outputs_print_them(page: Page, shell: Shell) -> None:
    """Those of console blocks, with the files that are saved before them; pages are opened by `make newcomer` alone."""
    for step in steps(page, ROOT):
        if step.kind == "file":
            assert step.file is not None
            (shell.folder / step.file).write_text(step.text, encoding="utf-8")
        elif step.kind == "command" and step.expected is not None and not step.text.startswith("make "):
            mark = mark_of(step.page, step.text)
            answer = shell.run(step.text, 120)
            assert answer.status == (mark.status if mark else 0), answer.printed
            assert is_as_printed(answer.printed, step.expected), f"{step.place}:\n{answer.printed}"


def test_the_first_bug_is_found_in_a_program_for_gpus_too(shell: Shell) -> None:
    page = next(page for page in PAGES if page.path == "docs/guides/first-bug.md")
    saved = next(step for step in steps(page, ROOT) if step.file == "turn.py")
    (shell.folder / "turn.py").write_text(saved.text.replace("cutile.launch(", "ct.launch(None, "))
    command = "tilewright run --check racecheck turn.py"
    (expected,) = (step.expected for step in steps(page, ROOT) if step.text == command)
    assert expected is not None
    assert is_as_printed(shell.run(command, 120).printed, expected)


def test_the_readme_brings_the_command_before_it_uses_it() -> None:
    readme = next(page for page in PAGES if page.path == "README.md")
    commands = [step.text for step in steps(readme, ROOT) if step.kind == "command"]
    first = next(number for number, text in enumerate(commands) if text.startswith("tilewright"))
    before = " ".join(commands[:first])
    assert "pip install" in before
    assert "activate" in before


def test_the_first_screen_of_the_readme_says_what_for_whom_and_why_not_others() -> None:
    first, *_ = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")
    assert len(first.splitlines()) <= 25
    for words in ("without a GPU", "It is for people who", "`compute-sanitizer`", "`TRITON_INTERPRET=1`"):
        assert words in first


class TestMarks:
    def test_each_is_of_a_command(self) -> None:
        """In one of the environments; other marks are stale."""
        used = {
            mark_of(step.page, in_words(step.text, environment))
            for page in PAGES
            for step in steps(page, ROOT)
            for environment in ENVIRONMENTS
        }
        assert [mark for mark in MARKS if mark not in used] == []

    def test_each_walk_installs_and_runs_something(self) -> None:
        for environment in ENVIRONMENTS:
            for source in SOURCES:
                words = [in_words(step.text, environment) for step in steps(PAGES[0], ROOT)]
                marks = {word: mark_of(PAGES[0].path, word) for word in words}
                done = [
                    w for w, m in marks.items() if m is None or {environment, source}.isdisjoint(m.without)
                ]
                assert sum("pip install" in word for word in done) == 1, (environment, source)


class TestReading:
    def test_commands_are_found_with_their_outputs(self, tmp_path: Path) -> None:
        (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
        found = [
            (step.kind, step.line, step.text, step.expected) for step in steps(Page("page.md"), tmp_path)
        ]
        assert found == [
            ("file", 5, "print(1)\n", None),
            ("command", 8, "one --a \\\n  --b  # or: uv one", None),
            ("command", 10, "two", "printed\n"),
            ("command", 18, "three", "3\n4\n"),
            ("command", 21, "four", ""),
            ("code", 5, "the Python code of the page (1 block)", None),
        ]

    def test_what_a_reader_types(self) -> None:
        install = 'pip install -e ".[a,b]"    # or: uv pip install -e ".[a,b]"'
        assert in_words(install, "pip") == 'pip install -e ".[a,b]"'
        assert of_wheel(in_words(install, "uv"), "d/t.whl") == 'uv pip install "d/t.whl[a,b]"'

    @pytest.mark.parametrize(
        ("printed", "expected", "same"),
        [
            ("a\nb 0.61 s\n", "a\nb 12.30 s\n", True),
            ("a\nb\nc\n", "a\n...\nc\n", True),
            ("a\nb\n", "a\n", False),
            ("a.b\n", "axb\n", False),
        ],
    )
    def test_what_counts_as_printed(self, printed: str, expected: str, same: bool) -> None:
        assert is_as_printed(printed, expected) == same


class TestShell:
    def test_it_remembers_folder_and_variables(self, tmp_path: Path) -> None:
        (tmp_path / "inner").mkdir()
        shell = Shell(tmp_path, {"PATH": os.environ["PATH"]})
        assert shell.run("cd inner; export COLOUR='dark\nblue'").status == 0
        answer = shell.run('pwd; echo "$COLOUR"; echo told >&2; false')
        folder = (tmp_path / "inner").resolve()
        assert (answer.status, answer.printed) == (1, f"{folder}\ndark\nblue\ntold\n")

    def test_what_takes_too_long_is_ended(self, tmp_path: Path) -> None:
        answer = Shell(tmp_path, {"PATH": os.environ["PATH"]}).run("echo begun; sleep 60", 0.2)
        assert answer.status == 124
        assert answer.printed.startswith("begun")

    def test_a_newcomer_has_not_this_environment(self, tmp_path: Path) -> None:
        (tmp_path / "own" / "bin").mkdir(parents=True)
        (tmp_path / "own" / "pyvenv.cfg").touch()
        path = os.pathsep.join([str(tmp_path / "own" / "bin"), "/usr/bin"])
        given = {"PATH": path, "PYTHONPATH": "src", "TILEWRIGHT_CPU": "x86-64-v3", "LANG": "C"}
        found = variables(tmp_path, given)
        assert {name for name in found if "PYTHON" in name or "TILEWRIGHT" in name} == set()
        assert found["PATH"] == os.pathsep.join([str(tmp_path / "tools"), "/usr/bin"])
        assert found["LANG"] == "C"


PAGE = """# Page

Save this as **one.py**:
```python
print(1)
```
```sh
one --a \\
  --b  # or: uv one
two
```
<!-- a comment -->
```text
printed
```

```console
$ three
3
4
$ four
```
"""

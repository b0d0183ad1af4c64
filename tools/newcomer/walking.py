"""One walk: a copy of the checkout, an environment, and every step of the pages in it."""

from __future__ import annotations

import difflib
import json
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.house.tree import ROOT
from tools.newcomer import browsing
from tools.newcomer.marks import CHECKOUT, PAGES, Environment, Mark, Page, Source
from tools.newcomer.reading import Step, in_words, is_as_printed, mark_of, of_wheel, steps
from tools.newcomer.shell import Answer, Shell, variables

FIRST, LAST_OF_INSTALLATION = "README.md", "tilewright doctor"
"""The page with the installation, which each walk needs, and the command that ends it."""
Verdict = Literal["ok", "differs", "skipped"]
_SHOWN = 30
"""Lines of an output that differs."""


@dataclass(frozen=True)
class Row:
    """What became of a step: the verdict, why, and seconds (None: it was not run)."""

    step: Step
    shown: str
    verdict: Verdict
    why: str = ""
    seconds: float | None = None

    def __str__(self) -> str:
        """The line of the report, with the reason below it if it has several lines."""
        seconds = "-" if self.seconds is None else f"{self.seconds:.1f}"
        first, *rest = self.why.splitlines() or [""]
        reason = f"  ({first})" if first else ""
        line = f"{self.verdict:8}{seconds:>6} s  {self.step.place:34} {self.shown}{reason}"
        return "\n".join([line, *(f"    {text}" for text in rest)])


class Walk:
    """A newcomer on the way, in a folder of their own."""

    def __init__(self, environment: Environment, source: Source, folder: Path) -> None:
        self.environment: Environment = environment
        self.source: Source = source
        self.home = folder
        self.checkout = folder / CHECKOUT
        copy_of_the_checkout(self.checkout)
        self.shell = Shell(self.checkout, variables(folder))

    def wheels(self) -> str:
        """Return the path of the wheel that this walk has built; before that, a pattern of it."""
        folder = self.checkout / "dist"
        return str(next(folder.glob("*.whl"), folder / "*.whl"))

    def rows(self, pages: Sequence[str]) -> Iterator[Row]:
        """Walk the pages (none: all of them); of the README, which others build on, at least the installation."""
        for page in PAGES:
            if pages and page.path not in (*pages, FIRST):
                continue
            self.shell.folder = self.home / page.folder
            self.shell.folder.mkdir(exist_ok=True)
            for step in steps(page, self.checkout):
                yield from self._rows_of(step, page)
                if pages and page.path not in pages and step.text == LAST_OF_INSTALLATION:
                    break

    def _rows_of(self, step: Step, page: Page) -> Iterator[Row]:
        if step.kind == "file":
            yield self._saved(step)
        elif step.kind == "command":
            yield from self._command(step)
        else:
            yield self._python(step, page)

    def _saved(self, step: Step) -> Row:
        began = time.monotonic()
        assert step.file is not None
        (self.shell.folder / step.file).write_text(step.text, encoding="utf-8")
        return Row(step, f"saved as {step.file}", "ok", seconds=time.monotonic() - began)

    def _command(self, step: Step) -> Iterator[Row]:
        """Run a command and, behind it, look at the page that it has written."""
        command = in_words(step.text, self.environment)
        mark = mark_of(step.page, command)
        if mark is not None and {self.environment, self.source}.intersection(mark.without):
            yield Row(step, command, "skipped", mark.why)
            return
        if self.source == "wheel":
            command = of_wheel(command, self.wheels())
        if mark is not None and mark.folder is not None:
            self.shell.folder = self.home / mark.folder
        if mark is not None and mark.given is not None:
            self._module("tools.newcomer.given", mark.given)
        answer = self.shell.run(command, typed=mark.typed if mark is not None else "")
        why = _difference(answer, step.expected, mark)
        yield Row(step, command, "differs" if why else "ok", why, answer.seconds)
        if command.startswith("tilewright explore"):
            yield self._page(step, answer)

    def _page(self, step: Step, answer: Answer) -> Row:
        shown = "its page in Chromium, " + " and ".join(f"{width} px" for width in browsing.WIDTHS)
        reason = browsing.reason_against()
        if reason is not None:
            return Row(step, shown, "skipped", reason)
        began = time.monotonic()
        written = answer.printed.strip().rpartition("wrote ")[2]
        told = browsing.wrong(Path(written), answer.status != 0)
        why = "\n".join(["the page is wrong", *told]) if told else ""
        return Row(step, shown, "differs" if why else "ok", why, time.monotonic() - began)

    def _python(self, step: Step, page: Page) -> Row:
        if step.kind == "code":
            document = self.checkout / page.path
            answer = self._module("tests.house.documents", str(document))
            shown = step.text
        else:
            cells = self.home / "cells.json"
            cells.write_text(step.text, encoding="utf-8")
            answer = self._module("tools.newcomer.cells", str(cells))
            shown = f"{len(json.loads(step.text))} cells in IPython"
        why = _difference(answer, None, None)
        return Row(step, shown, "differs" if why else "ok", why, answer.seconds)

    def _module(self, *words: str) -> Answer:
        """Run a module of the repository in the environment of the walk; tilewright is the one that is installed."""
        before = dict(self.shell.variables)
        command = shlex.join(["python", "-m", *words])
        answer = self.shell.run(f"PYTHONPATH={shlex.quote(str(self.checkout))} {command}")
        self.shell.variables = before
        return answer


def _difference(answer: Answer, expected: str | None, mark: Mark | None) -> str:
    """What is not as printed, or nothing."""
    wanted = mark.status if mark is not None else 0
    varies = mark.varies if mark is not None else None
    if answer.status != wanted:
        last = answer.printed.splitlines()[-_SHOWN:]
        return "\n".join([f"status {answer.status}, not {wanted}", *last])
    if expected is None or is_as_printed(answer.printed, expected, varies):
        return ""
    lines = difflib.unified_diff(
        expected.splitlines(), answer.printed.splitlines(), "page", "printed", lineterm=""
    )
    return "\n".join(["another output", *list(lines)[:_SHOWN]])


def copy_of_the_checkout(folder: Path) -> None:
    """Copy the files that git knows or does not ignore, as a clone would have them, with the changes made here."""
    folder.mkdir(parents=True)
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def told(walk: Walk, pages: Sequence[str], tell: Callable[[str], None]) -> list[Row]:
    """Walk, and tell each row when it is there."""
    rows: list[Row] = []
    for row in walk.rows(pages):
        rows.append(row)
        tell(str(row))
    return rows

"""The pages of a walk, and what a command needs besides what is printed: each mark has its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Environment = Literal["uv", "pip"]
Source = Literal["wheel", "checkout"]
ENVIRONMENTS: tuple[Environment, ...] = ("uv", "pip")
SOURCES: tuple[Source, ...] = ("checkout", "wheel")

CHECKOUT, SUITE = "checkout", "kernels"
"""The copy of the checkout, and the reader's own folder beside it: "Your first bug" makes it."""


@dataclass(frozen=True)
class Page:
    """A document or notebook of the walk, and the folder in which its reader begins."""

    path: str
    folder: str = CHECKOUT


PAGES = (
    Page("README.md"),
    Page("docs/guides/first-bug.md"),
    Page("docs/guides/tutorial.md", SUITE),
    Page("docs/guides/ci.md"),
    Page("docs/guides/explorer.md"),
    Page("docs/guides/notebooks.md"),
    Page("examples/notebook.ipynb"),
)


@dataclass(frozen=True)
class Mark:
    """What holds for the commands of a page that begin with some words.

    A command is skipped in the walks of the environments and sources named by `without`.  It ends with `status`.  What the
    pattern `varies` matches, is not compared; neither are seconds, such as `0.61 s`.  `given` names what the reader has (`given.py` makes it), `folder` where the
    command runs, `typed` the lines that the reader types while it runs.
    """

    page: str
    command: str
    why: str
    without: tuple[str, ...] = ()
    status: int = 0
    varies: str | None = None
    given: str | None = None
    folder: str | None = None
    typed: str = ""


CHECKED = "pytest --tilewright --tilewright-check"
DEMO = r"^(?:\.venv/bin/python|touch) .*\n|\d\.\d\de[+-]\d\d| *\d+\.\d{3}(?=  yes)"
"""Of the demo: what make says that it runs, errors (their last digits depend on the processor), and seconds."""
ALWAYS = (*ENVIRONMENTS, *SOURCES)
MARKS = (
    Mark("README.md", "python -m pip install -e", "this walk installs a wheel", without=("wheel",)),
    Mark("README.md", "uv pip install -e", "this walk installs a wheel", without=("wheel",)),
    Mark("README.md", "python -m pip wheel", "this walk installs the checkout", without=("checkout",)),
    Mark("README.md", "uv build", "this walk installs the checkout", without=("checkout",)),
    Mark(
        "README.md", 'python -m pip install "dist', "this walk installs the checkout", without=("checkout",)
    ),
    Mark("README.md", 'uv pip install "dist', "this walk installs the checkout", without=("checkout",)),
    Mark("README.md", "uvx", "needs uv and the wheel", without=("pip", "checkout")),
    Mark("README.md", "tilewright run --check racecheck race.py", "there is a finding", status=1),
    Mark("README.md", "tilewright explore race.py", "there is a finding", status=1),
    Mark("README.md", "tilewright run program.py", "the reader has a program and kernels", given="kernels"),
    Mark("README.md", "tilewright debug program.py", "the reader goes on from the stop", typed="continue\n"),
    Mark("README.md", "tilewright inspect", "needs a library of MLIR", without=ALWAYS),
    Mark("README.md", "make demo", "it installs the checkout", without=("wheel",), varies=DEMO),
    Mark("docs/guides/first-bug.md", "tilewright run --check", "there is a finding", status=1),
    Mark("docs/guides/ci.md", f"{CHECKED}=memcheck", "the reader has a suite", given="suite", folder=SUITE),
    Mark("docs/guides/ci.md", f"{CHECKED}=racecheck", "there is a finding", status=1),
)

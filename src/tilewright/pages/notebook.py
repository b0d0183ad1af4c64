"""Outputs of cells in notebooks: programs, the stages of a compilation, diagnostics, and a page within the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.pages.code import highlighted
from tilewright.pages.markup import Child, Markup, element, markup, part

MOST_LINES = 2000
"""The maximum number of lines of a program in an output, because notebooks store outputs."""


@dataclass(frozen=True, slots=True)
class NotebookStage:
    """A stage of a compilation: its name, a summary, its size in bytes, and a text in a language that
    `highlighted` supports. If the stage could not be made, ``error`` is the reason. A stage without a text is
    shown without a program.
    """

    name: str
    summary: str
    size: int
    text: str = ""
    language: str = "text"
    error: str = ""


def output(*children: Child) -> str:
    """Return the children as the HTML of a cell's output, together with its style."""
    style = part("colours.css").replace(":root", ".tilewright") + part("notebook.css")
    return element("div", element("style", Markup(style)), children, class_="tilewright")


def program(text: str, language: str) -> Markup:
    """Return a program as HTML; of more than `MOST_LINES` lines the rest is left out, and its number of lines
    is shown.
    """
    lines = text.split("\n")
    rest = len(lines) - MOST_LINES
    shown = element("pre", highlighted("\n".join(lines[:MOST_LINES]), language), tabindex="0")
    return shown if rest <= 0 else markup(shown, element("small", f"{rest:,} more lines"))


def compilation(title: str, stages: Sequence[NotebookStage], seconds: dict[str, float]) -> Markup:
    """Return the stages of a compilation, folded, with their sizes, and the times of its steps: ``seconds``
    maps the name of each step to its time.
    """
    times = ", ".join(f"{name} {1000 * took:.1f} ms" for name, took in seconds.items())
    return markup(element("strong", title), map(_stage, stages), element("small", times))


def _stage(stage: NotebookStage) -> Markup:
    size = f" {stage.size:,} bytes" if not stage.error else " could not be made"
    head = element("summary", element("code", stage.name), f" {stage.summary}", element("small", size))
    if stage.error:
        return element("details", head, finding("error", stage.error))
    return (
        element("details", head, program(stage.text, stage.language)) if stage.text else element("div", head)
    )


def finding(severity: str, text: str) -> Markup:
    """Return the text of a diagnostic, with its source frame, in the style of `severity` (the name of a CSS
    class, such as ``error``).
    """
    return element("pre", text, class_=f"finding {severity}", tabindex="0")


def embedded(page: str, title: str) -> Markup:
    """Return a whole page as a frame in an output: its script runs, but cannot access the notebook."""
    style = "width: 100%; height: 45rem; border: 1px solid #8888"
    return element("iframe", srcdoc=page, sandbox="allow-scripts", title=title, style=style)

"""The pages of the explorer that the site of the documentation shows: examples of this repository, run when it is built.

A line ``<!-- explorer: NAME -->`` of a document becomes the page of that name, in a frame, with a link to it.
"""

from __future__ import annotations

import importlib.util
import posixpath
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "explorer"
"""The folder of the site with these pages."""
_MARK = re.compile(r"^<!-- explorer: (?P<name>\S+) -->$", re.MULTILINE)


@dataclass(frozen=True)
class Explored:
    """An example with the target that it is shown for; ``arguments`` go to the program."""

    file: str
    target: str
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> list[str]:
        """The words of the command that makes the page."""
        behind = ["--", *self.arguments] if self.arguments else []
        return ["explore", "--target", self.target, self.file, *behind]


def explored() -> dict[str, Explored]:
    """The pages by name.  Where Triton's wheel is absent, its example is shown as Triton handed it to a compiler."""
    simulated = "sim:sm_80"
    triton = Explored("examples/triton_kernels/attention.py", "cpu")
    if importlib.util.find_spec("triton") is None:
        print(
            "explorer pages: Triton is not installed, so its example is shown without a run", file=sys.stderr
        )
        triton = Explored("examples/triton_kernels/attention.mlir", "cpu")
    return {
        "softmax": Explored("examples/softmax.py", "cpu"),
        "matmul": Explored("examples/matmul.py", "cpu"),
        "matmul-sm_80": Explored("examples/matmul.py", simulated, ("--target", simulated)),
        "triton-attention": triton,
    }


def page_of(one: Explored) -> str:
    """The text of a page.  Raises `subprocess.CalledProcessError` if it cannot be made."""
    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        page = Path(folder, "page.html")
        words = [sys.executable, "-m", "tilewright", *one.command]
        subprocess.run([*words[:4], "-o", str(page), *words[4:]], cwd=ROOT, check=True, capture_output=True)
        return page.read_text(encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """The places of all pages on the site, with their texts."""
    for name, one in explored().items():
        yield f"{FOLDER}/{name}.html", page_of(one)


def embedded(text: str, place: str) -> str:
    """A document, at a place of the site, with frames where its marks were.  Raises KeyError for a page that is not there."""
    known = explored() if _MARK.search(text) else {}

    def frame(match: re.Match[str]) -> str:
        name = match["name"]
        target = posixpath.relpath(f"{FOLDER}/{name}.html", posixpath.dirname(place) or ".")
        title = f"tilewright {' '.join(known[name].command)}"
        style = "width: 100%; height: 40rem; border: 1px solid #8888"
        return (
            f'<p><a href="{target}"><code>{title}</code></a></p>\n'
            f'<iframe src="{target}" title="{title}" loading="lazy" style="{style}"></iframe>'
        )

    return _MARK.sub(frame, text)

"""Compares the text of Triton modules with that of Triton's own printer.

    python -m conformance.triton_text DIR

Every ``.mlir`` file in the folder is read, verified and printed by tilewright.  The text must be the one that Triton
prints, and Triton must read it as the same module.  Without Triton's wheel the text is compared with the file.  Files
whose name ends in ``.g.mlir`` or ``.located.mlir`` are printed with locations.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tilewright.driver.startup import context
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify

LOCATED = (".g.mlir", ".located.mlir")
SHOWN = 3
"""So many failures of one sort are shown."""
DIFFERING_LINES = 6


def is_located(path: Path) -> bool:
    """Whether a file was printed with locations."""
    return path.name.endswith(LOCATED)


class Judge:
    """Triton's own parser and printer, from its wheel."""

    def __init__(self) -> None:
        self.ir: Any = import_module("triton._C.libtriton").ir

    def printed(self, text: str, path: Path) -> str:
        """What Triton prints of a text, with locations where the file has them.

        Raises RuntimeError if Triton refuses the text; it tells the reason on stderr.
        """
        own = self.ir.context()
        self.ir.load_dialects(own)
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            module = self.ir.parse_mlir_module(file.name, own)
        return (str(module) if is_located(path) else module.str_nodebug()).strip()


def failure(path: Path, ours: Context, judge: Judge | None) -> str:
    """What is wrong with our text of a file; empty if nothing is."""
    text = path.read_text(encoding="utf-8")
    located = is_located(path)
    try:
        wanted = judge.printed(text, path) if judge else text.strip()
        module = parse_module(ours, text)
    except (DiagnosticError, RuntimeError) as error:
        return f"is not read: {error}"
    errors = verify(module)
    if errors:
        return f"is not valid: {errors[0].message}"
    found = module.print(PrintOptions(debug_info=located, names_from_locations=located)).strip()
    if found != wanted:
        lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), lineterm="", n=0)
        return "\n".join(["is printed otherwise", *list(lines)[2 : 2 + DIFFERING_LINES]])
    if judge and judge.printed(found, path) != wanted:
        return "is another module for Triton once we have printed it"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Compare all files of a folder; the exit status is 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    judge = Judge() if find_spec("triton") else None
    ours, sorts, fine = context(), Counter[str](), 0
    for path in sorted(folder.rglob("*.mlir")):
        words = failure(path, ours, judge)
        fine += not words
        sort = words.partition("\n")[0]
        sorts[sort] += bool(words)
        if words and sorts[sort] <= SHOWN:
            print(f"{path}: {words}")
    wrong = sorts.total()
    print(f"{fine} of {fine + wrong} modules agree with {'Triton' if judge else 'their files'}")
    return 1 if wrong or not fine else 0


if __name__ == "__main__":
    sys.exit(main())

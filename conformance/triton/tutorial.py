"""Runs a tutorial of Triton as a program, without its benchmarks: ``python -m conformance.triton.tutorial FILE``."""

from __future__ import annotations

import runpy
import sys
from importlib import import_module
from typing import Any


def main(file: str) -> None:
    """Run the file; what is plotted there would take hours on a CPU."""
    testing: Any = import_module("triton.testing")
    testing.Mark.run = lambda *arguments, **named: None
    sys.argv = [file]
    runpy.run_path(file, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1])

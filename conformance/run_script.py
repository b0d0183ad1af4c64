"""Runs a script written for CUDA tensors on the CPU: ``python -m conformance.run_script SCRIPT [ARG ...]``.

``--check NAMES`` and ``--target NAME`` in front of the script make its launches with run-time checks, or on another
target: ``python -m conformance.run_script --check all SCRIPT``.  A finding ends the script with a `DiagnosticError`.

Timings mean nothing here, so ``cuda.tile.tune`` runs each configuration twice instead of eight times or more.
"""

from __future__ import annotations

import argparse
import importlib
import runpy
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the script named by the first argument that is no option, with the rest as its arguments."""
    from conformance.torch_on_cpu import everything_on_cpu  # needs torch, which options do not

    options, sys.argv = split_options(sys.argv[1:])
    script = Path(sys.argv[0])
    sys.path.insert(0, str(script.parent))
    with everything_on_cpu(options.target, options.check):
        _time_once()
        runpy.run_path(str(script), run_name="__main__")


def split_options(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The options, then the script and its arguments."""
    parser = argparse.ArgumentParser(prog="python -m conformance.run_script")
    parser.add_argument("--target", default="cpu", help="the target of launches")
    parser.add_argument("--check", default="", help="run-time checks, such as 'all'")
    parser.add_argument("script", nargs=argparse.REMAINDER, help="the script and its arguments")
    options = parser.parse_args(arguments)
    if not options.script:
        parser.error("name a script")
    return options, options.script


def _time_once() -> None:
    tune: Any = importlib.import_module("cuda.tile.tune._tune")
    tune._WARM_UP_REPEATS = tune._BATCH_REPEATS = tune._MIN_REPEATS = 1


if __name__ == "__main__":
    main()

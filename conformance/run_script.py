"""Runs a script written for CUDA tensors on the CPU: ``python -m conformance.run_script SCRIPT [ARG ...]``.

Timings mean nothing here, so ``cuda.tile.tune`` runs each configuration twice instead of eight times or more.
"""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path
from typing import Any

from conformance.torch_on_cpu import everything_on_cpu


def main() -> None:
    """Run the script named by the first argument with the rest as its arguments."""
    script = Path(sys.argv[1])
    sys.argv = sys.argv[1:]
    sys.path.insert(0, str(script.parent))
    with everything_on_cpu():
        _time_once()
        runpy.run_path(str(script), run_name="__main__")


def _time_once() -> None:
    tune: Any = importlib.import_module("cuda.tile.tune._tune")
    tune._WARM_UP_REPEATS = tune._BATCH_REPEATS = tune._MIN_REPEATS = 1


if __name__ == "__main__":
    main()

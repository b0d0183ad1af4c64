"""Runs a script written for CUDA tensors on the CPU: ``python -m conformance.run_script SCRIPT [ARG ...]``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from conformance.torch_on_cpu import everything_on_cpu


def main() -> None:
    """Run the script named by the first argument with the rest as its arguments."""
    script = Path(sys.argv[1])
    sys.argv = sys.argv[1:]
    sys.path.insert(0, str(script.parent))
    with everything_on_cpu():
        runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main()

"""The samples of cuTile Python for `conformance.gpu`: their kernels as bytecode, and their functions at small sizes.

The samples stay in a checkout of NVIDIA's repository, unedited.  The environment needs PyTorch and `tilewright[cutile]`.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tilewright.cutile import launcher
from tilewright.driver.target import DEFAULT
from tilewright.gpu_programs.script import run_script
from tilewright.gpu_programs.settings import ProgramSettings

SMALL = Path(__file__).with_name("small_samples.py")
NAMES = (
    *("quickstart/VectorAdd_quickstart", "VectorAddition", "Transpose", "MatMul", "BatchMatMul", "LayerNorm"),
    *("FFT", "MoE", "BlockScaledMatMul", "AllGatherMatmul", "AttentionFMHA"),
)
"""The samples; that of several GPUs launches nothing here."""
CHECKS = (
    *("quickstart", "vector_addition", "transpose", "matmul", "matmul_of_halves", "batched_matmul"),
    *("layer_norm", "fft", "mixture_of_experts", "block_scaled_matmul", "gathered_matmul", "attention"),
)
"""The functions of `small_samples`."""
LIMIT = 900
"""Seconds for a sample at its small sizes."""


@cache
def kernels(folder: Path, name: str) -> tuple[tuple[str, bytes], ...]:
    """Names and bytecode of the kernels that a sample launches, at its published sizes.  None of them runs, so a sample that
    looks at its results ends there."""
    found: dict[bytes, str] = {}

    def noted(bytecode: bytes, entry: str, *arguments: Any, **named: Any) -> None:
        found.setdefault(bytecode, f"{name}.{len(found)}")

    silent = StringIO()
    with (
        patch.object(launcher, "usual_launch", lambda: noted),
        redirect_stdout(silent),
        redirect_stderr(silent),
    ):
        run_script(str(folder / "samples" / f"{name}.py"), [], ProgramSettings.of(DEFAULT))
    return tuple((label, bytecode) for bytecode, label in found.items())


def run(folder: Path, check: str, target: str) -> str:
    """Run a function of `small_samples` on a target; answers why it is wrong, or nothing."""
    command = [sys.executable, "-m", "tilewright", "run", "--target", target]
    command += [str(SMALL), str(folder / "samples"), check]
    try:
        made = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"not done in {LIMIT} s"
    return (made.stderr.strip() or "failed")[-600:] if made.returncode else ""

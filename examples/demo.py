"""Runs every example and prints one table; the exit code is 1 when a result is wrong.

python -m examples.demo [--target cpu] [--check memcheck]
"""

from __future__ import annotations

import convolution
import fft
import flash_attention
import histogram
import layer_norm
import matmul
import softmax
import transpose
import vector_add
from checking import Run, main

RUNS: tuple[Run, ...] = (
    vector_add.run,
    transpose.run,
    softmax.run,
    layer_norm.run,
    matmul.run,
    flash_attention.run,
    fft.run,
    convolution.run,
    histogram.run,
)

if __name__ == "__main__":
    raise SystemExit(main(*RUNS))

"""Programs with kernels of numba-cuda."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import numpy as np

from tests.cuda_programs.python.in_device import line, line_with, place_of
from tilewright.runtime.findings.record import FindingRecord

warnings.simplefilter("ignore")
cuda: Any = import_module("numba.cuda")
float32: Any = vars(import_module("numba"))["float32"]
NAME = "numba_programs.py"


@cuda.jit
def add(x: Any, y: Any, total: Any) -> None:
    at = cuda.grid(1)
    if at < total.size:
        total[at] = x[at] + y[at]


@cuda.jit
def block_sums(x: Any, sums: Any) -> None:
    part = cuda.shared.array(64, float32)
    at = cuda.threadIdx.x
    part[at] = x[cuda.grid(1)]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if at < step:
            part[at] += part[at + step]
        cuda.syncthreads()
        step //= 2
    if at == 0:
        sums[cuda.blockIdx.x] = part[0]


@cuda.jit(lineinfo=True)
def without_barrier(x: Any) -> None:
    part = cuda.shared.array(64, float32)
    at = cuda.threadIdx.x
    part[at] = x[at]
    x[at] = part[63 - at]


def codes_of(record: FindingRecord) -> list[str]:
    record.gather()
    return [str(one.code) for one in record.findings]


def program_arrays_of_the_host(record: FindingRecord) -> None:
    x = np.arange(1000, dtype=np.float32)
    total = np.zeros_like(x)
    add[8, 128](x, 2 * x, total)
    assert (total == 3 * x).all()
    assert codes_of(record) == []


def program_block_sums(record: FindingRecord) -> None:
    x = np.arange(256, dtype=np.float32)
    sums = cuda.device_array(4, np.float32)
    block_sums[4, 64](cuda.to_device(x), sums)
    assert (sums.copy_to_host() == x.reshape(4, 64).sum(axis=1)).all()
    assert codes_of(record) == []


def program_a_missing_barrier(record: FindingRecord) -> None:
    x = cuda.to_device(np.arange(64, dtype=np.float32))
    without_barrier[1, 64](x)
    place = line() - 1
    assert codes_of(record) == ["TW1265"]
    places = [place_of(one.location) for one in (record.findings[0], *record.findings[0].notes)]
    read = line_with(__file__, "x[at] = part[63")
    assert places == [(NAME, read), (NAME, read - 1), (NAME, place)]

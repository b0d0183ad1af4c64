"""Recorded launches: every tile block has its times and its thread, and code that was not asked to has no clock."""

from __future__ import annotations

import itertools
import threading
import time

import numpy as np
import pytest

from tilewright.driver.artifact import Artifact
from tilewright.driver.compile import compile
from tilewright.driver.stages import CompileOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.kernel import LoadedKernel
from tilewright.runtime.recording import IS_POSSIBLE, BlockTime, record

KERNEL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %bad: tile<i32>) {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %holds = cmpi not_equal %i, %bad, signed : tile<i32> -> tile<i1>
    assert %holds, "bad" : tile<i1>
    %place = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %place, %i : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
COUNT = 40
pytestmark = pytest.mark.skipif(not IS_POSSIBLE, reason="the C library of this system has no such clock")


def made(*, records: bool) -> Artifact:
    return compile(KERNEL, options=CompileOptions(record_times=records))


def loaded(artifact: Artifact) -> LoadedKernel:
    kernel = artifact.kernels().kernel(None)
    assert isinstance(kernel, LoadedKernel)
    return kernel


def recorded(artifact: Artifact, threads: int | None = None) -> list[BlockTime]:
    out = np.full(COUNT, -1, np.int32)
    found = record(loaded(artifact), (COUNT, 1, 1), [out, -1], threads)
    assert out.tolist() == list(range(COUNT))
    return found


def test_every_tile_block_has_its_times_and_those_of_a_thread_do_not_overlap() -> None:
    start = time.monotonic_ns()
    found = recorded(made(records=True))
    end = time.monotonic_ns()
    assert [block.number for block in found] == list(range(COUNT))
    assert all(start <= block.begin <= block.end <= end for block in found)
    for thread in {block.thread for block in found}:
        own = sorted((block.begin, block.end) for block in found if block.thread == thread)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(own))


def test_tile_blocks_of_every_dimension_have_their_times() -> None:
    out = np.full(COUNT, -1, np.int32)
    found = record(loaded(made(records=True)), (2, 3, 4), [out, -1])
    assert len(found) == 2 * 3 * 4
    assert all(block.begin < block.end for block in found)


def test_one_thread_takes_all_and_is_the_one_that_launches_unless_tile_blocks_may_talk() -> None:
    plain = KERNEL.replace('assert %holds, "bad" : tile<i1>', "")
    artifact = compile(plain, options=CompileOptions(record_times=True))
    assert {block.thread for block in recorded(artifact, 1)} == {threading.get_ident()}


def test_a_tile_block_that_fails_is_told_as_ever() -> None:
    kernel = loaded(made(records=True))
    with pytest.raises(DiagnosticError, match="assertion 'bad' failed"):
        record(kernel, (COUNT, 1, 1), [np.zeros(COUNT, np.int32), 7])


def test_code_that_was_not_asked_to_has_no_clock_and_records_nothing() -> None:
    artifact = made(records=False)
    assert "clock_gettime" not in str(artifact.asm["llvm"])
    assert recorded(artifact) == []


def test_recording_code_may_be_launched_without_a_record() -> None:
    out = np.zeros(COUNT, np.int32)
    made(records=True).launch(COUNT, [out, -1])
    assert out.tolist() == list(range(COUNT))

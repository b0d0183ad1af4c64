"""The thread and the times of each tile block: launches of kernels that were compiled with ``record_times``.

Only such code reads the clock, so launches of other kernels pay nothing. Tile blocks are taken and threads are woken
as in any other launch; a tile block takes some 50 nanoseconds longer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.dialects.common.grid import GridSize
from tilewright.ir.support.record import Record
from tilewright.runtime.context import RECORDS, RecordedBlock
from tilewright.runtime.kernel import LoadedKernel

_WORD = 8
IS_POSSIBLE = sys.platform in ("linux", "darwin")
"""Whether the C library of this system has the clock that recording kernels ask."""


class BlockTime(Record, frozen=True):
    """The begin and end of the tile block `number`, in nanoseconds of `time.monotonic_ns`, and its thread, as
    `threading.get_ident` returns it.
    """

    number: int
    begin: int
    end: int
    thread: int


def record(
    kernel: LoadedKernel,
    grid: GridSize,
    arguments: Sequence[Any],
    threads: int | None = None,
    memory: Sequence[Any] = (),
) -> list[BlockTime]:
    """Launch a kernel as `LoadedKernel.launch` does, with the same arguments, and wait for its end. Return
    the times of the finished tile blocks, in order of their numbers; an empty list for code that was compiled
    without ``record_times``. At most `threads` threads take part (None: `thread_count`). Raises
    `DiagnosticError` for arguments that do not fit, or when a tile block reported a failure.
    """
    rows: Any = np.zeros((grid[0] * grid[1] * grid[2], RecordedBlock.BYTES // _WORD), np.int64)
    frame = kernel.filled(grid, arguments, memory)
    frame.words[RECORDS // _WORD] = rows.ctypes.data
    kernel.run(frame, grid, threads)
    begin, end, thread = (
        rows[:, at // _WORD] for at in (RecordedBlock.BEGIN, RecordedBlock.END, RecordedBlock.THREAD)
    )
    return [
        BlockTime(int(number), int(begin[number]), int(end[number]), int(thread[number]))
        for number in np.flatnonzero(end)
    ]

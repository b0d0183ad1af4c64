"""A pytest plugin that keeps the launches of a suite while they run: kernels, grids and arguments.

    pytest --tilewright -p conformance.launch_records --record-launches FOLDER TESTS
    python -m conformance.launch_records FOLDER PROGRAM.py ARGUMENTS

Each launch is a file in FOLDER, which `read` reads again. `conformance.proofs` and `conformance.comparisons` take such
folders. Of each kernel the first launches are kept, and of each test module the smallest tests if `--sample-smallest`
of `conformance.sampling` says so. The files are pickles: read only your own.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conformance.recording import content_of, file_name, route_to
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.driver.target import DEFAULT
from tilewright.gpu_programs.routing import routed
from tilewright.gpu_programs.script import exit_status, run_in_place
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.interp.memory.access_messages import NamedArray

MOST_LAUNCHES = 4
"""The maximum number of launches of one kernel that are kept."""
MOST_BYTES = 1 << 24
"""The maximum size of the arrays of a launch that is kept, in bytes."""


@dataclass(frozen=True, slots=True)
class ArrayPlace:
    """An array in one of the kept buffers: the number of the buffer, the byte at which the array starts in it,
    its extents, its strides in bytes and its dtype.
    """

    buffer: int
    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """A launch that is kept. ``values`` are the arguments and then the further arrays of ``memory``, with an
    `ArrayPlace` for each array; ``names`` are the names of arrays by their number in ``values``. Arrays that share
    memory share a buffer.
    """

    content: bytes
    entry: str
    grid: tuple[int, int, int]
    values: tuple[Any, ...]
    parameters: int
    names: dict[int, str]
    buffers: tuple[bytes, ...]

    def arguments(self) -> tuple[list[Any], list[Any]]:
        """Return fresh arguments, and the memory that `tilewright.launch` takes: arrays with their names."""
        buffers = [np.frombuffer(bytearray(one), np.uint8) for one in self.buffers]
        made: dict[ArrayPlace, Any] = {}
        for one in self.values:
            if isinstance(one, ArrayPlace) and one not in made:
                data = buffers[one.buffer].data
                made[one] = np.ndarray(one.shape, one.dtype, data, one.start, one.strides)
        values = [made[one] if isinstance(one, ArrayPlace) else one for one in self.values]
        named: list[Any] = [NamedArray(name, values[at]) for at, name in self.names.items()]
        return values[: self.parameters], named + values[self.parameters :]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option."""
    parser.getgroup("recording", "launches of a suite").addoption(
        "--record-launches", type=Path, required=True, metavar="FOLDER", help="Keep launches in FOLDER."
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each launch of this process be kept. Raises `pytest.UsageError` without ``--tilewright``."""
    route_to(LaunchRecorder(session.config.option.record_launches), "--record-launches")


class LaunchRecorder:
    """The engine of launches: keeps each in the folder `folder`, and then runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._kept = Counter(path.stem.rpartition(".")[0] for path in launch_files(folder))

    def __call__(self, launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> object:
        """Keep a launch, and return the result of the run."""
        name = file_name(launched)
        if self._kept[name] < MOST_LAUNCHES:
            found = record(launched)
            if found is not None:
                (self.folder / f"{name}.{self._kept[name]}.launch").write_bytes(pickle.dumps(found))
                self._kept[name] += 1
        return launched.run(target, check)


def record(launched: LaunchedKernel) -> LaunchRecord | None:
    """Return a launch as it is now; None if its arrays are too large."""
    arguments, memory = launched.arguments, launched.memory
    names = {id(one.array): one.name for one in memory if isinstance(one, NamedArray)}
    known = {id(one) for one in arguments}
    held = [one.array if isinstance(one, NamedArray) else one for one in memory]
    values = [*arguments, *(one for one in held if id(one) not in known)]
    arrays = [one for one in values if isinstance(one, np.ndarray)]
    ranges = _joined([np.lib.array_utils.byte_bounds(one) for one in arrays])
    if sum(high - low for low, high in ranges) > MOST_BYTES:
        return None
    buffers = tuple(_bytes_of(low, high) for low, high in ranges)
    placed = tuple(_place(one, ranges) if isinstance(one, np.ndarray) else one for one in values)
    called = {at: names[id(one)] for at, one in enumerate(values) if id(one) in names}
    kernel = content_of(launched), launched.entry, launched.grid
    return LaunchRecord(*kernel, placed, len(arguments), called, buffers)


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges of addresses with those that overlap joined."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def _bytes_of(low: int, high: int) -> bytes:
    from ctypes import string_at

    return string_at(low, high - low)


def _place(array: Any, ranges: Sequence[tuple[int, int]]) -> ArrayPlace:
    address, (low, high) = int(array.__array_interface__["data"][0]), np.lib.array_utils.byte_bounds(array)
    number = next(at for at, (start, end) in enumerate(ranges) if start <= low and high <= end)
    return ArrayPlace(number, address - ranges[number][0], array.shape, array.strides, array.dtype)


def read(folder: Path) -> dict[str, list[LaunchRecord]]:
    """Return the launches in a folder by the names of the files of their kernels."""
    found: dict[str, list[LaunchRecord]] = defaultdict(list)
    for path in launch_files(folder):
        found[path.stem.rpartition(".")[0]].append(pickle.loads(path.read_bytes()))
    return dict(found)


def parser_of_folders(module: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a module of `conformance` that reads folders of kept launches, as ``folders``."""
    parser = argparse.ArgumentParser(prog=f"python -m conformance.{module}", description=description)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", type=Path, nargs="+", help="folders of conformance.launch_records")
    return parser


def smallest(folder: Path) -> dict[str, list[LaunchRecord]]:
    """Return the launches of one kernel for each entry in a folder: the kernel whose first launch has the smallest
    arrays.
    """
    found: dict[str, tuple[int, str, list[LaunchRecord]]] = {}
    for name, records in read(folder).items():
        size = sum(map(len, records[0].buffers))
        entry = records[0].entry
        if entry not in found or (size, name) < found[entry][:2]:
            found[entry] = size, name, records
    return {name: records for _, name, records in found.values()}


def launch_files(folder: Path) -> Iterator[Path]:
    """Yield the files of launches in a folder, in order."""
    yield from sorted(folder.rglob("*.launch"))


def main(folder: str, program: str, *arguments: str) -> int:
    """Run a program on the CPU, keep its launches, and return its exit status."""
    settings = ProgramSettings.of(DEFAULT)
    with routed(settings) as routing:
        routing.launches.engine = LaunchRecorder(Path(folder))
        return exit_status(lambda: run_in_place(program, arguments, settings))


if __name__ == "__main__":  # records are of the module with this name, because the program becomes __main__
    sys.exit(import_module("conformance.launch_records").main(*sys.argv[1:]))

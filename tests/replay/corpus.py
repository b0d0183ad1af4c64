"""The corpus that is replayed: modules that are compiled, modules that passes run over, and launches.

They are archives in ``data``: ``modules.tar.xz`` holds bytecode and text.  ``pipelines.tar.xz`` holds reproducers, as the
flag ``--run-reproducer`` of ``tilewright opt`` takes them: the first line names the passes.  ``launches.tar.xz`` holds for
each launch its source and a JSON file with the entry, the grid, the block, the options and the arguments.
`tools.corpus` makes them.

Much of it executes what the rest executes, too: ``data/at_night.txt`` lists what only ``pytest --whole`` replays.
"""

from __future__ import annotations

import base64
import io
import json
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes  # noqa: F401 (NumPy then knows its element types by name)
import numpy as np

DATA = Path(__file__).parent / "data"
MODULES = DATA / "modules.tar.xz"
LAUNCHES = DATA / "launches.tar.xz"
PIPELINES = DATA / "pipelines.tar.xz"
AT_NIGHT = DATA / "at_night.txt"


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel; ``source`` is PTX, or bytecode of a module.

    ``options`` are those of the simulator for PTX, else those of the interpreter.
    """

    source: bytes
    entry: str
    grid: Sequence[int]
    block: Sequence[int]
    options: Mapping[str, Any]
    arguments: Sequence[Mapping[str, Any]]

    @property
    def is_ptx(self) -> bool:
        """Whether the source is PTX."""
        return bool(self.block)

    def made(self) -> list[Any]:
        """Return new arguments: numbers, arrays, and tensor maps over arrays."""
        return [_argument(one) for one in self.arguments]


def _argument(row: Mapping[str, Any]) -> Any:
    if "number" in row:
        return row["number"]
    bits = np.frombuffer(base64.b64decode(row["array"]), np.uint8)
    array = bits.copy().view(np.dtype(row["type"])).reshape(row["shape"])
    if "map" not in row:
        return array
    from tilewright.ptxsim import TensorMap

    return TensorMap(array, **row["map"])


def array_row(array: Any) -> dict[str, Any]:
    """Return what the corpus keeps of an array."""
    content = base64.b64encode(array.tobytes()).decode()
    return {"array": content, "type": str(array.dtype), "shape": list(array.shape)}


@cache
def modules() -> dict[str, bytes]:
    """Return the modules by name."""
    return read(MODULES)


@cache
def pipelines() -> dict[str, bytes]:
    """Return the reproducers by name."""
    return read(PIPELINES)


@cache
def launches() -> dict[str, Launch]:
    """Return the launches by name."""
    found = read(LAUNCHES)
    rows = {Path(name).stem: json.loads(content) for name, content in found.items() if name.endswith(".json")}
    sources = {Path(name).stem: content for name, content in found.items() if not name.endswith(".json")}
    return {name: Launch(source=sources[name], **row) for name, row in rows.items()}


@cache
def at_night() -> dict[str, frozenset[str]]:
    """Return by member the settings, or the runs, that are left out by day; all of it where there are none."""
    lines = AT_NIGHT.read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: frozenset(parts) for name, *parts in rows}


def read(path: Path) -> dict[str, bytes]:
    """Return the members of an archive by name."""
    with tarfile.open(path) as archive:
        opened = [(member.name, archive.extractfile(member)) for member in archive]
        return {name: file.read() for name, file in opened if file is not None}


def write(path: Path, members: Iterable[tuple[str, bytes]]) -> None:
    """Write an archive: the same members give the same bytes, as they have no times and owners."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz", format=tarfile.USTAR_FORMAT, preset=9) as archive:
        for name, content in sorted(members):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))

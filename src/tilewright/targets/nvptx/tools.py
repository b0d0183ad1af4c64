"""The paths of programs and libraries for GPUs: PyPI packages first, then CUDA toolkits, then `PATH`.

The order is: packages of NVIDIA in this Python, the newest CUDA first; the package `triton`; the toolkits of
`CUDA_HOME`, of `CUDA_PATH`, and `/usr/local/cuda`; `PATH`. The packages are not imported.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tilewright.dialects.common.chips import Chip

TOOLKIT_VARIABLES = ("CUDA_HOME", "CUDA_PATH")
DEFAULT_TOOLKIT = Path("/usr/local/cuda")
PACKAGE = "a package of NVIDIA"
TRITON_NAMES = {"ptxas": ("ptxas", "ptxas-blackwell")}
"""The names of programs in the package `triton`, which has several versions of some."""
EXECUTABLE_SUFFIX = ".exe" if os.name == "nt" else ""


@dataclass(frozen=True, slots=True)
class Tool:
    """The path of a tool, and a description of its origin."""

    path: Path
    origin: str

    @property
    def identity(self) -> str:
        """Return the path, size and time of the file, which identify its version. Raises `OSError` if there
        is no such file.
        """
        status = self.path.stat()
        return f"{self.path} {status.st_size} {status.st_mtime_ns}"

    def __str__(self) -> str:
        return f"{self.path} ({self.origin})"


def programs(name: str) -> tuple[Tool, ...]:
    """Return all programs with a name, in the order in which they are tried, without duplicates."""
    places = _places(name + EXECUTABLE_SUFFIX)
    return _each_once(tool for tool in places if tool.path.is_file() and os.access(tool.path, os.X_OK))


def libraries(pattern: str) -> tuple[Tool, ...]:
    """Return all CUDA libraries with file names that match the glob `pattern`: of NVIDIA's packages, then of
    toolkits, without duplicates.
    """
    return _each_once(_library_places(pattern))


def header_folders(name: str) -> tuple[Path, ...]:
    """Return the folders that have the header `name` of CUDA: of NVIDIA's packages, then of toolkits."""
    places = (path.parent for root in _package("nvidia") for path in _newest(root.glob(f"*/include/{name}")))
    toolkits = (toolkit / "include" for toolkit, _ in _toolkits())
    return tuple(dict.fromkeys((*places, *(folder for folder in toolkits if (folder / name).is_file()))))


def _each_once(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return tools in their order, without further paths of a program or library that an earlier tool has."""
    found: dict[Path, Tool] = {}
    for tool in tools:
        found.setdefault(tool.path.resolve(), tool)
    return tuple(found.values())


def _library_places(pattern: str) -> Iterator[Tool]:
    for root in _package("nvidia"):
        yield from (Tool(path, PACKAGE) for path in _newest(root.glob(f"*/lib/{pattern}")))
    for toolkit, origin in _toolkits():
        for folder in ("lib64", "lib"):
            yield from (Tool(path, origin) for path in _newest(toolkit.glob(f"{folder}/{pattern}")))


def _places(name: str) -> Iterator[Tool]:
    for root in _package("nvidia"):
        yield from (Tool(path, PACKAGE) for path in _newest(root.glob(f"*/bin/{name}")))
    for root in _package("triton"):
        for known in TRITON_NAMES.get(name, (name,)):
            yield Tool(root / "backends" / "nvidia" / "bin" / known, "the package triton")
    for toolkit, origin in _toolkits():
        yield Tool(toolkit / "bin" / name, origin)
    on_path = shutil.which(name)
    if on_path is not None:
        yield Tool(Path(on_path), "PATH")


def _toolkits() -> Iterator[tuple[Path, str]]:
    for variable in TOOLKIT_VARIABLES:
        if os.environ.get(variable):
            yield Path(os.environ[variable]), variable
    yield DEFAULT_TOOLKIT, str(DEFAULT_TOOLKIT)


def _package(name: str) -> list[Path]:
    """Return the folders of the package `name`, without importing it; empty if it is not installed."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # ValueError: the module was inserted manually
        return []
    return [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]


def _newest(paths: Iterator[Path]) -> list[Path]:
    """Return paths by the CUDA version in the name of their package (`cu13`, `cu12`, none), the highest
    first.
    """
    return sorted(paths, key=lambda path: (_version(path), path.name), reverse=True)


def _version(path: Path) -> int:
    match = re.fullmatch(r"cu(\d+)", path.parts[-3])
    return int(match[1]) if match else 0


Version = tuple[int, int]

LEAST: dict[str, Version] = {
    "sm_75": (6, 3),
    "sm_80": (7, 0),
    "sm_86": (7, 1),
    "sm_87": (7, 4),
    "sm_88": (9, 0),
    "sm_89": (7, 8),
    "sm_90": (7, 8),
    "sm_90a": (8, 0),
    "sm_100": (8, 6),
    "sm_100a": (8, 6),
    "sm_100f": (8, 8),
    "sm_103": (8, 8),
    "sm_103a": (8, 8),
    "sm_103f": (8, 8),
    "sm_107": (9, 4),
    "sm_107a": (9, 4),
    "sm_107f": (9, 4),
    "sm_110": (9, 0),
    "sm_110a": (9, 0),
    "sm_110f": (9, 0),
    "sm_120": (8, 7),
    "sm_120a": (8, 7),
    "sm_120f": (8, 8),
    "sm_121": (8, 8),
    "sm_121a": (8, 8),
    "sm_121f": (8, 8),
}
"""The first version whose ``.target`` may name the chip."""


def least_version(chip: Chip) -> Version:
    """Return the minimum version of PTX, a pair (major, minor), whose `.target` may name the chip."""
    return LEAST[chip.name]

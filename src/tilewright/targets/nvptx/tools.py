"""Where programs and libraries for GPUs are: PyPI packages first, then CUDA toolkits, then `PATH`.

The order: packages of NVIDIA in this Python, the newest CUDA first; the package `triton`; the toolkit of `CUDA_HOME`, of
`CUDA_PATH`, and `/usr/local/cuda`; `PATH`.  Looking needs no import of these packages.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TOOLKIT_VARIABLES = ("CUDA_HOME", "CUDA_PATH")
DEFAULT_TOOLKIT = Path("/usr/local/cuda")
PACKAGE = "a package of NVIDIA"
TRITON_NAMES = {"ptxas": ("ptxas", "ptxas-blackwell")}
"""Names in the package `triton`, where it has several versions of a program."""
EXECUTABLE_SUFFIX = ".exe" if os.name == "nt" else ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A file and where it comes from, in words."""

    path: Path
    origin: str

    @property
    def identity(self) -> str:
        """What tells one version from another: path, size and time."""
        status = self.path.stat()
        return f"{self.path} {status.st_size} {status.st_mtime_ns}"

    def __str__(self) -> str:
        return f"{self.path} ({self.origin})"


def programs(name: str) -> tuple[Tool, ...]:
    """All programs of a name in the order in which they are tried, each once."""
    places = _places(name + EXECUTABLE_SUFFIX)
    return _each_once(tool for tool in places if tool.path.is_file() and os.access(tool.path, os.X_OK))


def libraries(pattern: str) -> tuple[Tool, ...]:
    """All libraries whose file names match a pattern, in the same order."""
    return _each_once(_library_places(pattern))


def header_folders(name: str) -> tuple[Path, ...]:
    """Return the folders that have a header of CUDA, in the same order."""
    places = (path.parent for root in _package("nvidia") for path in _newest(root.glob(f"*/include/{name}")))
    toolkits = (toolkit / "include" for toolkit, _ in _toolkits())
    return tuple(dict.fromkeys((*places, *(folder for folder in toolkits if (folder / name).is_file()))))


def _each_once(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Tools without those that are another name of an earlier one."""
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
    """The folders of a package, which is not imported."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # ValueError: a module that was put there by hand
        return []
    return [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]


def _newest(paths: Iterator[Path]) -> list[Path]:
    """Paths by the CUDA version in the name of their package (`cu13`, `cu12`, none), the highest first."""
    return sorted(paths, key=lambda path: (_version(path), path.name), reverse=True)


def _version(path: Path) -> int:
    match = re.fullmatch(r"cu(\d+)", path.parts[-3])
    return int(match[1]) if match else 0

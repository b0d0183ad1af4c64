"""Finds NVRTC, `nvcc` and the headers of CUDA: in packages of NVIDIA, then in CUDA toolkits."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

from tilewright.cpp import codes
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.record import Record
from tilewright.targets.nvptx.tools import Tool, header_folders, libraries, programs

HEADER = "cuda_tile.h"
"""The header that tile kernels include; CUDA has it since 13.3."""
BINDINGS = "cuda.bindings"
AUTO = "auto"
"""Chooses whichever compiler is installed."""
HINT = "pip install 'tilewright[cpp]'"


class Toolchain(Record, frozen=True):
    """The compilers that are installed.

    ``nvrtc`` is the library, None if it, its bindings for Python or the headers are missing; ``nvcc`` the
    program, None if it or a host compiler is missing; ``include`` the folders with the headers of CUDA and of
    CCCL, empty if there are none.
    """

    nvrtc: Tool | None
    nvcc: Tool | None
    include: tuple[str, ...]


def toolchain(compiler: str = AUTO) -> Toolchain:
    """Return the compilers that are installed. Raises `DiagnosticError` if there is none, and unless
    ``compiler`` is `AUTO` or the name of one of them (``nvrtc``, ``nvcc``).
    """
    found = find()
    if found.nvrtc is None and found.nvcc is None:
        message = f"CUDA C++ needs NVRTC or nvcc, with the header '{HEADER}' (CUDA 13.3 or later)"
        raise failure(codes.NO_COMPILER, message, hint=HINT)
    installed = [name for name in ("nvrtc", "nvcc") if getattr(found, name) is not None]
    if compiler not in (AUTO, *installed):
        message = f"the C++ compiler '{compiler}' of the options is not installed"
        hint = f"{HINT}, or CppOptions(compiler=...) with {' or '.join((AUTO, *installed))}"
        raise failure(codes.NO_COMPILER, message, hint=hint)
    return found


def find() -> Toolchain:
    """Return the installed compilers, which may be none, without raising an error. NVRTC is left out if the
    folder of headers is missing.
    """
    include = _include()
    return Toolchain(_nvrtc() if include else None, _nvcc(), include)


def _include() -> tuple[str, ...]:
    """Return the include folders of the first CUDA with the header `cuda_tile.h`: its own, and its folder
    ``cccl`` if it has one. The result is empty if no CUDA has the header.
    """
    for folder in header_folders(HEADER):
        cccl = next((str(one) for one in (folder / "cccl",) if one.is_dir()), None)
        return (str(folder), *(() if cccl is None else (cccl,)))
    return ()


def _nvrtc() -> Tool | None:
    try:
        has_bindings = importlib.util.find_spec(BINDINGS) is not None
    except ModuleNotFoundError:  # the package `cuda` itself is missing
        has_bindings = False
    return next(iter(libraries("libnvrtc.so*")), None) if has_bindings else None


def _nvcc() -> Tool | None:
    """Return the first `nvcc` whose CUDA has the header `cuda_tile.h`; None if there is none, or no host
    compiler.
    """
    if host_compiler() is None:
        return None
    return next((tool for tool in programs("nvcc") if _has_header(tool.path)), None)


def _has_header(nvcc: Path) -> bool:
    return (nvcc.resolve().parent.parent / "include" / HEADER).is_file()


def host_compiler() -> str | None:
    """Return the path of the host compiler that `nvcc` would call, ``g++``; None if it is not on PATH."""
    return shutil.which("g++")

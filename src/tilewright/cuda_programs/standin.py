"""Builds the stand-in: a library with the functions of the CUDA runtime that needs no GPU. The host compiler
compiles its C++ files when a program is first linked.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tilewright.cpp.toolchain import host_compiler
from tilewright.cuda_programs import codes
from tilewright.ir.diagnostic import failure
from tilewright.runtime.disk_cache import default_directory
from tilewright.targets.nvptx.tools import header_folders

SOURCES = Path(__file__).parent / "runtime"
LIBRARY = "libcudart.so.13"
"""The name of the runtime's library in CUDA 13: programs that link the shared runtime find the stand-in."""
HEADER = "cuda_runtime_api.h"
_FLAGS = ("-std=c++17", "-O2", "-g1", "-fPIC", "-fvisibility=hidden", "-shared", "-pthread")
_LINK_FLAGS = ("-Wl,-z,nodelete",)
_VERSIONS = f"{LIBRARY} {{ global: *; }};\n"
"""The linker script that gives symbols the version that they have in CUDA's library."""
_OTHER_NAMES = ("libcudart.so", "libcudart_static.a", "libcudadevrt.a")
"""File names of runtime libraries that build systems link. Each becomes a linker script that links the
stand-in.
"""
_DECLARED = re.compile(r"CUDARTAPI\s+(cuda[A-Z]\w*)\s*\(")
_PER_THREAD = re.compile(r"__CUDART_API_PT[DS][SZ]\((cuda\w+)\)")
_DEFINED = re.compile(r"^API [\w* ]+?(\w+)\(", re.MULTILINE)


def standin() -> Path:
    """Return the folder that contains the stand-in's library; build the library first if it does not exist.

    Raises `DiagnosticError` without a host compiler or headers of CUDA, and if the compiler reports errors.
    """
    compiler, headers = host_compiler(), header_folders(HEADER)
    if compiler is None or not headers:
        missing = "a host compiler (g++)" if compiler is None else f"the header '{HEADER}'"
        raise failure(codes.NO_NVCC, f"the stand-in for the CUDA runtime needs {missing}")
    folder = _folder(headers[0])
    if not (folder / LIBRARY).exists():
        _build(compiler, headers[0], folder)
    return folder


def _folder(headers: Path) -> Path:
    """Return the folder for a build of the library in the cache. Its name is a hash of the sources, the
    flags, the headers and the path of Python.
    """
    digest = hashlib.sha256(repr((str(headers), sys.executable, _FLAGS, _LINK_FLAGS)).encode())
    for source in _sources():
        digest.update(source.read_bytes())
    digest.update((headers / HEADER).read_bytes())
    return default_directory() / "cudart" / digest.hexdigest()[:16]


def _sources() -> list[Path]:
    return sorted(SOURCES.iterdir())


def _build(compiler: str, headers: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        missing = Path(work, "not_provided.cpp")
        missing.write_text("".join(_not_provided(headers)), encoding="utf-8")
        units = [str(one) for one in _sources() if one.suffix == ".cpp"]
        macro = f'-DTILEWRIGHT_PYTHON="{sys.executable}"'
        made = Path(work, LIBRARY)
        versions = Path(work, "versions")
        versions.write_text(_VERSIONS, encoding="utf-8")
        # Executables load the library by its path: they need no search path, whoever links them.
        name = f"-Wl,-soname,{folder / LIBRARY},--version-script,{versions}"
        link = [*_LINK_FLAGS, name, *_per_thread_names(headers)]
        command = [compiler, *_FLAGS, macro, f"-I{headers}", *units, str(missing), *link, "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise failure(
                codes.NOT_BUILT, f"'{compiler}' refuses the stand-in for the CUDA runtime:\n{done.stderr}"
            )
        for other in _OTHER_NAMES:
            (folder / other).write_text(f"INPUT({folder / LIBRARY})\n", encoding="utf-8")
        os.replace(made, folder / LIBRARY)


def provided() -> set[str]:
    """Return the names of the runtime functions that the stand-in implements."""
    return {name for source in _sources() for name in _DEFINED.findall(source.read_text(encoding="utf-8"))}


def declared(headers: Path) -> set[str]:
    """Return the names of the runtime functions that the CUDA headers in the folder ``headers`` declare,
    without `cudaGetErrorString` and `cudaGetErrorName`.
    """
    text = (headers / HEADER).read_text(encoding="utf-8", errors="replace")
    return set(_DECLARED.findall(text)) - {"cudaGetErrorString", "cudaGetErrorName"}


def _not_provided(headers: Path) -> Iterator[str]:
    """Yield C++ definitions of the runtime functions that the stand-in does not implement: each reports its
    name.
    """
    yield 'extern "C" int tilewright_not_provided(const char*);\n'
    for name in sorted(declared(headers) - provided()):
        yield _function(name, f'return tilewright_not_provided("{name}");')


def _per_thread_names(headers: Path) -> Iterator[str]:
    """Yield linker options that define a second name, such as ``cudaLaunchKernel_ptsz``, for each function
    that programs compiled with a default stream for each thread call by that name.
    """
    text = (headers / HEADER).read_text(encoding="utf-8", errors="replace")
    for name in sorted(set(_PER_THREAD.findall(text)) & provided()):
        suffix = "_ptds" if f"PTDS({name})" in text else "_ptsz"
        yield f"-Wl,--defsym={name}{suffix}={name}"


def _function(name: str, body: str) -> str:
    return f'extern "C" __attribute__((visibility("default"))) int {name}() {{ {body} }}\n'

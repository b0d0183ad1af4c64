"""Builds the stand-in: a library with the functions of the CUDA runtime and of the driver that needs no GPU.
The host compiler compiles its C++ files when a program first needs them.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tilewright.cpp.toolchain import host_compiler
from tilewright.cuda_programs import codes, interface
from tilewright.ir.diagnostic import failure
from tilewright.runtime.disk_cache import default_directory
from tilewright.targets.nvptx.tools import Tool, header_folders, libraries

LIBRARY = "libcudart.so.13"
"""The name of the runtime's library in CUDA 13: programs that link the shared runtime find the stand-in."""
DRIVER = "libcuda.so.1"
"""The name of the driver's library, by which packages of Python load it."""
_FLAGS = ("-std=c++17", "-O1", "-g1", "-fPIC", "-fvisibility=hidden", "-shared", "-pthread")
_LINK_FLAGS = ("-Wl,-z,nodelete",)
_VERSIONS = f"{LIBRARY} {{ global: *; }};\n"
"""The linker script that gives symbols the version that they have in CUDA's library."""
_OTHER_NAMES = ("libcudart.so", "libcudart_static.a", "libcudadevrt.a", "libcuda.so")
"""File names of libraries that build systems link. Each becomes a linker script that links the stand-in."""


def standin() -> Path:
    """Return the folder that contains the stand-in's library; build the library first if it does not exist.

    Raises `DiagnosticError` without a host compiler or headers of CUDA, and if the compiler reports errors.
    """
    compiler, headers = host_compiler(), header_folders(interface.RUNTIME_HEADER)
    if compiler is None or not headers:
        missing = "a host compiler (g++)" if compiler is None else f"the header '{interface.RUNTIME_HEADER}'"
        raise failure(codes.NO_NVCC, f"the stand-in for the CUDA runtime needs {missing}")
    folder = _folder(headers[0])
    if not (folder / LIBRARY).exists():
        with _lock(folder):
            if not (folder / LIBRARY).exists():
                _build(compiler, headers[0], folder)
    return folder


@contextlib.contextmanager
def _lock(folder: Path) -> Generator[None, None, None]:
    """Create `folder` if it does not exist, and hold its lock: of several processes that need the library, one
    builds it, and the others wait. There is no lock on a system or a disk without file locks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "wb") as file:
        if sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)  # closing the file releases it
        yield


def _folder(headers: Path) -> Path:
    """Return the folder for a build of the library in the cache. Its name is a hash of the sources, the
    flags, the headers and the path of Python.
    """
    digest = hashlib.sha256(repr((str(headers), sys.executable, _FLAGS, _LINK_FLAGS)).encode())
    for source in (*interface.sources(), Path(interface.__file__)):
        digest.update(source.read_bytes())
    for header in interface.HEADERS:
        digest.update((headers / header).read_bytes() if (headers / header).exists() else b"")
    return default_directory() / "cudart" / digest.hexdigest()[:16]


def _build(compiler: str, headers: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as work:
        generated = Path(work, "generated.cpp")
        generated.write_text("".join(interface.generated(headers)), encoding="utf-8")
        units = [one for one in interface.sources() if one.suffix == ".cpp"]
        versions = Path(work, "versions")
        versions.write_text(_VERSIONS, encoding="utf-8")
        compile_ = [compiler, *_FLAGS, f'-DTILEWRIGHT_PYTHON="{sys.executable}"', f"-I{headers}"]
        _compile(compile_, [*units, generated], Path(work))
        # Executables load the library by its path: they need no search path, whoever links them.
        name = f"-Wl,-soname,{folder / LIBRARY},--version-script,{versions}"
        objects = sorted(map(str, Path(work).glob("*.o")))
        made = Path(work, LIBRARY)
        names = interface.per_thread_names(headers)
        _run([compiler, *_FLAGS, *objects, *_LINK_FLAGS, name, *names, "-ldl", "-o", str(made)])
        for other in _OTHER_NAMES:
            (folder / other).write_text(f"INPUT({folder / LIBRARY})\n", encoding="utf-8")
        os.replace(made, folder / LIBRARY)


def _compile(command: Sequence[str], units: Sequence[Path], folder: Path) -> None:
    """Compile C++ files to object files in `folder`, as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        include = f"-I{interface.FOLDER}"
        for work in [
            pool.submit(_run, [*command, include, "-c", str(unit), "-o", str(folder / f"{unit.stem}.o")])
            for unit in units
        ]:
            work.result()


def _run(command: Sequence[str]) -> None:
    """Run the host compiler. Raises `DiagnosticError` with its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = f"'{command[0]}' refuses the stand-in for the CUDA runtime:\n{done.stderr}"
        raise failure(codes.NOT_BUILT, message)


def load() -> ctypes.CDLL:
    """Load the stand-in into this process, under the names of the libraries that it stands for: packages that
    load the driver, NVRTC or nvJitLink by these names find it. Return the library.

    Raises `DiagnosticError` as `standin` does.
    """
    folder = standin()
    for tool, name in _compilers():
        library = ctypes.CDLL(str(folder / LIBRARY))
        library.tilewright_set_library(name.encode(), str(tool.path).encode())
        _shim(folder, tool.path.name)
    return _shim(folder, DRIVER)


def _compilers() -> Iterator[tuple[Tool, str]]:
    """Yield the libraries of compilers that are installed, each with the beginning of its functions' names."""
    for name in ("nvrtc", "nvJitLink"):
        for tool in libraries(f"lib{name}.so*")[:1]:
            yield tool, name


def _shim(folder: Path, name: str) -> ctypes.CDLL:
    """Load a library without code that has the name `name` and needs the stand-in; link it first if it does
    not exist.
    """
    path = folder / name
    if not path.exists():
        compiler = host_compiler()
        assert compiler is not None, "the stand-in is built"
        with tempfile.TemporaryDirectory(dir=folder) as work:
            made = Path(work, name)
            link = ["-shared", "-nostdlib", f"-Wl,-soname,{name},--no-as-needed", str(folder / LIBRARY)]
            _run([compiler, *link, "-o", str(made)])
            os.replace(made, path)
    return ctypes.CDLL(str(path))

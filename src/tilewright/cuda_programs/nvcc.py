"""Runs `nvcc` on programs that run here: options select PTX and Tile IR, and a runtime library that needs no
GPU (the stand-in) instead of CUDA's.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilewright.cpp import includes, options as options_module, toolchain as cpp_toolchain
from tilewright.cuda_programs import codes, standin as cuda_programs_standin
from tilewright.gpu_programs.chips import DEFAULT
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.record import Record
from tilewright.targets.nvptx.tools import Tool

_ARCHITECTURES = ("-arch", "--gpu-architecture", "-code", "--gpu-code", "-gencode", "--generate-code")
_RUNTIME = ("-cudart", "--cudart")
_NUMBER = re.compile(r"(?:sm|compute|lto)_(\d+)([af]?)")
_WITHOUT_LINKING = frozenset(
    {
        "-c",
        "--compile",
        "-ptx",
        "--ptx",
        "-cubin",
        "--cubin",
        "-fatbin",
        "--fatbin",
        "-cuda",
        "--cuda",
        "-lib",
        "--lib",
    }
    | {"-E", "--preprocess", "-M", "--generate-dependencies", "-MM", "--generate-nonsystem-dependencies"}
    | {"-dlink", "--device-link", "-tilebc", "--tilebc", "-optix-ir", "--optix-ir", "-ltoir", "--ltoir"}
    | {"-V", "--version", "-h", "--help"}
)
"""Options with which `nvcc` makes no executable."""
_DEVICE_DEBUG = frozenset({"-G", "--device-debug"})
_WITH_LINES = frozenset({"-lineinfo", "--generate-line-info", *_DEVICE_DEBUG})
_TILE = frozenset({"-enable-tile", "--enable-tile"})
_TILE_WORDS = ("cuda_tile.h", "__tile_global__")
_SEPARABLE = frozenset({"-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c"})


class NvccCommand(Record, frozen=True):
    """A parsed command line of `nvcc`: the options and files that are kept, and the values of the options
    about architectures.
    """

    words: tuple[str, ...]
    architectures: tuple[str, ...]

    @property
    def links(self) -> bool:
        """Return whether the command makes an executable or a library."""
        return not _WITHOUT_LINKING & set(self.words) and any(not word.startswith("-") for word in self.words)

    def sources(self) -> Iterator[Path]:
        """Yield the CUDA C++ files that the command line names and that exist."""
        for word in self.words:
            if word.endswith(options_module.SUFFIXES) and Path(word).is_file():
                yield Path(word)


def run_nvcc(arguments: Sequence[str]) -> int:
    """Run `nvcc` with `arguments`, adapted by `translated`, and return its exit status. Raises
    `DiagnosticError` if it is not installed.
    """
    tool = _nvcc()
    return subprocess.run([str(tool.path), *translated(arguments)], check=False).returncode


def _nvcc() -> Tool:
    found = cpp_toolchain.find().nvcc
    if found is None:
        hint = "pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl, and g++"
        raise failure(codes.NO_NVCC, "no nvcc of CUDA 13.3 or later with a host compiler is found", hint=hint)
    return found


def translated(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of `nvcc` that build a program for this machine, from the arguments that build it
    for a GPU. Raises `DiagnosticError` for relocatable device code, which is not supported.

    - Kernels become PTX and Tile IR, without compression, for the newest architecture that the arguments name.
    - Line information is added for kernels and for code of the host.
    - The stand-in replaces the library of the CUDA runtime.
    - Tile kernels are enabled if a source file has some.
    """
    command = parsed(arguments)
    given = set(command.words)
    if _SEPARABLE & given:
        hint = "compile each file with its kernels and the functions that they call"
        raise failure(codes.NO_NVCC, "relocatable device code (-rdc=true, -dc) is not supported", hint=hint)
    first = ["-gencode", f"arch=compute_{(found := _newest(command.architectures))},code=compute_{found}"]
    first += ["-no-compress", "-cudart", "none"]
    first += [] if _WITH_LINES & given else ["-lineinfo"]
    first += ["-Xcompiler", "-g1"]
    if not _TILE & given and any(map(_has_tile_kernels, command.sources())):
        first += ["-enable-tile"]
        first += [] if any(word.startswith(("-std", "--std")) for word in given) else ["-std=c++20"]
    folder = str(cuda_programs_standin.standin()) if command.links else ""
    last = [f"-L{folder}", "-lcudart"] if command.links else []
    return [*first, *([f"-L{folder}"] if command.links else []), *command.words, *last]


def parsed(arguments: Sequence[str]) -> NvccCommand:
    """Return the parsed command line, without the options about architectures and about the runtime library."""
    words, architectures = list[str](), list[str]()
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _ARCHITECTURES:
            architectures.append(value if equals else next(rest, ""))
        elif name in _RUNTIME:
            _ = None if equals else next(rest, None)
        else:
            words.append(word)
    return NvccCommand(tuple(words), tuple(architectures))


def _newest(architectures: Sequence[str]) -> str:
    """Return the number of the newest architecture that `architectures` names, such as ``90a``; the number of
    the default GPU if they name none.
    """
    named = [match for text in architectures for match in _NUMBER.finditer(text)]
    if not named:
        return DEFAULT.removeprefix("sm_")
    return max((int(match[1]), match[1] + match[2]) for match in named)[1]


def _has_tile_kernels(path: Path) -> bool:
    text = path.read_text(encoding="utf-8", errors="replace")
    headers = includes.headers_of(text, path.parent, ()) or []
    texts = [text, *(header.read_text(encoding="utf-8", errors="replace") for header in headers)]
    return any(word in one for one in texts for word in _TILE_WORDS)

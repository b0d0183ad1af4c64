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
    | {"-tilecubin", "--tilecubin", "-tilefatbin", "--tilefatbin"}
    | {"-V", "--version", "-h", "--help"}
)
"""Options with which `nvcc` makes no executable."""
_DEVICE_DEBUG = frozenset({"-G", "--device-debug"})
_WITH_LINES = frozenset({"-lineinfo", "--generate-line-info", *_DEVICE_DEBUG})
_ENABLING = frozenset({"-enable-tile", "--enable-tile"})
_TILE_ONLY = frozenset({"-tile-only", "--tile-only"})
_CUBIN, _TILE_CUBIN = frozenset({"-cubin", "--cubin"}), frozenset({"-tilecubin", "--tilecubin"})
_OF_TILES = frozenset({*_TILE_ONLY, *_TILE_CUBIN, "-tilebc", "--tilebc", "-tilefatbin", "--tilefatbin"})
"""Options with which `nvcc` compiles only tile kernels."""
_INCLUDE = ("-I", "--include-path")
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
        """Return whether the command links an executable or a shared library: no option stops before linking,
        and a file is named.
        """
        return not _WITHOUT_LINKING & set(self.words) and any(not word.startswith("-") for word in self.words)

    def sources(self) -> Iterator[Path]:
        """Yield the CUDA C++ files that the command line names and that exist."""
        for word in self.words:
            if word.endswith(options_module.SUFFIXES) and Path(word).is_file():
                yield Path(word)

    def include_folders(self) -> Iterator[str]:
        """Yield the folders in which the command line lets `nvcc` look for headers."""
        for at, word in enumerate(self.words):
            if word in _INCLUDE:
                yield from self.words[at + 1 : at + 2]
            elif word.startswith(f"{_INCLUDE[1]}="):
                yield word.partition("=")[2]
            elif word.startswith(_INCLUDE[0]):
                yield word.removeprefix(_INCLUDE[0])

    @property
    def names_output(self) -> bool:
        """Return whether the command line names the file that is made."""
        return any(word == "-o" or word.startswith("--output-file") for word in self.words)


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
    - A file of machine code (`-cubin`, `-tilecubin`) has the PTX or the Tile IR that it would be made from.
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
    if not _ENABLING & given and (_OF_TILES & given or _has_tile_kernels(command)):
        first += ["-enable-tile"]
        first += [] if any(word.startswith(("-std", "--std")) for word in given) else ["-std=c++20"]
    folder = str(cuda_programs_standin.standin()) if command.links else ""
    last = [f"-L{folder}", "-lcudart"] if command.links else []
    words = _without_machine_code(command)
    return [*first, *([f"-L{folder}"] if command.links else []), *words, *last]


def _without_machine_code(command: NvccCommand) -> list[str]:
    """Return the words of a command that makes PTX or Tile IR where the given command makes machine code, in
    the file that `nvcc` would make: the file that the command names, or else ``NAME.cubin`` or
    ``NAME.tile.cubin`` in the current folder. Words of other commands stay. Raises `DiagnosticError` if the
    command names several source files and no output.
    """
    given = set(command.words)
    is_tile = bool(_TILE_CUBIN & given or (_CUBIN & given and _TILE_ONLY & given))
    if not (_TILE_CUBIN | _CUBIN) & given:
        return list(command.words)
    kept = [word for word in command.words if word not in _TILE_CUBIN | _CUBIN]
    made = ["-tilebc" if is_tile else "-ptx", *kept]
    if command.names_output:
        return made
    sources = list(command.sources())
    if len(sources) > 1:
        message, hint = "machine code of several files is asked for", "compile one file at a time, or use -o"
        raise failure(codes.NO_NVCC, message, hint=hint)
    suffix = ".tile.cubin" if is_tile else ".cubin"
    return [*made, *(word for one in sources for word in ("-o", f"{one.stem}{suffix}"))]


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
    """Return the number of the newest architecture that a text of `architectures` names, such as ``90a``; the
    number of the default GPU if none is named.
    """
    named = [match for text in architectures for match in _NUMBER.finditer(text)]
    if not named:
        return DEFAULT.removeprefix("sm_")
    return max((int(match[1]), match[1] + match[2]) for match in named)[1]


def _has_tile_kernels(command: NvccCommand) -> bool:
    folders = list(command.include_folders())
    return any(_mentions_tiles(source, folders) for source in command.sources())


def _mentions_tiles(path: Path, folders: Sequence[str]) -> bool:
    """Return whether a file or a header that it includes has words of tile kernels."""
    text = path.read_text(encoding="utf-8", errors="replace")
    headers = includes.headers_of(text, path.parent, folders) or []
    texts = [text, *(header.read_text(encoding="utf-8", errors="replace") for header in headers)]
    return any(word in one for one in texts for word in _TILE_WORDS)

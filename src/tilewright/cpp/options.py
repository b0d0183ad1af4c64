"""The options of the C++ compiler for one translation unit."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.support.record import Record

SUFFIXES = (".cu", ".cuh", ".cpp")
"""The suffixes of files with CUDA C++."""
ARCHITECTURE = "sm_100"
"""The default GPU architecture of the headers: it has every element type, and bytecode serves all GPUs."""


class CppOptions(Record, frozen=True):
    """The options of the C++ compiler for one translation unit.

    - ``include``: folders in which headers are looked for, in this order, before the headers of CUDA.
    - ``define``: macros as ``NAME`` or ``NAME=VALUE``.
    - ``instantiate``: instances of kernel templates, as C++ names them: ``scale<float, 256>``.
    - ``standard``: the language standard; tile kernels need at least C++20.
    - ``architecture``: the GPU that ``__CUDA_ARCH__`` names.
    - ``preview``: features of Tile IR's preview range; a file that declares functions of tile libraries has
      ``simt`` without this.
    - ``compiler``: ``nvrtc``, ``nvcc``, or ``auto`` for NVRTC and, if the file includes headers of the host, `nvcc`.
    """

    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    instantiate: tuple[str, ...] = ()
    standard: str = "c++20"
    architecture: str = ARCHITECTURE
    compiler: str = "auto"
    preview: tuple[str, ...] = ()

    def flags(self) -> Iterator[str]:
        """Yield the command-line options that NVRTC and `nvcc` have in common."""
        yield f"-std={self.standard}"
        yield f"-arch={self.architecture}"
        yield "-lineinfo"
        for folder in self.include:
            yield f"-I{folder}"
        for macro in self.define:
            yield f"-D{macro}"
        for feature in self.preview:
            yield f"--tile-preview={feature}"


def is_cpp(name: str) -> bool:
    """Return whether a file name has a suffix of CUDA C++."""
    return name.endswith(SUFFIXES)

"""`tilewright nvcc`: compile a CUDA C++ program to an executable that runs on this machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tilewright.cli.flags import Flag

FLAGS = (Flag("help", "Show this page."),)
"""The options that shells complete; the others are nvcc's own."""
PAGE = """Usage: tilewright nvcc [OPTIONS OF NVCC] FILES

Compile CUDA C++ programs to executables that run on this machine, without a GPU.

The options are nvcc's, and nvcc of CUDA 13.3 or later does the work: code of the host stays as it
is, tile kernels are compiled for the processor when the program runs, and SIMT kernels run in the
simulator.  The executable links a stand-in for the CUDA runtime.

  tilewright nvcc main.cu -o main && ./main
  TILEWRIGHT_CHECK=all ./main
  tilewright run --check all ./main

Architectures (-arch, -gencode) choose the PTX, and -cudart is ignored.  -enable-tile and
-std=c++20 are added for files with tile kernels.  For CMake there is a program of its own:
-DCMAKE_CUDA_COMPILER=tilewright-nvcc.

`nvcc --help`, which lists nvcc's options, is `tilewright nvcc -- --help`.
"""


def run_nvcc(arguments: Sequence[str]) -> int:
    """Run `nvcc` with the options and files `arguments`, after a leading ``--``, if any; return the exit
    status. Without arguments, and for ``--help`` alone, print `PAGE` and return 0.
    """
    if list(arguments) in (["--help"], []):
        print(PAGE, end="")
        return 0
    from tilewright.cuda_programs.nvcc import run_nvcc as compile_program

    words = list(arguments)
    return compile_program(words[1:] if words[0] == "--" else words)


def main() -> None:
    """Entry point of `tilewright-nvcc`: a compiler for build systems."""
    from tilewright.cli.errors import report

    try:
        sys.exit(run_nvcc(sys.argv[1:]))
    except (Exception, KeyboardInterrupt) as error:
        sys.exit(report(error))

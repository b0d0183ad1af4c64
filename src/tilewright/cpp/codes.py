"""Diagnostic codes of the frontend of CUDA C++ (TW135x)."""

from __future__ import annotations

from tilewright.ir.codes import code

NO_COMPILER = code(
    1350,
    "no C++ compiler for tile kernels",
    "Files with CUDA C++ are compiled to Tile IR by NVRTC or by `nvcc`, of CUDA 13.3 or later, with the headers of the same "
    "release. `pip install 'tilewright[cpp]'` brings them; a CUDA toolkit in `CUDA_HOME` or on `PATH` is used, too. `nvcc` also "
    "needs a host compiler (`g++`). `CppOptions(compiler=...)` may require one of the two, or `auto`. `tilewright doctor` shows which are found.",
)
CPP_ERROR = code(
    1351,
    "the C++ compiler refused a file",
    "The message is the C++ compiler's, without its notes on candidates and constraints. `tilewright run --traceback`, or "
    "`TILEWRIGHT_TRACEBACK=1` in the environment, shows everything that it printed.",
)
CPP_WARNING = code(
    1352,
    "a warning of the C++ compiler",
    "The message is the C++ compiler's, with the line that it is about. Warnings do not stop a compilation.",
)
NO_TILE_KERNEL = code(
    1353,
    "no tile kernel in a C++ file",
    "The file has no function with `__tile_global__`, or only templates that nothing instantiates. Instantiate a template in "
    "the file (`template __tile_global__ void scale<float, 256>(...);`), or name the instance: `--instantiate "
    "'scale<float, 256>'`, in Python `tilewright.cpp.compile(file, 'scale', ('float', 256))`.",
)
C_PLUS_PLUS_NAME = code(
    1354,
    "a C++ file uses a name that does not exist",
    "The C++ compiler found no variable, function or member of this name. Check the spelling and the namespace; the hint names "
    "the nearest known name.",
)
UNKNOWN_KERNEL = code(
    1356,
    "a C++ file has no kernel of this name",
    "`tilewright.cpp.compile(file, name)` names a kernel as C++ does: with its namespace, and with template arguments if the file "
    "has several instances. The hint lists the kernels of the file.",
)
NO_HEADER = code(
    1355,
    "a header of a C++ file is not found",
    "No include path has the header. Add its folder with `-I`. NVRTC has no headers of the host's standard library: files that "
    "include them are compiled by `nvcc`, which needs a host compiler.",
)

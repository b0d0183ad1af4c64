"""Compiles C++ to Tile IR bytecode with NVRTC, in this process."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tilewright.cpp.options import CppOptions
from tilewright.cpp.toolchain import Toolchain
from tilewright.ir.support.record import Record

PRELUDE_NAME = "tilewright_prelude.h"
_CONSTANTS = {
    "INFINITY": ("float", "0x7f800000"),
    "NAN": ("float", "0x7fc00000"),
    "HUGE_VALF": ("float", "0x7f800000"),
    "HUGE_VAL": ("double", "0x7ff0000000000000"),
}
"""Types and bits of values that NVRTC has no literals for, by the macros of the host's `math.h`."""
_MACROS = {
    **{name: f"tilewright_{name}" for name in _CONSTANTS},
    "M_E": math.e,
    "M_LOG2E": math.log2(math.e),
    "M_LOG10E": math.log10(math.e),
    "M_LN2": math.log(2),
    "M_LN10": math.log(10),
    "M_PI": math.pi,
    "M_PI_2": math.pi / 2,
    "M_PI_4": math.pi / 4,
    "M_1_PI": 1 / math.pi,
    "M_2_PI": 2 / math.pi,
    "M_2_SQRTPI": 2 / math.sqrt(math.pi),
    "M_SQRT2": math.sqrt(2),
    "M_SQRT1_2": math.sqrt(0.5),
}
"""The macros of the host's `math.h` that `nvcc` gives to each file."""
PRELUDE = "".join(
    (
        "#include <cuda/std/climits>\n#include <cuda/std/cstdint>\nusing namespace cuda::std;\n",
        *(
            f"inline constexpr {kind} tilewright_{name} = __builtin_bit_cast({kind}, {bits});\n"
            for name, (kind, bits) in _CONSTANTS.items()
        ),
        *(f"#define {name} {value}\n" for name, value in _MACROS.items()),
    )
)
"""The first lines of each file: what `nvcc` takes from headers of the host without an include, such as
`int64_t`, `INT_MAX` and `INFINITY`.
"""


class TranslationResult(Record, frozen=True):
    """The result of a compilation: the bytecode, None for an error, and the compiler's output."""

    bytecode: bytes | None
    log: str


def compile_with_nvrtc(text: str, name: str, options: CppOptions, tools: Toolchain) -> TranslationResult:
    """Compile the text of a file called ``name`` to Tile IR bytecode, and instantiate the templates that the
    options name. The result has no bytecode if the text has errors. Raises `RuntimeError` for any other
    failure of NVRTC.
    """
    nvrtc: Any = import_module("cuda.bindings.nvrtc")  # loads the library

    with _program(nvrtc, text, name, has_cccl=_has_cccl(tools)) as program:
        is_right, log = _compiled(nvrtc, program, tuple(_flags(options, tools)), options.instantiate)
        if not is_right:
            return TranslationResult(None, log)
        return TranslationResult(_text(nvrtc.nvrtcGetTileIRSize, nvrtc.nvrtcGetTileIR, program), log)


class PtxResult(Record, frozen=True):
    """The result of a compilation to PTX: the text, None for an error; the symbols of the name expressions;
    and the compiler's output.
    """

    ptx: bytes | None
    symbols: tuple[tuple[str, str], ...]
    log: str


def compile_to_ptx(text: str, name: str, flags: Sequence[str], expressions: Sequence[str]) -> PtxResult:
    """Compile a file called ``name`` to PTX. ``expressions`` are kernels as C++ names them, such as
    ``scale<float>``, which are instantiated. The result has no PTX if the text has errors. Raises RuntimeError
    for any other failure of NVRTC.
    """
    nvrtc: Any = import_module("cuda.bindings.nvrtc")

    with _program(nvrtc, text, name, has_cccl=False) as program:
        is_right, log = _compiled(nvrtc, program, flags, expressions)
        if not is_right:
            return PtxResult(None, (), log)
        names = [(one, _checked(nvrtc.nvrtcGetLoweredName(program, one.encode()))) for one in expressions]
        made = _text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)
        return PtxResult(made, tuple((one, symbol.decode()) for one, symbol in names), log)


@contextmanager
def _program(nvrtc: Any, text: str, name: str, *, has_cccl: bool) -> Generator[Any]:
    """Yield an NVRTC program object for `text`, a file called ``name``, and destroy it at the end of the
    ``with`` block. With ``has_cccl`` the program may include `PRELUDE`, which needs the headers of CCCL.
    """
    headers = [(PRELUDE_NAME, PRELUDE)] if has_cccl else []
    program = _checked(
        nvrtc.nvrtcCreateProgram(
            text.encode(),
            name.encode(),
            len(headers),
            [body.encode() for _, body in headers],
            [one.encode() for one, _ in headers],
        )
    )
    try:
        yield program
    finally:
        _checked(nvrtc.nvrtcDestroyProgram(program))


def _compiled(nvrtc: Any, program: Any, flags: Sequence[str], expressions: Sequence[str]) -> tuple[bool, str]:
    """Compile an NVRTC program with the kernels that `expressions` name. Return whether it has no errors, and
    the compiler's output. Raises RuntimeError for a failure other than errors in the program.
    """
    for expression in expressions:
        _checked(nvrtc.nvrtcAddNameExpression(program, expression.encode()))
    (status,) = nvrtc.nvrtcCompileProgram(program, len(flags), [flag.encode() for flag in flags])
    log = _text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode(errors="replace")
    if status == nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION:
        return False, log
    _checked((status,))
    return True, log


def _flags(options: CppOptions, tools: Toolchain) -> Iterator[str]:
    yield "--enable-tile"
    yield from options.flags()
    for folder in tools.include:
        yield f"-I{folder}"
    if _has_cccl(tools):
        yield f"--pre-include={PRELUDE_NAME}"


def _has_cccl(tools: Toolchain) -> bool:
    return len(tools.include) > 1


def _text(size: Any, get: Any, program: Any) -> bytes:
    """Return a text or binary of an NVRTC program. `size` and `get` are the functions of NVRTC for its size
    and its contents. A zero at the end is removed if it is the only zero byte, as in a text. Raises
    `RuntimeError` if a call fails.
    """
    buffer = bytearray(_checked(size(program)))
    held = bytes(buffer)
    _checked(get(program, held))
    return held.removesuffix(b"\0") if held.count(0) == 1 else held


def _checked(result: Sequence[Any]) -> Any:
    """Return the first value in the result of an NVRTC call, which is a status and then values; None if there
    is no value. Raises RuntimeError unless the status is success.
    """
    status, *values = result
    if status:
        raise RuntimeError(f"NVRTC failed: {status.name}")
    return values[0] if values else None

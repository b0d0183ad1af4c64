"""`tilewright disasm`: bytecode to the text that ``tileirdisasm`` prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.cli import errors, flags as cli_flags, preview as cli_preview
from tilewright.cpp.options import CppOptions, is_cpp

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation

FLAGS = (
    cli_flags.Flag("help", "Show this page."),
    cli_flags.Flag("g", "The same as --print-debug-info."),
    cli_flags.Flag("print-debug-info", "Print locations and debug information."),
    cli_preview.FLAG,
    *cli_flags.CPP_FLAGS,
    cli_flags.Flag("o", "The same as --output.", "FILE"),
    cli_flags.Flag("output", "Where to write (default: stdout).", "FILE"),
)
USAGE = """Usage: tilewright disasm [OPTIONS] FILE|-

Print the globals and kernels of FILE (Tile IR bytecode, MLIR text or CUDA C++) as tileirdisasm does."""


def run_disasm(arguments: Sequence[str]) -> int:
    """Run the command on the standard streams. Return the exit status: 0, 1 for errors in the input, or 2 for
    a wrong command line, a file that cannot be read or written, or one without a Tile IR module.
    """
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        flags = cli_flags.parse_flags(arguments, FLAGS, {})
        if flags.has("help"):
            print(cli_flags.help_text(USAGE, FLAGS, {}))
            return 0
        _check(flags)
        _write(_text(flags), flags.text("o", flags.text("output", "-")))
    except errors.UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except DiagnosticError as error:
        return errors.report(error)
    return 0


def _check(flags: cli_flags.ParsedFlags) -> None:
    cli_preview.check_features(flags)
    if len(flags.positional) != 1:
        raise errors.UsageError(
            f"one input file is needed, got {len(flags.positional)}", "name a file, or - for stdin"
        )


def _text(flags: cli_flags.ParsedFlags) -> str:
    from tilewright.dialects.cuda_tile.ops.control import ModuleOp
    from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble

    (name,) = flags.positional
    module = _module(name, flags.texts("preview"), cli_flags.cpp_options_of(flags))
    if not isinstance(module, ModuleOp):
        message = f"'{name}' holds '{module.name}', not a 'cuda_tile.module'"
        raise errors.UsageError(message, "print it with 'tilewright opt'")
    return disassemble(module, debug_info=flags.has("g") or flags.has("print-debug-info"))


def _module(name: str, preview: Sequence[str], cpp: CppOptions) -> Operation:
    """Return the verified module in a file.

    Bytecode, the common case, is read without importing the parser of text.
    """
    from tilewright.bytecode import MAGIC

    data, shown = _read(name, cpp)
    if data.startswith(MAGIC):
        from tilewright.bytecode.reader.module import read_bytecode
        from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
        from tilewright.ir.context import Context

        return read_bytecode(data, Context([CUDA_TILE]), name=shown, preview=preview)
    from tilewright.driver.reading import read

    return read(data, shown)


def _read(name: str, cpp: CppOptions) -> tuple[bytes, str]:
    """Return the bytes of the input ("-": stdin; C++ is compiled to bytecode), and its name for diagnostics.
    Raises `DiagnosticError` if it cannot be read.
    """
    if name == "-":
        return sys.stdin.buffer.read(), "<stdin>"
    if is_cpp(name):
        from tilewright.driver.reading import file_bytes

        return file_bytes(name, cpp), name
    try:
        with open(name, "rb") as file:  # pathlib would load a fifth of what else this command loads
            return file.read(), name
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        from tilewright.driver.codes import UNREADABLE
        from tilewright.ir.diagnostic import failure

        reason = error.strerror if isinstance(error, OSError) else error
        raise failure(UNREADABLE, f"cannot read '{name}': {reason}") from error


def _write(text: str, target: str) -> None:
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise errors.UsageError(f"cannot write '{target}': {error.strerror}") from error

"""Reading modules: the one reader of bytecode and text behind every command and every call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.bytecode import MAGIC
from tilewright.bytecode.preview import FEATURES
from tilewright.cpp.options import CppOptions, is_cpp
from tilewright.driver import codes, startup as driver_startup
from tilewright.ir import context as ir_context, verifier
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import pattern

if TYPE_CHECKING:
    from pathlib import Path

_DISASSEMBLY = pattern(r"(?:\s|//[^\n]*(?:\n|\Z))*+(?:entry|global)\b")


def read(
    data: bytes,
    name: str,
    known: ir_context.Context | None = None,
    *,
    implicit_module: bool | None = None,
    verify: bool = True,
) -> Operation:
    """Return the module in the bytes of a file or stream called ``name``: bytecode, recognised by its magic
    number, or text.

    ``known`` is the context, by default one with every dialect. With ``implicit_module`` True, anything but a
    single ``builtin.module`` is put into one; None does so for several operations of a text, and False
    refuses them. Raises `DiagnosticError` for errors, with ``verify`` also for a module that breaks a rule.
    Preview content is always read; commands that cannot run it refuse the operation.
    """
    if not data.startswith(MAGIC):
        text = decoded(data, name)
        return parse_text(text, name, known, implicit_module=implicit_module, verify=verify)
    from tilewright.bytecode.reader.module import read_bytecode  # text needs nothing of it

    known = known or driver_startup.context()
    module = read_bytecode(data, known, name=name, verify=verify, preview=FEATURES)
    return _wrapped(known, module) if implicit_module else module


def parse_text(
    text: str,
    file_name: str,
    known: ir_context.Context | None = None,
    *,
    implicit_module: bool | None = None,
    verify: bool = True,
) -> Operation:
    """Return the module in MLIR text, or in the text that `tilewright disasm` prints; with ``verify`` it is
    verified. `file_name` names the text in messages, and `known` is the context, by default one with every
    dialect. With ``implicit_module`` True, anything but a single ``builtin.module`` is put into one; None
    does so for several operations, and False refuses them. Raises `DiagnosticError` for errors, and for a
    Python program.
    """
    if file_name.endswith(".py"):
        message = f"'{file_name}' is a Python program, not a module"
        hint = "`tilewright run` runs it, and `tilewright explore` shows every stage of its kernels"
        raise failure(codes.NOT_A_MODULE, message, hint=hint)
    known = known or driver_startup.context()
    if is_disassembly(text):
        from tilewright.dialects.cuda_tile.syntax.disassembly_parser import parse_disassembly

        module: Operation = parse_disassembly(known, text, file_name)
        module = _wrapped(known, module) if implicit_module else module
    else:
        from tilewright.ir.text.parser import parse_module

        module = parse_module(known, text, file_name, implicit_module=implicit_module)
    if verify:
        verifier.verify_or_raise(module, dialects=known.dialects)
    return module


def is_disassembly(text: str) -> bool:
    """Return whether a text begins with a kernel or a global as the disassembler prints it."""
    return _DISASSEMBLY.match(text) is not None


def _wrapped(known: ir_context.Context, module: Operation) -> Operation:
    from tilewright.ir.text.parser import (
        in_builtin_module,  # bytecode needs the parser of text for nothing else
    )

    return in_builtin_module(known, module)


def is_path(source: object) -> bool:
    """Return whether a source is the path of a file, not its contents: a `Path`, or text without line breaks
    and opening parentheses.
    """
    from pathlib import Path  # calls from Python ask this, commands do not

    return isinstance(source, Path) or (isinstance(source, str) and "\n" not in source and "(" not in source)


def file_bytes(path: Path | str, cpp: CppOptions | None = None) -> bytes:
    """Return the bytes of a file with a module.

    A file with CUDA C++ is compiled to bytecode, with the options ``cpp``. Raises `DiagnosticError` when the file cannot
    be read or compiled.
    """
    try:
        if is_cpp(str(path)):
            return _compiled_cpp(path, cpp)
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else error
        raise failure(codes.UNREADABLE, f"cannot read '{path}': {reason}") from error


def _compiled_cpp(path: Path | str, options: CppOptions | None) -> bytes:
    """Return the bytecode of a C++ file, compiled with `options`; None stands for the default options. Raises
    `OSError` if the file cannot be read, and `DiagnosticError` if it cannot be compiled.
    """
    from pathlib import Path

    from tilewright.cpp.compiler import file_bytecode

    return file_bytecode(Path(path), options or CppOptions())


def decoded(data: bytes, name: str) -> str:
    """Return the text of UTF-8 bytes `data`. Raises `DiagnosticError` with the file or stream `name` for
    other bytes. A byte order mark and line ends are kept.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"'{name}' is neither Tile IR bytecode nor text"
        raise failure(codes.UNREADABLE, message, hint="bytecode starts with 7F 'TileIR' 00") from error


def encoded(text: str, name: str) -> bytes:
    """Return the bytes of text called ``name``.  Raises `DiagnosticError` for a lone surrogate, which is no character."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        found = f"character {error.start} is the lone surrogate {text[error.start]!a}"
        hint = "decode the bytes of the text as UTF-8, without errors='surrogateescape'"
        raise failure(codes.UNREADABLE, f"'{name}' is no text: {found}", hint=hint) from None

"""The forms in which a module can be given: bytecode, text, a file, a module in memory, a frontend's kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from tilewright.bytecode import MAGIC
from tilewright.driver import codes, reading, stages as driver_stages
from tilewright.ir.declaration.traits import SymbolTable
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record
from tilewright.runtime.keyed_cache import KeyedCache


class HoldsOperation(Protocol):
    """A module in memory: `tilewright.Module`, or its operation."""

    @property
    def operation(self) -> Operation:
        """Return the operation of the module."""
        ...


Source = bytes | bytearray | memoryview | str | Path | HoldsOperation
"""Bytecode, MLIR text, the path of a file with either, or a module in memory."""


@runtime_checkable
class FrontendKernel(Protocol):
    """A kernel that a frontend has compiled to bytecode, such as the result of
    `tilewright.cutile.compile_to_bytecode`.
    """

    @property
    def bytecode(self) -> bytes:
        """Return the module as Tile IR bytecode."""
        ...

    @property
    def symbol(self) -> str:
        """Return the name of the kernel in the module."""
        ...


class CompilationInput(Record, frozen=True):
    """The input of a compilation, which may change it: no other compilation uses ``module``.

    ``module`` is an operation, or text of a target's stage. ``entry`` is the name of the kernel, ``content``
    the bytes that the module was read from; both may be None.
    """

    module: Operation | str
    entry: str | None = None
    content: bytes | None = None


MODULES: KeyedCache[bytes, Operation] = KeyedCache(128)
"""The cache of modules that were read from bytecode, by the bytes."""


def load(source: Source) -> Operation:
    """Return a module in memory as it is, or read and verify the module in bytecode, text or a file.

    Bytecode is recognised by its magic number. Decoded bytecode is cached by content: do not change the
    module. Raises `DiagnosticError` with every problem found, and for an object that is no module.
    """
    if isinstance(source, str | Path):
        check_text(source)
        return (
            _load_file(Path(source))
            if reading.is_path(source)
            else reading.read(reading.encoded(str(source), "<string>"), "<string>")
        )
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
        return MODULES.of(data, lambda: reading.read(data, "<bytecode>"))
    return _operation(source)


def compilation_input(source: Source | FrontendKernel) -> CompilationInput:
    """Return the input of a compilation, with a module that the compilation may change. Raises
    `DiagnosticError` with every problem found, and for an operation without a module around it.
    """
    found = _read(source)
    if isinstance(found.module, Operation) and not found.module.has_trait(SymbolTable):
        raise _stands_alone(found.module)
    return found


def _stands_alone(op: Operation) -> DiagnosticError:
    """Return the error for an operation that is not in a module, and cannot be compiled: stages write to the
    surrounding module.
    """
    message = f"'{op.name}' stands at the top of the input without a module around it"
    return failure(codes.NOT_A_MODULE, message, op.location, hint="put it into a module: `module { ... }`")


def _read(source: Source | FrontendKernel) -> CompilationInput:
    if isinstance(source, FrontendKernel):
        return CompilationInput(load(source.bytecode).clone(), source.symbol, source.bytecode)
    if isinstance(source, str):
        check_text(source)
    if isinstance(source, Path) or (isinstance(source, str) and reading.is_path(source)):
        content = reading.file_bytes(Path(source))
        return CompilationInput(read_any(content, str(source)), content=content)
    if isinstance(source, str):
        content = reading.encoded(source, "<string>")
        return CompilationInput(read_any(content, "<string>"), content=content)
    if isinstance(source, bytes | bytearray | memoryview):
        return CompilationInput(load(source).clone(), content=bytes(source))
    operation = _operation(source)
    operation.verify()
    return CompilationInput(operation.clone())


def read_any(data: bytes, name: str) -> Operation | str:
    """Return the module in the bytes of a file or stream called ``name``, bytecode or text, verified. Text of
    a stage of a target that is not MLIR, such as LLVM IR, is returned as text.
    """
    if not data.startswith(MAGIC):
        text = reading.decoded(data, name)
        if driver_stages.text_stage(text) is not None:
            return text
    return reading.read(data, name)


def _load_file(path: Path) -> Operation:
    return reading.read(reading.file_bytes(path), str(path))


def _operation(source: object) -> Operation:
    """Return the operation of a module in memory. Raises `DiagnosticError` for another object."""
    operation: object = getattr(source, "operation", None)
    if not isinstance(operation, Operation):
        raise _not_a_module(source)
    return operation


def _not_a_module(source: object) -> DiagnosticError:
    """Return the error for an object that is not a module, with a hint for kernels that have no signature
    yet.
    """
    name = type(source).__name__
    hint = "a module is bytecode, MLIR text, the path of a file, or a tilewright.Module"
    if hasattr(source, "_annotated_function"):
        hint = (
            "pass tilewright.cutile.compile_to_bytecode(kernel, arguments): a kernel alone has no signature"
        )
    return failure(codes.NOT_A_MODULE, f"an object of type '{name}' is not a module", hint=hint)


def check_text(source: str | Path) -> None:
    """Raise `DiagnosticError` for the empty text, which is neither a module nor the path of a file."""
    if source == "":
        hint = "a module is bytecode, MLIR text, the path of a file, or a tilewright.Module"
        raise failure(codes.UNREADABLE, "the text given as a module is empty", hint=hint)

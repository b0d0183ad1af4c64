"""Loading modules and launching kernels: the one call behind every frontend and the command line."""

from __future__ import annotations

import operator
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, cast

from tilewright.dialects.common.limits import MAXIMUM_GRID_EXTENT, MAXIMUM_TILE_BLOCKS, grid_obstacle
from tilewright.dialects.cuda_tile.ops_control import EntryOp
from tilewright.driver import codes
from tilewright.driver.checks import CHECKS, check_names
from tilewright.driver.dependencies import require
from tilewright.driver.native import NATIVE, UncompilableError, unknown_entry
from tilewright.driver.options import TARGET
from tilewright.driver.reading import file_bytes, is_path, parse_text, read
from tilewright.driver.target import Target
from tilewright.driver.target import target as find_target
from tilewright.interp.codes import BAD_ARGUMENT
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.locks import reentrant_lock
from tilewright.ir.operation import Operation
from tilewright.ir.sequences import is_list

if TYPE_CHECKING:
    from tilewright.interp.launch import LoadedModule
    from tilewright.interp.options import InterpretOptions
    from tilewright.interp.writes import Writes


class HoldsOperation(Protocol):
    """A module in memory: `tilewright.Module`, or its operation."""

    @property
    def operation(self) -> Operation:
        """The operation that is the module."""
        ...


Source = bytes | bytearray | memoryview | str | Path | HoldsOperation
"""Bytecode, MLIR text, the path of a file with either, or a module in memory."""

_CACHE_SIZE = 128


class _ModuleCache:
    """The modules decoded last, by their bytes, and what the interpreter prepared for them; thread-safe."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = reentrant_lock()
        self._modules: OrderedDict[bytes, Operation] = OrderedDict()
        self._prepared: dict[Operation, LoadedModule] = {}

    def prepared(self, module: Operation) -> LoadedModule:
        """The interpreter's form of a module: globals keep their values as long as the module stays in the cache."""
        from tilewright.interp.launch import LoadedModule

        with self._lock:
            found = self._prepared.get(module)
            if found is None:
                found = LoadedModule(module)
                if module in self._modules.values():
                    self._prepared[module] = found
            return found

    def get(self, data: bytes) -> Operation:
        with self._lock:
            module = self._modules.get(data)
            if module is not None:
                self._modules.move_to_end(data)
                return module
        module = read(data, "<bytecode>")
        with self._lock:
            self._modules[data] = module
            while len(self._modules) > self._size:
                _, dropped = self._modules.popitem(last=False)
                self._prepared.pop(dropped, None)
        return module


_CACHE = _ModuleCache(_CACHE_SIZE)


def load(source: Source) -> Operation:
    """Read and verify a module from bytecode, text or a file.

    Bytecode is recognised by its magic number.  Decoded bytecode is cached by content: do not change the module.
    Raises `DiagnosticError` with every problem found.
    """
    if isinstance(source, str | Path):
        check_text(source)
        return _load_file(Path(source)) if is_path(source) else parse_text(str(source), "<string>")
    if isinstance(source, bytes | bytearray | memoryview):
        return _CACHE.get(bytes(source))
    operation: object = getattr(source, "operation", None)
    if not isinstance(operation, Operation):
        raise not_a_module(source)
    return operation


def not_a_module(source: object) -> DiagnosticError:
    """Why something is no module, with what to do about kernels that have no signature yet."""
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


def argument_list(arguments: object) -> Sequence[Any]:
    """The flat arguments of a launch as a sequence.  Raises `DiagnosticError` for another kind of object."""
    if is_list(arguments):
        return arguments
    message = f"the arguments of a launch are a list, got an object of type '{type(arguments).__name__}'"
    raise failure(BAD_ARGUMENT, message, hint="pass one value per parameter, such as [array, 1024]")


def _load_file(path: Path) -> Operation:
    return read(file_bytes(path), str(path))


def launch(
    source: Source,
    entry: str | None,
    grid: int | Sequence[int],
    flat_args: Sequence[Any],
    *,
    target: str | Target = TARGET.default,
    check: str | Iterable[str] = (),
    memory: Sequence[Any] = (),
    threads: int | None = None,
    fallback: str = "",
) -> Any:
    """Run a kernel over a grid of tile blocks.

    ``flat_args`` holds, for each parameter of the entry in order, a ctypes scalar or number, an address, or a NumPy
    array whose first element a pointer parameter is to point at; arrays are written in place.  ``entry`` may be
    None when the module has just one.  ``check`` names run-time checks (`CHECKS`), which become part of the code; a
    module has globals of their own for each combination of them.  ``memory`` lists further arrays that the kernel
    reaches through addresses in tables.  ``threads`` is at most how many run tile blocks, by default one per processor.
    With ``fallback="interp"`` a module that cannot be compiled for the target is interpreted, with a
    `FallbackWarning`.

    Raises `DiagnosticError` for anything wrong with the module, the arguments or the run.
    """
    chosen = find_target(target)
    if fallback not in _FALLBACKS:
        raise failure(
            codes.UNKNOWN_TARGET, f"there is no fallback '{fallback}'", hint="known fallback: interp"
        )
    checks = check_names(check) if check else ()
    flat_args, memory = argument_list(flat_args), argument_list(memory)
    if not chosen.interprets:
        try:
            kernel = NATIVE.of(source, checks, chosen).kernel(entry)
        except UncompilableError as error:
            if not fallback:
                raise
            warnings.warn(f"interpreted instead: {error}", FallbackWarning, stacklevel=2)
        else:
            return kernel.launch(normalise_grid(grid), flat_args, threads, memory)
    require("interp")
    return launch_prepared(_CACHE.prepared(load(source)), entry, grid, flat_args, check=checks, memory=memory)


class FallbackWarning(UserWarning):
    """A kernel is interpreted because it could not be compiled."""


_FALLBACKS = ("", "interp")


def launch_prepared(
    prepared: LoadedModule,
    entry: str | None,
    grid: int | Sequence[int],
    flat_args: Sequence[Any],
    *,
    check: str | Iterable[str] = (),
    memory: Sequence[Any] = (),
) -> Any:
    """`launch` for a module in the interpreter's form, whose globals keep their values."""
    kernel = find_entry(prepared.module, entry)
    options, extents = _options(check), normalise_grid(grid)
    return prepared.launch(
        kernel.sym_name,
        extents,
        flat_args,
        options,
        known_memory=memory,
        writes=cache(partial(_writes, kernel)),
    )


def _writes(kernel: EntryOp) -> Writes:
    """Which memory a kernel may change."""
    from tilewright.interp.writes import Writes
    from tilewright.optimizer.analysis.writes import written_parameters

    found = written_parameters(kernel)
    return Writes(anywhere=True) if found is None else Writes(found)


def find_entry(module: Operation, name: str | None) -> EntryOp:
    """The entry of that name, or the only one."""
    entries = {op.sym_name: op for op in module.regions[0].blocks[0] if isinstance(op, EntryOp)}
    if name is None and len(entries) == 1:
        return next(iter(entries.values()))
    if name in entries:
        return entries[name]
    raise unknown_entry(name, tuple(entries))


def normalise_grid(grid: int | Sequence[int]) -> tuple[int, int, int]:
    """A grid of one to three extents as three."""
    if _is_normal(grid):
        return grid
    try:
        extents = tuple(operator.index(e) for e in (grid if isinstance(grid, Sequence) else (grid,)))
    except TypeError as error:
        raise failure(codes.BAD_GRID, f"a grid is one to three integers, got {grid!r}") from error
    reason = grid_obstacle(extents)
    if reason is not None:
        is_empty = min(extents, default=0) < 1
        hint = "skip an empty launch" if is_empty else "launch several times for more tile blocks"
        raise failure(codes.BAD_GRID, reason, hint=hint)
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


def _is_normal(grid: Any) -> TypeGuard[tuple[int, int, int]]:
    """Whether a grid is what it nearly always is: three integers in range."""
    if type(grid) is not tuple or len(cast("tuple[Any, ...]", grid)) != 3:
        return False
    x, y, z = cast("tuple[Any, Any, Any]", grid)
    if not type(x) is type(y) is type(z) is int or x * y * z > MAXIMUM_TILE_BLOCKS:
        return False
    return 0 < min(x, y, z) <= max(x, y, z) <= MAXIMUM_GRID_EXTENT


def _options(check: str | Iterable[str]) -> InterpretOptions:
    from tilewright.interp.options import InterpretOptions

    return InterpretOptions(**dict.fromkeys(check_names(check), True))


__all__ = [
    "CHECKS",
    "DiagnosticError",
    "FallbackWarning",
    "Source",
    "find_entry",
    "launch",
    "load",
    "normalise_grid",
]

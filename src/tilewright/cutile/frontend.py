"""The only module that imports the package ``cuda.tile``; the first call of ``frontend`` does."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from tilewright.cutile.errors import MissingPackageError
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import BREAKPOINT


class Frontend(Record, frozen=True):
    """The parts of ``cuda.tile`` that the bridge uses, all of them untyped: the package itself, its modules
    for signatures (``compilation``) and for the compiler, the class of bytecode versions, and the extension
    with the original ``launch``.
    """

    tile: Any
    """The package ``cuda.tile`` itself."""
    compilation: Any
    """``cuda.tile.compilation``: signatures and constraints."""
    compiler: Any
    """``cuda.tile._compile``: ``compile_tile`` and ``parse_bytecode_version``."""
    versions: Any
    """``cuda.tile._bytecode.version.BytecodeVersion``, development versions included."""
    extension: Any
    """``cuda.tile._cext``: the original ``launch``."""

    def is_kernel(self, value: object) -> bool:
        """Return whether ``value`` was made by ``@cuda.tile.kernel``."""
        return isinstance(value, self.tile.kernel)

    @property
    def convention_3(self) -> bool:
        """Return whether this build passes dataclasses and constants of any type (calling convention 3)."""
        enabled = getattr(self.extension, "cconv_v3_enabled", None)
        return bool(enabled and enabled())

    def released_versions(self) -> tuple[str, ...]:
        """Return the bytecode versions that this package writes without development features, oldest first."""
        return tuple(v for v in self.all_versions() if self._is_released(v))

    def all_versions(self) -> tuple[str, ...]:
        """Return every bytecode version that this package can write, oldest first."""
        return tuple(version.as_string() for version in sorted(self.versions))

    def version(self, name: str) -> Any:
        """Return the ``BytecodeVersion`` called ``name``.

        Raises `ValueError` if this package does not write it.
        """
        for version in self.versions:
            if version.as_string() == name:
                return version
        known = ", ".join(self.all_versions())
        raise ValueError(
            f"the installed cuda-tile does not write bytecode version {name!r}; it writes {known}"
        )

    def _is_released(self, name: str) -> bool:
        try:
            self.compiler.parse_bytecode_version(name)
        except ValueError:
            return False
        return True


@cache
def frontend() -> Frontend:
    """Return the parts of the cuTile package that the bridge uses; the first call imports the package. Raises
    `MissingPackageError` if it is absent or lacks one of these parts.
    """
    with paused_collection():
        found = Frontend(
            tile=_load("cuda.tile"),
            compilation=_load("cuda.tile.compilation"),
            compiler=_load("cuda.tile._compile"),
            versions=_load("cuda.tile._bytecode.version").BytecodeVersion,
            extension=_load("cuda.tile._cext"),
        )
        _accept_breakpoints()
    return found


def _accept_breakpoints() -> None:
    """Let kernels call `breakpoint`, which becomes a print that the interpreter stops at. A package that
    registers its functions in another way goes on to refuse the call.
    """
    try:
        signatures: Any = import_module("cuda.tile._ir.typing_support").BUILTIN_FUNC_SIGNATURES
        registry: Any = import_module("cuda.tile._ir.ops").tile_impl_registry
        core: Any = import_module("cuda.tile._ir.core_ops")
        add, print_op, token = core.add_operation_variadic, core.TilePrintf, core.TokenTy
    except (ImportError, AttributeError):
        return

    def stop() -> None:
        add(print_op, (token(),), format=BREAKPOINT, args=())

    signatures[breakpoint] = lambda: None
    registry.impl(breakpoint)(stop)


def _load(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingPackageError("cuda-tile", f"importing {module} failed: {error}") from error

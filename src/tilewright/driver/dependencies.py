"""Optional packages: what each extra brings, and a diagnostic when it is missing."""

from __future__ import annotations

import importlib.util

from tilewright.driver import codes
from tilewright.ir.diagnostic import failure

PACKAGES: dict[str, tuple[str, ...]] = {
    "": (),
    "cpu": ("numpy", "ml_dtypes", "llvmlite"),
    "interp": ("numpy", "ml_dtypes"),
    "inspect": ("numpy", "elftools", "capstone"),
    "cuda": ("numpy", "ml_dtypes", "cuda.bindings"),
    "lsp": ("pygls",),
    "mcp": ("mcp",),
    "notebook": ("IPython",),
    "prove": ("numpy", "ml_dtypes", "z3"),
}
"""The Python modules that a feature imports, by the name of the feature or target."""

FRONTENDS = {"cuda": "cutile", "cuda.tile": "cutile", "triton": "triton"}
"""Modules that programs import to write kernels, with the extras that bring them."""

EXTRAS = {"interp": "cpu"}
"""The extra that installs a feature, for features whose extra has another name."""


def require(extra: str) -> None:
    """Raise `DiagnosticError`, with the command that installs the packages, unless the Python modules that
    the feature or target `extra` imports are installed. `extra` is a key of `PACKAGES`.
    """
    for package in PACKAGES[extra]:
        if not _is_installed(package):
            hint = installs_extra(EXTRAS.get(extra, extra))
            raise failure(codes.MISSING_DEPENDENCY, f"this needs the package '{package}'", hint=hint)


def frontend_hint(module: str) -> list[str]:
    """Return a list with the command that installs the frontend whose Python module is `module`, such as
    ``triton``; an empty list for other modules.
    """
    extra = FRONTENDS.get(module)
    return [installs_extra(extra)] if extra else []


def installs_extra(extra: str) -> str:
    """Return the command that installs an extra of tilewright, such as ``pip install 'tilewright[cpu]'``."""
    return installs(f"'tilewright[{extra}]'")


def installs(package: str) -> str:
    """Return the command that installs a package into this environment: with ``pip`` or, if the environment
    has no pip, ``uv pip``.
    """
    return f"{'pip' if _is_installed('pip') else 'uv pip'} install {package}"


def _is_installed(package: str) -> bool:
    """Return whether the module `package` can be found, without importing it. Of a dotted name the outer
    package is imported; if that is missing, return False.
    """
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False

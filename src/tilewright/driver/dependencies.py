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
    "notebook": ("IPython",),
}
"""Modules that code imports, by what needs them."""

EXTRAS = {"interp": "cpu"}
"""The extra to install, where it has another name."""


def require(extra: str) -> None:
    """Check that the packages behind an extra are installed.  Raises `DiagnosticError` naming the one that is not."""
    for package in PACKAGES[extra]:
        if not _is_installed(package):
            hint = f"pip install 'tilewright[{EXTRAS.get(extra, extra)}]'"
            raise failure(codes.MISSING_DEPENDENCY, f"this needs the package '{package}'", hint=hint)


def _is_installed(package: str) -> bool:
    """Whether a package can be imported; one inside of another has to be looked for in that, which may be missing, too."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False

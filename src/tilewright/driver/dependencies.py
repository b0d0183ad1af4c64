"""Optional packages: what each extra brings, and a diagnostic when it is missing."""

from __future__ import annotations

import importlib.util

from tilewright.driver import codes
from tilewright.ir.diagnostic import failure

PACKAGES: dict[str, tuple[str, ...]] = {
    "": (),
    "cpu": ("numpy", "ml_dtypes"),
    "inspect": ("numpy", "elftools", "capstone"),
}
"""Modules that code behind an extra imports."""


def require(extra: str) -> None:
    """Check that the packages of an extra are installed.  Raises `DiagnosticError` naming the one that is not."""
    for package in PACKAGES[extra]:
        if importlib.util.find_spec(package) is None:
            hint = f"pip install 'tilewright[{extra}]'"
            raise failure(codes.MISSING_DEPENDENCY, f"this needs the package '{package}'", hint=hint)

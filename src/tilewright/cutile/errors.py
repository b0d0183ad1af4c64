"""Errors of the bridge itself; `tilewright.driver.mistakes` has the errors of frontends."""

from __future__ import annotations

from tilewright.driver.launch_arguments import LaunchError, LaunchOverflowError

INSTALL_HINT = "pip install 'tilewright[cutile]'"


class MissingPackageError(ImportError):
    """A package that the bridge needs is missing or too old."""

    def __init__(self, package: str, reason: str) -> None:
        super().__init__(f"the cuTile bridge needs the package {package}: {reason}\nhint: {INSTALL_HINT}")
        self.package = package


class BridgeWarning(UserWarning):
    """A warning about replacing ``cuda.tile.launch``, such as a module that keeps the original function."""


__all__ = ["INSTALL_HINT", "BridgeWarning", "LaunchError", "LaunchOverflowError", "MissingPackageError"]

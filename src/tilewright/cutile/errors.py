"""What the bridge itself can refuse; `tilewright.driver.mistakes` has the errors of frontends."""

from __future__ import annotations

from tilewright.driver.launch_arguments import LaunchError, LaunchOverflowError

INSTALL_HINT = "pip install 'tilewright[cutile]'"


class MissingPackageError(ImportError):
    """A package that the bridge needs is not installed, or too old to be used."""

    def __init__(self, package: str, reason: str) -> None:
        super().__init__(f"the cuTile bridge needs the package {package}: {reason}\nhint: {INSTALL_HINT}")
        self.package = package


class BridgeWarning(UserWarning):
    """Something about replacing ``cuda.tile.launch`` that the user should know."""


__all__ = ["INSTALL_HINT", "BridgeWarning", "LaunchError", "LaunchOverflowError", "MissingPackageError"]

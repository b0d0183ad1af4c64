"""What the bridge itself can refuse; errors of the cuTile frontend pass through unchanged."""

from __future__ import annotations

INSTALL_HINT = "pip install tilewright[cutile]"


class LaunchError(ValueError):
    """A launch argument or a grid that cannot be used.

    ``subject`` names what is wrong (such as ``item #1 of argument 'x'``), ``reason`` says why and ``hint``
    the way out.
    """

    def __init__(self, subject: str, reason: str, hint: str = "") -> None:
        super().__init__(subject, reason, hint)
        self.subject = subject
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.subject}: {self.reason}" + (f"\nhint: {self.hint}" if self.hint else "")


class MissingPackageError(ImportError):
    """A package that the bridge needs is not installed, or too old to be used."""

    def __init__(self, package: str, reason: str) -> None:
        super().__init__(f"the cuTile bridge needs the package {package}: {reason}\nhint: {INSTALL_HINT}")
        self.package = package


class BridgeWarning(UserWarning):
    """Something about replacing ``cuda.tile.launch`` that the user should know."""

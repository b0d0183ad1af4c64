"""What the bridge itself can refuse; errors of the cuTile frontend pass through unchanged."""

from __future__ import annotations

INSTALL_HINT = "pip install 'tilewright[cutile]'"


class LaunchError(TypeError, ValueError):
    """A launch argument or a grid that cannot be used.

    cuTile's own launcher raises now a TypeError, now a ValueError; this error is both.  ``subject`` names what is
    wrong (such as ``Invalid item #1 of kernel argument #0``), ``reason`` says why and ``hint`` the way out.
    """

    def __init__(self, subject: str, reason: str, hint: str = "") -> None:
        super().__init__(subject, reason, hint)
        self.subject = subject
        self.reason = reason
        self.hint = hint
        self.parameter = ""
        """The Python parameter, where the subject is an argument or part of one."""

    def __str__(self) -> str:
        lines = [f"{self.subject}: {self.reason}"]
        if self.parameter:
            lines.append(f"note: this is argument '{self.parameter}'")
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class LaunchOverflowError(LaunchError, OverflowError):
    """A number that does not fit the width the kernel takes it in."""


class MissingPackageError(ImportError):
    """A package that the bridge needs is not installed, or too old to be used."""

    def __init__(self, package: str, reason: str) -> None:
        super().__init__(f"the cuTile bridge needs the package {package}: {reason}\nhint: {INSTALL_HINT}")
        self.package = package


class BridgeWarning(UserWarning):
    """Something about replacing ``cuda.tile.launch`` that the user should know."""

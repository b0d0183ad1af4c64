"""The base of ``nvvm``'s operations: the processors that have them, special registers."""

from __future__ import annotations

from tilewright.ir.declaration.traits import Trait


class RequiresSM(Trait):
    """The operation exists from a processor on; with ``exact``, only on the architecture-specific variants of
    the listed ones. ``versions`` are the numbers in ``sm_90`` or ``sm_100a``. Whether a module's target has
    the instruction is checked when code for that target is made.
    """

    def __init__(self, *versions: int, exact: bool = False) -> None:
        self.versions = versions
        self.exact = exact

    def is_supported(self, version: int, *, architecture_specific: bool = False) -> bool:
        """Return whether processor ``sm_<version>`` (or ``sm_<version>a``) has the instruction."""
        if self.exact:
            return architecture_specific and version in self.versions
        return version >= min(self.versions)

    @property
    def description(self) -> str:
        suffix = "a" if self.exact else " or later"
        return f"RequiresSM<{', '.join(f'sm_{version}{suffix}' for version in self.versions)}>"

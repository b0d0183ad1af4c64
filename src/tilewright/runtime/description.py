"""The description of a kernel for launches, as a value and as text.

Modules in LLVM IR and object files carry the text in a constant, so they can be launched without their sources.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN, FileLineColLocation
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import pattern
from tilewright.runtime.context import CheckRequirements, ProgramGlobal, ReportSite


class Parameter(Record, frozen=True):
    """A parameter of a kernel: the name of an element type, and whether it is a pointer to such elements.

    ``is_written`` says whether the kernel may change the memory that the pointer leads to.
    """

    element: str
    is_pointer: bool = False
    is_written: bool = True

    def __str__(self) -> str:
        return f"ptr<{self.element}>" if self.is_pointer else self.element


@dataclass(frozen=True, slots=True)
class KernelImage:
    """A kernel: its name, the name of its function in the object file (`symbol`), parameters, bytes of
    scratch memory for each thread, sites. ``checks`` has the work of launchers if it was compiled with
    checks. ``writes_anywhere`` says whether it may change memory that no parameter leads to, because it makes
    pointers from integers. ``user_name`` is the name of the function in the user's program, or empty.
    ``shared_bytes`` is the shared memory in bytes that a launch on a GPU has to request. ``max_instructions``
    is the number of instructions after which the PTX simulator stops a launch; 0 means the simulator's
    default.
    """

    name: str
    symbol: str
    parameters: tuple[Parameter, ...]
    scratch_bytes: int
    sites: tuple[ReportSite, ...] = ()
    checks: CheckRequirements | None = None
    writes_anywhere: bool = True
    user_name: str = ""
    shared_bytes: int = 0
    max_instructions: int = 0

    @property
    def title(self) -> str:
        """Return the name in diagnostics: the user's name of the function, if debug information has it, else
        ``name``.
        """
        return self.user_name or self.name


def describe(kernels: Iterable[KernelImage]) -> str:
    """Return the descriptions of kernels as ASCII text, which `described` reads."""
    return json.dumps([_kernel_row(kernel) for kernel in kernels])


def described(text: str | bytes) -> tuple[KernelImage, ...]:
    """Return the kernels that a text of `describe` describes. Raises `ValueError` for any other text."""
    try:
        return tuple(_kernel(*row) for row in json.loads(text))
    except (TypeError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, or not JSON
        raise ValueError(f"not an image: {error}") from error


DESCRIPTION = "tilewright.kernels"
"""The variable of a module in LLVM IR that describes its kernels."""
_VARIABLE = pattern(rf'^@{re.escape(DESCRIPTION)} = .*?c"([^"]*)"', re.MULTILINE)
_ESCAPE = pattern(r"\\([0-9A-Fa-f]{2}|\\)")


def kernels_of_llvm_ir(text: str) -> tuple[KernelImage, ...] | None:
    """Return the kernels that LLVM IR made by tilewright describes; None if there is no description, or none that
    fits.
    """
    found = _VARIABLE.search(text)
    if found is None:
        return None
    try:
        return described(_ESCAPE.sub(_escaped, found[1]))
    except ValueError:
        return None


def _escaped(match: re.Match[str]) -> str:
    return "\\" if match[1] == "\\" else chr(int(match[1], 16))


def _kernel_row(kernel: KernelImage) -> list[Any]:
    parameters = [[one.element, one.is_pointer, one.is_written] for one in kernel.parameters]
    sites = [_site_row(site) for site in kernel.sites]
    checks = [_checks_row(kernel.checks)] if kernel.checks is not None else []
    row = [kernel.name, kernel.user_name, kernel.symbol, parameters, kernel.scratch_bytes, sites]
    if kernel.max_instructions:
        checks = checks or [[]]
        return [*row, kernel.writes_anywhere, *checks, kernel.shared_bytes, kernel.max_instructions]
    if kernel.shared_bytes:
        return [*row, kernel.writes_anywhere, *(checks or [[]]), kernel.shared_bytes]
    return [*row, kernel.writes_anywhere, *checks]


def _checks_row(checks: CheckRequirements) -> list[Any]:
    known = [[one.name, one.symbol, one.bytes, one.is_constant] for one in checks.globals]
    return [checks.granule, checks.cell_bytes, checks.site_bits, checks.clocks, known]


def _kernel(
    name: str,
    user_name: str,
    symbol: str,
    parameters: Iterable[Any],
    scratch_bytes: int,
    sites: Iterable[Any],
    writes_anywhere: bool,
    checks: Sequence[Any] = (),
    shared_bytes: int = 0,
    max_instructions: int = 0,
) -> KernelImage:
    listed = tuple(Parameter(*row) for row in parameters)
    places = tuple(_site(*row) for row in sites)
    known = _checks(*checks) if checks else None
    figures = (shared_bytes, max_instructions)
    return KernelImage(
        name, symbol, listed, scratch_bytes, places, known, writes_anywhere, user_name, *figures
    )


def _checks(
    granule: int, cell_bytes: int, site_bits: int, clocks: bool, known: Iterable[Any]
) -> CheckRequirements:
    return CheckRequirements(
        granule, cell_bytes, site_bits, clocks, tuple(ProgramGlobal(*given) for given in known)
    )


def _site_row(site: ReportSite) -> list[Any]:
    return [site.kind, site.text, site.location.source, site.types, site.shapes]


def _site(
    kind: str, text: str, place: Any, types: Iterable[str], shapes: Iterable[Iterable[int]]
) -> ReportSite:
    location: Location = FileLineColLocation.at(*place) if place else UNKNOWN
    return ReportSite(kind, text, location, tuple(types), tuple(tuple(shape) for shape in shapes))


WORD = 8
TAG_BITS = int.from_bytes(b"running.", "little")
"""The first word of a note is its own address, exclusive-or these bits."""
CONTEXT, GRID, NUMBER = 8, 16, 24
"""Offsets in a note of the addresses of the launch context and of the grid, and of the number of the tile block."""
NOTE_WORDS = 4

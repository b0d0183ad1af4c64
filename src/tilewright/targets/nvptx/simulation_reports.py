"""Conversion of the simulator's reports to diagnostics of the program: its lines and its arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Protocol

from tilewright.dialects.nv_tileaa.check_messages import with_values
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.ignores import is_ignored
from tilewright.ptx import model, scopes
from tilewright.ptxsim.faults import Assertion, Fault, StoppedError, source_of
from tilewright.ptxsim.host.regions import HostRegion
from tilewright.ptxsim.running import LineCost, SimulationReport
from tilewright.runtime import codes as runtime_codes, context as runtime_context, description, reports

WASTE = 2
"""The minimum ratio of accessed sectors to needed sectors for a warning."""


class KnownArrays(Protocol):
    """The arrays of a launch, by which `description` describes an address of the simulator, and `array` names
    it.
    """

    def description(self, address: int, regions: Mapping[HostRegion, int]) -> str:
        """Return a description of an address of the simulator's global memory by the array that contains it,
        or by the nearest array; empty if no array is there. `regions` has the address of each region there.
        """
        ...

    def array(self, address: int, regions: Mapping[HostRegion, int]) -> str:
        """Return the name of the array at an address of the simulator's global memory; "the array" if it is
        not known. `regions` has the address of each region there.
        """
        ...


class CostWarning(UserWarning):
    """A warning about a slow memory access of a kernel."""


def stopped(
    kernel: description.KernelImage, error: StoppedError, grid: tuple[int, int, int], memory: KnownArrays
) -> DiagnosticError:
    """Return the diagnostic of a stopped kernel, at the line of the program if it is known. Return `error`
    itself if it has no fault, or an assertion that the kernel does not have.
    """
    fault = error.fault
    if isinstance(fault, Assertion):
        return _failed_assertion(kernel, fault, error, grid, memory)
    if fault is None:
        return error
    where = "" if error.block is None else f" in tile block {error.block}"
    text = f"kernel '{kernel.title}'{where}: {fault.message}"
    near = memory.description(fault.address, error.regions) if fault.address is not None else ""
    if near:
        text += f"; {near}"
    notes = [("the instruction of PTX is here", error.diagnostics[0].location)]
    if error.other is not None:
        notes.append(("the other access is here", error.other))
    return failure(fault.code, text, error.source or UNKNOWN, hint=fault.hint or None, notes=notes)


def is_forgiven(
    kernel: description.KernelImage, fault: Fault, source: Location | None, other: Location | None
) -> bool:
    """Return whether the program ignores a fault at its source line; for a race also at the line of the other
    access.
    """
    code = fault.code
    if isinstance(fault, Assertion):
        site = _site_of(kernel, fault)
        code = None if site is None else runtime_codes.OF_CHECKS.get(site.kind)
        source = None if site is None else site.location
    places = [one for one in (source, other) if one is not None]
    return code is not None and is_ignored(code, *places)


def source_lines(module: model.Module, entry: str) -> frozenset[tuple[str, int]]:
    """Return the lines of the source, as pairs of file and line, that the kernel `entry` of a PTX module was
    made from.
    """
    files = {one.number: one.name for one in module.statements if isinstance(one, model.File)}
    body = module.functions()[entry].body
    statements = [] if body is None else [one for one, _ in scopes.walk(body, scopes.ScopeNames(()))]
    places = (source_of(one, files) for one in statements if isinstance(one, model.LocDirective))
    return frozenset(one.source[:2] for one in places if one is not None and one.source is not None)


def _site_of(kernel: description.KernelImage, fault: Assertion) -> runtime_context.ReportSite | None:
    """Return the site of an assertion of the kernel, by its text, file and line, and by the column that a check
    hands over; None if the kernel has no such site.
    """
    told = (fault.text, fault.file, fault.line, *fault.values[:1])
    for site in kernel.sites:
        file, line, column = site.location.source or ("", 0, 0)
        if (with_values(site.text), file, line, column)[: len(told)] == told:
            return site
    return None


def _failed_assertion(
    kernel: description.KernelImage,
    fault: Assertion,
    error: StoppedError,
    grid: tuple[int, int, int],
    memory: KnownArrays,
) -> DiagnosticError:
    """Return the diagnostic of the failed assertion `fault`, as every other target reports it: with the block
    among `grid`, and its values, whose addresses `memory` resolves to elements of arrays. Return `error`, the
    simulator's, if the kernel has no such assertion.
    """
    site = _site_of(kernel, fault)
    if site is None:
        return error
    x, y, z = error.block or (0, 0, 0)
    words = ""
    if fault.values:
        _, *details = fault.values
        words = reports.condition_words(site, details, lambda address: memory.array(address, error.regions))
    number = kernel.sites.index(site)
    return reports.report_failure(kernel, number, x + grid[0] * (y + grid[1] * z), grid, words)


def warn_of_costs(kernel: description.KernelImage, report: SimulationReport) -> None:
    """Issue a `CostWarning`, at its place in the source, for each line of `report` with bank conflicts or
    uncoalesced accesses; lines without a place in the source are left out.
    """
    for found in report.lines:
        words = COSTS[found.space](found)
        if words and found.place.source is not None:
            file, line, _ = found.place.source
            message = f"kernel '{kernel.title}': {words}"
            warnings.warn_explicit(message, CostWarning, file, line)


def _of_shared_memory(found: LineCost) -> str:
    if not found.cost:
        return ""
    return f"{found.requests} accesses of warps to shared memory take {found.cost} more passes because of bank conflicts"


def _of_global_memory(found: LineCost) -> str:
    if found.cost < WASTE * found.least:
        return ""
    return (
        f"{found.requests} accesses of warps to global memory touch {found.cost} sectors of 32 bytes, "
        f"and their elements would fit into {found.least}: they are not coalesced"
    )


COSTS: Mapping[str, Callable[[LineCost], str]] = {"shared": _of_shared_memory, "global": _of_global_memory}

"""Run every search over an image, and collect the findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from tilewright.inspect import findings as inspect_findings
from tilewright.inspect.binary.image import ProgramImage
from tilewright.inspect.code import constructor_roles, constructors, registrations as code_registrations
from tilewright.inspect.code.bodies import Bodies
from tilewright.inspect.code.scan import CodeScan
from tilewright.inspect.code.sites import function_starts, mask_findings, mask_sites, sentinel_findings
from tilewright.inspect.code.storage_decoders import storage_decoders
from tilewright.inspect.findings import of_kind
from tilewright.inspect.names import string_pools as names_string_pools, type_names as names_type_names
from tilewright.inspect.tables import pattern_tables as tables_pattern_tables
from tilewright.inspect.tables.hash_tables import dense_findings, dense_tables, swiss_findings
from tilewright.inspect.tables.passes import pass_findings, pipeline_findings
from tilewright.inspect.tables.pattern_objects import object_findings, pattern_objects
from tilewright.inspect.tables.vtables import Bank, VirtualTables, find_banks, find_tables
from tilewright.ir.diagnostic import Diagnostic
from tilewright.ir.support.progress import Progress

SHARED_WORTH_SHOWING = 1
MINIMUM_BANK_SHOWN = 4


@dataclass(frozen=True)
class Inspection:
    """The findings of a file, with its memory image."""

    image: ProgramImage
    findings: tuple[inspect_findings.BinaryFinding, ...]

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """Return the problems that did not stop the inspection."""
        return self.image.notes

    def of_kind(self, kind: str) -> list[inspect_findings.BinaryFinding]:
        """Return the findings of the kind `kind`, a key of `KINDS`, in their order; an empty list if there
        are none.
        """
        return of_kind(self.findings, kind)


def inspect_image(image: ProgramImage) -> Inspection:
    """Return the findings of all searches in an image, in the order of `KINDS`; none for an image that is not
    ``analysable``.
    """
    if not image.analysable:
        return Inspection(image, ())
    order = {kind: position for position, kind in enumerate(inspect_findings.KINDS)}
    found = sorted(_findings(image), key=lambda finding: order[finding.kind])
    return Inspection(image, tuple(found))


def _findings(image: ProgramImage) -> Iterator[inspect_findings.BinaryFinding]:
    searches = list(_searches(image))
    with Progress("searches", len(searches)) as progress:
        for search in searches:
            yield from search()
            progress.step()


def _searches(image: ProgramImage) -> Iterator[Callable[[], Iterable[inspect_findings.BinaryFinding]]]:
    """Yield the searches in order; results that several searches need are cached."""
    tables, bodies, scan = cache(lambda: find_tables(image)), Bodies(image), CodeScan(image)
    patterns = cache(lambda: tables_pattern_tables.pattern_tables(tables(), bodies))
    functions = cache(lambda: code_registrations.callees(scan) if image.machine == "x86-64" else [])
    registered = cache(lambda: code_registrations.registrations(functions()))
    named = cache(lambda: list(names_type_names.named_things(names_type_names.type_names(image))))
    objects = cache(lambda: pattern_objects(image, tables().plain_by_address))
    yield named
    yield lambda: _tables(tables(), patterns(), bodies)
    yield lambda: _names(image, tables(), bodies, registered(), functions(), named())
    yield lambda: _constructors(image, scan, tables(), bodies, registered())
    yield lambda: object_findings(objects())
    yield lambda: tables_pattern_tables.used_table_findings(
        tables(), patterns(), {one.table: one.address for one in objects()}
    )
    yield lambda: dense_findings(dense_tables(image))
    yield lambda: swiss_findings(image)
    if image.machine == "x86-64":
        yield lambda: _sites(image)
    yield lambda: names_string_pools.pool_findings(names_string_pools.string_pools(image))


def _tables(
    tables: VirtualTables, patterns: tables_pattern_tables.PatternTables, bodies: Bodies
) -> Iterator[inspect_findings.BinaryFinding]:
    yield from tables_pattern_tables.pattern_findings(tables, patterns, bodies)
    yield from tables_pattern_tables.pass_model_findings(tables, bodies)
    conversion = set(tables.address[patterns.conversion].tolist())
    rewrite = set(tables.address[patterns.rewrite].tolist())
    for bank in find_banks(tables):
        kinds = {"conversion pattern": conversion, "rewrite pattern": rewrite}
        finding = _bank(bank, next((kind for kind, known in kinds.items() if bank.address in known), ""))
        if finding is not None:
            yield finding


def _bank(bank: Bank, kind: str) -> inspect_findings.BinaryFinding | None:
    """Return a finding for tables at equal distances that share functions; None if they share none, or if
    they are few. `kind` says what patterns the tables are of, or is empty.
    """
    if bank.count < MINIMUM_BANK_SHOWN or len(bank.invariant) < SHARED_WORTH_SHOWING:
        return None
    evidence = [
        inspect_findings.Evidence(
            f"{bank.count} tables of {bank.slots} slots, {bank.stride:#x} bytes apart", bank.address
        )
    ]
    evidence += [
        inspect_findings.Evidence(f"slot {slot} holds {held:#x} in all of them", held)
        for slot, held in sorted(bank.invariant.items())
    ][:8]
    confidence = (
        inspect_findings.combined(inspect_findings.LIKELY, inspect_findings.STRONG)
        if len(bank.invariant) > 1
        else inspect_findings.STRONG
    )
    details = {
        "count": bank.count,
        "slots": bank.slots,
        "stride": bank.stride,
        "last": bank.last,
        "class": kind,
        "invariant slots": tuple(sorted(bank.invariant)),
    }
    name = f"{bank.count} tables of {bank.slots} slots"
    return inspect_findings.BinaryFinding(
        "table bank", name, bank.address, tuple(evidence), confidence, details
    )


def _names(
    image: ProgramImage,
    tables: VirtualTables,
    bodies: Bodies,
    registered: code_registrations.Registrations,
    functions: list[code_registrations.Callee],
    named: Sequence[inspect_findings.BinaryFinding],
) -> Iterator[inspect_findings.BinaryFinding]:
    classes = of_kind(named, "dialect class")
    dialects = list(code_registrations.dialect_findings(registered))
    yield from (_with_class(dialect, classes) for dialect in dialects)
    if not dialects:
        yield from map(_from_class, classes)
    yield from code_registrations.operation_findings(registered)
    passes = list(pass_findings(tables, bodies))
    yield from passes
    yield from pipeline_findings(image, functions, {finding.name for finding in passes})


def _stem(finding: inspect_findings.BinaryFinding) -> str:
    last = re.sub(r"<.*", "", finding.name).rpartition("::")[2]
    return last.removesuffix("Dialect").lower()


def _with_class(
    dialect: inspect_findings.BinaryFinding, classes: Sequence[inspect_findings.BinaryFinding]
) -> inspect_findings.BinaryFinding:
    """Return the finding of a dialect, extended by the class in `classes` whose name matches the dialect's,
    if any.
    """
    wanted = dialect.name.replace("_", "")
    match = next((one for one in classes if _stem(one) == wanted), None)
    if match is None:
        return dialect
    evidence = (*dialect.evidence, *match.evidence[:1])
    return replace(dialect, evidence=evidence, details={**dialect.details, "class": match.name})


def _from_class(finding: inspect_findings.BinaryFinding) -> inspect_findings.BinaryFinding:
    """Return a finding, of weak confidence, for a dialect that is known by its class name only; the finding's
    name is the stem of the class.
    """
    details = {"class": finding.name}
    return inspect_findings.BinaryFinding(
        "dialect", _stem(finding), finding.address, finding.evidence, inspect_findings.WEAK, details
    )


def _constructors(
    image: ProgramImage,
    scan: CodeScan,
    tables: VirtualTables,
    bodies: Bodies,
    registered: code_registrations.Registrations,
) -> Iterator[inspect_findings.BinaryFinding]:
    passes = {
        finding.address: finding.name
        for finding in (
            *pass_findings(tables, bodies),
            *tables_pattern_tables.pass_model_findings(tables, bodies),
        )
        if finding.address is not None
    }
    roles = constructor_roles.RoleReader(image, scan, registered.dialect_functions, passes, tables.by_address)
    yield from constructors.constructor_findings(image, scan, constructors.constructor_tables(image), roles)


def _sites(image: ProgramImage) -> Iterator[inspect_findings.BinaryFinding]:
    starts = function_starts(image)
    yield from mask_findings(mask_sites(image), starts)
    yield from storage_decoders(image, starts)
    yield from sentinel_findings(image, starts)

"""Operations and dialects that a program registers, from the calls that register them.

No function is known by name or address. Code hands a name and its length to a function; the names that a function
receives tell its purpose. A function that receives only names of the form ``dialect.mnemonic`` registers operations; a
function that receives mainly their first halves registers dialects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from tilewright.inspect.code.scan import CodeScan
from tilewright.inspect.findings import LIKELY, STRONG, BinaryFinding, Evidence, combined

OPERATION_NAME = re.compile(r"[a-z_][a-z0-9_]*(?:\.[A-Za-z0-9_$]+)+")
DIALECT_NAME = re.compile(r"[a-z_][a-z0-9_]*")
ARGUMENTS = (0, 1, 2)
"""The numbers of the arguments in which names are searched."""
MINIMUM_OPERATIONS = 3
"""The minimum number of operations that a function must receive to count as one that registers them."""
PURITY = 0.98
"""The minimum fraction of a function's names that must have the form ``dialect.mnemonic``."""
OVERLAP = 0.9
"""The minimum fraction of a further function's names that must be registered operations for it to count as
well.
"""
DIALECT_SHARE = 0.8
"""The minimum fraction of a function's names that must be dialects of known operations."""


@dataclass
class Callee:
    """A function that gets strings as argument number ``argument``, and these strings.

    ``names`` maps each text to the address of the code that passes it, ``strings`` to the address of the text
    itself.
    """

    address: int
    argument: int
    names: dict[str, int] = field(default_factory=dict[str, int])
    strings: dict[str, int] = field(default_factory=dict[str, int])

    def share(self, names: Mapping[str, object] | set[str]) -> float:
        """Return the fraction of the names passed to it that are in `names`."""
        return sum(name in names for name in self.names) / len(self.names)


def callees(scan: CodeScan) -> list[Callee]:
    """Return a `Callee` for every function and every number in `ARGUMENTS` by which code hands strings with
    their lengths to the function, sorted by address and argument.
    """
    found: dict[tuple[int, int], Callee] = {}
    for argument in ARGUMENTS:
        refs = scan.string_refs(argument)
        targets = scan.next_calls(refs.site)
        order = np.argsort(refs.site, kind="stable")
        rows = (refs.site[order], refs.string[order], refs.length[order], targets[order])
        for site, string, length, target in zip(*(row.tolist() for row in rows), strict=True):
            text = scan.image.text(string, length)
            if target and text:
                callee = found.setdefault((target, argument), Callee(target, argument))
                callee.names.setdefault(text, site)
                callee.strings.setdefault(text, string)
    return [found[key] for key in sorted(found)]


@dataclass(frozen=True)
class Registrations:
    """The functions that register operations, and those that register dialects; the most certain first."""

    operations: tuple[Callee, ...]
    dialects: tuple[Callee, ...]

    @property
    def dialect_functions(self) -> frozenset[int]:
        """The addresses of the functions that take dialects."""
        return frozenset(callee.address for callee in self.dialects)


def registrations(functions: list[Callee]) -> Registrations:
    """Return the functions among `functions` that take names of operations, and those that take names of
    dialects, both with the most names first. Of the former, only those whose names are mostly (`OVERLAP`)
    names of the first one count. Both are empty if no function takes names of operations.
    """
    takers = [callee for callee in functions if _takes_operations(callee)]
    takers.sort(key=lambda callee: (-len(callee.names), callee.address, callee.argument))
    if not takers:
        return Registrations((), ())
    known = takers[0].names
    operations = tuple(c for c in takers if c is takers[0] or c.share(known) >= OVERLAP)
    prefixes = {name.partition(".")[0] for callee in operations for name in callee.names}
    dialects = [callee for callee in functions if _takes_dialects(callee, prefixes)]
    dialects.sort(key=lambda callee: (-len(callee.names), callee.address, callee.argument))
    return Registrations(operations, tuple(dialects))


def _takes_operations(callee: Callee) -> bool:
    fitting = sum(OPERATION_NAME.fullmatch(name) is not None for name in callee.names)
    return fitting >= MINIMUM_OPERATIONS and fitting >= PURITY * len(callee.names)


def _takes_dialects(callee: Callee, prefixes: set[str]) -> bool:
    """Return whether all names have the form of dialect names, at least `DIALECT_SHARE` of them are in
    `prefixes`, the dialects of known operations, and these are at least three, or two if there are at most
    two dialects.
    """
    if not all(DIALECT_NAME.fullmatch(name) for name in callee.names):
        return False
    hits = sum(name in prefixes for name in callee.names)
    return hits >= DIALECT_SHARE * len(callee.names) and hits >= max(2, min(3, len(prefixes)))


def operation_findings(found: Registrations) -> Iterator[BinaryFinding]:
    """Yield one finding for each operation, sorted by name; evidence are up to four functions that take the
    name.
    """
    names = sorted({name for callee in found.operations for name in callee.names})
    for name in names:
        takers = [callee for callee in found.operations if name in callee.names]
        evidence = tuple(_passed(name, callee, "operations") for callee in takers[:4])
        confidence = combined(STRONG, *(LIKELY for _ in takers[1:3]))
        if _takers_size(takers) < 2 * MINIMUM_OPERATIONS:
            confidence = LIKELY
        details = {"dialect": name.partition(".")[0]}
        yield BinaryFinding("operation", name, takers[0].names[name], evidence, confidence, details)


def _takers_size(takers: list[Callee]) -> int:
    return max(len(callee.names) for callee in takers)


def _passed(name: str, callee: Callee, what: str) -> Evidence:
    text = f"'{name}' is passed to {callee.address:#x}, which takes the names of {len(callee.names)} {what}"
    return Evidence(text, callee.names[name])


def dialect_findings(found: Registrations) -> Iterator[BinaryFinding]:
    """Yield one finding for each dialect, from the functions that take it and from its operations."""
    operations: dict[str, list[str]] = {}
    for name in sorted({name for callee in found.operations for name in callee.names}):
        operations.setdefault(name.partition(".")[0], []).append(name)
    names = {name for callee in found.dialects for name in callee.names} | set(operations)
    for name in sorted(names):
        takers = [callee for callee in found.dialects if name in callee.names]
        owned = operations.get(name, [])
        evidence = [_passed(name, callee, "dialects") for callee in takers[:3]]
        if owned:
            evidence.append(_owns(name, owned, found))
        confidences = [STRONG] * bool(takers) + [LIKELY] * bool(owned)
        address = takers[0].names[name] if takers else None
        details = {"operations": len(owned)}
        yield BinaryFinding("dialect", name, address, tuple(evidence), combined(*confidences), details)


def _owns(name: str, operations: list[str], found: Registrations) -> Evidence:
    first = operations[0]
    site = next(callee.names[first] for callee in found.operations if first in callee.names)
    return Evidence(f"{len(operations)} operations begin with '{name}.', such as '{first}'", site)

"""Static constructors: the table of them, which of them are named elsewhere, and what each is for where its code tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.inspect.arrays import Positions
from tilewright.inspect.binary.image import ProgramImage
from tilewright.inspect.code.constructor_roles import ConstructorRole, RoleReader
from tilewright.inspect.code.scan import CodeScan
from tilewright.inspect.findings import CERTAIN, STRONG, BinaryFinding, Evidence
from tilewright.inspect.tables.vtables import WORD, runs

NAMED_TABLES = (".preinit_array", ".ctors", ".init_array")
MINIMUM_UNNAMED = 16
"""The minimum number of entries of a table that is found without a section name."""
BEFORE_FIRST = (1 << 64) - 1
"""The word before the first entry of a `.ctors` table; a zero word ends the table."""


@dataclass(frozen=True)
class ConstructorTable:
    """A table of static constructors: ``entries`` are the addresses of the functions in memory order, without
    end marks, and ``address`` is the address of the first entry. ``evidence`` says how the table was found.
    """

    name: str
    address: int
    entries: tuple[int, ...]
    evidence: tuple[Evidence, ...]
    confidence: float

    @property
    def end(self) -> int:
        """The address after the last entry."""
        return self.address + WORD * len(self.entries)


def constructor_tables(image: ProgramImage) -> list[ConstructorTable]:
    """Return the tables of static constructors in the sections with known names (`NAMED_TABLES`). If there
    are none, return the tables that are found by the two words around a `.ctors` table.
    """
    found = [table for region in image.data if (table := _named(image, region.name)) is not None]
    return found or [table for number in range(len(image.data)) for table in _delimited(image, number)]


def _named(image: ProgramImage, name: str) -> ConstructorTable | None:
    if not any(name == known or name.startswith(f"{known}.") for known in NAMED_TABLES):
        return None
    region = next(region for region in image.data if region.name == name)
    first, words = region.aligned_words
    keep = np.flatnonzero(image.is_code(words))
    if not len(keep):
        return None
    entries = words[keep[0] : keep[-1] + 1].tolist()
    address = first + WORD * int(keep[0])
    evidence = (Evidence(f"section '{name}' holds {len(entries)} addresses of code", address),)
    return ConstructorTable(name, address, tuple(entries), evidence, CERTAIN)


def _delimited(image: ProgramImage, number: int) -> Iterator[ConstructorTable]:
    first, words = image.data[number].aligned_words
    starts, counts = runs(image.is_code(words))
    for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
        end = start + count
        if count < MINIMUM_UNNAMED or start == 0 or end >= len(words):
            continue
        entries = words[start:end].tolist()
        if int(words[start - 1]) != BEFORE_FIRST or int(words[end]) != 0 or len(set(entries)) != count:
            continue
        address = first + WORD * start
        evidence = (
            Evidence(f"{count} different addresses of code, one after the other", address),
            Evidence("the word before them is -1, the word after them 0", address - WORD),
        )
        yield ConstructorTable(f"table at {address:#x}", address, tuple(entries), evidence, STRONG)


def references(
    image: ProgramImage, scan: CodeScan, table: ConstructorTable
) -> dict[int, tuple[Evidence, ...]]:
    """Return the constructors of `table` that code, or a word outside of the table and the loader's tables,
    refers to: a mapping from the address of a constructor to at most three references.
    """
    words = np.unique(np.array(table.entries, np.uint64))
    entries = words[image.is_code(words)].astype(np.int64)
    found: dict[int, list[Evidence]] = {}
    for sites, targets in (scan.calls, scan.addresses, scan.loads):
        for at in np.flatnonzero(np.isin(targets, entries)).tolist():
            text = f"code at {int(sites[at]):#x} mentions it"
            found.setdefault(int(targets[at]), []).append(Evidence(text, int(sites[at])))
    for address, held in _pointers(image, entries, table):
        found.setdefault(held, []).append(Evidence(f"the word at {address:#x} holds its address", address))
    return {address: tuple(evidence[:3]) for address, evidence in found.items()}


def _pointers(image: ProgramImage, entries: Positions, table: ConstructorTable) -> Iterator[tuple[int, int]]:
    for region in image.data:
        first, words = region.aligned_words
        for at in np.flatnonzero(np.isin(words, entries.astype(np.uint64))).tolist():
            address = first + WORD * at
            skipped = (*image.loader_ranges, (table.address, table.end))
            if not any(start <= address < end for start, end in skipped):
                yield address, int(words[at])


def constructor_findings(
    image: ProgramImage, scan: CodeScan, tables: Sequence[ConstructorTable], roles: RoleReader
) -> Iterator[BinaryFinding]:
    """Yield a finding for each table, then one for each constructor that is referenced or whose role shows."""
    for table in tables:
        referenced = references(image, scan, table)
        read = {entry: roles.read(entry) for entry in dict.fromkeys(table.entries)}
        shown = sum(role is not None for role in read.values())
        yield BinaryFinding(
            "constructor table",
            table.name,
            table.address,
            table.evidence,
            table.confidence,
            {"entries": len(table.entries), "referenced": len(referenced), "with role": shown},
        )
        for index, entry in enumerate(table.entries):
            role = read[entry]
            if role is not None or entry in referenced:
                yield _constructor(index, entry, role, referenced.get(entry, ()))


def _constructor(
    index: int, entry: int, role: ConstructorRole | None, where: tuple[Evidence, ...]
) -> BinaryFinding:
    name = (
        f"{role.name}: {role.subject}" if role and role.subject else role.name if role else "not recognised"
    )
    evidence = (*(role.evidence if role else ()), *where)
    confidence = role.confidence if role else CERTAIN
    details = {
        "index": index,
        "role": role.name if role else "",
        "subject": role.subject if role else "",
        "referenced": bool(where),
    }
    return BinaryFinding("constructor", name, entry, evidence, confidence, details)
